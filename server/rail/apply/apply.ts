// Applies plans: a confirmed plan is claimed in one atomic step, runs once with the arguments that were
// stored, and its ending is on record before anyone hears of it. Whatever happens in between (a crash, a lost lease, a
// second agent) the plan says so, and nothing here ever runs a plan twice.
import { newRunId } from '../../confirm/secret.ts'
import type { Answered } from '../../errors/explain/stated.ts'
import type { Failure } from '../../errors/failure.ts'
import type { RunContext } from '../../tools/contract.ts'
import { failureAnswer } from '../answers/answers.ts'
import { appliedAnswer } from '../answers/applied-answer.ts'
import { recordEnding, recordEndingLater } from '../record/apply-record.ts'
import { readBasis } from '../preview/describe.ts'
import { declaredFailure, invoke, isToolStale, toolContext, type Invoked } from '../invoke-contract.ts'
import type { EndingFailure, PlanEnding } from '../../model/plan-store.ts'
import type { Answer } from '../answers/outcome.ts'
import type { ClaimedCall, PlannedCall } from '../call-context.ts'
import { crashedCode, refusedPlan, planAnswer, staleAnswer, unknownAnswer } from '../answers/plan-answers.ts'

/** What whoever applies a plan adds to its answer: by which verdict and which approval it ran. */
type Told = (answer: Answer) => Answer

/** Applies a confirmed plan, or says what has already become of it. */
export async function applyPlan(call: PlannedCall, told: Told): Promise<Answer> {
  const { engine, plan, row } = call
  if (plan.state !== 'open') return told(await planAnswer(call))
  // One owner for each run: a claim whose answer was lost can be asked for again, and nobody else mistakes it for theirs.
  const owner = `${engine.owner} ${newRunId(engine.random)}`
  // Whatever happens to this process after the claim, the row of the call names the plan.
  const claim = await engine.plans.claim(plan.id, owner, engine.settings.leaseMs, row?.id)
  if (claim.kind === 'gone') return told(refusedPlan(call, 'unknown'))
  if (claim.kind === 'taken') return told(await planAnswer({ ...call, plan: claim.plan }))
  if (row !== undefined) row.hasClaimed = true
  const { plan: stored, isFresh } = claim
  const claimed: ClaimedCall = { ...call, plan: stored, owner, ...(isFresh === undefined ? {} : { isFresh }) }
  // Whoever asked may stop waiting; the run goes on, and its ending is recorded when it comes.
  return told(await withDeadline(claimed, runClaimed(claimed, told)))
}

/** Runs the claimed plan and records its ending. Only the owner of the claim ever comes here. */
async function runClaimed(claimed: ClaimedCall, told: Told): Promise<Answer> {
  const { engine, tool, plan, owner } = claimed
  const stop = new AbortController()
  const patience = setTimeout(() => stop.abort(), engine.settings.runTimeoutMs)
  const heartbeat = setInterval(() => {
    engine.plans.renew(plan.id, owner, engine.settings.leaseMs).then(
      // Others may now conclude that this run is over, so it should be.
      (held) => (held ? undefined : stop.abort()),
      (error: unknown) => engine.report(error, `${tool.wireName} lease`),
    )
  }, engine.settings.leaseMs / 3)
  heartbeat.unref()
  try {
    const end = await run(claimed, stop.signal)
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
    clearTimeout(patience)
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

type Applied = { readonly kind: 'applied'; readonly value: unknown; readonly wellFormed: boolean }

type End =
  | Applied
  /** `trouble`: the store's, where it could not say whether the run may start. */
  | { readonly kind: 'not-started'; readonly trouble?: { readonly error: unknown } }
  | { readonly kind: 'stale' }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly code: string; readonly message: string }
  | {
      readonly kind: 'unknown'
      readonly code: string
      readonly message: string
      readonly answered?: Answered | undefined
    }

async function run(claimed: ClaimedCall, signal: AbortSignal): Promise<End> {
  const { tool, plan, input } = claimed
  // The caller's own signal is another one: a closed browser tab must not tear a write in half.
  const ctx = toolContext(claimed, signal)
  const basis = await readBasis(claimed, ctx)
  if (basis.kind !== 'value') return failedBeforeRun(claimed, basis)
  if (basis.value !== plan.basis) return { kind: 'stale' }
  const runContext: RunContext = {
    ...ctx,
    get meta() {
      return ctx.meta
    },
    idempotencyKey: plan.id,
    basis: plan.basis,
    cancelled: claimed.request.signal,
    stale: () => ({ kind: 'tool-stale' }),
  }
  try {
    if (!(await stillHoldsLease(claimed))) return { kind: 'not-started' }
  } catch (error) {
    return { kind: 'not-started', trouble: { error } }
  }
  const ran = await invoke(claimed, 'run', () => tool.contract.run(input, runContext))
  switch (ran.kind) {
    case 'value':
      if (isToolStale(ran.value)) return { kind: 'stale' }
      return readOutput(claimed, ran.value)
    case 'failed':
      return ran.spec.effect === 'none'
        ? {
            kind: 'failed',
            failure: declaredFailure(tool, ran.failed, ran.spec, 'before'),
            code: ran.failed.code,
            message: ran.failed.message,
          }
        : {
            kind: 'unknown',
            code: ran.failed.code,
            message: `${ran.failed.message} ${ran.spec.guidance} (its contract says: effect ${ran.spec.effect})`,
            answered: ran.failed.answered,
          }
    case 'crashed':
      return ran.unfinished === undefined
        ? { kind: 'unknown', code: crashedCode, message: `The tool failed unexpectedly (incident ${ran.incident}).` }
        : {
            kind: 'unknown',
            code: 'tool_unfinished',
            message: `The tool answered with ${ran.unfinished} instead of a result, so its work may not have been done (incident ${ran.incident}).`,
          }
    default:
      return ran satisfies never
  }
}

/**
 * The last step before a run. Between its claim and here this process may have slept (a stopped process, a paused machine)
 * for longer than its lease, and others may have concluded that nothing ran; then nothing does.
 */
async function stillHoldsLease({ engine, plan, owner, isFresh }: ClaimedCall): Promise<boolean> {
  const { plans, settings } = engine
  if (isFresh?.() === true) return true
  const asked = performance.now()
  if (!(await plans.renew(plan.id, owner, settings.leaseMs))) return false
  // It may also have slept while the answer was on its way.
  return performance.now() - asked < settings.leaseMs || (await plans.renew(plan.id, owner, settings.leaseMs))
}

/** Trouble before the run began: nothing has happened, and that is certain. */
function failedBeforeRun({ tool }: ClaimedCall, trouble: Exclude<Invoked<unknown>, { kind: 'value' }>): End {
  if (trouble.kind === 'failed')
    return {
      kind: 'failed',
      failure: declaredFailure(tool, trouble.failed, trouble.spec, 'before'),
      code: trouble.failed.code,
      message: trouble.failed.message,
    }
  const failure: Failure = { kind: 'tool-crashed', tool: tool.wireName, during: 'before', incident: trouble.incident }
  return {
    kind: 'failed',
    failure,
    code: 'tool_error',
    message: `The tool failed unexpectedly (incident ${trouble.incident}).`,
  }
}

/** The write has happened, so a result that breaks the contract is still applied; it is only not handed on. */
function readOutput({ engine, tool }: ClaimedCall, value: unknown): End {
  const malformed = (error: unknown): End => {
    engine.report(error, `${tool.wireName} output`)
    return { kind: 'applied', value: null, wellFormed: false }
  }
  const parsed = tool.contract.output.safeParse(value)
  if (!parsed.success) return malformed(parsed.error)
  try {
    // What cannot be written down cannot be replayed; it throws here, where the write is still known to have happened.
    JSON.stringify(parsed.data ?? null)
    return { kind: 'applied', value: parsed.data ?? null, wellFormed: true }
  } catch (error) {
    return malformed(error)
  }
}

const notStarted: EndingFailure = {
  code: 'not_started',
  message:
    'The server was suspended for so long that other processes may have given this run up, so it was not started.',
}

function endingOf(end: End): PlanEnding {
  switch (end.kind) {
    case 'not-started':
      return { kind: 'failed', failure: notStarted }
    case 'applied':
      return { kind: 'applied', result: JSON.stringify(end.value ?? null) }
    case 'stale':
      return { kind: 'stale' }
    case 'failed':
      return { kind: 'failed', failure: { code: end.code, message: end.message } }
    case 'unknown':
      return { kind: 'unknown', failure: { code: end.code, message: end.message } }
    default:
      return end satisfies never
  }
}

/** The run is over and known to us, but the record is not: the caller hears both, and nothing will run again. */
const unrecordedAnswer = (claimed: ClaimedCall, end: End): Answer =>
  unknownAnswer(claimed, {
    code: 'not_recorded',
    message: `The tool came back with "${end.kind}"${end.kind === 'applied' ? ` and the result ${JSON.stringify(end.value)}` : ''}, but the server could not record it.`,
  })

async function endAnswer(claimed: ClaimedCall, end: End): Promise<Answer> {
  const { plan } = claimed
  switch (end.kind) {
    case 'not-started':
      if (end.trouble !== undefined) throw end.trouble.error
      return refusedPlan(claimed, 'failed', { planId: plan.id, retry: claimed })
    case 'applied':
      return appliedEnd(claimed, end)
    case 'stale':
      return staleAnswer(claimed)
    case 'failed':
      return failureAnswer(claimed, end.failure, { outcome: 'failed', planId: plan.id, retry: claimed })
    case 'unknown':
      return unknownAnswer(claimed, end, end.answered)
    default:
      return end satisfies never
  }
}

const appliedEnd = (claimed: ClaimedCall, { value, wellFormed }: Applied): Answer =>
  appliedAnswer(claimed, {
    outcome: 'applied',
    output: wellFormed ? { value } : undefined,
    at: claimed.engine.now(),
    notice: wellFormed ? claimed.notice : malformedNotice,
  })

const malformedNotice = {
  title: 'It was applied, but the answer of the tool is not valid.',
  text: 'The answer does not match the contract of the tool and is not shown. Look at the result with a read tool.',
}

/** Answers `outcome_unknown` when the run is silent for too long; the run's own ending still gets recorded. */
async function withDeadline(claimed: ClaimedCall, settled: Promise<Answer>): Promise<Answer> {
  const { engine, tool } = claimed
  const late: EndingFailure = {
    code: 'timed_out',
    message: `The tool had not answered after ${Math.round(engine.settings.runTimeoutMs / 1000)} seconds.`,
  }
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), engine.settings.runTimeoutMs)
  })
  try {
    const first = await Promise.race([settled, deadline])
    if (first !== 'late') return first
    settled.catch((error: unknown) => engine.report(error, `${tool.wireName} after its deadline`))
    // Whether or not this gets on record, a run that nobody has seen end is not "nothing was changed".
    const recorded = await recordEnding(claimed, { kind: 'unknown', failure: late }, { patienceMs: 0 })
    // It had ended by then, and its row with it.
    if (recorded === 'settled-elsewhere' && claimed.row?.isComplete === true) return await settled
    return unknownAnswer(claimed, late)
  } finally {
    clearTimeout(timer)
  }
}
