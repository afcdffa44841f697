// One owner of all that the card knows. A confirm card lives among late answers, replayed results and double clicks, and
// each of them must find the same answer however they are ordered. Therefore: a tagged union, a pure reducer, and one order in
// which a plan only goes forward. Nothing here touches a clock, a host or the page.
import type { MessageAnswer } from '../bridge/host.ts'
import type { Card } from '../../server/model/card.ts'
import {
  endings,
  firstPhase,
  type PlanPhase,
  phaseOf,
  messageOf,
  nextAttempt,
  openPhases,
  phaseOrder,
} from './plan-phase.ts'
import type { PlainResult, PlanStatus, Reading } from './read-result.ts'

export type View =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'interrupted'; readonly reason: string | undefined }
  | { readonly kind: 'malformed'; readonly at: string; readonly content: string }
  | { readonly kind: 'plain'; readonly result: PlainResult }
  | {
      readonly kind: 'card'
      readonly card: Card
      readonly phase: PlanPhase
      /** When the plan ends, by the view's own clock. */
      readonly until: number | undefined
    }

/** What a side action had to say; it never changes where the plan stands. */
export type Aside =
  | { readonly kind: 'none' | 'sending' | 'answered' | 'copied' | 'enter' }
  | { readonly kind: 'uncopied'; readonly text: string }
  | { readonly kind: 'toast'; readonly text: string }
  | { readonly kind: 'unopened'; readonly url: string }

/** A message beside the decision, and what the chat answered to it. */
export interface Answered {
  readonly text: string
  readonly answer: MessageAnswer
}

export interface State {
  /** Whether the host passes tool calls on; `undefined` until it has answered. */
  readonly tools: boolean | undefined
  readonly view: View
  readonly aside: Aside
  /** Of the last message beside the decision; it stays in sight whatever is said after it. */
  readonly answered?: Answered | undefined
  /** Whether the person is changing values of an open plan, or has sent them into the chat. Meanwhile it is not confirmed. */
  readonly revising?: 'open' | 'sending' | 'sent' | undefined
}

export type Event =
  | { readonly type: 'welcome'; readonly tools: boolean }
  | { readonly type: 'result'; readonly reading: Reading; readonly now: number }
  | { readonly type: 'interrupted'; readonly reason: string | undefined }
  | { readonly type: 'status'; readonly status: PlanStatus; readonly now: number }
  /** The question about the plan stayed without a usable answer. */
  | { readonly type: 'unanswered' }
  | { readonly type: 'confirm'; readonly now: number }
  | { readonly type: 'again'; readonly now: number }
  | { readonly type: 'message'; readonly attempt: number; readonly answer: MessageAnswer; readonly now: number }
  | { readonly type: 'cancel' }
  /** How the cancelling went: at the server, or in the chat. */
  | { readonly type: 'not-revoked' }
  | { readonly type: 'message-answered'; readonly answer: MessageAnswer }
  | { readonly type: 'tick'; readonly now: number }
  | { readonly type: 'aside'; readonly aside: Aside; readonly answered?: Answered }
  | { readonly type: 'revise'; readonly to: State['revising']; readonly from?: 'sending' }

export const initial: State = { tools: undefined, view: { kind: 'waiting' }, aside: { kind: 'none' } }

type CardView = Extract<View, { kind: 'card' }>

/** True in the two states in which a click on Confirm does something. */
export const canConfirm = (view: View): boolean =>
  view.kind === 'card' &&
  (view.phase.at === 'ready' || view.phase.at === 'refused') &&
  view.card.plan !== undefined &&
  messageOf(view.card, 'confirm') !== undefined

/** Until the apply starts; after that a cancel would be a promise that nobody can keep. */
export const canCancel = (view: View): boolean =>
  view.kind === 'card' && openPhases.has(view.phase.at) && !(view.phase.at === 'sent' && view.phase.lapsed)

const show = (card: Card, tools: boolean | undefined, now: number): CardView => ({
  kind: 'card',
  card,
  phase: firstPhase(card, tools),
  until: card.plan ? now + card.plan.expires_in_ms : undefined,
})

const settled: ReadonlySet<string> = new Set(['applied', 'partial', 'failed', 'unknown', 'stale'])

/** The first card latches. Later results count only when they answer for this card's plan, and bring its end. */
const onResult = (state: State, reading: Reading, now: number): View => {
  const { view, tools } = state
  if (reading.kind === 'status') return view
  if (view.kind !== 'card') {
    if (reading.kind === 'card') {
      // Without its own card this view still knows whose it is; a stranger's card must not move in.
      const mine = view.kind === 'plain' ? view.result.planId : undefined
      return mine !== undefined && reading.answersFor !== mine ? view : show(reading.card, tools, now)
    }
    if (view.kind === 'plain' || view.kind === 'malformed') return view
    return reading.kind === 'plain' ? reading : { kind: 'malformed', at: reading.at, content: reading.content }
  }
  const plan = view.card.plan?.id
  // How it goes on: the same card as it stands by now.
  if (reading.kind === 'card' && view.card.follow && reading.answersFor === view.card.plan_id)
    return { ...view, card: view.card.signed ? { ...reading.card, signed: view.card.signed } : reading.card }
  if (plan === undefined) return view
  if (reading.kind === 'card') {
    const { card, answersFor } = reading
    const ends = (card.kind === 'success' || card.kind === 'error') && settled.has(card.state)
    return answersFor === plan && ends ? show(card, tools, now) : view
  }
  if (reading.kind === 'malformed' || reading.result.planId !== plan) return view
  const said = endings[reading.result.status ?? '']
  return said ? advance(view, said, now) : view
}

const advance = (view: CardView, said: PlanStatus['state'], now: number, when?: string, reason?: string): CardView => {
  if (said === 'open') return view
  if ((said === 'cancelled' || said === 'expired') && view.phase.at === 'cancelled') {
    return { ...view, phase: { ...view.phase, revoked: true } }
  }
  const phase = phaseOf(said, when || new Date(now).toISOString(), view.phase, reason)
  return phaseOrder[phase.at] > phaseOrder[view.phase.at] ? { ...view, phase } : view
}

const onStatus = (view: CardView, status: PlanStatus, now: number): CardView => {
  if (status.planId !== view.card.plan?.id) return view
  const { runningMs, progress, cancel } = status
  if (status.state === 'applying' && runningMs !== undefined && phaseOrder[view.phase.at] <= phaseOrder.applying) {
    const known = view.phase.at === 'applying' ? view.phase : undefined
    const asked = known?.cancel === 'asked' ? known.cancel : cancel
    const since = Math.min(known?.since ?? now, now - runningMs)
    return { ...view, phase: { at: 'applying', since, heard: now, progress, cancel: asked } }
  }
  if (status.state !== 'open') return advance(view, status.state, now, status.changedAt, status.reason)
  if (phaseOrder[view.phase.at] > 0) return view
  const until = status.expiresInMs === undefined ? view.until : now + status.expiresInMs
  const { phase } = view
  if (phase.at === 'checking' && status.clicked) {
    return { ...view, until, phase: { at: 'sent', attempt: 0, since: now, heard: 'earlier', lapsed: false } }
  }
  if (phase.at === 'checking' || phase.at === 'ready') {
    return { ...view, until, phase: { at: 'ready', checked: 'yes' } }
  }
  return { ...view, until, phase: phase.at === 'sent' ? { ...phase, lapsed: false } : phase }
}

const onMessage = (view: CardView, answer: MessageAnswer, attempt: number, now: number): CardView => {
  if (view.phase.at !== 'pending' || view.phase.attempt !== attempt) return view
  const phase: PlanPhase =
    answer.kind === 'refused'
      ? { at: 'refused', reason: answer.reason }
      : { at: 'sent', attempt, since: now, heard: answer.kind, lapsed: false }
  return { ...view, phase }
}

const onTick = (view: CardView, now: number): CardView => {
  if (view.until === undefined || now < view.until) return view
  switch (view.phase.at) {
    case 'checking':
    case 'ready':
    case 'refused':
      return { ...view, phase: { at: 'expired' } }
    case 'sent':
      return view.phase.lapsed ? view : { ...view, phase: { ...view.phase, lapsed: true } }
    default:
      return view
  }
}

/** What becomes of a card view by an event that is neither a result nor an aside. */
const onCard = (view: CardView, event: Event): CardView => {
  const { phase } = view
  switch (event.type) {
    case 'welcome':
      return phase.at === 'checking' && !event.tools
        ? { ...view, phase: { at: 'ready', checked: 'not-possible' } }
        : view
    case 'status':
      return onStatus(view, event.status, event.now)
    case 'unanswered':
      return phase.at === 'checking' ? { ...view, phase: { at: 'ready', checked: 'no-answer' } } : view
    case 'confirm': {
      // A timer may sleep with the computer; the click looks at the clock itself.
      const current = onTick(view, event.now)
      return canConfirm(current)
        ? { ...current, phase: { at: 'pending', attempt: nextAttempt(current.phase) } }
        : current
    }
    case 'again': {
      const current = onTick(view, event.now)
      return current.phase.at === 'sent' && !current.phase.lapsed
        ? { ...current, phase: { at: 'pending', attempt: nextAttempt(current.phase) } }
        : current
    }
    case 'message':
      return onMessage(view, event.answer, event.attempt, event.now)
    case 'cancel':
      return canCancel(view)
        ? {
            ...view,
            phase: {
              at: 'cancelled',
              revoked: undefined,
              messageAnswer: 'not-yet',
              wasSent: phase.at === 'sent' || phase.at === 'pending',
            },
          }
        : view
    case 'not-revoked':
      return phase.at === 'cancelled' && phase.revoked === undefined
        ? { ...view, phase: { ...phase, revoked: false } }
        : view
    case 'message-answered':
      return phase.at === 'cancelled' ? { ...view, phase: { ...phase, messageAnswer: event.answer.kind } } : view
    case 'tick':
      return onTick(view, event.now)
    case 'result':
    case 'interrupted':
    case 'aside':
    case 'revise':
      break
    default:
      event satisfies never
  }
  return view
}

const silent = { aside: { kind: 'none' }, answered: undefined } as const

/** The whole behaviour of the card, as a function. */
export const reduce = (state: State, event: Event): State => {
  if (event.type === 'aside') {
    const { aside, answered } = event
    return { ...state, aside, answered: aside.kind === 'sending' ? undefined : (answered ?? state.answered) }
  }
  if (event.type === 'revise') {
    // One message at a time, and nothing comes of one whose form was left meanwhile.
    const fits = state.revising === 'sending' ? event.from === 'sending' : event.from === undefined
    return fits ? { ...state, revising: event.to, ...silent } : state
  }
  if (event.type === 'confirm' && state.revising) return state
  const tools = event.type === 'welcome' ? event.tools : state.tools
  const { view } = state
  const next =
    event.type === 'result'
      ? onResult(state, event.reading, event.now)
      : event.type === 'interrupted' && view.kind === 'waiting'
        ? ({ kind: 'interrupted', reason: event.reason } as const)
        : view.kind === 'card'
          ? onCard(view, event)
          : view
  if (next === view && tools === state.tools) return state
  // An aside belongs to the moment it was said in; what goes on after its call comes to another one with another title.
  const moved =
    next !== view &&
    (next.kind !== 'card' ||
      view.kind !== 'card' ||
      next.phase.at !== view.phase.at ||
      next.card.title !== view.card.title)
  return { ...state, tools, view: next, ...(moved ? silent : {}) }
}
