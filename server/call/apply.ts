// The other half of the rail: a confirmed plan is claimed in one atomic step, runs once with the arguments that were
// stored, and its ending is on record before anyone hears of it. Whatever happens in between (a crash, a lost lease, a
// second agent) the plan says so, and nothing here ever runs a plan twice.
import { errorCard } from '../cards/builders.ts'
import type { Failure } from '../errors/failure.ts'
import type { Tool } from '../tools/catalog.ts'
import type { RunContext, WriteContract } from '../tools/contract.ts'
import { appliedAnswer, failureAnswer } from './answers.ts'
import { declaredFailure, guard, isToolStale, toolContext, type Guarded } from './guard.ts'
import type { EndingFailure, Plan, PlanEnding } from './ledger.ts'
import type { Answer } from './outcome.ts'
import { parseCall } from './parse.ts'
import { previewCall, readShown } from './preview.ts'
import type { CallRequest, Road } from './request.ts'

/** A plan whose confirmation has been checked, on its way to its one run. */
export interface Confirmed {
  readonly tool: Tool
  readonly contract: WriteContract
  readonly plan: Plan
  /** Parsed from the plan's stored arguments, never from the message. */
  readonly input: unknown
}

/** Applies a confirmed plan, or says what has already become of it. */
export async function applyPlan(road: Road, request: CallRequest, confirmed: Confirmed): Promise<Answer> {
  const { plan } = confirmed
  if (plan.state !== 'open') return settledAnswer(road, request, confirmed)
  const claim = await road.ledger.claim(plan.id, road.owner, road.settings.leaseMs)
  if (claim.kind === 'gone') return refusedPlan(road, confirmed.tool, 'unknown')
  if (claim.kind === 'taken') return settledAnswer(road, request, { ...confirmed, plan: claim.plan })
  const claimed = { ...confirmed, plan: claim.plan }
  const settled = settle(road, request, claimed)
  // Whoever asked may stop waiting; the run goes on, and its ending is recorded when it comes.
  return withDeadline(road, claimed, settled)
}

/** Runs the claimed plan and records its ending. Only the owner of the claim ever comes here. */
async function settle(road: Road, request: CallRequest, claimed: Confirmed): Promise<Answer> {
  const { tool, plan } = claimed
  const heartbeat = setInterval(() => {
    road.ledger.renew(plan.id, road.owner, road.settings.leaseMs).catch((error: unknown) => {
      road.report(error, `${tool.wireName} lease`)
    })
  }, road.settings.leaseMs / 3)
  heartbeat.unref()
  try {
    const end = await run(road, request, claimed)
    const ending = endingOf(end)
    const recorded = await record(road, plan.id, ending)
    if (recorded === 'lost') return unrecordedAnswer(road, claimed, end)
    if (recorded === 'settled-elsewhere') {
      const now = await road.ledger.find({ by: 'id', id: plan.id })
      if (now === undefined) return refusedPlan(road, tool, 'unknown')
      return await settledAnswer(road, request, { ...claimed, plan: now })
    }
    return await endAnswer(road, request, claimed, end)
  } finally {
    clearInterval(heartbeat)
  }
}

type End =
  | { readonly kind: 'applied'; readonly value: unknown; readonly wellFormed: boolean }
  | { readonly kind: 'stale' }
  | { readonly kind: 'failed'; readonly failure: Failure; readonly code: string; readonly message: string }
  | { readonly kind: 'unknown'; readonly code: string; readonly message: string }

async function run(road: Road, request: CallRequest, { tool, contract, plan, input }: Confirmed): Promise<End> {
  // The caller's own signal is not handed on: a closed browser tab must not tear a write in half.
  const ctx = toolContext(road, request, plan.rationale, AbortSignal.timeout(road.settings.runTimeoutMs))
  const basis = await guard(road, tool, 'basis', () => contract.basis?.(input, ctx))
  if (basis.kind !== 'value') return before(tool, basis)
  if (basis.value !== plan.basis) return { kind: 'stale' }
  const runContext: RunContext = {
    ...ctx,
    idempotencyKey: plan.id,
    basis: plan.basis,
    stale: () => ({ kind: 'tool-stale' }),
  }
  const ran = await guard(road, tool, 'run', () => contract.run(input, runContext))
  switch (ran.kind) {
    case 'value':
      if (isToolStale(ran.value)) return { kind: 'stale' }
      return readOutput(road, tool, ran.value)
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
          }
    case 'crashed':
      return { kind: 'unknown', code: 'tool_crashed', message: `The tool broke off (incident ${ran.incident}).` }
    default:
      return ran satisfies never
  }
}

/** Trouble before the run began: nothing has happened, and that is certain. */
function before(tool: Tool, trouble: Exclude<Guarded<unknown>, { kind: 'value' }>): End {
  if (trouble.kind === 'failed')
    return {
      kind: 'failed',
      failure: declaredFailure(tool, trouble.failed, trouble.spec, 'before'),
      code: trouble.failed.code,
      message: trouble.failed.message,
    }
  const failure: Failure = { kind: 'tool-crashed', tool: tool.wireName, during: 'preview', incident: trouble.incident }
  return { kind: 'failed', failure, code: 'tool_error', message: `The tool broke off (incident ${trouble.incident}).` }
}

/** The write has happened, so a result that breaks the contract is still applied; it is only not handed on. */
function readOutput(road: Road, tool: Tool, value: unknown): End {
  const parsed = tool.contract.output.safeParse(value)
  if (parsed.success) return { kind: 'applied', value: parsed.data, wellFormed: true }
  road.report(parsed.error, `${tool.wireName} output`)
  return { kind: 'applied', value: null, wellFormed: false }
}

function endingOf(end: End): PlanEnding {
  switch (end.kind) {
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

/** A recorded ending is worth a few tries: the write is done, and a busy database is no reason to forget it. */
async function record(
  road: Road,
  planId: string,
  ending: PlanEnding,
): Promise<'recorded' | 'settled-elsewhere' | 'lost'> {
  for (let attempt = 1; attempt <= 3; attempt++) {
    try {
      return (await road.ledger.finish(planId, road.owner, ending)) ? 'recorded' : 'settled-elsewhere'
    } catch (error) {
      road.report(error, 'recording an ending')
    }
  }
  return 'lost'
}

/** The run is over and known to us, but the record is not: the caller hears both, and nothing will run again. */
const unrecordedAnswer = (road: Road, claimed: Confirmed, end: End): Answer =>
  unknownAnswer(road, claimed, {
    code: 'not_recorded',
    message: `The tool came back with "${end.kind}"${end.kind === 'applied' ? ` and the result ${JSON.stringify(end.value)}` : ''}, but the server could not record it.`,
  })

async function endAnswer(road: Road, request: CallRequest, claimed: Confirmed, end: End): Promise<Answer> {
  const { tool, contract, plan, input } = claimed
  switch (end.kind) {
    case 'applied':
      return appliedAnswer(road, tool, contract, {
        outcome: 'applied',
        planId: plan.id,
        input,
        rationale: plan.rationale,
        output: end.wellFormed ? { value: end.value } : undefined,
        at: road.now(),
        ...(end.wellFormed ? {} : { notice: malformedNotice }),
      })
    case 'stale':
      return staleAnswer(road, request, claimed)
    case 'failed':
      return failureAnswer(road, tool, end.failure, {
        outcome: 'failed',
        planId: plan.id,
        retry: { tool, input, rationale: plan.rationale },
      })
    case 'unknown':
      return unknownAnswer(road, claimed, end)
    default:
      return end satisfies never
  }
}

const malformedNotice = {
  title: 'It was applied, but the tool described it badly.',
  text: 'Its answer did not match its contract and is not shown. Look at the result with a read tool.',
}

const unknownAnswer = (road: Road, { tool, plan }: Confirmed, failure: EndingFailure): Answer =>
  failureAnswer(
    road,
    tool,
    { kind: 'outcome-unknown', tool: tool.wireName, planId: plan.id, why: `${failure.message} (${failure.code})` },
    { outcome: 'outcome_unknown', planId: plan.id },
  )

/** Nothing ran; the same arguments are previewed afresh, beside what the person saw. */
async function staleAnswer(road: Road, request: CallRequest, { tool, contract, plan }: Confirmed): Promise<Answer> {
  const failure: Failure = { kind: 'stale', tool: tool.wireName }
  return withFreshPreview(road, request, tool, contract, failure, plan, {
    title: 'Not applied: this has changed since you looked.',
    text: 'Here is the new preview.',
  })
}

/** An answer that refuses and brings what the person needs next: a fresh preview of the received arguments. */
export async function withFreshPreview(
  road: Road,
  request: CallRequest,
  tool: Tool,
  contract: WriteContract,
  failure: Extract<Failure, { kind: 'stale' | 'mismatch' }>,
  plan: Plan,
  notice: { readonly title: string; readonly text: string },
): Promise<Answer> {
  const stale = failure.kind === 'stale'
  const args = stale ? { ...(JSON.parse(plan.args) as object), rationale: plan.rationale } : request.args
  const parsed = parseCall(tool, args, road.settings.maxArgumentBytes)
  const refusal = failureAnswer(road, tool, failure, { outcome: failure.kind, planId: plan.id })
  if (!parsed.ok) return refusal
  const saw = stale ? readShown(plan.shown).changes : undefined
  const fresh = await previewCall(road, request, tool, contract, parsed.value, {
    notices: [notice],
    ...(saw === undefined ? {} : { saw }),
  })
  if (fresh.outcome !== 'previewed') return refusal
  return {
    ...fresh,
    outcome: failure.kind,
    ...(refusal.guidance === undefined ? {} : { guidance: refusal.guidance }),
    text: `${refusal.text}\n\n---\n\n${fresh.text}`,
  }
}

/** What to say of a plan that is not open any more. */
async function settledAnswer(road: Road, request: CallRequest, settled: Confirmed): Promise<Answer> {
  const { tool, contract, plan, input } = settled
  switch (plan.state) {
    case 'applied':
      return appliedAnswer(road, tool, contract, {
        outcome: 'replayed',
        planId: plan.id,
        input,
        rationale: plan.rationale,
        output: recordedOutput(tool, plan),
        at: plan.changedAt,
        ...(plan.resultErased
          ? { notice: { title: 'Applied.', text: 'Its result is no longer kept; look with a read tool.' } }
          : {}),
      })
    case 'applying':
      return runningAnswer(road, settled)
    case 'unknown':
      return reconcile(road, request, settled)
    case 'failed':
      return failedAgain(road, settled)
    case 'open':
    case 'cancelled':
    case 'superseded':
    case 'expired':
    case 'stale':
      return refusedPlan(road, tool, plan.state === 'open' ? 'unknown' : plan.state, {
        planId: plan.id,
        retry: { tool, input, rationale: plan.rationale },
      })
    default:
      return plan.state satisfies never
  }
}

function recordedOutput(tool: Tool, plan: Plan): { readonly value: unknown } | undefined {
  if (plan.ending?.kind !== 'applied') return undefined
  const parsed = tool.contract.output.safeParse(JSON.parse(plan.ending.result))
  return parsed.success ? { value: parsed.data } : undefined
}

/** Not an error and not an end: somebody is at it, and it was not started a second time. */
function runningAnswer(road: Road, { tool, contract, plan }: Confirmed): Answer {
  const next = 'Wait a few seconds and repeat this same call: it then answers with the recorded outcome.'
  const since = new Date(plan.changedAt).toISOString()
  return {
    outcome: 'running',
    tool: tool.wireName,
    contract,
    planId: plan.id,
    card: errorCard({
      tool: tool.wireName,
      source: road.settings.source,
      title: `${contract.title}: running`,
      code: 'running',
      message: 'This is being applied right now.',
      cause: 'It was not started a second time.',
      next: [next],
      state: 'applying',
      planId: plan.id,
      at: new Date(road.now()).toISOString(),
    }),
    text: `Plan ${plan.id} is being applied right now (since ${since}). It was not started a second time. ${next}`,
  }
}

const failedAgain = (road: Road, { tool, plan, input }: Confirmed): Answer => {
  const recorded = plan.ending?.kind === 'failed' ? plan.ending.failure : undefined
  const spec = recorded === undefined ? undefined : tool.contract.failures[recorded.code]
  if (recorded === undefined || spec === undefined) return refusedPlan(road, tool, 'failed', { planId: plan.id })
  const failed = { kind: 'tool-failed', code: recorded.code, message: recorded.message } as const
  return failureAnswer(road, tool, declaredFailure(tool, failed, spec, 'before'), {
    outcome: 'failed',
    planId: plan.id,
    retry: { tool, input, rationale: plan.rationale },
  })
}

/** Nobody saw the end of the run. Only the contract, or a person, can say what became of it. */
async function reconcile(road: Road, request: CallRequest, unknown: Confirmed): Promise<Answer> {
  const { tool, contract, plan, input } = unknown
  const recorded =
    plan.ending?.kind === 'unknown' ? plan.ending.failure : { code: 'owner_lost', message: 'Its end was not recorded.' }
  if (contract.reconcile === undefined) return unknownAnswer(road, unknown, recorded)
  const ctx = { ...toolContext(road, request, plan.rationale, request.signal), idempotencyKey: plan.id }
  const found = await guard(road, tool, 'reconcile', () => contract.reconcile?.(input, ctx) ?? { kind: 'unknown' })
  if (found.kind !== 'value' || found.value.kind === 'unknown') return unknownAnswer(road, unknown, recorded)
  const ending: PlanEnding =
    found.value.kind === 'applied'
      ? { kind: 'applied', result: JSON.stringify(found.value.result ?? null) }
      : { kind: 'failed', failure: { code: 'not_applied', message: 'The run was interrupted before it took effect.' } }
  await road.ledger.settle(plan.id, ending)
  const now = await road.ledger.find({ by: 'id', id: plan.id })
  return now === undefined || now.state === 'unknown'
    ? unknownAnswer(road, unknown, recorded)
    : settledAnswer(road, request, { ...unknown, plan: now })
}

type RefusalReason = Extract<Failure, { kind: 'plan-refused' }>['reason']

/** A plan that cannot be used. To anyone but its own principal the reason is always `unknown`. */
export const refusedPlan = (
  road: Road,
  tool: Tool,
  reason: RefusalReason,
  context: Partial<Parameters<typeof failureAnswer>[3]> = {},
): Answer =>
  failureAnswer(
    road,
    tool,
    {
      kind: 'plan-refused',
      tool: tool.wireName,
      reason,
      ...(context.planId === undefined ? {} : { planId: context.planId }),
    },
    { outcome: 'refused', ...context },
  )

/** Answers `outcome_unknown` when the run is silent for too long; the run's own ending still gets recorded. */
async function withDeadline(road: Road, claimed: Confirmed, settled: Promise<Answer>): Promise<Answer> {
  const { plan, tool } = claimed
  const late: EndingFailure = {
    code: 'timed_out',
    message: `The tool had not answered after ${Math.round(road.settings.runTimeoutMs / 1000)} seconds.`,
  }
  let timer: NodeJS.Timeout | undefined
  const deadline = new Promise<'late'>((resolve) => {
    timer = setTimeout(() => resolve('late'), road.settings.runTimeoutMs)
  })
  try {
    const first = await Promise.race([settled, deadline])
    if (first !== 'late') return first
    settled.catch((error: unknown) => road.report(error, `${tool.wireName} after its deadline`))
    await road.ledger.finish(plan.id, road.owner, { kind: 'unknown', failure: late })
    return unknownAnswer(road, claimed, late)
  } finally {
    clearTimeout(timer)
  }
}
