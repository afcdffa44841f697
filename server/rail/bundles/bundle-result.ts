// What a bundle says once it has run: what came of each step, and the calls that it offers then.
import { unmarked } from '../../cards/unmarked.ts'
import type { Plan } from '../../model/plan-store.ts'
import type { OfferedCall, Success } from '../../tools/contract.ts'
import { marksSecrets } from '../answers/hide-secrets.ts'
import { recordedOutput } from '../answers/plan-answers.ts'
import type { CallContext } from '../call-context.ts'
import { resultBlocks } from './bundle-card.ts'
import { applyBundleName, type BundleInput, type BundleOutput, type BundleStep } from './bundle-contract.ts'
import { isCalledByName, type Member } from './bundle-members.ts'
import { isReady, type ApplyStep } from './bundle-steps.ts'

/** What a contract of one call knows: the steps as they were found, and how one is applied. */
export interface BundleParts {
  readonly bundle: CallContext
  readonly members: readonly (Member | undefined)[]
  readonly apply: ApplyStep
  /** The bundle's own, once it has one. */
  readonly plan?: Plan
}

/** The agent's words for a bundle: a quotation on its card. */
export const quoted = (title: string): string => `“${unmarked(title)}”`

/** What a step's tool answered, as its contract knows it. */
function outputOfStep(
  member: Member | undefined,
  step: BundleStep | undefined,
): { readonly value: unknown } | undefined {
  if (!isReady(member) || step?.state !== 'applied') return undefined
  // Another server's whole answer is kept with its own plan alone.
  if (member.call.tool.contract.passes === true) return recordedOutput(member.call)
  return step.result === undefined ? undefined : { value: step.result }
}

/** The steps that took effect, undone in reverse order; where one of them cannot be, nothing is offered. */
export function undo(
  { bundle, members }: BundleParts,
  { title }: BundleInput,
  { steps }: BundleOutput,
): OfferedCall | undefined {
  const applied = steps.flatMap((step, at) => {
    const member = members[at]
    return step.state === 'applied'
      ? [isReady(member) ? { member, output: outputOfStep(member, step) } : undefined]
      : []
  })
  const calls = applied.map((step) =>
    step?.output === undefined
      ? undefined
      : step.member.call.tool.contract.undo?.(step.member.call.input, step.output.value),
  )
  const known = calls.filter((one) => one !== undefined).toReversed()
  const [only] = known
  if (only === undefined || known.length < calls.length) return undefined
  if (known.length === 1) return only
  if (!known.every(({ tool }) => isCalledByName(bundle.engine, tool))) return undefined
  return {
    tool: applyBundleName,
    arguments: {
      plans: known.map((one) => ({ tool: one.tool, arguments: one.arguments })),
      title: `Undo: ${title}`.slice(0, 200).toWellFormed(),
    },
    label: 'Undo all',
  }
}

/** Of a step that failed so, a person has said no. */
const takenBack = new Set(['cancelled', 'confirmation_refused'])

/** What has not taken effect, as a new bundle; of one call alone, its own preview is asked for. */
export function rest(
  { bundle, members }: BundleParts,
  { title, on_failure: onFailure }: BundleInput,
  output: BundleOutput,
): OfferedCall | undefined {
  const left = output.steps.flatMap(({ state, error }, at) => {
    const member = members[at]
    const isLeft = state === 'not_run' || (state === 'failed' && !takenBack.has(error?.code ?? ''))
    return isLeft && isReady(member) ? [member] : []
  })
  const [only] = left
  if (only === undefined) return undefined
  const label = 'Preview the rest'
  if (left.length === 1)
    return marksSecrets(only.call.tool) || !isCalledByName(bundle.engine, only.plan.tool)
      ? undefined
      : { tool: only.plan.tool, arguments: only.call.input as Readonly<Record<string, unknown>>, label }
  return {
    tool: applyBundleName,
    arguments: {
      plans: left.map(({ plan }) => plan.id),
      title,
      ...(onFailure === undefined ? {} : { on_failure: onFailure }),
    },
    label,
  }
}

export function success({ members }: BundleParts, { title }: BundleInput, { steps, applied }: BundleOutput): Success {
  const all = applied === steps.length
  return {
    title: all ? `${applied} changes made` : `${applied} of ${steps.length} changes made`,
    subtitle: quoted(title),
    blocks: resultBlocks(steps.map((step, at) => ({ ...step, success: successOf(members[at], step) }))),
  }
}

/** What a step's own card would say; nothing where its words break: the effect stands. */
function successOf(member: Member | undefined, step: BundleStep): Success | undefined {
  const output = outputOfStep(member, step)
  if (output === undefined || !isReady(member)) return undefined
  try {
    return member.call.tool.contract.cards?.success?.(member.call.input, output.value)
  } catch (error) {
    member.call.engine.report(error, `${member.plan.tool} success card`)
    return undefined
  }
}
