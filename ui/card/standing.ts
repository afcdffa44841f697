// Where the card stands, in words: the pill, the sentence under the head, the line in the foot, what is announced. One
// function from state to words, so that no state can look like another or say nothing.
import { formatTime } from '../parts/format.ts'
import type { PillTone } from '../parts/buttons.tsx'
import type { Severity } from '../parts/alert.tsx'
import type { Card } from '../../server/cards/card.ts'
import type { Life } from './life.ts'
import type { CardWords, NoteName } from './words.ts'

export interface Standing {
  readonly pill: string
  readonly tone: PillTone
  readonly note?: {
    readonly name: NoteName
    readonly tone: Severity | 'plain' | 'ok'
    readonly sign: string
    /** Happened against the person's will just now: interrupts. */
    readonly alert?: boolean
  }
  /** The body folds away behind these words. */
  readonly fold?: string
  /** The foot counts down, counts up, or says this. */
  readonly foot: 'countdown' | 'since' | { readonly text: string }
}

interface Place {
  readonly locale?: string
  readonly timeZone?: string
}

const riskTone = (card: Card): PillTone =>
  card.risk === 'critical' ? 'danger' : card.risk === 'high' ? 'warn' : 'plain'

const previewing = (card: Card, words: CardWords): Pick<Standing, 'pill' | 'tone'> =>
  card.state === 'stale' || card.state === 'refused'
    ? { pill: words.pill.notApplied, tone: 'warn' }
    : { pill: words.previewPill[card.risk ?? 'medium'], tone: riskTone(card) }

const cancelled = (life: Extract<Life, { at: 'cancelled' }>, words: CardWords): Standing => {
  const known = life.revoked === true
  const base = {
    pill: words.pill.cancelled,
    tone: 'plain',
    fold: words.fold.previewed,
    foot: { text: known || !life.wasSent ? words.foot.nothingChanged : '' },
  } as const
  if (life.told === 'refused' && !known) {
    return { ...base, note: { name: 'cancelUntold', tone: 'warning', sign: '!', alert: true } }
  }
  if (known) return { ...base, note: { name: 'revoked', tone: 'plain', sign: '✓' } }
  return life.revoked === undefined
    ? { ...base, foot: { text: '' }, note: { name: 'revoking', tone: 'plain', sign: '–' } }
    : { ...base, note: { name: 'notRevoked', tone: 'plain', sign: '–' } }
}

/** The words of a preview card whose plan stands at `life`; for a card without a plan, of what it reports. */
export const standingOf = (card: Card, life: Life, words: CardWords, place: Place): Standing => {
  const { pill, foot, fold } = words
  const nothing = { text: foot.nothingChanged }
  const ended = { text: card.plan ? foot.plan(card.plan.id) : '' }
  switch (life.at) {
    case 'checking':
      return { ...previewing(card, words), foot: { text: foot.checking } }
    case 'ready':
      return {
        ...previewing(card, words),
        foot: 'countdown',
        ...(life.checked === 'no-answer' ? { note: { name: 'unchecked', tone: 'info', sign: 'i' } } : {}),
      }
    case 'refused':
      return {
        pill: pill.refused,
        tone: 'warn',
        foot: 'countdown',
        note: { name: 'refused', tone: 'warning', sign: '!', alert: true },
      }
    case 'pending':
      return { pill: pill.pending, tone: 'plain', foot: { text: foot.pending } }
    case 'sent': {
      const name = life.lapsed ? 'lapsed' : heard[life.heard]
      return {
        pill: life.heard === 'timeout' ? pill.noAnswer : pill.sent,
        tone: life.heard === 'timeout' || life.lapsed ? 'warn' : 'plain',
        fold: fold.confirmed,
        foot: life.heard === 'earlier' ? { text: '' } : 'since',
        note:
          life.heard === 'timeout' || life.lapsed
            ? { name, tone: 'warning', sign: '!' }
            : { name, tone: 'plain', sign: '↵' },
      }
    }
    case 'cancelled':
      return cancelled(life, words)
    case 'expired':
      return {
        pill: pill.expired,
        tone: 'plain',
        fold: fold.previewed,
        foot: nothing,
        note: { name: 'expired', tone: 'plain', sign: '–' },
      }
    case 'superseded':
      return {
        pill: pill.superseded,
        tone: 'plain',
        fold: fold.previewed,
        foot: nothing,
        note: { name: 'superseded', tone: 'plain', sign: '–' },
      }
    case 'applying':
      return {
        pill: pill.applying,
        tone: 'plain',
        fold: fold.confirmed,
        foot: ended,
        note: { name: 'applying', tone: 'plain', sign: '…' },
      }
    case 'applied':
      return { pill: pill.applied(formatTime(life.when, place)), tone: 'ok', fold: fold.confirmed, foot: ended }
    case 'stale':
      return {
        pill: pill.notApplied,
        tone: 'warn',
        fold: fold.previewed,
        foot: nothing,
        note: { name: 'stale', tone: 'warning', sign: '!' },
      }
    case 'failed':
      return {
        pill: pill.failed,
        tone: 'danger',
        fold: fold.confirmed,
        foot: nothing,
        note: { name: 'failed', tone: 'danger', sign: '×' },
      }
    case 'unknown':
      return {
        pill: pill.unknown,
        tone: 'danger',
        fold: fold.confirmed,
        foot: ended,
        note: { name: 'unknown', tone: 'danger', sign: '!' },
      }
    case 'blocked':
      return { pill: pill.blocked, tone: 'danger', foot: nothing }
    case 'shown':
      return reporting(card, words, place)
    default:
      return life satisfies never
  }
}

const heard = { accepted: 'sent', timeout: 'noAnswer', earlier: 'sentEarlier' } as const

/** A success, an error, an info: the pill says what the server said. */
const reporting = (card: Card, words: CardWords, place: Place): Standing => {
  const { pill, foot } = words
  const plan = { text: card.plan_id ? foot.plan(card.plan_id) : '' }
  if (card.kind === 'success') {
    return { pill: pill.applied(card.at ? formatTime(card.at, place) : ''), tone: 'ok', foot: plan }
  }
  if (card.kind === 'error') {
    const said = { text: card.code ?? '' }
    if (card.state === 'unknown') return { pill: pill.unknown, tone: 'danger', foot: said }
    if (card.state === 'stale' || card.state === 'refused') return { pill: pill.notApplied, tone: 'warn', foot: said }
    if (card.state === 'applying') return { pill: pill.applying, tone: 'plain', foot: said }
    return { pill: pill.error, tone: 'danger', foot: said }
  }
  if (card.kind === 'preview') return { ...previewing(card, words), foot: { text: foot.nothingChanged } }
  return { pill: card.kind === 'approval' ? pill.waiting : pill.info, tone: 'plain', foot: { text: '' } }
}
