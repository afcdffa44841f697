// One owner of all that the card knows. A confirm card lives among late answers, replayed results and double clicks, and
// each of them must find the same answer however they are ordered. Therefore: a tagged union, a pure reducer, and one
// ladder that a plan only climbs. Nothing here touches a clock, a host or the page.
import type { MessageAnswer } from '../bridge/host.ts'
import type { Card } from '../../server/model/card.ts'
import { endings, firstLife, type Life, lifeOf, messageOf, nextAttempt, openLives, rung } from './life.ts'
import type { PlainResult, PlanStatus, Reading } from './read-result.ts'

export type View =
  | { readonly kind: 'waiting' }
  | { readonly kind: 'interrupted'; readonly reason: string | undefined }
  | { readonly kind: 'malformed'; readonly at: string; readonly content: string }
  | { readonly kind: 'plain'; readonly result: PlainResult }
  | {
      readonly kind: 'card'
      readonly card: Card
      readonly life: Life
      /** When the plan ends, by the view's own clock. */
      readonly until: number | undefined
    }

/** What a side action had to say; it never changes where the plan stands. */
export type Aside =
  | { readonly kind: 'none' }
  | { readonly kind: 'sending' }
  | { readonly kind: 'answered'; readonly text: string; readonly answer: MessageAnswer }
  | { readonly kind: 'copied' }
  | { readonly kind: 'uncopied'; readonly text: string }
  | { readonly kind: 'toast'; readonly text: string }
  | { readonly kind: 'unopened'; readonly url: string }
  | { readonly kind: 'enter' }

export interface State {
  /** Whether the host passes tool calls on; `undefined` until it has answered. */
  readonly tools: boolean | undefined
  readonly view: View
  readonly aside: Aside
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
  | { readonly type: 'aside'; readonly aside: Aside }

export const initial: State = { tools: undefined, view: { kind: 'waiting' }, aside: { kind: 'none' } }

type CardView = Extract<View, { kind: 'card' }>

/** True in the two states in which a click on Confirm does something. */
export const canConfirm = (view: View): boolean =>
  view.kind === 'card' &&
  (view.life.at === 'ready' || view.life.at === 'refused') &&
  view.card.plan !== undefined &&
  messageOf(view.card, 'confirm') !== undefined

/** Until the apply starts; after that a cancel would be a promise that nobody can keep. */
export const canCancel = (view: View): boolean =>
  view.kind === 'card' && openLives.has(view.life.at) && !(view.life.at === 'sent' && view.life.lapsed)

const show = (card: Card, tools: boolean | undefined, now: number): CardView => ({
  kind: 'card',
  card,
  life: firstLife(card, tools),
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
    return { ...view, card: reading.card }
  if (plan === undefined) return view
  if (reading.kind === 'card') {
    const { card, answersFor } = reading
    const ends = (card.kind === 'success' || card.kind === 'error') && settled.has(card.state)
    return answersFor === plan && ends ? show(card, tools, now) : view
  }
  if (reading.kind === 'malformed' || reading.result.planId !== plan) return view
  const said = endings[reading.result.status ?? '']
  return said ? climb(view, said, now) : view
}

const climb = (view: CardView, said: PlanStatus['state'], now: number, when?: string, reason?: string): CardView => {
  if (said === 'open') return view
  if ((said === 'cancelled' || said === 'expired') && view.life.at === 'cancelled') {
    return { ...view, life: { ...view.life, revoked: true } }
  }
  const life = lifeOf(said, when || new Date(now).toISOString(), view.life, reason)
  return rung(life.at) > rung(view.life.at) ? { ...view, life } : view
}

const onStatus = (view: CardView, status: PlanStatus, now: number): CardView => {
  if (status.planId !== view.card.plan?.id) return view
  if (status.state !== 'open') return climb(view, status.state, now, status.changedAt, status.reason)
  if (rung(view.life.at) > 0) return view
  const until = status.expiresInMs === undefined ? view.until : now + status.expiresInMs
  const { life } = view
  if (life.at === 'checking' && status.clicked) {
    return { ...view, until, life: { at: 'sent', attempt: 0, since: now, heard: 'earlier', lapsed: false } }
  }
  if (life.at === 'checking' || life.at === 'ready') {
    return { ...view, until, life: { at: 'ready', checked: 'yes' } }
  }
  return { ...view, until, life: life.at === 'sent' ? { ...life, lapsed: false } : life }
}

const onMessage = (view: CardView, answer: MessageAnswer, attempt: number, now: number): CardView => {
  if (view.life.at !== 'pending' || view.life.attempt !== attempt) return view
  const life: Life =
    answer.kind === 'refused'
      ? { at: 'refused', reason: answer.reason }
      : { at: 'sent', attempt, since: now, heard: answer.kind, lapsed: false }
  return { ...view, life }
}

const onTick = (view: CardView, now: number): CardView => {
  if (view.until === undefined || now < view.until) return view
  switch (view.life.at) {
    case 'checking':
    case 'ready':
    case 'refused':
      return { ...view, life: { at: 'expired' } }
    case 'sent':
      return view.life.lapsed ? view : { ...view, life: { ...view.life, lapsed: true } }
    default:
      return view
  }
}

/** What becomes of a card view by an event that is neither a result nor an aside. */
const onCard = (view: CardView, event: Event): CardView => {
  const { life } = view
  switch (event.type) {
    case 'welcome':
      return life.at === 'checking' && !event.tools ? { ...view, life: { at: 'ready', checked: 'not-possible' } } : view
    case 'status':
      return onStatus(view, event.status, event.now)
    case 'unanswered':
      return life.at === 'checking' ? { ...view, life: { at: 'ready', checked: 'no-answer' } } : view
    case 'confirm': {
      // A timer may sleep with the computer; the click looks at the clock itself.
      const current = onTick(view, event.now)
      return canConfirm(current) ? { ...current, life: { at: 'pending', attempt: nextAttempt(current.life) } } : current
    }
    case 'again': {
      const current = onTick(view, event.now)
      return current.life.at === 'sent' && !current.life.lapsed
        ? { ...current, life: { at: 'pending', attempt: nextAttempt(current.life) } }
        : current
    }
    case 'message':
      return onMessage(view, event.answer, event.attempt, event.now)
    case 'cancel':
      return canCancel(view)
        ? {
            ...view,
            life: {
              at: 'cancelled',
              revoked: undefined,
              messageAnswer: 'not-yet',
              wasSent: life.at === 'sent' || life.at === 'pending',
            },
          }
        : view
    case 'not-revoked':
      return life.at === 'cancelled' && life.revoked === undefined
        ? { ...view, life: { ...life, revoked: false } }
        : view
    case 'message-answered':
      return life.at === 'cancelled' ? { ...view, life: { ...life, messageAnswer: event.answer.kind } } : view
    case 'tick':
      return onTick(view, event.now)
    case 'result':
    case 'interrupted':
    case 'aside':
      break
    default:
      event satisfies never
  }
  return view
}

/** The whole behaviour of the card, as a function. */
export const reduce = (state: State, event: Event): State => {
  if (event.type === 'aside') return { ...state, aside: event.aside }
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
  // An aside belongs to the moment it was said in.
  const moved = next !== view && (next.kind !== 'card' || view.kind !== 'card' || next.life.at !== view.life.at)
  return { tools, view: next, aside: moved ? { kind: 'none' } : state.aside }
}
