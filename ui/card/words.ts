// All that the card says in its own voice, in one object per language. Each state has its pill, its sentence and its
// place in the foot, and each sentence says only what is known: "sent" is not "applied", and where nothing was changed
// it says so.
import type { CardRisk } from '../../server/cards/card.ts'

export interface CardWords {
  readonly previewPill: Readonly<Record<CardRisk, string>>
  readonly pill: {
    readonly notApplied: string
    readonly refused: string
    readonly pending: string
    readonly sent: string
    readonly noAnswer: string
    readonly cancelled: string
    readonly expired: string
    readonly superseded: string
    readonly applying: string
    readonly failed: string
    readonly unknown: string
    readonly blocked: string
    readonly waiting: string
    readonly info: string
    readonly noCard: string
    applied(time: string): string
  }
  readonly note: Readonly<Record<NoteName, { readonly title?: string; readonly text?: string }>>
  readonly foot: {
    readonly checking: string
    readonly pending: string
    readonly nothingChanged: string
    validFor(clock: string): string
    sentAgo(seconds: number): string
    plan(id: string): string
  }
  readonly button: {
    readonly cancel: string
    readonly again: string
    readonly copyMessage: string
    readonly copyDetails: string
  }
  readonly fold: { readonly confirmed: string; readonly previewed: string }
  readonly says: string
  readonly message: string
  readonly result: string
  readonly address: string
  readonly spaceToConfirm: string
  readonly copied: string
  readonly lastMinute: string
  malformed(at: string): string
  announce(title: string, state: string): string
}

/** The sentences of the card about its own state; text between backticks is a key to press. */
export type NoteName =
  | 'unchecked'
  | 'refused'
  | 'sent'
  | 'sentEarlier'
  | 'noAnswer'
  | 'lapsed'
  | 'revoking'
  | 'revoked'
  | 'notRevoked'
  | 'cancelUntold'
  | 'expired'
  | 'superseded'
  | 'applying'
  | 'stale'
  | 'failed'
  | 'unknown'
  | 'waiting'
  | 'interrupted'
  | 'malformed'
  | 'noCard'
  | 'empty'
  | 'asideSent'
  | 'asideRefused'
  | 'unopened'

const clock = (seconds: number): string =>
  seconds < 60 ? `${seconds} s` : seconds < 3600 ? `${Math.floor(seconds / 60)} min` : `${Math.floor(seconds / 3600)} h`

export const english: CardWords = {
  previewPill: {
    low: 'Preview',
    medium: 'Preview',
    high: 'Preview · high risk',
    critical: 'Preview · critical',
  },
  pill: {
    notApplied: 'Not applied',
    refused: 'Not sent',
    pending: 'Sending…',
    sent: 'Sent to the chat',
    noAnswer: 'No answer yet',
    cancelled: 'Cancelled',
    expired: 'Expired',
    superseded: 'Replaced',
    applying: 'Applying…',
    failed: 'Failed',
    unknown: 'Outcome unknown',
    blocked: 'Blocked',
    waiting: 'Waiting',
    info: 'Info',
    noCard: 'Text only',
    applied: (time) => (time ? `Applied ${time}` : 'Applied'),
  },
  note: {
    unchecked: {
      title: 'The state of this card could not be checked.',
      text: 'It may have been used already. The server checks again before anything is changed.',
    },
    refused: {
      title: 'The chat did not take the message.',
      text: 'Nothing was changed. Try again, or paste it yourself.',
    },
    sent: { text: 'If the message is in the box below, press `Enter`.' },
    sentEarlier: {
      text: 'This was confirmed before. If the message is not in the chat, send it again.',
    },
    noAnswer: {
      title: 'The chat did not say whether it took the message.',
      text: 'If it is in the box below, press `Enter`. If not, send it again.',
    },
    lapsed: {
      title: 'The time for this preview is over.',
      text: 'If it was not applied by now, nothing was changed.',
    },
    revoking: { text: 'Telling the server that this must not be applied.' },
    revoked: { text: 'This preview can no longer be applied.' },
    notRevoked: {
      title: 'The server could not be told.',
      text: 'The chat was asked not to apply it. Unused, the preview expires by itself.',
    },
    cancelUntold: {
      title: 'The chat did not take the message.',
      text: 'Tell the agent not to apply this, or paste the message yourself.',
    },
    expired: { text: 'This preview was not confirmed in time.' },
    superseded: { text: 'A newer preview of the same call has taken its place.' },
    applying: { text: 'The agent has made the call. It is running now.' },
    stale: {
      title: 'It has changed since this preview.',
      text: 'The confirmed change was not applied. Look for the new preview in the chat.',
    },
    failed: { title: 'The call failed.', text: 'The reason is in the chat.' },
    unknown: {
      title: 'Nobody saw how the call ended.',
      text: 'It may or may not have been applied. Check before it is tried again.',
    },
    waiting: { text: 'Waiting for the result of the call…' },
    interrupted: { title: 'The call was stopped before it answered.' },
    malformed: {
      title: 'This card cannot be shown.',
      text: 'What arrived is not a card that this view can read. Nothing was changed by showing it.',
    },
    noCard: {
      title: 'This view did not receive the card that can be confirmed.',
      text: "Ask the agent to show the preview's text, or approve it in the chat.",
    },
    empty: { text: 'The result that arrived here is empty. Look at the chat for what happened.' },
    asideSent: { text: 'Sent to the chat. If the message is in the box below, press `Enter`.' },
    asideRefused: { title: 'The chat did not take the message.', text: 'Paste it yourself.' },
    unopened: { title: 'The host did not open the link.' },
  },
  foot: {
    checking: 'Checking…',
    pending: 'Sending…',
    nothingChanged: 'Nothing was changed',
    validFor: (left) => `Valid for ${left}`,
    sentAgo: (seconds) => (seconds < 1 ? 'Sent just now' : `Sent ${clock(seconds)} ago`),
    plan: (id) => `Plan ${id}`,
  },
  button: { cancel: 'Cancel', again: 'Send again', copyMessage: 'Copy message', copyDetails: 'Copy details' },
  fold: { confirmed: 'What was confirmed', previewed: 'What was previewed' },
  says: 'The agent says:',
  message: 'Message for the chat',
  result: 'Result of the call',
  address: 'Address',
  spaceToConfirm: 'Enter does not confirm here. Press Space, or click.',
  copied: 'Copied',
  lastMinute: 'One minute left to confirm',
  malformed: (at) => `First fault at ${at}`,
  announce: (title, state) => `${title}. ${state}.`,
}
