// What must be true of every answer once two processes have tried to apply the same plan, and of those who ask afterwards:
// the note is written once at most, and nobody is told otherwise.
import { expect } from 'vitest'
import type { Plan } from '../../../server/model/plan-store.ts'
import type { Answer } from '../../../server/rail/answers/outcome.ts'
import type { Actor } from './gated-plan-store.ts'
import type { Scenario } from './two-processes.ts'

interface Ending {
  /** The result of a run that has written its note. */
  readonly note: { readonly id: string; readonly text: string }
  /** How many notes stand in the book. */
  readonly written: () => number
  /** The plan as the store has it. */
  readonly plan: () => Promise<Pick<Plan, 'state'> | undefined>
  /** Lets every lease lapse. */
  readonly lapse: () => void
  /** The confirmed call, made by somebody who comes later. */
  readonly apply: () => Promise<Answer>
}

/** Whether this process has claimed the plan. */
export const claimed = (actor: Actor): boolean => actor.seen.some((step) => step.startsWith('claim: claimed'))

/** Compares what all of them were told with what is in the book, and asks again afterwards. */
export async function expectTruthful(actors: readonly Actor[], scenario: Scenario, ending: Ending): Promise<void> {
  const { note, apply } = ending
  const written = ending.written()
  // A result that breaks its contract is not handed on; a reconcile may still tell it properly.
  const results = scenario.conduct === 'answers nonsense' ? [undefined, note] : [note]
  const answers = actors.flatMap(({ name, answer }) => (answer === undefined || name === 'C' ? [] : [answer]))
  const outcomes = answers.map((answer) => answer.outcome)
  const took = answers.filter(({ outcome }) => outcome === 'applied' || outcome === 'replayed')
  expect(outcomes.filter((outcome) => outcome === 'applied').length).toBeLessThanOrEqual(1)
  for (const answer of took) {
    expect(written).toBe(1)
    expect(results).toContainEqual(answer.result)
    expect(answer.result).toStrictEqual(took[0]?.result)
  }
  // While the run slept, its contract's reconcile could only deny it; who had heard that hears the truth below.
  for (const actor of actors)
    if (written === 1 && actor.name !== 'C' && (scenario.sleeps !== true || claimed(actor)))
      expectHonest(actor, scenario)
  if (scenario.faults === undefined && scenario.crashes === 0) expect(actors.every((actor) => actor.over)).toBe(true)
  // Whoever comes afterwards, when every lease has lapsed, and once more.
  ending.lapse()
  const before = await ending.plan()
  const later = await apply()
  const again = await apply()
  expect(ending.written(), 'executions after all').toBeLessThanOrEqual(1)
  if (took.length > 0) expect([later.outcome, later.result]).toStrictEqual(['replayed', took[0]?.result])
  if (written === 1) {
    const sure = took.length > 0 || (scenario.reconcile && scenario.conduct !== 'refuses')
    expect(sure ? ['replayed'] : ['replayed', 'outcome_unknown']).toContain(later.outcome)
  }
  if (before?.state !== 'open') {
    expect(later.outcome).not.toBe('applied')
    expect(ending.written()).toBe(written)
  }
  expect(later.outcome).not.toBe('running')
  // What has been told once is told again; only a reconcile may still find out what nobody knew.
  if (later.outcome === 'applied' || later.outcome === 'replayed')
    expect([again.outcome, again.result]).toStrictEqual(['replayed', later.result])
  else if (!(later.outcome === 'outcome_unknown' && scenario.reconcile && again.outcome === 'replayed'))
    expect(again.outcome).toBe(later.outcome === 'failed' || later.outcome === 'stale' ? again.outcome : later.outcome)
  // A contract that looks twice, a lease apart, and finds no effect, has the last word.
  if (again.outcome === 'outcome_unknown' && scenario.reconcile && ending.written() === 0) {
    ending.lapse()
    expect((await apply()).outcome).toBe('refused')
  }
  if (later.outcome === 'outcome_unknown') expect(later.text).not.toMatch(/nothing was (?:changed|run)/i)
}

/** Of a note that stands in the book nobody may be told that it does not. */
function expectHonest(actor: Actor, scenario: Scenario): void {
  const { answer } = actor
  if (answer === undefined) return
  // Whose own step on the store broke before it claimed anything speaks of its own call, and says so.
  const ownCallOnly =
    scenario.faults !== undefined && !claimed(actor) && answer.guidance?.error_type === 'store_unavailable'
  if (ownCallOnly) {
    expect(answer.text).toContain('by this call')
    return
  }
  expect(['applied', 'replayed', 'running', 'outcome_unknown']).toContain(answer.outcome)
  expect(answer.text).not.toMatch(/nothing was (?:changed|run)/i)
}
