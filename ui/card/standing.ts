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

type Words = CardWords
type Note = NonNullable<Standing['note']>

const note = (name: NoteName, tone: Note['tone'], sign: string, alert = false): { readonly note: Note } => ({
  note: { name, tone, sign, alert },
})

const quiet = (name: NoteName, sign = '–'): { readonly note: Note } => note(name, 'plain', sign)
const warned = (name: NoteName, alert = false): { readonly note: Note } => note(name, 'warning', '!', alert)

const cancelled = (life: Extract<Life, { at: 'cancelled' }>, { pill, fold, foot }: Words): Standing => {
  const { revoked, told, wasSent } = life
  // Without the server's word, and with the message out, nobody knows yet that nothing was changed.
  const base = {
    pill: pill.cancelled,
    tone: 'plain',
    fold: fold.previewed,
    foot: { text: revoked || (revoked === false && !wasSent) ? foot.nothingChanged : '' },
  } as const
  if (revoked) return { ...base, ...quiet('revoked', '✓') }
  if (told === 'refused') return { ...base, ...warned('cancelUntold', true) }
  return { ...base, ...quiet(revoked === undefined ? 'revoking' : 'notRevoked') }
}

const sent = (life: Extract<Life, { at: 'sent' }>, { pill, fold }: Words): Standing => {
  const doubtful = life.heard === 'timeout' || life.lapsed
  const name = life.lapsed ? 'lapsed' : heard[life.heard]
  return {
    pill: life.heard === 'timeout' ? pill.noAnswer : pill.sent,
    tone: doubtful ? 'warn' : 'plain',
    fold: fold.confirmed,
    foot: life.heard === 'earlier' ? { text: '' } : 'since',
    ...(doubtful ? warned(name) : quiet(name, '↵')),
  }
}

const heard = { accepted: 'sent', timeout: 'noAnswer', earlier: 'sentEarlier' } as const

/** The words of a preview card whose plan stands at `life`; for a card without a plan, of what it reports. */
export const standingOf = (card: Card, life: Life, words: Words, place: Place): Standing => {
  const { pill, foot } = words
  const nothing = { text: foot.nothingChanged }
  const plan = { text: card.plan ? foot.plan(card.plan.id) : '' }
  const { confirmed, previewed } = words.fold
  switch (life.at) {
    case 'checking':
      return { ...previewing(card, words), foot: { text: foot.checking } }
    case 'ready':
      return {
        ...previewing(card, words),
        foot: 'countdown',
        ...(life.checked === 'no-answer' ? note('unchecked', 'info', 'i') : {}),
      }
    case 'refused':
      return { pill: pill.refused, tone: 'warn', foot: 'countdown', ...warned('refused', true) }
    case 'pending':
      return { pill: pill.pending, tone: 'plain', foot: { text: foot.pending } }
    case 'sent':
      return sent(life, words)
    case 'cancelled':
      return cancelled(life, words)
    case 'expired':
    case 'superseded':
      return { pill: pill[life.at], tone: 'plain', fold: previewed, foot: nothing, ...quiet(life.at) }
    case 'applying':
      return { pill: pill.applying, tone: 'plain', fold: confirmed, foot: plan, ...quiet('applying', '…') }
    case 'applied':
      return { pill: pill.applied(formatTime(life.when, place)), tone: 'ok', fold: confirmed, foot: plan }
    case 'stale':
      return { pill: pill.notApplied, tone: 'warn', fold: previewed, foot: nothing, ...warned('stale') }
    case 'failed':
      return { pill: pill.failed, tone: 'danger', fold: confirmed, foot: nothing, ...note('failed', 'danger', '×') }
    case 'unknown':
      return { pill: pill.unknown, tone: 'danger', fold: confirmed, foot: plan, ...note('unknown', 'danger', '!') }
    case 'blocked':
      return { pill: pill.blocked, tone: 'danger', foot: nothing }
    case 'shown':
      return reporting(card, words, place)
    default:
      return life satisfies never
  }
}

/** A success, an error, an info: the pill says what the server said. */
const reporting = (card: Card, words: Words, place: Place): Standing => {
  const { pill, foot } = words
  switch (card.kind) {
    case 'success':
      return {
        pill: pill.applied(card.at ? formatTime(card.at, place) : ''),
        tone: 'ok',
        foot: { text: card.plan_id ? foot.plan(card.plan_id) : '' },
      }
    case 'error':
      return { ...failing(card, words), foot: { text: card.code ?? '' } }
    case 'preview':
      return { ...previewing(card, words), foot: { text: foot.nothingChanged } }
    case 'approval':
    case 'info':
      return { pill: card.kind === 'info' ? pill.info : pill.waiting, tone: 'plain', foot: { text: '' } }
    default:
      return card.kind satisfies never
  }
}

const failing = (card: Card, { pill }: Words): Pick<Standing, 'pill' | 'tone'> => {
  switch (card.state) {
    case 'unknown':
      return { pill: pill.unknown, tone: 'danger' }
    case 'stale':
    case 'refused':
      return { pill: pill.notApplied, tone: 'warn' }
    case 'applying':
      return { pill: pill.applying, tone: 'plain' }
    default:
      return { pill: pill.failed, tone: 'danger' }
  }
}
