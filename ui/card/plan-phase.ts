// The phase of a preview card's plan, and the order in which it only goes forward: however answers arrive, a plan
// that was used, cancelled or replaced can never look open again.
import type { Card, CardAction } from '../../server/model/card.ts'
import type { CallProgress, PlanStatus } from './read-result.ts'

/** Where the plan of a preview card stands, as far as this view knows. */
export type PlanPhase =
  /** The server was asked, or the host has not said yet whether it can be asked. */
  | { readonly at: 'checking' }
  | { readonly at: 'ready'; readonly checked: 'yes' | 'no-answer' | 'not-possible' }
  /** The host would not take the message. Confirm is live again. */
  | { readonly at: 'refused'; readonly reason: string | undefined }
  | { readonly at: 'pending'; readonly attempt: number }
  | {
      readonly at: 'sent'
      readonly attempt: number
      readonly since: number
      /** `earlier`: the server knows of a click that this view has not seen; it was mounted again since. */
      readonly heard: 'accepted' | 'timeout' | 'earlier'
      /** Its time ran out and nobody said what became of it. */
      readonly lapsed: boolean
    }
  | {
      readonly at: 'cancelled'
      /** Whether the server confirmed that the plan is gone; `undefined` while asking. */
      readonly revoked: boolean | undefined
      readonly messageAnswer: 'not-yet' | 'accepted' | 'refused' | 'timeout'
      /** The Apply message was out before. */
      readonly wasSent: boolean
      /** What an operator said who stopped all changes. */
      readonly reason?: string | undefined
    }
  | { readonly at: 'expired' }
  | { readonly at: 'superseded' }
  | {
      readonly at: 'applying'
      /** When it began, by the view's own clock; nothing where the server did not say. */
      readonly since?: number | undefined
      /** When the server said so last, by the view's own clock. */
      readonly heard?: number
      readonly progress?: CallProgress | undefined
      readonly cancel?: PlanStatus['cancel']
    }
  | { readonly at: 'unknown' }
  | { readonly at: 'applied' | 'failed' | 'stale'; readonly when: string }
  /** An alert forbids it. */
  | { readonly at: 'blocked' }
  /** A card without a plan: it says what happened and has no plan whose phase it shows. */
  | { readonly at: 'shown' }

/** The action of that role, with the one message that it sends. */
export const messageOf = (card: Card, role: 'confirm' | 'cancel'): string | undefined =>
  card.actions.flatMap((action) => (action.role === role ? action.steps : [])).find((step) => step.do === 'SendMessage')
    ?.text

export const actionOf = (card: Card, role: CardAction['role']): CardAction | undefined =>
  card.actions.find((action) => action.role === role)

/** The phases in which nothing has happened to the plan yet, as far as this view knows. */
export const openPhases: ReadonlySet<PlanPhase['at']> = new Set(['checking', 'ready', 'refused', 'pending', 'sent'])

/** A plan only goes forward: what the server says of it counts when that is further on than what is known. */
export const phaseOrder: Readonly<Record<PlanPhase['at'], number>> = {
  checking: 0,
  ready: 0,
  refused: 0,
  pending: 0,
  sent: 0,
  expired: 1,
  cancelled: 1,
  superseded: 2,
  applying: 3,
  unknown: 4,
  applied: 5,
  failed: 5,
  stale: 5,
  blocked: 5,
  shown: 5,
}

/** Where a card starts, before the server was asked. */
export const firstPhase = (card: Card, tools: boolean | undefined): PlanPhase => {
  const blocked = card.blocks.some((block) => block.kind === 'alert' && block.severity === 'block')
  if (card.kind !== 'preview') return { at: 'shown' }
  if (blocked || card.state === 'blocked') return { at: 'blocked' }
  switch (card.state) {
    case 'ready':
    // A preview that follows on a stale or refused apply says so in its state; its own plan is new.
    case 'stale':
    case 'refused':
    case 'pending':
    case 'sent':
      if (!card.plan || messageOf(card, 'confirm') === undefined) return { at: 'shown' }
      return tools === false ? { at: 'ready', checked: 'not-possible' } : { at: 'checking' }
    case 'applied':
    case 'failed':
    case 'cancelled':
    case 'expired':
    case 'superseded':
    case 'applying':
    case 'unknown':
      return phaseOf(card.state, card.at ?? '', { at: 'shown' })
    case 'info':
    case 'partial':
      return { at: 'shown' }
    default:
      return card.state satisfies never
  }
}

/** What the envelope's `status` says about the plan, where the result lost its card. */
export const endings: Readonly<Record<string, PlanStatus['state']>> = {
  applied: 'applied',
  replayed: 'applied',
  failed: 'failed',
  stale: 'stale',
  outcome_unknown: 'unknown',
  running: 'applying',
}

/** The phase that the server's word leads to. */
export const phaseOf = (
  said: Exclude<PlanStatus['state'], 'open'>,
  when: string,
  phase: PlanPhase,
  reason?: string,
): PlanPhase => {
  switch (said) {
    case 'applied':
    case 'failed':
    case 'stale':
      return { at: said, when }
    case 'cancelled':
      return { at: 'cancelled', revoked: true, messageAnswer: 'accepted', wasSent: phase.at === 'sent', reason }
    case 'applying':
    case 'unknown':
    case 'superseded':
    case 'expired':
      return { at: said }
    default:
      return said satisfies never
  }
}

/** Attempts are numbered so that the answer to an old one cannot settle a new one. */
export const nextAttempt = (phase: PlanPhase): number =>
  phase.at === 'sent' || phase.at === 'pending' ? phase.attempt + 1 : 1
