// What a bundle says once it has run: what came of each step, and the calls that it offers then.
import { cardWords, countedWords, fill, quotation } from '../../cards/card-words.ts'
import type { Plan } from '../../model/plan-store.ts'
import type { OfferedCall, Success } from '../../tools/contract.ts'
import { marksSecrets } from '../answers/hide-secrets.ts'
import { recordedOutput } from '../answers/plan-answers.ts'
import type { WriteCall } from '../call-context.ts'
import { languageOf } from '../language.ts'
import { resultBlocks } from './bundle-card.ts'
import { applyBundleName, type BundleInput, type BundleOutput, type BundleStep } from './bundle-contract.ts'
import { callOf, isCalledByName, isLater, type BundleEntry, type Step } from './bundle-members.ts'
import { isPlainValue, referencesIn, referenceTo, valueOf, withValues } from './references.ts'
import { isReady, type ApplyStep } from './bundle-steps.ts'

/** What a contract of one call knows: the steps as they were found, and how one is applied. */
export interface BundleParts {
  readonly bundle: WriteCall
  /** Changed where a step gets its plan. */
  readonly members: (Step | undefined)[]
  readonly apply: ApplyStep
  /** The bundle's own, once it has one. */
  readonly plan?: Plan
}

/** What a step's tool answered, as its contract knows it. */
function outputOfStep(member: Step | undefined, step: BundleStep | undefined): { readonly value: unknown } | undefined {
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
  language: string,
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
      : step.member.call.tool.contract.undo?.(step.member.call.input, step.output.value, {
          language: languageOf(step.member.call),
        }),
  )
  const known = calls.filter((one) => one !== undefined).toReversed()
  const [only] = known
  if (only === undefined || known.length < calls.length) return undefined
  if (known.length === 1) return only
  // What looks like a reference in the data of a call would be read as one.
  if (
    !known.every(({ tool, arguments: args }) => isCalledByName(bundle.engine, tool) && referencesIn(args).length === 0)
  )
    return undefined
  return {
    tool: applyBundleName,
    arguments: {
      plans: known.map((one) => ({ tool: one.tool, arguments: one.arguments })),
      title: fill(cardWords(language).bundleUndo, title).slice(0, 200).toWellFormed(),
    },
    label: cardWords(language).bundleUndoAll,
  }
}

/** Of a step that failed so, a person has said no. */
const takenBack = new Set(['cancelled', 'confirmation_refused'])

/** What has not taken effect, as a new bundle; of one call alone, its own preview is asked for. */
export function rest(
  { bundle, members }: BundleParts,
  { title, on_failure: onFailure }: BundleInput,
  output: BundleOutput,
  language: string,
): OfferedCall | undefined {
  const isLeft = ({ state, error }: BundleStep): boolean =>
    state === 'not_run' || (state === 'failed' && !takenBack.has(error?.code ?? ''))
  const left = output.steps.flatMap((step, at) => (isLeft(step) && callOf(members[at]) !== undefined ? [at] : []))
  const entries = left.map((at) => entryNow(members[at], output.steps, left))
  const [first] = left
  const [only] = entries
  const label = cardWords(language).bundleRest
  if (first === undefined || only === undefined || entries.includes(undefined)) return undefined
  if (left.length > 1)
    return {
      tool: applyBundleName,
      arguments: { plans: entries, title, ...(onFailure === undefined ? {} : { on_failure: onFailure }) },
      label,
    }
  const call = callOf(members[first])
  if (call === undefined || marksSecrets(call.tool) || !isCalledByName(bundle.engine, call.tool.wireName))
    return undefined
  const args = typeof only === 'string' ? (call.input as Readonly<Record<string, unknown>>) : only.arguments
  return { tool: call.tool.wireName, arguments: args, label }
}

/** A step that is left, for a bundle of those: with the values that are there by now, and the others by their new places. */
function entryNow(
  member: Step | undefined,
  steps: readonly BundleStep[],
  left: readonly number[],
): BundleEntry | undefined {
  if (member === undefined) return undefined
  if (!isLater(member)) return member.plan.id
  const { entry, standIns } = member.later
  const values = standIns.map(({ reference }) => {
    const { step, from } = reference
    const place = left.indexOf(step)
    return [reference, place < 0 ? valueOf(reference, steps[step]?.result) : referenceTo(place, from)] as const
  })
  const isGiven = (value: unknown): boolean => isPlainValue(value) || referencesIn(value).length > 0
  if (!values.every(([{ step }, value]) => isGiven(value) && (left.includes(step) || isPlainValue(value))))
    return undefined
  return { ...entry, arguments: withValues(entry.arguments, values) as typeof entry.arguments }
}

export function success(
  { members }: BundleParts,
  { title }: BundleInput,
  { steps, applied }: BundleOutput,
  language: string,
): Success {
  const of = steps.length
  return {
    title:
      applied === of
        ? countedWords(language, 'bundleMade', applied)
        : fill(cardWords(language).bundlePartly, String(applied), String(of)),
    // The agent's words for a bundle are a quotation on its card.
    subtitle: quotation(language, title),
    blocks: resultBlocks(
      steps.map((step, at) => ({ ...step, success: successOf(members[at], step) })),
      language,
    ),
  }
}

/** What a step's own card would say; nothing where its words break: the effect stands. */
function successOf(member: Step | undefined, step: BundleStep): Success | undefined {
  const output = outputOfStep(member, step)
  if (output === undefined || !isReady(member)) return undefined
  try {
    return member.call.tool.contract.cards?.success?.(member.call.input, output.value, {
      language: languageOf(member.call),
    })
  } catch (error) {
    member.call.engine.report(error, `${member.plan.tool} success card`)
    return undefined
  }
}
