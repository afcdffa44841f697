// Applies plans: a confirmed plan is claimed in one atomic step, runs once with the arguments that were
// stored, and its ending is on record before anyone hears of it. Whatever happens in between (a crash, a lost lease, a
// second agent) the plan says so, and nothing here ever runs a plan twice.
import { newRunId } from '../../confirm/secret.ts'
import { freshFor } from '../../fresh-for.ts'
import { recordEnding, recordEndingLater } from '../record/apply-record.ts'
import { readBasis } from '../preview/describe.ts'
import { invoke, NotDone, toolContext } from '../invoke-contract.ts'
import { nothingBegun } from '../middleware.ts'
import { inRunTime, LONGEST_HELD_MS, startRunTime, type RunTime } from '../../model/run-time.ts'
import type { EndingFailure } from '../../model/plan-store.ts'
import type { Answer } from '../answers/outcome.ts'
import type { ClaimedCall, PlannedCall } from '../call-context.ts'
import { refusedPlan, planAnswer, unknownAnswer } from '../answers/plan-answers.ts'
import { applyInTransaction } from './apply-in-transaction.ts'
import {
  appliedEnd,
  endAnswer,
  endingOf,
  endOfRun,
  failedBeforeRun,
  runContext,
  unrecordedAnswer,
  type End,
} from './run-end.ts'

/** What whoever applies a plan adds to its answer: by which verdict and which approval it ran. */
export type Told = (answer: Answer) => Answer

/** Applies a confirmed plan, or says what has already become of it. */
export async function applyPlan(call: PlannedCall, told: Told): Promise<Answer> {
  const { engine, plan, row, tool } = call
  if (plan.state !== 'open') return told(await planAnswer(call))
  // One owner for each run: a claim whose answer was lost can be asked for again, and nobody else mistakes it for theirs.
  const owner = `${engine.owner} ${newRunId(engine.random)}`
  if (tool.contract.transactional === true) return applyInTransaction(call, owner, told)
  // Whatever happens to this process after the claim, the row of the call names the plan.
  const claim = await engine.plans.claim(plan.id, owner, engine.settings.leaseMs, row?.id)
  if (claim.kind === 'gone') return told(refusedPlan(call, 'unknown'))
  if (claim.kind === 'taken') return told(await planAnswer({ ...call, plan: claim.plan }))
  if (row !== undefined) row.hasClaimed = true
  const { plan: stored, isFresh } = claim
  const claimed: ClaimedCall = { ...call, plan: stored, owner, ...(isFresh === undefined ? {} : { isFresh }) }
  // Whoever asked may stop waiting; the run goes on, and its ending is recorded when it comes.
  const start: Start = { state: 'waiting' }
  const time = startRunTime(engine.settings.runTimeoutMs)
  return told(
    await withDeadline(
      claimed,
      start,
      time,
      inRunTime(time, () => runClaimed(claimed, start, time, told)),
    ),
  )
}

/** Whether the tool's `run` has begun, or must not any more. Middleware and the basis may take their time before it. */
interface Start {
  state: 'waiting' | 'begun' | 'forbidden'
}

/** Runs the claimed plan and records its ending. Only the owner of the claim ever comes here. */
async function runClaimed(claimed: ClaimedCall, start: Start, time: RunTime, told: Told): Promise<Answer> {
  const { engine, tool, plan, owner } = claimed
  const stop = new AbortController()
  void time.over.then(() => stop.abort())
  const heartbeat = setInterval(() => {
    engine.plans.renew(plan.id, owner, engine.settings.leaseMs).then(
      // Others may now conclude that this run is over, so it should be.
      (held) => (held ? undefined : stop.abort()),
      (error: unknown) => engine.report(error, `${tool.wireName} lease`),
    )
  }, engine.settings.leaseMs / 3)
  heartbeat.unref()
  try {
    const end = await run(claimed, start, stop.signal)
    // Made when it is written, so that the row says what is answered; and answered as it was written.
    const made: { answer?: Answer } = {}
    const answer = end.kind === 'applied' ? { answer: () => told((made.answer = appliedEnd(claimed, end))) } : undefined
    const recorded = await recordEnding(claimed, endingOf(end), answer)
    if (recorded === 'away' || recorded === 'lost') void recordEndingLater(claimed, endingOf(end))
    // Nothing ran, whoever can write that down.
    if (end.kind === 'not-started' && recorded !== 'settled-elsewhere') return endAnswer(claimed, end)
    if (recorded === 'away' || recorded === 'lost') return unrecordedAnswer(claimed, end)
    if (recorded !== 'recorded') return await settledElsewhere(claimed, end)
    return made.answer ?? (await endAnswer(claimed, end))
  } finally {
    time.end()
    clearInterval(heartbeat)
  }
}

/** Another process settled the plan while this one ran it. Where the record denies this run, the caller hears both. */
async function settledElsewhere(claimed: ClaimedCall, end: End): Promise<Answer> {
  const { engine } = claimed
  const took = end.kind === 'applied' || end.kind === 'unknown'
  const now = await engine.plans.find({ by: 'id', id: claimed.plan.id }).catch((error: unknown) => {
    engine.report(error, 'reading an ending')
    return undefined
  })
  if (now === undefined || (took && now.state === 'failed')) return unrecordedAnswer(claimed, end)
  return planAnswer({ ...claimed, plan: now })
}

async function run(claimed: ClaimedCall, start: Start, signal: AbortSignal): Promise<End> {
  const { tool, plan, input } = claimed
  // The caller's own signal is another one: a closed browser tab must not tear a write in half.
  const ctx = toolContext(claimed, signal)
  const basis = await readBasis(claimed, ctx)
  if (basis.kind !== 'value') return failedBeforeRun(claimed, basis)
  if (basis.value !== plan.basis) return { kind: 'stale' }
  const running = claimed.engine.runningCalls?.begin(plan.id, tool.contract.cancellable === true)
  try {
    const context = runContext(claimed, ctx, running)
    let notStarted: End | undefined
    const ran = await invoke(claimed, 'run', context, async () => {
      notStarted = await notStartedEnd(claimed)
      // Asked last: whoever waits may have been told meanwhile that nothing was begun.
      if (start.state === 'forbidden') notStarted ??= { kind: 'not-started' }
      if (notStarted !== undefined) return new NotDone('not_started', 'The run was not started.')
      start.state = 'begun'
      return tool.contract.run(input, context)
    })
    return notStarted ?? endOfRun(claimed, ran)
  } finally {
    running?.end()
  }
}

/** The end of a run that may not begin; it is asked when nothing stands between the answer and the tool. */
async function notStartedEnd(claimed: ClaimedCall): Promise<End | undefined> {
  try {
    return (await stillHoldsLease(claimed)) ? undefined : { kind: 'not-started' }
  } catch (error) {
    return { kind: 'not-started', trouble: { error } }
  }
}

/**
 * The last step before a run. Between its claim and here this process may have slept (a stopped process, a paused machine)
 * for longer than its lease, and others may have concluded that nothing ran; then nothing does.
 */
async function stillHoldsLease({ engine, plan, owner, isFresh }: ClaimedCall): Promise<boolean> {
  if (isFresh?.() === true) return true
  const { plans, settings } = engine
  const { leaseMs } = settings
  // It may also have slept while an answer was on its way. `holds` vouches for two thirds of a lease, `renew` for all of it.
  const sinceAsked = () => freshFor((leaseMs * 2) / 3)
  let isYoung = sinceAsked()
  if ((await plans.holds(plan.id, owner, leaseMs)) && isYoung()) return true
  // Whoever slept through the first renewal, or whose clock was set, asks once more.
  for (let tries = 0; tries < 2; tries++) {
    isYoung = sinceAsked()
    if (!(await plans.renew(plan.id, owner, leaseMs))) return false
    if (isYoung()) return true
  }
  return false
}

/** Answers `outcome_unknown` when the run takes too long; the run's own ending still gets recorded. */
async function withDeadline(
  claimed: ClaimedCall,
  start: Start,
  time: RunTime,
  settled: Promise<Answer>,
): Promise<Answer> {
  const { engine, tool } = claimed
  const first = await Promise.race([settled, time.over])
  if (typeof first === 'object') return first
  const late: EndingFailure = {
    code: 'timed_out',
    message:
      first === 'run'
        ? `The tool had not answered after ${Math.round(engine.settings.runTimeoutMs / 1000)} seconds.`
        : `The tool had not answered when its questions had been open for ${LONGEST_HELD_MS / 60_000} minutes altogether.`,
  }
  settled.catch((error: unknown) => engine.report(error, `${tool.wireName} after its deadline`))
  if (start.state === 'waiting') {
    start.state = 'forbidden'
    return neverBegun(claimed, settled)
  }
  // Whether or not this gets on record, a run that nobody has seen end is not "nothing was changed".
  const recorded = await recordEnding(claimed, { kind: 'unknown', failure: late }, { patienceMs: 0 })
  // It had ended by then, and its row with it.
  if (recorded === 'settled-elsewhere' && claimed.row?.isComplete === true) return settled
  return unknownAnswer(claimed, late)
}

/** What stood before the run took all of its time. Nothing has begun, and nothing will. */
async function neverBegun(claimed: ClaimedCall, settled: Promise<Answer>): Promise<Answer> {
  const seconds = Math.round(claimed.engine.settings.runTimeoutMs / 1000)
  const message = `What comes before the tool's run (its basis, or the server's middleware) took longer than ${seconds} seconds, so the run was not begun.`
  const failed = { kind: 'tool-failed', code: 'not_started', message } as const
  const end = failedBeforeRun(claimed, { kind: 'failed', failed, spec: nothingBegun })
  const recorded = await recordEnding(claimed, endingOf(end), { patienceMs: 0 })
  if (recorded === 'settled-elsewhere' && claimed.row?.isComplete === true) return settled
  if (recorded === 'away' || recorded === 'lost') void recordEndingLater(claimed, endingOf(end))
  return endAnswer(claimed, end)
}
