// The steps of a bundle: plans of its caller's own, of tools that are still there. What is shown together gets new plans, of the
// state as it is then: the cards that showed the same calls alone are superseded, so that no call can be confirmed twice.
import { cardLimits } from '../../cards/limits.ts'
import { unmarked } from '../../cards/unmarked.ts'
import type { Plan, PlanState } from '../../model/plan-store.ts'
import { isWriteTool, type Tool } from '../../tools/catalog.ts'
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
import type { CallRequest, Engine } from '../engine.ts'
import { admit } from '../intake/admit.ts'
import { withKnownTool } from '../intake/await-tool.ts'
import { findOwnPlan } from '../intake/named-plan.ts'
import { parseArguments } from '../intake/parse.ts'
import { digestOf, openPreview } from '../preview/preview.ts'
import { describeCall, type Description } from '../preview/describe.ts'
import { readShown } from '../preview/shown.ts'
import { isBundleTool, type BundleInput } from './bundle-contract.ts'
import { foldOf, isCut, picturesIn } from './bundle-card.ts'

/** A step of a bundle: a plan, with its call where that could still be made. */
export interface Member {
  readonly plan: Plan
  readonly call?: PlannedCall
  /** What its tool has just said of it, where it was asked. */
  readonly described?: Description
}

export type BundleEntry = BundleInput['plans'][number]

/** Why an entry cannot be a step: the rest of a sentence that begins with the step's number. */
export interface Unfit {
  readonly why: string
}

/** A step that could be shown: its call, and what its tool says of it. */
interface Shown {
  readonly call: WriteCall
  readonly described: Description
}

/** The plans of these ids as they are; nothing in the place of what is no plan of this caller. Waits for the servers of their tools. */
export const loadMembers = (
  call: CallContext,
  plans: readonly BundleEntry[],
): Promise<readonly (Member | undefined)[]> =>
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
  step: Pick<CallRequest, 'tool' | 'args' | 'spelling' | 'notes' | 'onProgress' | 'counted'>,
): CallRequest => ({
  ...step,
  caller: request.caller,
  signal: request.signal,
  ...(request.source === undefined ? {} : { source: request.source }),
  ...(request.meta === undefined ? {} : { meta: request.meta }),
})

async function memberOf(bundle: CallContext, plan: Plan): Promise<Member> {
  const { engine, row, request } = bundle
  await engine.catalog.arrivalOf?.(plan.tool)?.wait(plan.tool, request.signal)
  const { door } = readShown(plan.shown)
  const step = stepRequest(bundle, { tool: plan.tool, args: {}, ...(door && { spelling: door }) })
  const context = { ...callContext(engine, step), ...(row && { row }) }
  const call = storedCall(context, plan)
  return call === undefined ? { plan } : { plan, call }
}

/** The call that a plan stored, where its tool is still the one that was previewed. */
export function storedCall(context: CallContext, plan: Plan): PlannedCall | undefined {
  const tool = visible(context.named)
  return tool !== undefined && isWriteTool(tool) && tool.definition === plan.definition
    ? plannedCall({ ...context, tool }, plan)
    : undefined
}

/**
 * Previews every step of a bundle, in its order, and gives each a plan that lasts as long as the bundle's own can be confirmed.
 * Answers the first that cannot be part of one instead: then no plan was opened, and no card superseded.
 */
export async function openMembers(
  bundle: WriteCall,
  entries: readonly BundleEntry[],
): Promise<readonly Member[] | (Unfit & { readonly at: number })> {
  const shown: Shown[] = []
  for (const [at, entry] of entries.entries()) {
    const found = await (typeof entry === 'string' ? showKnown(bundle, entry) : showCall(bundle, entry))
    if ('why' in found) return { at, ...found }
    const same = shown.findIndex(({ call }) => digestOf(call) === digestOf(found.call))
    if (same >= 0) return { at, why: `is the same call as step ${same + 1}` }
    shown.push(found)
    if (shown.reduce((sum, { described }) => sum + picturesIn(foldOf(described.preview)), 0) > cardLimits.pictures)
      return {
        at,
        why: `(${found.call.tool.wireName}) has more pictures than fit beside the others: confirm it by itself`,
      }
  }
  const members: Member[] = []
  for (const [at, { call, described }] of shown.entries()) {
    const { plan, answer } = await openPreview(call, described)
    if (plan.state !== 'open') return { at, ...said(call.tool.wireName, answer) }
    // With the warning of a call that was applied a short time ago.
    const preview = answer.preview ?? described.preview
    members.push({ plan, call: plannedCall(call, plan), described: { ...described, preview } })
  }
  const { clickExtendsMs, planTtlMs, runTimeoutMs } = bundle.engine.settings
  const lastsMs = planTtlMs + clickExtendsMs + runTimeoutMs * members.length
  for (const { plan } of members) await bundle.engine.plans.keep(plan.id, lastsMs)
  return members
}

const cannotRun: Partial<Record<PlanState, string>> = {
  applying: 'is being applied right now',
  applied: 'has been applied already',
  unknown: 'may have been applied already, which nobody has seen',
  cancelled: 'was cancelled',
}

/** The call of a plan that was previewed before, as it would be shown now. */
async function showKnown(bundle: WriteCall, id: string): Promise<Shown | Unfit> {
  const plan = await ownPlan(bundle, id)
  if (plan === undefined) return { why: `("${id.slice(0, 64)}") is not the plan_id of a preview of yours` }
  const { call } = await memberOf(bundle, plan)
  if (call === undefined) return { why: `(${plan.tool}) has another definition by now, or its tool is not there` }
  const over = cannotRun[plan.state]
  if (over !== undefined) return { why: `(${plan.tool}) ${over}` }
  const { refusal } = (await admit(call)).request
  return refusal === undefined ? showStep(call) : said(plan.tool, failureAnswer(call, refusal, { outcome: 'refused' }))
}

/** Whether a call by this name is made by it: a gateway's other tools are called with an intent, and some only by views. */
export const isCalledByName = ({ catalog }: Engine, name: string): boolean =>
  catalog.tools.some(({ wireName, contract }) => wireName === name && !isForViews(contract.ui))

function isForViews(ui: Tool['contract']['ui']): boolean {
  const who = ui?.['visibility']
  return Array.isArray(who) && !who.includes('model')
}

/** A call that has not been previewed yet. */
function showCall(
  bundle: WriteCall,
  { tool: name, arguments: args }: Exclude<BundleEntry, string>,
): Promise<Shown | Unfit> {
  const { engine, rationale } = bundle
  const reserved = engine.catalog.find(name)?.reserved.rationale ?? 'rationale'
  const request = stepRequest(bundle, {
    tool: name,
    args: { ...(rationale === '' ? {} : { [reserved]: rationale }), ...args },
  })
  return withKnownTool(engine, request, async (known): Promise<Shown | Unfit> => {
    const context = await admit({ ...callContext(engine, known), ...(bundle.row && { row: bundle.row }) })
    const refused = (failure: NonNullable<CallRequest['refusal']>): Unfit =>
      said(name, failureAnswer(context, failure, { outcome: 'refused' }))
    if (context.request.refusal !== undefined) return refused(context.request.refusal)
    const tool = visible(context.named)
    if (tool === undefined) return refused(unknownFailure(context, name))
    if (!isCalledByName(engine, name))
      return { why: `(${name}) cannot be named as a call here: preview it by itself, and name its plan_id` }
    if (!isWriteTool(tool)) return { why: `(${name}) only reads: call it by itself` }
    const parsed = parseArguments(tool, context.request.args, engine.settings.maxArgumentBytes, {
      mayLackRationale: rationale === '',
    })
    if (!parsed.ok) return refused(parsed.failure)
    if (parsed.value.ticket !== undefined) return { why: `(${name}) names a ticket: name the plan_id alone` }
    return showStep({ ...context, tool, ...parsed.value, intent: 'preview' })
  })
}

async function showStep(call: WriteCall): Promise<Shown | Unfit> {
  const { engine, request, tool } = call
  const unfit = await unfitFor(call)
  if (unfit !== undefined) return { why: `(${tool.wireName}) ${unfit}` }
  // An approver's decision would run it by another plan.
  const asked = await engine.approvals?.findByCall({ digest: digestOf(call), principal: request.caller.principal })
  if (asked?.some(({ state }) => state === 'pending') === true)
    return { why: `(${tool.wireName}) waits for an approval already` }
  const described = await describeCall(call)
  if (described.kind === 'answer') return said(tool.wireName, described.answer)
  const inside = foldOf(described.preview)
  if (inside.some(isCut))
    return { why: `(${tool.wireName}) shows a list that is longer than a card: confirm it by itself` }
  if (inside.length > cardLimits.blocks || picturesIn(inside) > cardLimits.pictures)
    return { why: `(${tool.wireName}) shows more than fits beside others: confirm it by itself` }
  return { call, described }
}

/** What no card of several calls can stand for; nothing where one can. */
export async function unfitFor(call: WriteCall): Promise<string | undefined> {
  if (isBundleTool(call.tool)) return 'is itself a bundle: name its plans'
  const risk = ratedRisk(call)
  if (risk === 'forbidden') return 'is no tool that can be called'
  if ((await needsStepUp(call)) || needsPeople(call, risk)) return 'needs an approval of its own: call it by itself'
  return undefined
}

/** An answer as the reason why its step is unfit. */
export function said(tool: string, answer: Answer): Unfit {
  const guidance = declaredGuidance(answer)
  const blocked = answer.preview?.blocked
  if (guidance === undefined)
    return {
      why: `(${tool}) cannot be previewed: ${unmarked(blocked === undefined ? answer.outcome : `${blocked.title} ${blocked.text}`)}`,
    }
  const fields = guidance.field_errors.map(({ pointer, allowed }) => `${pointer || 'the arguments'} must be ${allowed}`)
  return { why: `(${tool}) cannot be previewed: ${unmarked([guidance.message, ...fields].join(' '))}` }
}
