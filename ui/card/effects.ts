// What the states of the card make happen outside of it. The reducer decides, this carries out and reports back; each
// function is started by the state that asks for it, so a second click cannot start a second message.
import type { AppTool, Host } from '../bridge/host.ts'
import { copyText } from '../parts/copyable.tsx'
import type { Card, CardPlan, CardStep } from '../../server/model/card.ts'
import { messageOf } from './plan-phase.ts'
import { isRevised, type Revised } from './read-card.ts'
import { readPlanStatus, readResult, type PlanStatus } from './read-result.ts'
import type { Event, State } from './state.ts'

/** How long the card waits for the server's word before it goes on without. */
const SERVER_PATIENCE = 3_000

export interface EffectTarget {
  readonly host: Host
  dispatch(event: Event): void
  /** The state as it is now, for what comes back after a while. */
  current(): State
  now(): number
}

const after = (ms: number): Promise<undefined> => new Promise((resolve) => setTimeout(() => resolve(undefined), ms))

const askServer = async (target: EffectTarget, tool: AppTool, plan: CardPlan): Promise<PlanStatus | undefined> => {
  const answer = await Promise.race([target.host.callTool(tool, { ticket: plan.ticket }), after(SERVER_PATIENCE)])
  const status = answer?.kind === 'answered' ? readPlanStatus(answer.result) : undefined
  if (status?.planId !== plan.id) return undefined
  target.dispatch({ type: 'status', status, now: target.now() })
  return status
}

/** At mount: hosts re-mount old cards, and a used one must not come alive again. */
export const check = async (target: EffectTarget, plan: CardPlan): Promise<void> => {
  if (!(await askServer(target, 'countersign_plan_status', plan))) target.dispatch({ type: 'unanswered' })
}

/** Records the click where that is possible, then sends the message. The server's silence does not stop it. */
export const confirm = async (target: EffectTarget, card: Card, plan: CardPlan, attempt: number): Promise<void> => {
  const text = messageOf(card, 'confirm')
  if (text === undefined) return
  if (target.current().tools) {
    const status = await askServer(target, 'countersign_plan_confirm', plan)
    if (status && status.state !== 'open') return
    const { view } = target.current()
    // Cancelled while the server was thinking: the message must not go out any more.
    if (view.kind !== 'card' || view.phase.at !== 'pending' || view.phase.attempt !== attempt) return
  }
  const answer = await target.host.sendMessage(text)
  target.dispatch({ type: 'message', attempt, answer, now: target.now() })
}

const begun: ReadonlySet<PlanStatus['state']> = new Set(['applying', 'applied', 'failed', 'unknown'])

/** Revokes the plan where that is possible, then tells the chat. Too late is too late, and the card says so. */
export const cancel = async (target: EffectTarget, card: Card, plan: CardPlan): Promise<void> => {
  const status = target.current().tools ? await askServer(target, 'countersign_plan_cancel', plan) : undefined
  if (status && begun.has(status.state)) return
  if (!status || status.state === 'open') target.dispatch({ type: 'not-revoked' })
  const text = messageOf(card, 'cancel')
  if (text === undefined) return target.dispatch({ type: 'message-answered', answer: { kind: 'accepted' } })
  target.dispatch({ type: 'message-answered', answer: await target.host.sendMessage(text) })
}

/** Asks the call that runs to end; how that went, its state says. */
export const stop = async (target: EffectTarget, plan: CardPlan): Promise<void> =>
  void (await askServer(target, 'countersign_plan_cancel', plan))

/** Asks again and again, while somebody looks, until it was stopped or `isOver`. Answers its own undo. */
const repeat = (ask: () => Promise<unknown>, pause: () => number, isOver: () => boolean): (() => void) => {
  let isStopped = false
  const run = async (): Promise<void> => {
    if (isStopped || isOver()) return
    await after(pause())
    if (!isStopped && !document.hidden) await ask()
    void run()
  }
  void run()
  return () => void (isStopped = true)
}

/**
 * Asks for the plan's state until something ends it, so that the preview card itself ends as "Applied": quickly at first,
 * then with that many milliseconds between.
 */
export const follow = (target: EffectTarget, plan: CardPlan, longest: number, isOver: () => boolean): (() => void) => {
  let pause = 1_000 / 1.5
  return repeat(
    () => askServer(target, 'countersign_plan_status', plan),
    () => (pause = Math.min(longest, pause * 1.5)),
    isOver,
  )
}

/** After so many questions without an answer, the last ones a minute apart, nobody is there any more. */
const MOST_SILENT = 9

/** Asks how it goes on until nobody wants to know; less and less often while no answer comes. */
export const followOn = (target: EffectTarget, planId: string): (() => void) => {
  let silent = 0
  return repeat(
    async () => {
      const answer = await target.host.callTool('countersign_plan_progress', { ticket: planId })
      silent++
      if (answer.kind !== 'answered') return
      const reading = readResult(answer.result)
      if (reading.kind === 'card') silent = 0
      target.dispatch({ type: 'result', reading, now: target.now() })
    },
    () => Math.min(60_000, 1_000 * 2 ** silent),
    () => silent > MOST_SILENT,
  )
}

/** What the person has changed on the card: texts of fields by their places, and members of lists that are left out. */
export interface Draft {
  readonly set: Readonly<Record<string, string>>
  readonly out: readonly string[]
}

/** What the server makes of changed values. `send`: it is to be put on record that they go into the chat. */
export const revise = async (
  target: EffectTarget,
  plan: CardPlan,
  { set, out }: Draft,
  send: boolean,
): Promise<Revised | undefined> => {
  const answer = await target.host.callTool('countersign_plan_revise', {
    ticket: plan.ticket,
    set,
    leave_out: out,
    send,
  })
  if (answer.kind !== 'answered') return undefined
  const status = readPlanStatus(answer.result)
  if (status) target.dispatch({ type: 'status', status, now: target.now() })
  const revised = answer.result.meta['countersign/revision']
  return isRevised(revised) ? revised : undefined
}

/** Asks in the chat for the preview of the changed call; what the server says instead goes back to the form. */
export const sendRevision = async (
  target: EffectTarget,
  plan: CardPlan,
  draft: Draft,
): Promise<Revised | undefined> => {
  target.dispatch({ type: 'revise', to: 'sending' })
  const revised = await revise(target, plan, draft, true)
  const text = revised?.message
  if (!text) {
    target.dispatch({ type: 'revise', to: 'open', from: 'sending' })
    return revised
  }
  const answer = await target.host.sendMessage(text)
  target.dispatch({ type: 'revise', to: 'sent', from: 'sending' })
  target.dispatch({ type: 'aside', aside: { kind: 'answered' }, answered: { text, answer } })
  return revised
}

/** Copies, and says so; where copying is blocked the text is shown, selected. */
export const copy = async (target: EffectTarget, text: string): Promise<void> => {
  const copied = await copyText(text)
  target.dispatch({ type: 'aside', aside: copied ? { kind: 'copied' } : { kind: 'uncopied', text } })
}

export const openLink = async (target: EffectTarget, url: string): Promise<void> => {
  if (!(await target.host.openLink(url))) target.dispatch({ type: 'aside', aside: { kind: 'unopened', url } })
}

/** The steps of an action that is neither Confirm nor Cancel, one after the other. */
export const perform = async (target: EffectTarget, steps: readonly CardStep[]): Promise<void> => {
  for (const step of steps) {
    switch (step.do) {
      case 'SendMessage': {
        target.dispatch({ type: 'aside', aside: { kind: 'sending' } })
        const answer = await target.host.sendMessage(step.text)
        target.dispatch({ type: 'aside', aside: { kind: 'answered' }, answered: { text: step.text, answer } })
        break
      }
      case 'OpenLink':
        await openLink(target, step.url)
        break
      case 'CopyText':
        await copy(target, step.text)
        break
      case 'ShowToast':
        target.dispatch({ type: 'aside', aside: { kind: 'toast', text: step.text } })
        break
      case 'SetState':
        // The view owns its state; only Confirm and Cancel have one to set, and the reducer knows which.
        break
      default:
        step satisfies never
    }
  }
}
