// Applies a plan whose tool writes into the store's own database: claim, effect and ending are one commit. A process that
// dies leaves the plan open and nothing written, so nobody ever has to find out what became of such a run.
import type { Claim } from '../../model/plan-store.ts'
import type { Answer } from '../answers/outcome.ts'
import { planAnswer, refusedPlan } from '../answers/plan-answers.ts'
import type { PlannedCall } from '../call-context.ts'
import { invoke, toolContext } from '../intake/invoke-contract.ts'
import { readBasis } from '../preview/describe.ts'
import { rowEvent } from '../record/activity-row.ts'
import { endAnswer, endingOf, endOfRun, failedBeforeRun, runContext, type End } from './run-end.ts'

/**
 * Applies an open plan of a contract that is `transactional`. `owner` names the run.
 * @throws what the store throws where it could not say whether the transaction was committed.
 */
export async function applyInside(call: PlannedCall, owner: string): Promise<Answer> {
  const { engine, plan } = call
  const stop = new AbortController()
  const patience = setTimeout(() => stop.abort(), engine.settings.runTimeoutMs)
  try {
    const ctx = toolContext(call, stop.signal)
    const basis = await readBasis(call, ctx)
    if (basis.kind !== 'value') return await endUnrun(call, owner, failedBeforeRun(call, basis))
    if (basis.value !== plan.basis) return await endUnrun(call, owner, { kind: 'stale' })
    return await runInside(call, owner, stop.signal)
  } finally {
    clearTimeout(patience)
  }
}

async function runInside(call: PlannedCall, owner: string, signal: AbortSignal): Promise<Answer> {
  const { engine, tool, input } = call
  /** Events of the run: the log has transactions of its own, which wait for this one. */
  const events: { readonly event: string; readonly data: unknown }[] = []
  let end: End | undefined
  const outcome = await engine.plans.runInside(call.plan.id, owner, async (inside) => {
    events.length = 0
    const ctx = toolContext(call, signal, async (event, data) => void events.push({ event, data }))
    /** What the database has taken back is no fault of the tool, and is run again. */
    let undone: { readonly error: unknown } | undefined
    const ran = await invoke(call, 'run', async () => {
      try {
        return await beforeAbort(signal, tool.contract.run(input, { ...runContext(call, ctx), inside }), call)
      } catch (error) {
        if (!inside.wasTakenBack(error)) throw error
        undone = { error }
        return undefined
      }
    })
    if (undone !== undefined) throw undone.error
    // Whatever a run says besides a result, nothing of it is left.
    end = ran.kind === 'value' ? endOfRun(call, ran) : failedBeforeRun(call, ran)
    return end.kind === 'applied' ? endingOf(end) : undefined
  })
  if (outcome.kind === 'gone' || outcome.kind === 'taken') return takenAnswer(call, outcome)
  if (end === undefined) throw new Error(`The run of ${call.plan.id} was answered without an end.`)
  const planned = { ...call, plan: outcome.plan }
  if (outcome.kind === 'taken-back') return endUnrun(planned, owner, end)
  for (const { event, data } of events)
    await rowEvent(call, event, data).catch((error: unknown) => engine.report(error, 'recording an event'))
  return endAnswer(planned, end)
}

/** Writes down why a plan did not run; where that cannot be written, the plan stays open, and what is said is true all the same. */
async function endUnrun(call: PlannedCall, owner: string, end: End): Promise<Answer> {
  const { engine, plan } = call
  const claim = await engine.plans.end(plan.id, owner, endingOf(end)).catch((error: unknown) => {
    engine.report(error, 'recording an ending')
    return undefined
  })
  return claim === undefined || claim.kind === 'claimed' ? endAnswer(call, end) : takenAnswer(call, claim)
}

/** Somebody else was there first. */
const takenAnswer = (
  call: PlannedCall,
  taken: Exclude<Claim, { readonly kind: 'claimed' }>,
): Answer | Promise<Answer> =>
  taken.kind === 'gone' ? refusedPlan(call, 'unknown') : planAnswer({ ...call, plan: taken.plan })

/**
 * What `work` answers, as long as nobody has given it up. What it writes after that meets a transaction that has ended, and
 * throws there.
 */
async function beforeAbort<T>(signal: AbortSignal, work: Promise<T> | T, { engine, tool }: PlannedCall): Promise<T> {
  const seconds = Math.round(engine.settings.runTimeoutMs / 1000)
  const late = (): Error =>
    new Error(
      `The run of ${tool.wireName} took longer than ${seconds} seconds. All that it had written was taken back. If it uses the store by another way than ctx.inside.transaction, it waits for itself.`,
    )
  signal.throwIfAborted()
  const given = Promise.resolve(work)
  let tell: (() => void) | undefined
  const aborted = new Promise<never>((_, reject) => {
    tell = () => reject(late())
    signal.addEventListener('abort', tell, { once: true })
  })
  try {
    return await Promise.race([given, aborted])
  } finally {
    if (tell !== undefined) signal.removeEventListener('abort', tell)
    given.catch(() => undefined)
  }
}
