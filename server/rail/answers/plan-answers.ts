// What to say of a plan that will not run now: it ran already, it is running, nobody knows how it ended, its world has
// moved, or it was taken back. None of these ever starts a tool's `run`.
import { z } from 'zod'
import { errorCard } from '../../cards/builders.ts'
import type { Failure } from '../../errors/failure.ts'
import { failureAnswer, titleIn, type FailureContext } from './answers.ts'
import { appliedAnswer } from './applied-answer.ts'
import { declaredFailure, invoke, toolContext, type Invoked } from '../invoke-contract.ts'
import type { EndingFailure, Plan, PlanEnding } from '../../model/plan-store.ts'
import type { Answer } from './outcome.ts'
import { previewCall, type PreviewOptions } from '../preview/preview.ts'
import { readShown } from '../preview/shown.ts'
import { plannedCall, type PlannedCall, type ToolCall, type WriteCall } from '../call-context.ts'
import { cardWords, fill } from '../../cards/card-words.ts'
import { languageOf } from '../language.ts'
import { unresolvedValueIn } from '../intake/unresolved-values.ts'
import { parseWith } from '../../tools/schemas/tool-schema.ts'

/** The code of a run that ended in an exception. A contract may have a code of this name: then it is declared. */
export const crashedCode = 'tool_crashed'

/** A failure that the tool's own run has just answered. */
export type OwnFailure = Pick<Extract<Invoked<never>, { kind: 'failed' }>, 'failed' | 'spec'>

/** Nobody can say whether it took effect, or what a run left behind that is said to have failed; it is not run again. */
export function unknownAnswer(call: PlannedCall, { code, message }: EndingFailure, own?: OwnFailure): Answer {
  const { tool, plan } = call
  const spec = Object.hasOwn(tool.contract.failures, code) ? tool.contract.failures[code] : undefined
  const reported = spec?.reported === true
  return failureAnswer(
    call,
    {
      kind: 'outcome-unknown',
      tool: tool.wireName,
      planId: plan.id,
      why: `${message} (${code})`,
      ...(own === undefined || own.spec.effect === 'none'
        ? {}
        : { said: { code: own.failed.code, message: own.failed.message, effect: own.spec.effect } }),
      ...(code === crashedCode && spec === undefined ? { crashed: true as const } : {}),
      ...(reported ? { reported: message, answered: own?.failed.answered } : {}),
    },
    { outcome: 'outcome_unknown', planId: plan.id, reported },
  )
}

/** Nothing ran; the same arguments are previewed afresh, beside what the person saw. */
export function staleAnswer(call: PlannedCall): Promise<Answer> {
  const { stale, staleNext } = cardWords(languageOf(call))
  return withFreshPreview(
    plannedCall(call, call.plan),
    call.plan,
    { kind: 'stale', tool: call.tool.wireName },
    {
      notices: [{ title: stale, text: staleNext }],
      saw: readShown(call.plan.shown).changes,
      proposed: readShown(call.plan.shown).proposed,
    },
  )
}

/** An answer that refuses a plan and brings what the person needs next: a fresh preview of this call. */
export async function withFreshPreview(
  call: WriteCall,
  plan: Plan,
  failure: Extract<Failure, { kind: 'stale' | 'mismatch' }>,
  options: PreviewOptions,
): Promise<Answer> {
  const refusal = failureAnswer({ ...call, plan }, failure, { outcome: failure.kind, planId: plan.id })
  const renewed = (await call.renew?.(call)) ?? { kind: 'call', call }
  const fresh = renewed.kind === 'call' ? await previewCall(renewed.call, options) : renewed.answer
  if (fresh.outcome !== 'previewed')
    return call.renew === undefined ? refusal : { ...refusal, text: `${refusal.text}\n\n---\n\n${fresh.text}` }
  return {
    ...fresh,
    outcome: failure.kind,
    ...(refusal.guidance === undefined ? {} : { guidance: refusal.guidance }),
    text: `${refusal.text}\n\n---\n\n${fresh.text}`,
  }
}

/** What to say of a plan that is not open any more. */
export async function planAnswer(call: PlannedCall): Promise<Answer> {
  const { plan } = call
  switch (plan.state) {
    case 'applied': {
      const output = recordedOutput(call)
      return appliedAnswer(call, {
        outcome: 'replayed',
        output,
        at: plan.changedAt,
        ...(output === undefined
          ? { notice: { title: 'Applied.', text: 'Its result is no longer stored; look with a read tool.' } }
          : {}),
      })
    }
    case 'applying':
      return runningAnswer(call)
    case 'unknown':
      return reconcile(call)
    case 'failed':
      return failedAgain(call)
    case 'cancelled':
      return cancelledAnswer(call)
    case 'open':
    case 'superseded':
    case 'expired':
    case 'stale':
      return refusedPlan(call, plan.state === 'open' ? 'unknown' : plan.state, { planId: plan.id, retry: call })
    default:
      return plan.state satisfies never
  }
}

/** A person took it back, or an operator who stopped all changes did; the agent hears which. */
async function cancelledAnswer(call: PlannedCall): Promise<Answer> {
  const { engine, tool, plan } = call
  const frozen = await engine.switches?.frozen(plan.principal.tenant)
  const context = { planId: plan.id }
  if (frozen !== undefined) {
    const failure: Failure = { kind: 'frozen', tool: tool.wireName, reason: frozen.reason }
    return failureAnswer(call, failure, { outcome: 'refused', ...context })
  }
  const revoker = await engine.switches?.revoker(plan)
  return revoker === undefined
    ? refusedPlan(call, 'cancelled', { ...context, retry: call })
    : refusedPlan(call, 'revoked', { ...context, retry: call, detail: revoker.reason })
}

/** The result as it was handed out the first time. */
export function recordedOutput({ tool, plan }: PlannedCall): { readonly value: unknown } | undefined {
  if (plan.ending?.kind !== 'applied') return undefined
  // It was parsed when it was recorded, and a schema may change what it has itself parsed.
  const value: unknown = JSON.parse(plan.ending.result)
  if (value !== null) return { value }
  // Kept as null: a tool that answers nothing, or an answer that broke its contract.
  const { output } = tool.contract
  return [null, undefined].some((empty) => parseWith(output, 'output', empty).success) ? { value } : undefined
}

/** What to do about a call that is being applied. */
export const runningNext = 'Wait a few seconds and repeat this same call: it then answers with the recorded outcome.'

/** Not an error and not an end: somebody is at it, and it was not started a second time. */
function runningAnswer(call: PlannedCall): Answer {
  const { engine, tool, plan } = call
  const next = runningNext
  const since = new Date(plan.changedAt).toISOString()
  const language = languageOf(call)
  const { isRunning, failRunning } = cardWords(language)
  return {
    outcome: 'running',
    tool: tool.wireName,
    contract: tool.contract,
    planId: plan.id,
    card: errorCard({
      tool: tool.wireName,
      language,
      source: engine.settings.source,
      title: fill(isRunning, titleIn(language, tool, plan)),
      code: 'running',
      ...(language === 'en'
        ? { message: 'This is being applied right now.', cause: 'It was not started a second time.', next: [next] }
        : { message: failRunning, next: [] }),
      state: 'applying',
      planId: plan.id,
      at: new Date(engine.now()).toISOString(),
    }),
    next,
    text: `Plan ${plan.id} is being applied right now (since ${since}). It was not started a second time. ${next}`,
  }
}

function failedAgain(call: PlannedCall): Answer {
  const { tool, plan } = call
  const recorded = plan.ending?.kind === 'failed' ? plan.ending.failure : undefined
  const spec = recorded === undefined ? undefined : tool.contract.failures[recorded.code]
  if (recorded === undefined || spec === undefined) return refusedPlan(call, 'failed', { planId: plan.id })
  const failed = { kind: 'tool-failed', code: recorded.code, message: recorded.message } as const
  return failureAnswer(call, declaredFailure(tool, failed, spec, 'before'), {
    outcome: 'failed',
    planId: plan.id,
    retry: call,
  })
}

/** Nobody saw the end of the run. Only the contract, or a person, can say what became of it. */
async function reconcile(call: PlannedCall): Promise<Answer> {
  const { engine, plan, input } = call
  const { contract } = call.tool
  const recorded =
    plan.ending?.kind === 'unknown'
      ? plan.ending.failure
      : { code: 'owner_lost', message: 'How it ended was not recorded.' }
  if (contract.reconcile === undefined) return unknownAnswer(call, recorded)
  const ctx = { ...toolContext(call), idempotencyKey: plan.id }
  const found = await invoke(call, 'reconcile', ctx, async () => readReconciled(await contract.reconcile?.(input, ctx)))
  if (found.kind !== 'value' || found.value.kind === 'unknown') return unknownAnswer(call, recorded)
  // A run that is only slow may still take effect: "not applied" counts once its owner has been silent for another lease.
  if (found.value.kind === 'not-applied' && engine.now() - plan.changedAt < engine.settings.leaseMs)
    return unknownAnswer(call, {
      ...recorded,
      message: `${recorded.message} So far the tool finds no effect; ask again a little later for a final answer.`,
    })
  const ending: PlanEnding =
    found.value.kind === 'applied'
      ? { kind: 'applied', result: JSON.stringify(found.value.result ?? null) }
      : { kind: 'failed', failure: { code: 'not_applied', message: 'The run was interrupted before it took effect.' } }
  await call.row?.written
  await engine.plans.settle(plan.id, ending)
  const now = await engine.plans.find({ by: 'id', id: plan.id })
  return now === undefined || now.state === 'unknown'
    ? unknownAnswer(call, recorded)
    : planAnswer({ ...call, plan: now })
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
  const what = unresolvedValueIn(found) ?? 'something else'
  throw new Error(
    `The tool's reconcile answered with ${what}. Answer { kind: 'applied', result }, { kind: 'not-applied' } or { kind: 'unknown' }.`,
  )
}

type RefusalReason = Extract<Failure, { kind: 'plan-refused' }>['reason']

/** A plan that cannot be used. To anyone but its own principal the reason is always `unknown`. */
export const refusedPlan = (
  call: ToolCall & { readonly plan?: Plan },
  reason: RefusalReason,
  { detail, ...context }: Partial<FailureContext> & { readonly detail?: string | undefined } = {},
): Answer =>
  failureAnswer(
    call,
    {
      kind: 'plan-refused',
      tool: call.tool.wireName,
      reason,
      ...(context.planId === undefined ? {} : { planId: context.planId }),
      ...(detail === undefined ? {} : { detail }),
    },
    { outcome: 'refused', ...context },
  )
