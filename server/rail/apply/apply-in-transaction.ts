// Applies a plan whose tool writes into the store's own database: its effect, the ending of the plan and of the call's row are
// one commit. A process that dies leaves the plan open and nothing written, so there is nothing that nobody knows (ADR 84).
import type { ActivityEvent } from '../../model/activity.ts'
import type { PlanEnding, PlanTransaction, RunAttempt } from '../../model/plan-store.ts'
import { isStoreAway } from '../../model/store-away.ts'
import { planAnswer, refusedPlan, unknownAnswer } from '../answers/plan-answers.ts'
import type { Answer } from '../answers/outcome.ts'
import type { PlannedCall } from '../call-context.ts'
import { invoke, NotDone, toolContext, type Invoked } from '../invoke-contract.ts'
import { nothingBegun } from '../middleware.ts'
import { readBasis } from '../preview/describe.ts'
import { completionOf } from '../record/activity-row.ts'
import type { Told } from './apply.ts'
import { appliedEnd, endAnswer, endingOf, endOfRun, failedBeforeRun, runContext, type End } from './run-end.ts'

/**
 * Applies an open plan of a contract that is `transactional`. `owner` names the run.
 * @throws what the store throws where nothing was written.
 */
export async function applyInTransaction(call: PlannedCall, owner: string, told: Told): Promise<Answer> {
  const { engine, plan, row, tool } = call
  // The basis is read beside the transaction: the contract's own `basis` knows nothing of it.
  const before = await endBeforeRun(call)
  /** The log is written in this very transaction, so what the run adds to the row waits for its end. */
  let events: ActivityEvent[] = []
  /** By how the plan ends: which of several runs was committed, the store knows alone. */
  const ends = new Map<PlanEnding, { readonly end: End; answer?: Answer }>()
  const endWith = (end: End): PlanEnding => {
    const ending = endingOf(end)
    ends.set(ending, { end })
    return ending
  }
  const completion = (ending: PlanEnding): ReturnType<ReturnType<typeof completionOf>> | undefined => {
    const ended = ends.get(ending)
    if (row === undefined || ended?.end.kind !== 'applied') return undefined
    // Made when it is written, so that the row says what is answered; and answered as it was written.
    ended.answer = told(appliedEnd(call, ended.end))
    return completionOf(call, row, ended.answer)()
  }
  let committed: PlanEnding | undefined
  try {
    committed = await engine.plans.runInTransaction(plan.id, owner, {
      run: async (transaction, attempt) => {
        events = []
        if (before !== undefined) return endWith(before)
        return endWith(await run(call, { transaction, attempt, events }))
      },
      crashed: (error) => endWith(crashedEnd(call, error)),
      ...(row === undefined ? {} : { row: { id: row.id, written: row.written, events: () => events, completion } }),
    })
  } catch (error) {
    if (!isStoreAway(error) || error.effect === 'none') throw error
    engine.report(error, `${tool.wireName} run`)
    return told(unknownAnswer(call, notHeard))
  }
  const ended = committed === undefined ? undefined : ends.get(committed)
  if (ended === undefined) {
    const now = await engine.plans.find({ by: 'id', id: plan.id })
    return told(now === undefined ? refusedPlan(call, 'unknown') : await planAnswer({ ...call, plan: now }))
  }
  if (row !== undefined) row.hasClaimed = true
  if (row !== undefined && ended.answer !== undefined) row.isComplete = true
  return ended.answer ?? told(await endAnswer(call, ended.end))
}

/** Why it does not run, before anything of it has begun. */
async function endBeforeRun(call: PlannedCall): Promise<End | undefined> {
  const basis = await readBasis(call, toolContext(call, call.request.signal))
  if (basis.kind !== 'value') return failedBeforeRun(call, basis)
  return basis.value === call.plan.basis ? undefined : { kind: 'stale' }
}

interface Inside {
  readonly transaction: PlanTransaction
  readonly attempt: RunAttempt
  readonly events: ActivityEvent[]
}

/** One run. Whatever it says besides a result, nothing of it is left. */
async function run(call: PlannedCall, { transaction, attempt, events }: Inside): Promise<End> {
  const { engine, tool, input } = call
  const timed = timeOf(attempt, engine.settings.runTimeoutMs)
  /** How far the tool itself has come: middleware may take its time before and after it. */
  let state: 'waiting' | 'begun' | 'over' = 'waiting'
  const ctx = toolContext(call, timed.signal, async (name, data) => {
    if (state === 'over') throw new Error('The run is over, and its row is written: await ctx.audit.')
    const text: string | undefined = JSON.stringify(data)
    if (text === undefined) throw new TypeError(`The event ${name} has no data that JSON can hold.`)
    events.push({ name, data: text })
  })
  /** What is taken again is no fault of the tool. */
  let takenBack: { readonly error: unknown } | undefined
  const work = async () => {
    state = 'begun'
    try {
      const given = Promise.resolve(tool.contract.run(input, { ...runContext(call, ctx), transaction }))
      given.catch(() => undefined)
      return await Promise.race([given, timed.late])
    } catch (error) {
      if (!attempt.isTakenAgain(error)) throw error
      takenBack = { error }
      return new NotDone('taken_back', 'The database takes this run again.')
    } finally {
      state = 'over'
    }
  }
  const invoked = invoke(call, 'run', ctx, work)
  // Middleware holds the transaction as well as the tool does. What a tool that has begun came to is heard at once.
  const held = timed.late.catch((error: unknown) => {
    if (state === 'begun') return invoked
    if (attempt.isTakenAgain(error)) throw error
    return state === 'over' ? invoked : heldUp
  })
  try {
    const ran = await Promise.race([invoked, held])
    if (takenBack !== undefined) throw takenBack.error
    return ran.kind === 'value' ? endOfRun(call, ran) : failedBeforeRun(call, ran)
  } finally {
    state = 'over'
    timed.end()
  }
}

/** `late` rejects, and `signal` aborts, once a run has taken as long as it may. */
function timeOf({ longestMs, late }: RunAttempt, runTimeoutMs: number) {
  const stop = new AbortController()
  const over = Promise.withResolvers<never>()
  over.promise.catch(() => undefined)
  const timer = setTimeout(
    () => {
      const error =
        runTimeoutMs < longestMs ? new Error(`The run took longer than ${runTimeoutMs} ms and was taken back.`) : late()
      stop.abort(error)
      over.reject(error)
    },
    Math.min(runTimeoutMs, longestMs),
  )
  return { late: over.promise, signal: stop.signal, end: () => clearTimeout(timer) }
}

/** Middleware let the tool begin too late. */
const heldUp: Invoked<never> = {
  kind: 'failed',
  failed: {
    kind: 'tool-failed',
    code: 'not_started',
    message: "The server's middleware took longer than a run in a transaction may take, so the run was not begun.",
  },
  spec: nothingBegun,
}

/** The database refused what the run had written, of which it heard nothing. */
function crashedEnd(call: PlannedCall, error: unknown): End {
  const { engine, tool } = call
  const message = error instanceof Error ? error.message : String(error)
  call.noticed.thrown = message
  return failedBeforeRun(call, { kind: 'crashed', incident: engine.report(error, `${tool.wireName} run`), message })
}

const notHeard = {
  code: 'not_heard',
  message:
    'The connection to the database was lost while this was committed: it was written as a whole, or not at all.',
}
