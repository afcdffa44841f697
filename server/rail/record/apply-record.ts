// Records how a run ended, with retries: the store may be busy or away, or another process may have settled a run that was
// silent for too long. Only the owner of the claim writes here.
import { setTimeout as wait } from 'node:timers/promises'
import type { PlanEnding } from '../../model/plan-store.ts'
import { isStoreAway } from '../../model/store-away.ts'
import type { ClaimedCall } from '../call-context.ts'
import type { Answer } from '../answers/outcome.ts'
import { completionOf, rowEvent } from './activity-row.ts'

/**
 * A recorded ending is worth a few tries: the write is done, and a busy database is no reason to forget it. One that is
 * away is waited for as long as nobody else concludes that this run is lost. `answer`: what the call is answered once it is
 * recorded; its row then ends in the same commit.
 */
export async function recordEnding(
  call: ClaimedCall,
  ending: PlanEnding,
  {
    patienceMs = call.engine.settings.leaseMs,
    answer,
  }: { readonly patienceMs?: number; readonly answer?: () => Answer } = {},
): Promise<'recorded' | 'settled-elsewhere' | 'lost' | 'away'> {
  const deadline = performance.now() + patienceMs
  let answerOfRow = answer
  for (let tries = 1; ;) {
    try {
      return (await writeEnding(call, ending, answerOfRow)) ? 'recorded' : 'settled-elsewhere'
    } catch (error) {
      call.engine.report(error, 'recording an ending')
      if (isStoreAway(error)) {
        if (performance.now() > deadline) return 'away'
        await wait(200)
      } else if (answerOfRow !== undefined) {
        // What is wrong with the row is no reason to lose the ending.
        answerOfRow = undefined
      } else if (++tries > 3) return 'lost'
    }
  }
}

/** Writes the ending that the owner of the claim saw; where a reconcile has meanwhile denied the run, the call's row says so. */
async function writeEnding(call: ClaimedCall, ending: PlanEnding, answer?: () => Answer): Promise<boolean> {
  const { engine, plan, owner, row } = call
  const isOpen = answer !== undefined && row !== undefined && row.isComplete !== true
  const end = isOpen ? { id: row.id, completion: () => completionOf(call, row, answer())() } : undefined
  if (await engine.plans.finish(plan.id, owner, ending, end)) {
    if (isOpen) row.isComplete = true
    return true
  }
  if (!(await engine.plans.correct(plan.id, owner, ending))) return false
  await rowEvent(call, 'plan.corrected', { plan: plan.id, was: 'failed', is: ending.kind }).catch((error: unknown) =>
    engine.report(error, 'recording a correction'),
  )
  return true
}

/** Writes the ending once the store is back: then "not known" becomes what it was. Ends with the process, or after an hour. */
export async function recordEndingLater(call: ClaimedCall, ending: PlanEnding): Promise<void> {
  for (let pause = 1000; pause < 3_600_000; pause *= 2) {
    await wait(pause, undefined, { ref: false })
    const recorded = await writeEnding(call, ending).catch(() => 'lost' as const)
    if (recorded !== 'lost') return
  }
}
