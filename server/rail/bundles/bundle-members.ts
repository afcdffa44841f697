// The plans that a bundle takes: its caller's own, of tools that are still there. Before they are shown together each is as it
// would be shown alone: one whose state has moved, or that ended without an effect, is previewed afresh.
import { unmarked } from '../../cards/unmarked.ts'
import type { Plan, PlanState } from '../../model/plan-store.ts'
import { isWriteTool, type WriteTool } from '../../tools/catalog.ts'
import { failureAnswer } from '../answers/answers.ts'
import { declaredGuidance, type Answer } from '../answers/outcome.ts'
import { needsPeople, needsStepUp, ratedRisk, unknownFailure } from '../authorize/gate.ts'
import {
  callContext,
  plannedCall,
  visible,
  type CallContext,
  type PlannedCall,
  type WriteCall,
} from '../call-context.ts'
import type { CallRequest } from '../engine.ts'
import { admit } from '../intake/admit.ts'
import { withKnownTool } from '../intake/await-tool.ts'
import { findOwnPlan } from '../intake/named-plan.ts'
import { parseArguments } from '../intake/parse.ts'
import { describeCall, type Description } from '../preview/describe.ts'
import { openPreview } from '../preview/preview.ts'
import { readShown } from '../preview/shown.ts'
import { isBundleTool, type BundleInput } from './bundle-contract.ts'

/** A step of a bundle: a plan, with its call where that could still be made. */
export interface Member {
  readonly plan: Plan
  readonly call?: PlannedCall
  /** What its tool has just said of it, where it was asked. */
  readonly described?: Description
}

/** Why an entry cannot be a step: the rest of a sentence that begins with the step's number. */
interface Unfit {
  readonly why: string
}

type Entry = BundleInput['plans'][number]

/** The plans of these ids as they are; nothing in the place of what is no plan of this caller. */
export const loadMembers = (call: CallContext, plans: readonly Entry[]): Promise<readonly (Member | undefined)[]> =>
  Promise.all(
    plans.map(async (entry) => {
      const plan = typeof entry === 'string' ? await ownPlan(call, entry) : undefined
      return plan && memberOf(call, plan)
    }),
  )

async function ownPlan(call: CallContext, id: string): Promise<Plan | undefined> {
  const found = await findOwnPlan(call, id)
  return found.kind === 'found' && found.credential === 'plan' ? found.plan : undefined
}

/** The request of a step: its caller is the bundle's, and nothing else of the bundle's call is. */
export const stepRequest = (
  { request }: CallContext,
  step: Pick<CallRequest, 'tool' | 'args' | 'spelling' | 'notes' | 'onProgress'>,
): CallRequest => ({
  ...step,
  caller: request.caller,
  signal: request.signal,
  ...(request.source === undefined ? {} : { source: request.source }),
  ...(request.meta === undefined ? {} : { meta: request.meta }),
})

function memberOf(bundle: CallContext, plan: Plan): Member {
  const { engine, row } = bundle
  const { door } = readShown(plan.shown)
  const request = stepRequest(bundle, { tool: plan.tool, args: {}, ...(door && { spelling: door }) })
  const context = { ...callContext(engine, request), ...(row && { row }) }
  const tool = visible(context.named)
  if (tool === undefined || !isWriteTool(tool) || tool.definition !== plan.definition) return { plan }
  return { plan, call: plannedCall({ ...context, tool }, plan) }
}

/**
 * Previews every step of a bundle, in its order, and keeps their plans for as long as the bundle's own can be confirmed. Answers the
 * first that cannot be part of one instead: nothing has happened then.
 */
export async function openMembers(
  bundle: WriteCall,
  { plans }: BundleInput,
): Promise<readonly Member[] | (Unfit & { readonly at: number })> {
  const { engine } = bundle
  const members: Member[] = []
  for (const [at, entry] of plans.entries()) {
    const opened = await (typeof entry === 'string' ? openKnown(bundle, entry) : openCall(bundle, entry))
    if ('why' in opened) return { at, ...opened }
    // The younger preview of a call takes the place of the older one.
    const same = members.findIndex(({ plan }) => plan.digest === opened.plan.digest)
    if (same >= 0) return { at, why: `is the same call as step ${same + 1}` }
    members.push(opened)
  }
  const { planTtlMs, clickExtendsMs } = engine.settings
  await holdMembers(bundle, members, planTtlMs + clickExtendsMs)
  return members
}

/** Keeps the plans of a bundle open for so long, however early they were previewed. */
export async function holdMembers(
  { engine, row }: CallContext,
  members: readonly Member[],
  ttlMs: number,
): Promise<void> {
  await row?.written
  for (const { plan } of members) await engine.plans.hold(plan.id, ttlMs)
}

const cannotRun: Partial<Record<PlanState, string>> = {
  applying: 'is being applied right now',
  applied: 'has been applied already',
  unknown: 'may have been applied already, which nobody has seen',
  cancelled: 'was cancelled',
}

/** A plan that was previewed before: as it stands where that is what would be shown now, else with a new plan of the same call. */
async function openKnown(bundle: WriteCall, id: string): Promise<Member | Unfit> {
  const plan = await ownPlan(bundle, id)
  if (plan === undefined) return { why: `("${id.slice(0, 64)}") is no plan_id of yours` }
  const { call } = memberOf(bundle, plan)
  if (call === undefined) return { why: `(${plan.tool}) has another definition by now, or its tool is gone` }
  const over = cannotRun[plan.state]
  if (over !== undefined) return { why: `(${plan.tool}) ${over}` }
  const admitted = await admit(call)
  if (admitted.request.refusal !== undefined)
    return said(plan.tool, failureAnswer(call, admitted.request.refusal, { outcome: 'refused' }))
  return openStep(call, plan)
}

/** A call that has not been previewed yet. Only what is listed: a gateway's other tools are called with an intent. */
async function openCall(
  bundle: WriteCall,
  { tool: name, arguments: args }: Exclude<Entry, string>,
): Promise<Member | Unfit> {
  const { engine, rationale } = bundle
  const isListed = engine.catalog.tools.some(({ wireName }) => wireName === name)
  if (!isListed && engine.catalog.find(name) !== undefined)
    return { why: `(${name}) is not called by its name here: preview it by itself, and name its plan_id` }
  const reserved = engine.catalog.find(name)?.reserved.rationale ?? 'rationale'
  const request = stepRequest(bundle, { tool: name, args: { [reserved]: rationale, ...args } })
  return withKnownTool(engine, request, async (known): Promise<Member | Unfit> => {
    const context = await admit({ ...callContext(engine, known), ...(bundle.row && { row: bundle.row }) })
    const refused = (failure: NonNullable<CallRequest['refusal']>): Unfit =>
      said(name, failureAnswer(context, failure, { outcome: 'refused' }))
    if (context.request.refusal !== undefined) return refused(context.request.refusal)
    const tool = visible(context.named)
    if (tool === undefined) return refused(unknownFailure(context, name))
    if (!isWriteTool(tool)) return { why: `(${name}) only reads: call it by itself` }
    const parsed = parseArguments(tool, context.request.args, engine.settings.maxArgumentBytes)
    if (!parsed.ok) return refused(parsed.failure)
    if (parsed.value.ticket !== undefined) return { why: `(${name}) names a ticket: name the plan_id alone` }
    return openStep({ ...context, tool, ...parsed.value, intent: 'preview' })
  })
}

async function openStep(call: WriteCall, plan?: Plan): Promise<Member | Unfit> {
  const { tool } = call
  const unfit = await unfitFor(call)
  if (unfit !== undefined) return { why: `(${tool.wireName}) ${unfit}` }
  const described = await describeCall(call)
  if (described.kind === 'answer') return said(tool.wireName, described.answer)
  if (plan?.state === 'open' && plan.basis === described.basis)
    return { plan, call: plannedCall(call, plan), described }
  const opened = await openPreview(call, described)
  return opened.plan.state === 'open'
    ? { plan: opened.plan, call: plannedCall(call, opened.plan), described }
    : said(tool.wireName, opened.answer)
}

/** What no card of several calls can stand for; nothing where one can. */
export async function unfitFor(call: WriteCall): Promise<string | undefined> {
  const { tool } = call as { readonly tool: WriteTool }
  if (isBundleTool(tool)) return 'is itself a bundle: name its plans'
  const risk = ratedRisk(call)
  if (risk === 'forbidden') return 'is no tool that can be called'
  if ((await needsStepUp(call)) || needsPeople(call, risk)) return 'needs an approval of its own: call it by itself'
  return undefined
}

/** An answer as the reason why its step is unfit. */
function said(tool: string, answer: Answer): Unfit {
  const guidance = declaredGuidance(answer)
  const blocked = answer.preview?.blocked
  const why = guidance?.message ?? (blocked === undefined ? answer.outcome : `${blocked.title} ${blocked.text}`)
  return { why: `(${tool}) cannot be previewed: ${unmarked(why)}` }
}
