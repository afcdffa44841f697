// The store as one process sees it: each step waits for its turn at the process's gate, and what it answers is noted,
// because that, with its code, is all that the future of the process depends on.
import type { Claim, PlanStore, OpenedPlan, Plan } from '../../../server/model/plan-store.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import type { Gate } from './explore-interleavings.ts'

export interface Actor {
  readonly name: string
  readonly gate: Gate
  /** What it has seen: with its code, this is all that its future depends on. */
  readonly seen: string[]
  dead: boolean
  answer?: Answer | undefined
  over: boolean
}

/** The store as one process sees it: each step waits for its turn. */
export function gatedPlanStore(plans: PlanStore, actor: Actor, opened: string[]): PlanStore {
  const step = async <T>(label: string, work: () => Promise<T>, say: (value: T) => string): Promise<T> => {
    const how = await actor.gate.pass(label)
    if (how === 'break') {
      actor.seen.push(`${label}: broke`)
      throw new Error(`The store is not there for "${label}".`)
    }
    const value = await work()
    if (how === 'tear') {
      actor.seen.push(`${label}: tore`)
      throw new Error(`The answer of "${label}" was lost.`)
    }
    actor.seen.push(`${label}: ${say(value)}`)
    return value
  }
  let renewing: Promise<boolean> | undefined
  const plan = (value: Plan | undefined): string =>
    value === undefined ? 'none' : `${value.state} ${JSON.stringify(value.ending ?? null)}`
  const claim = (value: Claim): string => (value.kind === 'gone' ? 'gone' : `${value.kind} ${plan(value.plan)}`)
  const open = (value: OpenedPlan): string => `${value.superseded !== undefined} ${value.appliedAt !== undefined}`
  return {
    ...plans,
    open: (draft, row) => {
      opened.push(draft.id)
      return step('open', () => plans.open(draft, row), open)
    },
    find: (ref) => step('find', () => plans.find(ref), plan),
    claim: (...asked) => step('claim', () => plans.claim(...asked), claim),
    holds: (...asked) => step('holds', () => plans.holds(...asked), String),
    // Of the heartbeats that one leap of the clock sets off, one is as good as all.
    renew: (id, owner, lease) =>
      (renewing ??= step('renew', () => plans.renew(id, owner, lease), String).finally(() => (renewing = undefined))),
    finish: (...asked) => step(`finish ${asked[2].kind}`, () => plans.finish(...asked), String),
    settle: (id, ending) => step(`settle ${ending.kind}`, () => plans.settle(id, ending), String),
    correct: (id, owner, ending) => step(`correct ${ending.kind}`, () => plans.correct(id, owner, ending), String),
    cancel: (id) => step('cancel', () => plans.cancel(id), plan),
    click: (id, trusted, ms) => step('click', () => plans.click(id, trusted, ms), plan),
  }
}
