// What is shown together is previewed together: every step is described before any gets a plan, so that a bundle that cannot be shown
// leaves the cards of its steps alone.
import { cardLimits } from '../../cards/limits.ts'
import type { PlanState } from '../../model/plan-store.ts'
import { failureAnswer } from '../answers/answers.ts'
import { marksSecrets } from '../answers/hide-secrets.ts'
import { plannedCall, type WriteCall } from '../call-context.ts'
import { admit } from '../intake/admit.ts'
import { describeCall, type Description } from '../preview/describe.ts'
import { digestOf, openPreview } from '../preview/preview.ts'
import { foldOf, isCut, picturesIn, typedFor } from './bundle-card.ts'
import {
  isLater,
  knownCall,
  memberOf,
  ownPlan,
  said,
  unfitFor,
  type BundleEntry,
  type CallEntry,
  type Later,
  type Step,
  type Unfit,
} from './bundle-members.ts'
import { referencesIn, saysStandIn } from './references.ts'

/** A step that could be shown: its call, and what its tool says of it. */
interface Shown {
  readonly call: WriteCall
  readonly described: Description
  readonly later?: Later
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
  const last = shown.length - 1
  const typed = typedFor(
    shown.map(({ call, described }) => ({ preview: described.preview, contract: call.tool.contract })),
  )
  if (typed.length > cardLimits.phrase)
    return { at: last, why: 'is one more name to type than fits: bundle fewer of these calls' }
  for (const [at, { later }] of shown.entries()) {
    const secret = later?.standIns.find(
      ({ reference }) => (shown[reference.step]?.call.tool.contract.secrets?.result ?? []).length > 0,
    )
    if (secret !== undefined)
      return { at, why: `takes a result of step ${secret.reference.step + 1}, which has secrets` }
  }
  const members: Step[] = []
  for (const [at, { call, described, later }] of shown.entries()) {
    if (later !== undefined) {
      members.push({ later, described })
      continue
    }
    const { plan, answer, repeatsIn } = await openPreview(call, described)
    if (plan.state !== 'open') return { at, ...said(call.tool.wireName, answer) }
    // With the warning of a call that was applied a short time ago.
    const preview = answer.preview ?? described.preview
    members.push({ plan, call: plannedCall(call, plan), described: { ...described, preview }, repeatsIn })
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

/** A call that has not been previewed yet. */
async function showCall(bundle: WriteCall, entry: CallEntry, at: number): Promise<Shown | Unfit> {
  const { tool: name } = entry
  const wrong = referencesIn(entry.arguments).find(({ step }) => step >= at)
  if (wrong !== undefined)
    return { why: `(${name}) takes a result of step ${wrong.step + 1}, which does not run before it` }
  if (saysStandIn(entry.arguments)) return { why: `(${name}) has words that stand for the result of a step` }
  const known = await knownCall(bundle, entry, admit)
  if ('why' in known) return known
  const { call, later } = known
  if (later === undefined) return showStep(call)
  if (marksSecrets(call.tool)) return { why: `(${name}) has secrets: preview it once the step before it has run` }
  const shown = await showStep(call, true)
  if ('call' in shown && saysStandIn(shown.described.preview.confirmPhrase))
    return {
      why: `(${name}) asks for a name to be typed that is not there yet: preview it once the step before it has run`,
    }
  return 'why' in shown
    ? {
        why: `${shown.why.replace(/\.$/, '')}. It takes a value that is not there yet: preview it once the step before it has run`,
      }
    : { ...shown, later }
}

async function showStep(call: WriteCall, hasStandIns = false): Promise<Shown | Unfit> {
  const { engine, request, tool } = call
  const unfit = await unfitFor(call)
  if (unfit !== undefined) return { why: `(${tool.wireName}) ${unfit}` }
  // An approver's decision would run it by another plan.
  const asked = await engine.approvals?.findByCall({ digest: digestOf(call), principal: request.caller.principal })
  if (asked?.some(({ state }) => state === 'pending') === true)
    return { why: `(${tool.wireName}) waits for an approval already` }
  const described = await describeCall(call)
  if (described.kind === 'answer') return said(tool.wireName, described.answer)
  if (!hasStandIns && saysStandIn(described.preview))
    return { why: `(${tool.wireName}) has words that stand for the result of a step` }
  const inside = foldOf(described.preview)
  if (inside.some(isCut))
    return { why: `(${tool.wireName}) shows a list that is longer than a card: confirm it by itself` }
  if (inside.length > cardLimits.blocks || picturesIn(inside) > cardLimits.pictures)
    return { why: `(${tool.wireName}) shows more than fits beside others: confirm it by itself` }
  return { call, described }
}
