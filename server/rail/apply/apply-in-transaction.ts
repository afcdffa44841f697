// Applies a plan whose tool writes into the store's own database: its effect, the ending of the plan and of the call's row are
// one commit. A process that dies leaves the plan open and nothing written, so there is nothing that nobody knows (ADR 84).
import type { ActivityEvent } from '../../model/activity.ts'
import type { PlanEnding, PlanTransaction } from '../../model/plan-store.ts'
import { planAnswer, refusedPlan, unknownAnswer } from '../answers/plan-answers.ts'
import type { Answer } from '../answers/outcome.ts'
import type { PlannedCall } from '../call-context.ts'
import { invoke, toolContext } from '../invoke-contract.ts'
import { readBasis } from '../preview/describe.ts'
import { completionOf } from '../record/activity-row.ts'
import type { Told } from './apply.ts'
import { appliedEnd, endAnswer, endingOf, endOfRun, failedBeforeRun, runContext, type End } from './run-end.ts'

/** As long as such a run may take, in milliseconds: while it writes, nobody else writes into an SQLite file. */
const LONGEST_RUN_MS = 5000

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
  let last: { readonly end: End; answer?: Answer } | undefined
  const endWith = (end: End): PlanEnding => {
    last = { end }
    return endingOf(end)
  }
  const completion = (): ReturnType<ReturnType<typeof completionOf>> | undefined => {
    if (row === undefined || last?.end.kind !== 'applied') return undefined
    // Made when it is written, so that the row says what is answered; and answered as it was written.
    last.answer = told(appliedEnd(call, last.end))
    return completionOf(call, row, last.answer)()
  }
  try {
    const hasEnded = await engine.plans.runInTransaction(plan.id, owner, {
      run: async (transaction, isUndone) => {
        events = []
        if (before !== undefined) return endWith(before)
        return endWith(await run(call, { transaction, isUndone, events }))
      },
      crashed: (error) => endWith(crashedEnd(call, error)),
      ...(row === undefined ? {} : { row: { id: row.id, written: row.written, events: () => events, completion } }),
    })
    if (!hasEnded || last === undefined) {
      const now = await engine.plans.find({ by: 'id', id: plan.id })
      return told(now === undefined ? refusedPlan(call, 'unknown') : await planAnswer({ ...call, plan: now }))
    }
  } catch (error) {
    if (!mayBeWritten(error)) throw error
    engine.report(error, `${tool.wireName} run`)
    return told(unknownAnswer(call, notHeard))
  }
  if (row !== undefined) row.hasClaimed = true
  if (row !== undefined && last.answer !== undefined) row.isComplete = true
  return last.answer ?? told(await endAnswer(call, last.end))
}

/** Why it does not run, before anything of it has begun. */
async function endBeforeRun(call: PlannedCall): Promise<End | undefined> {
  const basis = await readBasis(call, toolContext(call))
  if (basis.kind !== 'value') return failedBeforeRun(call, basis)
  return basis.value === call.plan.basis ? undefined : { kind: 'stale' }
}

interface Inside {
  readonly transaction: PlanTransaction
  readonly isUndone: (error: unknown) => boolean
  readonly events: ActivityEvent[]
}

/** One run. Whatever it says besides a result, nothing of it is left. */
async function run(call: PlannedCall, { transaction, isUndone, events }: Inside): Promise<End> {
  const { engine, tool, input } = call
  const stop = new AbortController()
  const ctx = toolContext(
    call,
    stop.signal,
    async (name, data) => void events.push({ name, data: JSON.stringify(data) }),
  )
  /** What the database has taken back is no fault of the tool, and is run again. */
  let undone: { readonly error: unknown } | undefined
  const ran = await invoke(call, 'run', async () => {
    try {
      const work = tool.contract.run(input, { ...runContext(call, ctx), transaction })
      return await inTime(work, stop, Math.min(LONGEST_RUN_MS, engine.settings.runTimeoutMs))
    } catch (error) {
      if (!isUndone(error)) throw error
      undone = { error }
      return undefined
    }
  })
  if (undone !== undefined) throw undone.error
  return ran.kind === 'value' ? endOfRun(call, ran) : failedBeforeRun(call, ran)
}

/** What `work` answers within this time. What it writes after that is refused. */
async function inTime<T>(work: Promise<T> | T, stop: AbortController, ms: number): Promise<T> {
  const given = Promise.resolve(work)
  given.catch(() => undefined)
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const seconds = Math.round(ms / 1000)
      const error = new Error(
        `The run took longer than ${seconds} seconds and was taken back. A transactional tool writes through ctx.transaction alone: any other way to the database waits for itself.`,
      )
      stop.abort(error)
      reject(error)
    }, ms)
  })
  try {
    return await Promise.race([given, late])
  } finally {
    clearTimeout(timer)
  }
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
    'The connection to the database was lost while this was committed: it was written as a whole, or not at all. Repeat this same call: it answers with what is on record, or is applied then.',
}

/** Tagged by the store: the connection was lost, and the commit may have been carried out. */
const mayBeWritten = (error: unknown): boolean =>
  error instanceof Error &&
  'kind' in error &&
  error.kind === 'store-away' &&
  'effect' in error &&
  error.effect === 'unknown'
