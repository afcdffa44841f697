// The steps of a bundle: plans of its caller's own, of tools that are still there. What is shown together gets new plans, of the
// state as it is then: the cards that showed the same calls alone are superseded, so that no call can be confirmed twice.
import { hash } from 'node:crypto'
import { quotation } from '../../cards/card-words.ts'
import { unmarked } from '../../cards/unmarked.ts'
import { planIdFrom } from '../../confirm/secret.ts'
import type { Plan } from '../../model/plan-store.ts'
import { isWriteTool, type Tool } from '../../tools/catalog.ts'
import type { Preview } from '../../tools/contract.ts'
import { failureAnswer } from '../answers/answers.ts'
import { declaredGuidance, type Answer } from '../answers/outcome.ts'
import { needsPeople, needsStepUp, ratedRisk, unknownFailure } from '../authorize/gate.ts'
import {
  callContext,
  parsedCall,
  plannedCall,
  visible,
  type CallContext,
  type PlannedCall,
  type WriteCall,
} from '../call-context.ts'
import type { CallRequest, Engine } from '../engine.ts'
import { withKnownTool } from '../intake/await-tool.ts'
import { findOwnPlan } from '../intake/named-plan.ts'
import type { Description } from '../preview/describe.ts'
import { readShown } from '../preview/shown.ts'
import { noteGiven } from '../record/marked-values.ts'
import { isBundleTool, type BundleInput } from './bundle-contract.ts'
import { referencesIn, standIn, withValues, type StandIn } from './references.ts'
import { parseWithStandIns } from './stand-ins.ts'

/** A step that has a plan, with its call where that could still be made. */
export interface Member {
  readonly plan: Plan
  readonly call?: PlannedCall
  /** What its tool has just said of it, where it was asked. */
  readonly described?: Description
  /** The warning that the same call was applied a short time ago, which its tool does not know. */
  readonly repeatsIn?: ((language: string) => NonNullable<Preview['warnings']>) | undefined
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
  // One language for all that is on the card. What its steps rest on includes what they show.
  language: request.language ?? 'en',
  ...(request.source === undefined ? {} : { source: request.source }),
  ...(request.meta === undefined ? {} : { meta: request.meta }),
})

/** The step of a plan. */
export async function memberOf(bundle: CallContext, plan: Plan): Promise<Member> {
  const { engine, row, request } = bundle
  await engine.catalog.arrivalOf?.(plan.tool)?.wait(plan.tool, request.signal)
  const { door } = readShown(plan.shown)
  const step = stepRequest(bundle, { tool: plan.tool, args: {}, ...(door && { spelling: door }) })
  const context = { ...callContext(engine, step, bundle), ...(row && { row }) }
  await context.named?.contract.prepare?.()
  const call = storedCall(context, plan)
  return call === undefined ? { plan } : { plan, call }
}

/** The call that a plan stored, where its tool is still the one that was previewed. */
export function storedCall(context: CallContext, plan: Plan): PlannedCall | undefined {
  const tool = visible(context.named)
  if (tool === undefined || !isWriteTool(tool) || tool.definition !== plan.definition) return undefined
  try {
    return plannedCall({ ...context, tool }, plan)
  } catch (error) {
    context.engine.report(error, `the plan ${plan.id}`)
    return undefined
  }
}

/** Whether a call by this name is made by it: a gateway's other tools are called with an intent, and some only by views. */
export const isCalledByName = ({ catalog }: Engine, name: string): boolean =>
  catalog.tools.some(({ wireName, contract }) => wireName === name && !isForViews(contract.ui))

function isForViews(ui: Tool['contract']['ui']): boolean {
  const who = ui?.['visibility']
  return Array.isArray(who) && !who.includes('model')
}

/** The call of an entry. `admitted`: counts it, and asks what its caller may do. */
export function knownCall(
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
    const context = await admitted({ ...callContext(engine, known, bundle), ...(bundle.row && { row: bundle.row }) })
    const refused = (failure: NonNullable<CallRequest['refusal']>): Unfit =>
      said(name, failureAnswer(context, failure, { outcome: 'refused' }))
    if (context.request.refusal !== undefined) return refused(context.request.refusal)
    const tool = visible(context.named)
    if (tool === undefined) return refused(unknownFailure(context, name))
    if (!isCalledByName(engine, name))
      return { why: `(${name}) cannot be named as a call here: preview it by itself, and name its plan_id` }
    if (!isWriteTool(tool)) return { why: `(${name}) only reads: call it by itself` }
    await tool.contract.prepare?.()
    const how = { maxBytes: engine.settings.maxArgumentBytes, mayLackRationale: rationale === '' }
    noteGiven({ ...context, tool }, context.request.args)
    const filled = parseWithStandIns(tool, given, references, how)
    if (!filled.ok) return refused(filled.failure)
    const { parsed, standIns } = filled.value
    if (parsed.ticket !== undefined) return { why: `(${name}) names a ticket: name the plan_id alone` }
    const call: WriteCall = { ...parsedCall({ ...context, tool }, parsed), intent: 'preview' }
    return references.length === 0 ? { call } : { call, later: { entry, call, standIns } }
  })
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
  if (guidance === undefined) return { why: `(${tool}) cannot be previewed: ${whyBlocked(answer)}` }
  const fields = guidance.field_errors.map(({ pointer, allowed }) => `${pointer || 'the arguments'} must be ${allowed}`)
  return { why: `(${tool}) cannot be previewed: ${unmarked([guidance.message, ...fields].join(' '))}` }
}

/** What its card says blocks a call. Agents and the record read English: what is in another language is a quotation. */
export function whyBlocked({ outcome, preview, card }: Answer): string {
  const blocked = preview?.blocked
  if (blocked === undefined) return outcome
  const words = `${blocked.title} ${blocked.text}`
  const { language } = card ?? {}
  if (language === undefined) return unmarked(words)
  const code = blocked.code === undefined ? '' : ` (${blocked.code})`
  return `it is blocked${code}, as its card says in the language "${language}": ${quotation('en', words)}`
}
