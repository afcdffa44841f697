// The steps of a bundle: plans of its caller's own, of tools that are still there. What is shown together gets new plans, of the
// state as it is then: the cards that showed the same calls alone are superseded, so that no call can be confirmed twice.
import { hash } from 'node:crypto'
import { cardLimits } from '../../cards/limits.ts'
import { unmarked } from '../../cards/unmarked.ts'
import { planIdFrom } from '../../confirm/secret.ts'
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
import { digestOf, openPreview } from '../preview/preview.ts'
import { describeCall, type Description } from '../preview/describe.ts'
import { readShown } from '../preview/shown.ts'
import { isBundleTool, type BundleInput } from './bundle-contract.ts'
import { foldOf, isCut, picturesIn } from './bundle-card.ts'
import { referencesIn, standIn, withValues, type StandIn } from './references.ts'
import { parseWithStandIns } from './stand-ins.ts'
import { marksSecrets } from '../answers/hide-secrets.ts'

/** A step that has a plan, with its call where that could still be made. */
export interface Member {
  readonly plan: Plan
  readonly call?: PlannedCall
  /** What its tool has just said of it, where it was asked. */
  readonly described?: Description
}

export type BundleEntry = BundleInput['plans'][number]
export type CallEntry = Exclude<BundleEntry, string>

/** A step that takes a value of an earlier one's result: it has no plan before that has run. */
export interface LaterMember {
  readonly later: Later
  /** What its tool says of it with stand-ins. */
  readonly described?: Description
}

export interface Later {
  readonly entry: CallEntry
  /** With stand-ins. */
  readonly call: WriteCall
  readonly standIns: readonly StandIn[]
}

/** A step of a bundle. */
export type Step = Member | LaterMember

export const isLater = (step: Step | undefined): step is LaterMember => step !== undefined && 'later' in step

/** The call of a step as it is known now: of one that takes a value, with stand-ins. */
export const callOf = (step: Step | undefined): WriteCall | undefined => (isLater(step) ? step.later.call : step?.call)

/** Why an entry cannot be a step: the rest of a sentence that begins with the step's number. */
export interface Unfit {
  readonly why: string
}

/** A step that could be shown: its call, and what its tool says of it. */
interface Shown {
  readonly call: WriteCall
  readonly described: Description
  readonly later?: Later
}

/**
 * The steps of a bundle as they are; nothing in the place of what is no plan of this caller. Waits for the servers of their tools.
 * `bundle`: the id of its plan, by which the plans of steps are known that had none when it was shown.
 */
export const loadMembers = (
  call: WriteCall,
  plans: readonly BundleEntry[],
  bundle?: string,
): Promise<readonly (Step | undefined)[]> =>
  Promise.all(
    plans.map(async (entry, at) => {
      const id = typeof entry === 'string' ? entry : bundle && laterPlanId(bundle, at)
      const plan = id === undefined ? undefined : await ownPlan(call, id)
      if (plan !== undefined) return memberOf(call, plan)
      if (typeof entry === 'string') return undefined
      const known = await knownCall(call, entry)
      return 'why' in known ? undefined : { later: known.later ?? { entry, call: known.call, standIns: [] } }
    }),
  )

/** The id of the plan that this step of this bundle gets once it has begun, so that whoever looks after a crash finds it. */
export const laterPlanId = (bundle: string, at: number): string =>
  planIdFrom(hash('sha256', JSON.stringify([bundle, at]), 'buffer'))

/** A plan of this caller's, by its id alone. */
export async function ownPlan(call: CallContext, id: string): Promise<Plan | undefined> {
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
): Promise<readonly Step[] | (Unfit & { readonly at: number })> {
  const shown: Shown[] = []
  for (const [at, entry] of entries.entries()) {
    const found = await (typeof entry === 'string' ? showKnown(bundle, entry) : showCall(bundle, entry, at))
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
  const members: Step[] = []
  for (const [at, { call, described, later }] of shown.entries()) {
    if (later !== undefined) {
      members.push({ later, described })
      continue
    }
    const { plan, answer } = await openPreview(call, described)
    if (plan.state !== 'open') return { at, ...said(call.tool.wireName, answer) }
    // With the warning of a call that was applied a short time ago.
    const preview = answer.preview ?? described.preview
    members.push({ plan, call: plannedCall(call, plan), described: { ...described, preview } })
  }
  const { clickExtendsMs, planTtlMs, runTimeoutMs } = bundle.engine.settings
  const lastsMs = planTtlMs + clickExtendsMs + runTimeoutMs * members.length
  for (const member of members) if (!isLater(member)) await bundle.engine.plans.keep(member.plan.id, lastsMs)
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
async function showCall(bundle: WriteCall, entry: CallEntry, at: number): Promise<Shown | Unfit> {
  const { tool: name } = entry
  const wrong = referencesIn(entry.arguments).find(({ step }) => step >= at)
  if (wrong !== undefined)
    return { why: `(${name}) takes a result of step ${wrong.step + 1}, which does not run before it` }
  const known = await knownCall(bundle, entry, admit)
  if ('why' in known) return known
  const { call, later } = known
  if (later === undefined) return showStep(call)
  if (marksSecrets(call.tool)) return { why: `(${name}) has secrets: preview it once the step before it has run` }
  const shown = await showStep(call)
  return 'why' in shown
    ? {
        why: `${shown.why.replace(/\.$/, '')}. It takes a value that is not there yet: preview it once the step before it has run`,
      }
    : { ...shown, later }
}

/** The call of an entry. `admitted`: counts it, and asks what its caller may do. */
function knownCall(
  bundle: WriteCall,
  entry: CallEntry,
  admitted: (call: CallContext) => CallContext | Promise<CallContext> = (call) => call,
): Promise<{ readonly call: WriteCall; readonly later?: Later } | Unfit> {
  const { engine, rationale } = bundle
  const { tool: name, arguments: args } = entry
  const references = referencesIn(args)
  const reserved = engine.catalog.find(name)?.reserved.rationale ?? 'rationale'
  const given = { ...(rationale === '' ? {} : { [reserved]: rationale }), ...args }
  const words = references.map((each, at) => [each, standIn(each, at, 'text').value] as const)
  const request = stepRequest(bundle, { tool: name, args: withValues(given, words) })
  return withKnownTool(engine, request, async (known): Promise<{ call: WriteCall; later?: Later } | Unfit> => {
    const context = await admitted({ ...callContext(engine, known), ...(bundle.row && { row: bundle.row }) })
    const refused = (failure: NonNullable<CallRequest['refusal']>): Unfit =>
      said(name, failureAnswer(context, failure, { outcome: 'refused' }))
    if (context.request.refusal !== undefined) return refused(context.request.refusal)
    const tool = visible(context.named)
    if (tool === undefined) return refused(unknownFailure(context, name))
    if (!isCalledByName(engine, name))
      return { why: `(${name}) cannot be named as a call here: preview it by itself, and name its plan_id` }
    if (!isWriteTool(tool)) return { why: `(${name}) only reads: call it by itself` }
    const how = { maxBytes: engine.settings.maxArgumentBytes, mayLackRationale: rationale === '' }
    const filled = parseWithStandIns(tool, given, references, how)
    if (!filled.ok) return refused(filled.failure)
    const { parsed, standIns } = filled.value
    if (parsed.ticket !== undefined) return { why: `(${name}) names a ticket: name the plan_id alone` }
    const call: WriteCall = { ...context, tool, ...parsed, intent: 'preview' }
    return references.length === 0 ? { call } : { call, later: { entry, call, standIns } }
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
