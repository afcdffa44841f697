// What to say of a plan that will not run now: it ran already, it is running, nobody knows how it ended, its world has
// moved, or it was taken back. None of these ever starts a tool's `run`.
import { z } from 'zod'
import { errorCard } from '../../cards/builders.ts'
import type { Failure } from '../../errors/failure.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { WriteContract } from '../../tools/contract.ts'
import { appliedAnswer, failureAnswer } from './answers.ts'
import { graceUntil } from '../intake/grace.ts'
import { declaredFailure, guard, toolContext } from '../intake/contract-guard.ts'
import type { EndingFailure, Plan, PlanEnding } from '../../model/plan-store.ts'
import type { Answer } from './outcome.ts'
import { parseCall } from '../intake/parse.ts'
import { previewCall, readShown } from '../preview/preview.ts'
import type { CallRequest, Engine } from '../engine.ts'
import { unfinishedIn } from '../intake/unfinished.ts'

/** A plan whose confirmation has been checked, on its way to its one run. */
export interface Confirmed {
  readonly tool: Tool
  readonly contract: WriteContract
  readonly plan: Plan
  /** Parsed from the plan's stored arguments, never from the message. */
  readonly input: unknown
  /** What its success says first. */
  readonly notice?: { readonly title: string; readonly text?: string }
}

/** Nobody can say whether it took effect, or what a run left behind that is said to have failed; it is not run again. */
export function unknownAnswer(engine: Engine, { tool, plan }: Confirmed, { code, message }: EndingFailure): Answer {
  const reported = tool.contract.failures?.[code]?.reported === true
  return failureAnswer(
    engine,
    tool,
    {
      kind: 'outcome-unknown',
      tool: tool.wireName,
      planId: plan.id,
      why: `${message} (${code})`,
      ...(reported ? { reported: message } : {}),
    },
    { outcome: 'outcome_unknown', planId: plan.id, reported },
  )
}

/** Nothing ran; the same arguments are previewed afresh, beside what the person saw. */
export async function staleAnswer(
  engine: Engine,
  request: CallRequest,
  { tool, contract, plan }: Confirmed,
): Promise<Answer> {
  const failure: Failure = { kind: 'stale', tool: tool.wireName }
  return withFreshPreview(engine, request, tool, contract, failure, plan, {
    title: 'Not applied: this has changed since you looked.',
    text: 'Here is the new preview.',
  })
}

/** An answer that refuses and brings what the person needs next: a fresh preview of the received arguments. */
export async function withFreshPreview(
  engine: Engine,
  request: CallRequest,
  tool: Tool,
  contract: WriteContract,
  failure: Extract<Failure, { kind: 'stale' | 'mismatch' }>,
  plan: Plan,
  notice: { readonly title: string; readonly text: string },
): Promise<Answer> {
  const stale = failure.kind === 'stale'
  const args = stale ? storedCall(tool, plan) : request.args
  // A plan from a grace period has no rationale to repeat.
  const mayLackRationale = stale ? plan.rationale === '' : graceUntil(engine, request.source) !== undefined
  const parsed = parseCall(tool, args, engine.settings.maxArgumentBytes, mayLackRationale)
  const refusal = failureAnswer(engine, tool, failure, { outcome: failure.kind, planId: plan.id })
  if (!parsed.ok) return refusal
  const saw = stale ? readShown(plan.shown).changes : undefined
  const fresh = await previewCall(engine, request, tool, contract, parsed.value, {
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

/** The plan's own call, as it could be made again. */
const storedCall = (tool: Tool, plan: Plan): Record<string, unknown> => ({
  ...(JSON.parse(plan.args) as object),
  ...(plan.rationale === '' ? {} : { [tool.reserved.rationale]: plan.rationale }),
})

/** What to say of a plan that is not open any more. */
export async function planAnswer(engine: Engine, request: CallRequest, settled: Confirmed): Promise<Answer> {
  const { tool, contract, plan, input } = settled
  switch (plan.state) {
    case 'applied': {
      const output = recordedOutput(tool, plan)
      return appliedAnswer(engine, tool, contract, {
        outcome: 'replayed',
        planId: plan.id,
        input,
        rationale: plan.rationale,
        output,
        at: plan.changedAt,
        ...(output === undefined
          ? { notice: { title: 'Applied.', text: 'Its result is no longer kept; look with a read tool.' } }
          : {}),
      })
    }
    case 'applying':
      return runningAnswer(engine, settled)
    case 'unknown':
      return reconcile(engine, request, settled)
    case 'failed':
      return failedAgain(engine, request, settled)
    case 'cancelled':
      return cancelledAnswer(engine, request, settled)
    case 'open':
    case 'superseded':
    case 'expired':
    case 'stale':
      return refusedPlan(engine, tool, plan.state === 'open' ? 'unknown' : plan.state, {
        planId: plan.id,
        retry: { tool, input, rationale: plan.rationale, spelling: request.spelling },
      })
    default:
      return plan.state satisfies never
  }
}

/** A person took it back, or an operator who stopped all changes did; the agent hears which. */
async function cancelledAnswer(
  engine: Engine,
  request: CallRequest,
  { tool, plan, input }: Confirmed,
): Promise<Answer> {
  const frozen = await engine.switches?.frozen(plan.principal.tenant)
  const context = { planId: plan.id }
  if (frozen !== undefined) {
    const failure: Failure = { kind: 'frozen', tool: tool.wireName, reason: frozen.reason }
    return failureAnswer(engine, tool, failure, { outcome: 'refused', ...context })
  }
  const revoker = await engine.switches?.revoker(plan)
  const retry = { tool, input, rationale: plan.rationale, spelling: request.spelling }
  return revoker === undefined
    ? refusedPlan(engine, tool, 'cancelled', { ...context, retry })
    : refusedPlan(engine, tool, 'revoked', { ...context, retry, detail: revoker.reason })
}

/** The result as it was handed out the first time. */
function recordedOutput(tool: Tool, plan: Plan): { readonly value: unknown } | undefined {
  if (plan.ending?.kind !== 'applied') return undefined
  // It was parsed when it was recorded, and a schema may change what it has itself parsed.
  const value: unknown = JSON.parse(plan.ending.result)
  if (value !== null) return { value }
  // Kept as null: a tool that answers nothing, or an answer that broke its contract.
  const { output } = tool.contract
  return output.safeParse(null).success || output.safeParse(undefined).success ? { value } : undefined
}

/** Not an error and not an end: somebody is at it, and it was not started a second time. */
function runningAnswer(engine: Engine, { tool, contract, plan }: Confirmed): Answer {
  const next = 'Wait a few seconds and repeat this same call: it then answers with the recorded outcome.'
  const since = new Date(plan.changedAt).toISOString()
  return {
    outcome: 'running',
    tool: tool.wireName,
    contract,
    planId: plan.id,
    card: errorCard({
      tool: tool.wireName,
      source: engine.settings.source,
      title: `${contract.title}: running`,
      code: 'running',
      message: 'This is being applied right now.',
      cause: 'It was not started a second time.',
      next: [next],
      state: 'applying',
      planId: plan.id,
      at: new Date(engine.now()).toISOString(),
    }),
    text: `Plan ${plan.id} is being applied right now (since ${since}). It was not started a second time. ${next}`,
  }
}

const failedAgain = (engine: Engine, request: CallRequest, { tool, plan, input }: Confirmed): Answer => {
  const recorded = plan.ending?.kind === 'failed' ? plan.ending.failure : undefined
  const spec = recorded === undefined ? undefined : tool.contract.failures[recorded.code]
  if (recorded === undefined || spec === undefined) return refusedPlan(engine, tool, 'failed', { planId: plan.id })
  const failed = { kind: 'tool-failed', code: recorded.code, message: recorded.message } as const
  return failureAnswer(engine, tool, declaredFailure(tool, failed, spec, 'before'), {
    outcome: 'failed',
    planId: plan.id,
    retry: { tool, input, rationale: plan.rationale, spelling: request.spelling },
  })
}

/** Nobody saw the end of the run. Only the contract, or a person, can say what became of it. */
async function reconcile(engine: Engine, request: CallRequest, unknown: Confirmed): Promise<Answer> {
  const { tool, contract, plan, input } = unknown
  const recorded =
    plan.ending?.kind === 'unknown' ? plan.ending.failure : { code: 'owner_lost', message: 'Its end was not recorded.' }
  if (contract.reconcile === undefined) return unknownAnswer(engine, unknown, recorded)
  const ctx = { ...toolContext(engine, request, plan.rationale, request.signal), idempotencyKey: plan.id }
  const found = await guard(engine, tool, 'reconcile', async () =>
    readReconciled(await contract.reconcile?.(input, ctx)),
  )
  if (found.kind !== 'value' || found.value.kind === 'unknown') return unknownAnswer(engine, unknown, recorded)
  // A run that is only slow may still take effect: "not applied" counts once its owner has been silent for another lease.
  if (found.value.kind === 'not-applied' && engine.now() - plan.changedAt < engine.settings.leaseMs)
    return unknownAnswer(engine, unknown, {
      ...recorded,
      message: `${recorded.message} So far there is no trace of an effect; asked again a little later, that is final.`,
    })
  const ending: PlanEnding =
    found.value.kind === 'applied'
      ? { kind: 'applied', result: JSON.stringify(found.value.result ?? null) }
      : { kind: 'failed', failure: { code: 'not_applied', message: 'The run was interrupted before it took effect.' } }
  await engine.plans.settle(plan.id, ending)
  const now = await engine.plans.find({ by: 'id', id: plan.id })
  return now === undefined || now.state === 'unknown'
    ? unknownAnswer(engine, unknown, recorded)
    : planAnswer(engine, request, { ...unknown, plan: now })
}

const reconciled = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('applied'), result: z.unknown() }),
  z.object({ kind: z.literal('not-applied') }),
  z.object({ kind: z.literal('unknown') }),
])

/** Only these three say what became of a run; anything else has found out nothing. */
function readReconciled(found: unknown): z.infer<typeof reconciled> {
  const parsed = reconciled.safeParse(found)
  if (parsed.success) return parsed.data
  const what = unfinishedIn(found) ?? 'something else'
  throw new Error(
    `The tool's reconcile answered with ${what}. Answer { kind: 'applied', result }, { kind: 'not-applied' } or { kind: 'unknown' }.`,
  )
}

type RefusalReason = Extract<Failure, { kind: 'plan-refused' }>['reason']

/** A plan that cannot be used. To anyone but its own principal the reason is always `unknown`. */
export const refusedPlan = (
  engine: Engine,
  tool: Tool,
  reason: RefusalReason,
  { detail, ...context }: Partial<Parameters<typeof failureAnswer>[3]> & { readonly detail?: string | undefined } = {},
): Answer =>
  failureAnswer(
    engine,
    tool,
    {
      kind: 'plan-refused',
      tool: tool.wireName,
      reason,
      ...(context.planId === undefined ? {} : { planId: context.planId }),
      ...(detail === undefined ? {} : { detail }),
    },
    { outcome: 'refused', ...context },
  )
