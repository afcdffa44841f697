// How a run ended is worth nothing while it is not written down, and the store may be busy, away, or told otherwise by
// somebody who took a silent run for a lost one. Only the owner of the claim speaks here.
import { setTimeout as wait } from 'node:timers/promises'
import type { PlanEnding } from '../../model/plan-store.ts'
import type { CallRequest, Engine } from '../engine.ts'
import type { Confirmed } from '../answers/plan-answers.ts'

/** A plan that this run has claimed. */
export interface Owned extends Confirmed {
  /** Names the run. */
  readonly owner: string
}

/**
 * A recorded ending is worth a few tries: the write is done, and a busy database is no reason to forget it. One that is
 * away is waited for as long as nobody else concludes that this run is lost.
 */
export async function record(
  engine: Engine,
  request: CallRequest,
  claimed: Owned,
  ending: PlanEnding,
  patienceMs: number = engine.settings.leaseMs,
): Promise<'recorded' | 'settled-elsewhere' | 'lost' | 'away'> {
  const deadline = performance.now() + patienceMs
  for (let attempt = 1; ; attempt++) {
    try {
      return (await say(engine, request, claimed, ending)) ? 'recorded' : 'settled-elsewhere'
    } catch (error) {
      engine.report(error, 'recording an ending')
      if (isAway(error) && performance.now() > deadline) return 'away'
      if (isAway(error)) await wait(200)
      else if (attempt >= 3) return 'lost'
    }
  }
}

/** The owner's word; where a reconcile has meanwhile denied the run, the record of this call says so. */
async function say(engine: Engine, request: CallRequest, { plan, owner }: Owned, ending: PlanEnding): Promise<boolean> {
  if (await engine.plans.finish(plan.id, owner, ending)) return true
  if (!(await engine.plans.correct(plan.id, owner, ending))) return false
  if (request.entry === undefined) return true
  const data = JSON.stringify({ plan: plan.id, was: 'failed', is: ending.kind })
  await engine.journal
    ?.event(request.entry, { name: 'plan.corrected', data })
    .catch((error: unknown) => engine.report(error, 'recording a correction'))
  return true
}

/** The owner may still say it later: then "not known" becomes what it was. Ends with the process, or after an hour. */
export async function recordLate(
  engine: Engine,
  request: CallRequest,
  claimed: Owned,
  ending: PlanEnding,
): Promise<void> {
  for (let pause = 1000; pause < 3_600_000; pause *= 2) {
    await wait(pause, undefined, { ref: false })
    const recorded = await say(engine, request, claimed, ending).catch(() => 'lost' as const)
    if (recorded !== 'lost') return
  }
}

/** Tagged by the store: the connection to its database is lost. */
const isAway = (error: unknown): boolean => error instanceof Error && 'kind' in error && error.kind === 'store-away'
