// A call of `apply_bundle` on its way: before it is shown its plans are previewed together, and before it runs they are looked up as
// they are by then.
import { canonicalJson } from '../../canonical-json.ts'
import { failureAnswer } from '../answers/answers.ts'
import type { Answer } from '../answers/outcome.ts'
import type { PlannedCall, WriteCall } from '../call-context.ts'
import { declaredFailure } from '../invoke-contract.ts'
import { rowEvent } from '../record/activity-row.ts'
import { findOwnPlan } from '../intake/named-plan.ts'
import { parseArguments } from '../intake/parse.ts'
import { bundleInput, bundleOutput, isBundleTool, type BundleInput } from './bundle-contract.ts'
import { readShown } from '../preview/shown.ts'
import { checkPermissions } from '../authorize/gate.ts'
import { callOf, isLater, loadMembers, ownPlan, type BundleEntry } from './bundle-members.ts'
import type { ApplyStep } from './bundle-steps.ts'
import { languageOfSteps } from './bundle-language.ts'
import { openMembers } from './open-members.ts'
import { bundleTool, resultByNow } from './bundle-tool.ts'

/** A bundle whose steps are previewed, or why there is none. */
type OpenedBundle =
  | { readonly kind: 'call'; readonly call: WriteCall }
  | { readonly kind: 'answer'; readonly answer: Answer }

/** The call with its steps previewed, and with the ids of their plans in place of what it named. */
export async function openBundle(asked: WriteCall, apply: ApplyStep): Promise<OpenedBundle> {
  // Servers behind may be asked for a dry run.
  await asked.row?.written
  const input = asked.input as BundleInput
  const call = { ...asked, request: { ...asked.request, language: await languageOfSteps(asked, input.plans) } }
  const members = await openMembers(call, input.plans)
  if ('why' in members) {
    const end = /[.!?]$/.test(members.why) ? '' : '.'
    return { kind: 'answer', answer: notBundled(call, `Step ${members.at + 1} ${members.why}${end}`) }
  }
  const plans = members.map((step) => (isLater(step) ? step.later.entry : step.plan.id))
  await rowEvent(call, 'bundle.planned', { plans: plans.filter((entry) => typeof entry === 'string') })
  const known: BundleInput = { ...input, plans }
  const tool = bundleTool(call.tool, { bundle: call, members: [...members], apply })
  return {
    kind: 'call',
    call: { ...call, tool, input: known, canonical: canonicalJson(known), renew: renewWith(apply) },
  }
}

/** Previews a bundle anew, from the plans that it names. */
export const renewWith =
  (apply: ApplyStep): NonNullable<WriteCall['renew']> =>
  (again) =>
    openBundle(again, apply)

function notBundled(call: WriteCall, message: string): Answer {
  const spec = call.tool.contract.failures['not_bundled']
  if (spec === undefined) throw new Error('The contract of bundles does not declare not_bundled.')
  const failed = { kind: 'tool-failed', code: 'not_bundled', message } as const
  return failureAnswer(call, declaredFailure(call.tool, failed, spec, 'preview'), { outcome: 'failed' })
}

/**
 * A call that names the plan of a bundle, in the language of its card and with its steps as that plan has them where they are
 * the same calls: an agent without a card repeats what it had sent, and its calls have got plans since.
 */
export async function asStored(asked: WriteCall): Promise<WriteCall> {
  const input = asked.input as BundleInput
  const found = await findOwnPlan(asked, asked.ticket ?? '')
  if (found.kind !== 'found') return asked
  const { language = 'en' } = readShown(found.plan.shown)
  const call = { ...asked, request: { ...asked.request, language } }
  const stored = bundleInput.safeParse(JSON.parse(found.plan.args))
  if (!stored.success || stored.data.plans.length !== input.plans.length) return call
  const plans = await Promise.all(
    input.plans.map(async (entry, at) => {
      const kept = stored.data.plans[at]
      return kept !== undefined && (await isSameCall(call, entry, kept)) ? kept : entry
    }),
  )
  const known: BundleInput = { ...input, plans }
  return { ...call, input: known, canonical: canonicalJson(known) }
}

async function isSameCall(bundle: WriteCall, entry: BundleEntry, kept: BundleEntry): Promise<boolean> {
  if (entry === kept) return true
  if (typeof kept !== 'string') return typeof entry !== 'string' && canonicalJson(entry) === canonicalJson(kept)
  const plan = await ownPlan(bundle, kept)
  if (plan === undefined) return false
  if (typeof entry === 'string') return (await ownPlan(bundle, entry))?.digest === plan.digest
  const tool = bundle.engine.catalog.find(entry.tool)
  if (tool === undefined || tool.wireName !== plan.tool) return false
  const args = { [tool.reserved.rationale]: bundle.rationale, ...entry.arguments }
  const parsed = parseArguments(tool, args, bundle.engine.settings.maxArgumentBytes, { mayLackRationale: true })
  return parsed.ok && parsed.value.canonical === plan.args
}

/** Whether the tools of all steps of a bundle are served here. */
export async function servesSteps(call: PlannedCall): Promise<boolean> {
  const members = await loadMembers(call, (call.input as BundleInput).plans)
  return members.every((member) => callOf(member) !== undefined)
}

/**
 * The call of a plan as it can be run: a bundle's with the plans of its steps, every other as it is. An answer where the caller may
 * not use the tool of a step, or where a bundle that is open has a step whose tool is not there now: it stays open.
 */
export async function withMembers(named: PlannedCall, apply: ApplyStep): Promise<PlannedCall | Answer> {
  if (!isBundleTool(named.tool)) return named
  await named.row?.written
  // However it is named, it runs in the language of its card: what a step shows then is compared with what was shown.
  const language = named.request.language ?? readShown(named.plan.shown).language ?? 'en'
  const call = { ...named, request: { ...named.request, language } }
  const { engine, plan } = call
  const members = [...(await loadMembers(call, (call.input as BundleInput).plans, plan.id))]
  for (const member of members) {
    const stepCall = callOf(member)
    const refused = stepCall && checkPermissions(stepCall)
    if (refused !== undefined) return refused
  }
  const gone = members.findIndex((member) => callOf(member) === undefined)
  if (gone >= 0 && plan.state === 'open')
    return notBundled(call, `Step ${gone + 1} has another definition by now, or its tool is not there.`)
  const tool = bundleTool(call.tool, { bundle: call, members, apply, plan })
  // Each step has as long as it would have alone.
  const settings = { ...engine.settings, runTimeoutMs: engine.settings.runTimeoutMs * members.length }
  const known = { ...call, tool, engine: { ...engine, settings }, renew: renewWith(apply) }
  const recorded = plan.ending?.kind === 'applied' ? bundleOutput.safeParse(JSON.parse(plan.ending.result)) : undefined
  // Where the call has no row, because nothing can be written down, nobody is asked.
  if (recorded?.success !== true || (call.row === undefined && engine.activityLog !== undefined)) return known
  const result = JSON.stringify(await resultByNow(recorded.data, members, apply))
  return { ...known, plan: { ...plan, ending: { kind: 'applied', result } } }
}

/** A bundle that waits for an approver keeps its plans as long as it waits. */
export async function keepWaiting(call: WriteCall, answer: Answer): Promise<Answer> {
  if (!isBundleTool(call.tool) || answer.outcome !== 'awaiting_approval') return answer
  const { engine, row } = call
  await row?.written
  for (const entry of (call.input as BundleInput).plans)
    if (typeof entry === 'string') await engine.plans.keep(entry, engine.settings.approvalTtlMs)
  return answer
}
