// Where the card stands, in words: the pill, the sentence under the head, the line in the foot, what is announced. One
// function from state to words, so that no state can look like another or say nothing.
import type { Severity } from '../parts/alert.tsx'
import type { PillTone } from '../parts/buttons.tsx'
import { formatTime } from '../parts/format.ts'
import type { Reader } from '../parts/reader.ts'
import { fill, type Words } from '../parts/words.ts'
import type { Card } from '../../server/model/card.ts'
import type { PlanPhase } from './plan-phase.ts'

type Word = keyof Words

export interface StatusText {
  readonly pill: string
  readonly tone: PillTone
  readonly note?: {
    readonly name: Word
    readonly tone: Severity | 'plain' | 'ok'
    readonly sign: string
    /** Happened against the person's will just now: interrupts. */
    readonly alert?: boolean
  }
  /** The body folds away behind this word. */
  readonly fold?: '$confirmedFold' | '$previewedFold'
  /** The foot counts down, counts up, or says this; with `more` below it, where somebody opens it. */
  readonly foot: 'countdown' | 'since' | 'running' | { readonly text: string; readonly more?: string }
}

type Note = { readonly note: NonNullable<StatusText['note']> }

const note = (name: Word, tone: Note['note']['tone'], sign: string, alert = false): Note => ({
  note: { name, tone, sign, alert },
})
const quiet = (name: Word, sign = '–'): Note => note(name, 'plain', sign)
const warned = (name: Word, alert = false): Note => note(name, 'warning', '!', alert)

const previewed = { fold: '$previewedFold' } as const
const confirmed = { fold: '$confirmedFold' } as const

const heard = { accepted: '$nSent', timeout: '$nNoAnswer', earlier: '$nEarlier' } as const

/** "Applied 12:03", where the time is known. */
const appliedAt = (iso: string | undefined, { words, ...place }: Reader): string =>
  `${words.$applied} ${iso ? formatTime(iso, place) : ''}`.trim()

const previewing = (card: Card, words: Words): Pick<StatusText, 'pill' | 'tone'> => {
  if (card.state === 'stale' || card.state === 'refused') return { pill: words.$notApplied, tone: 'warn' }
  if (card.risk === 'critical') return { pill: words.$critical, tone: 'danger' }
  return card.risk === 'high' ? { pill: words.$high, tone: 'warn' } : { pill: words.$preview, tone: 'plain' }
}

const cancelled = (phase: Extract<PlanPhase, { at: 'cancelled' }>, words: Words): StatusText => {
  const { revoked, messageAnswer, wasSent } = phase
  // Without the server's word, and with the message out, nobody knows yet that nothing was changed.
  const sure = revoked === true || (revoked === false && !wasSent)
  const said = revoked
    ? quiet('$nRevoked')
    : messageAnswer === 'refused'
      ? warned('$nUntold', true)
      : quiet(revoked === undefined ? '$nRevoking' : '$nNotRevoked')
  return {
    pill: words.$cancelled,
    tone: 'plain',
    ...previewed,
    foot: { text: sure ? words.$nothingChanged : '' },
    ...said,
  }
}

const sent = (phase: Extract<PlanPhase, { at: 'sent' }>, words: Words): StatusText => {
  const doubtful = phase.heard === 'timeout' || phase.lapsed
  const name = phase.lapsed ? '$nLapsed' : heard[phase.heard]
  return {
    pill: phase.heard === 'timeout' ? words.$noAnswer : words.$sent,
    tone: doubtful ? 'warn' : 'plain',
    ...confirmed,
    foot: phase.heard === 'earlier' ? { text: '' } : 'since',
    ...(doubtful ? warned(name) : quiet(name, '↵')),
  }
}

/** The words of a preview card whose plan is in this phase; for a card without a plan, of what it reports. */
export const statusTextOf = (card: Card, phase: PlanPhase, reader: Reader): StatusText => {
  const { words } = reader
  const nothing = { text: words.$nothingChanged }
  const plan = { text: card.plan ? fill(words.$plan, card.plan.id) : '' }
  switch (phase.at) {
    case 'checking':
      return { ...previewing(card, words), foot: { text: words.$checking } }
    case 'ready':
      return {
        ...previewing(card, words),
        foot: 'countdown',
        ...(phase.checked === 'no-answer' ? note('$nUnchecked', 'info', 'i') : {}),
      }
    case 'refused':
      return { pill: words.$notSent, tone: 'warn', foot: 'countdown', ...warned('$nRefused', true) }
    case 'pending':
      return { pill: words.$sending, tone: 'plain', foot: { text: words.$sending } }
    case 'sent':
      return sent(phase, words)
    case 'cancelled':
      return cancelled(phase, words)
    case 'expired':
      return { pill: words.$expired, tone: 'plain', ...previewed, foot: nothing, ...quiet('$nExpired') }
    case 'superseded':
      return { pill: words.$replaced, tone: 'plain', ...previewed, foot: nothing, ...quiet('$nReplaced') }
    case 'applying':
      return {
        pill: phase.cancel === 'asked' ? words.$cancelling : words.$applying,
        tone: 'plain',
        ...confirmed,
        foot: phase.since === undefined ? plan : 'running',
        ...quiet('$nApplying', '…'),
      }
    case 'applied':
      return { pill: appliedAt(phase.when, reader), tone: 'ok', ...confirmed, foot: { text: '' } }
    case 'stale':
      return { pill: words.$notApplied, tone: 'warn', ...previewed, foot: nothing, ...warned('$nStale') }
    case 'failed':
      return { pill: words.$failed, tone: 'danger', ...confirmed, foot: nothing, ...note('$nFailed', 'danger', '×') }
    case 'unknown':
      return {
        pill: words.$unknownOutcome,
        tone: 'danger',
        ...confirmed,
        foot: plan,
        ...note('$nUnknown', 'danger', '!'),
      }
    case 'blocked':
      return { pill: words.$blocked, tone: 'danger', foot: nothing }
    case 'shown':
      return reporting(card, reader)
    default:
      return phase satisfies never
  }
}

/** A success, an error, an info: the pill says what the server said. */
const reporting = (card: Card, reader: Reader): StatusText => {
  const { words } = reader
  switch (card.kind) {
    case 'success':
      return {
        ...(card.state === 'applied' ? { pill: appliedAt(card.at, reader), tone: 'ok' } : failing(card, words)),
        foot: signedBy(card, words),
      }
    case 'error':
      return { ...failing(card, words), foot: { text: card.code ?? '' } }
    case 'preview':
      return { ...previewing(card, words), foot: { text: words.$nothingChanged } }
    case 'approval':
    case 'info':
      return { pill: card.kind === 'info' ? words.$info : words.$waiting, tone: 'plain', foot: { text: '' } }
    default:
      return card.kind satisfies never
  }
}

/** Who has signed, and for those who look for it by which plan; where nobody had to, the plan alone. */
const signedBy = (card: Card, words: Words): { readonly text: string; readonly more?: string } => {
  const plan = card.plan_id ? fill(words.$plan, card.plan_id) : ''
  return card.signed ? { text: card.signed, more: plan } : { text: plan }
}

const failing = (card: Card, words: Words): Pick<StatusText, 'pill' | 'tone'> => {
  switch (card.state) {
    case 'unknown':
      return { pill: words.$unknownOutcome, tone: 'danger' }
    case 'partial':
      return { pill: words.$partly, tone: 'warn' }
    case 'stale':
    case 'refused':
      return { pill: words.$notApplied, tone: 'warn' }
    case 'applying':
      return { pill: words.$applying, tone: 'plain' }
    default:
      return { pill: words.$failed, tone: 'danger' }
  }
}
