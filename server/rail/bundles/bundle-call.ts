// A call of `apply_bundle` on its way: before it is shown its plans are previewed together, and before it runs they are looked up as
// they are by then.
import { canonicalJson } from '../../confirm/canonical.ts'
import { failureAnswer } from '../answers/answers.ts'
import type { Answer } from '../answers/outcome.ts'
import type { PlannedCall, WriteCall } from '../call-context.ts'
import { declaredFailure } from '../invoke-contract.ts'
import { rowEvent } from '../record/activity-row.ts'
import { findOwnPlan } from '../intake/named-plan.ts'
import { parseArguments } from '../intake/parse.ts'
import { bundleInput, bundleOutput, isBundleTool, type BundleInput } from './bundle-contract.ts'
import { holdMembers, loadMembers, openMembers } from './bundle-members.ts'
import type { ApplyStep } from './bundle-steps.ts'
import { bundleTool, resultByNow } from './bundle-tool.ts'

type Entry = BundleInput['plans'][number]

/** A bundle whose steps are previewed, or why there is none. */
type OpenedBundle =
  | { readonly kind: 'call'; readonly call: WriteCall }
  | { readonly kind: 'answer'; readonly answer: Answer }

/** The call with its steps previewed, and with the ids of their plans in place of what it named. */
export async function openBundle(call: WriteCall, apply: ApplyStep): Promise<OpenedBundle> {
  const input = call.input as BundleInput
  const members = await openMembers(call, input)
  if ('why' in members) {
    const message = `Step ${members.at + 1} ${members.why}${/[.!?]$/.test(members.why) ? '' : '.'}`
    const failed = { kind: 'tool-failed', code: 'not_bundled', message } as const
    const spec = call.tool.contract.failures['not_bundled']
    if (spec === undefined) throw new Error('The contract of bundles does not declare not_bundled.')
    const failure = declaredFailure(call.tool, failed, spec, 'preview')
    return { kind: 'answer', answer: failureAnswer(call, failure, { outcome: 'failed' }) }
  }
  await rowEvent(call, 'bundle.planned', { plans: members.map(({ plan }) => plan.id) })
  const known: BundleInput = { ...input, plans: members.map(({ plan }) => plan.id) }
  const tool = bundleTool(call.tool, { bundle: call, members, apply })
  return { kind: 'call', call: { ...call, tool, input: known, canonical: canonicalJson(known) } }
}

/**
 * A call that names the plan of a bundle, with its steps as that plan has them where they are the same calls: an agent without a
 * card repeats what it had sent, and its calls have got plans since.
 */
export async function asStored(call: WriteCall): Promise<WriteCall> {
  const input = call.input as BundleInput
  const found = await findOwnPlan(call, call.ticket ?? '')
  const stored = found.kind === 'found' ? bundleInput.safeParse(JSON.parse(found.plan.args)) : undefined
  if (stored?.success !== true || stored.data.plans.length !== input.plans.length) return call
  const plans = await Promise.all(
    input.plans.map(async (entry, at) => {
      const kept = stored.data.plans[at]
      return kept !== undefined && (await isSameCall(call, entry, kept)) ? kept : entry
    }),
  )
  const known: BundleInput = { ...input, plans }
  return { ...call, input: known, canonical: canonicalJson(known) }
}

async function isSameCall(bundle: WriteCall, entry: Entry, kept: Entry): Promise<boolean> {
  if (entry === kept) return true
  const [{ plan } = {}] = (await loadMembers(bundle, [kept])).filter((member) => member !== undefined)
  if (plan === undefined) return false
  if (typeof entry === 'string') {
    const [earlier] = await loadMembers(bundle, [entry])
    return earlier?.plan.digest === plan.digest
  }
  const tool = bundle.engine.catalog.find(entry.tool)
  if (tool === undefined || tool.wireName !== plan.tool) return false
  const args = { [tool.reserved.rationale]: bundle.rationale, ...entry.arguments }
  const parsed = parseArguments(tool, args, bundle.engine.settings.maxArgumentBytes)
  return parsed.ok && parsed.value.canonical === plan.args
}

/** The call of a plan as it can be run: a bundle's with the plans of its steps, every other as it is. */
export async function withMembers(call: PlannedCall, apply: ApplyStep): Promise<PlannedCall> {
  if (!isBundleTool(call.tool)) return call
  const members = await loadMembers(call, (call.input as BundleInput).plans)
  const tool = bundleTool(call.tool, { bundle: call, members, apply })
  const { ending } = call.plan
  const recorded = ending?.kind === 'applied' ? bundleOutput.safeParse(JSON.parse(ending.result)) : undefined
  if (recorded?.success !== true) return { ...call, tool }
  const result = JSON.stringify(await resultByNow(recorded.data, members, apply))
  return { ...call, tool, plan: { ...call.plan, ending: { kind: 'applied', result } } }
}

/** A bundle that waits for an approver keeps its plans as long as it waits. */
export async function keepWaiting(call: WriteCall, answer: Answer): Promise<Answer> {
  if (answer.outcome === 'awaiting_approval') {
    const members = await loadMembers(call, (call.input as BundleInput).plans)
    const known = members.filter((member) => member !== undefined)
    await holdMembers(call, known, call.engine.settings.approvalTtlMs)
  }
  return answer
}
