// The contract of one call of `apply_bundle`: its risk is the highest of its steps, its state is theirs, and it runs them by their own
// plans, so that none runs twice however often the bundle is repeated (docs/adr/0086).
import { createHash } from 'node:crypto'
import { unmarked } from '../../cards/unmarked.ts'
import type { Risk } from '../../model/risk.ts'
import type { WriteTool } from '../../tools/catalog.ts'
import type {
  OfferedCall,
  Preview,
  RunContext,
  Success,
  ToolContext,
  ToolFailed,
  WriteContract,
} from '../../tools/contract.ts'
import { riskRank } from '../../tools/define-tool.ts'
import { recordedOutput } from '../answers/plan-answers.ts'
import { ratedRisk } from '../authorize/gate.ts'
import type { CallContext, PlannedCall } from '../call-context.ts'
import { declaredGuidance } from '../answers/outcome.ts'
import { toolContext } from '../invoke-contract.ts'
import { describeCall, readBasis } from '../preview/describe.ts'
import { resultBlocks, stepBlocks, type ShownStep } from './bundle-card.ts'
import { applyBundleName, type BundleInput, type BundleOutput, type BundleStep } from './bundle-contract.ts'
import type { Member } from './bundle-members.ts'
import { notRun, recordedStep, runStep, stepOf, titleOf, type ApplyStep } from './bundle-steps.ts'

type Code = 'not_bundled' | 'nothing_applied' | 'unclear'
type BundleContext = ToolContext<Code>

/** What a contract of one call knows: the steps as they were found, and how one is applied. */
interface BundleParts {
  readonly bundle: CallContext
  readonly members: readonly (Member | undefined)[]
  readonly apply: ApplyStep
}

/** A step whose call can still be made. */
type Ready = Member & { readonly call: PlannedCall }
const isReady = (member: Member | undefined): member is Ready => member?.call !== undefined

/** `apply_bundle` as it is for these steps. */
export function bundleTool(tool: WriteTool, parts: BundleParts): WriteTool {
  const { members } = parts
  const secrets = members.flatMap((member, at) =>
    (member?.call?.tool.contract.secrets?.result ?? []).map((pointer) => `/steps/${at}/result${pointer}`),
  )
  const contract = {
    ...tool.contract,
    risk: riskOfAll(members),
    ...(secrets.length === 0 ? {} : { secrets: { result: secrets } }),
    preview: (given, ctx: BundleContext) => preview(parts, given as BundleInput, ctx),
    basis: (_, ctx) => basis(parts, ctx as BundleContext),
    run: (given, ctx: RunContext<Code>) => run(parts, given as BundleInput, ctx),
    reconcile: async () => reconcile(parts),
    undo: (given, output) => undo(parts, given as BundleInput, output as BundleOutput),
    rest: (given, output) => rest(parts, given as BundleInput, output as BundleOutput),
    cards: { success: (given, output) => success(parts, given as BundleInput, output as BundleOutput) },
  } satisfies Partial<WriteContract>
  return { ...tool, contract: contract as WriteContract }
}

/** The highest of the steps'. What none of them is would run without a person, and nobody asks for a bundle of those. */
const riskOfAll = (members: readonly (Member | undefined)[]): Risk =>
  members
    .map((member): Risk => {
      const risk = isReady(member) ? ratedRisk(member.call) : 'critical'
      return risk === 'forbidden' ? 'critical' : risk
    })
    .reduce((highest, risk) => (riskRank(risk) > riskRank(highest) ? risk : highest), 'medium')

const quoted = (title: string): string => `“${unmarked(title)}”`

async function preview(
  { members }: BundleParts,
  { title }: BundleInput,
  ctx: BundleContext,
): Promise<Preview | ToolFailed> {
  const shown: (ShownStep & { readonly member: Ready })[] = []
  for (const [at, member] of members.entries()) {
    const described = isReady(member) ? (member.described ?? (await describeCall(member.call))) : undefined
    if (!isReady(member) || described === undefined)
      return ctx.fail('not_bundled', `Step ${at + 1} is not there any more.`)
    if (described.kind === 'answer') {
      const why = declaredGuidance(described.answer)?.message ?? described.answer.outcome
      return ctx.fail('not_bundled', `Step ${at + 1} (${member.plan.tool}) cannot be previewed: ${why}`)
    }
    if (member.plan.state !== 'open' || described.basis !== member.plan.basis)
      return ctx.fail('not_bundled', `Step ${at + 1} (${member.plan.tool}) is not as it was previewed any more.`)
    shown.push({ member, preview: described.preview, risk: ratedRisk(member.call) })
  }
  const phrases = new Set(
    shown.flatMap(({ member, preview: { confirmPhrase } }) =>
      confirmPhrase === undefined || member.call.tool.contract.confirmation === 'click' ? [] : [confirmPhrase],
    ),
  )
  const [phrase] = phrases
  const many = `${shown.length} changes`
  return {
    title: `${many}: ${quoted(title)}`,
    summary: `${many} as one decision: ${shown.map((step) => step.preview.title).join('; ')}.`,
    blocks: stepBlocks(shown),
    confirmLabel: `Confirm ${many}`,
    ...(phrase === undefined ? {} : { confirmPhrase: phrases.size === 1 ? phrase : many }),
    details: {
      plans: shown.map(({ member, preview: { title: of }, risk }) => ({
        plan_id: member.plan.id,
        tool: member.plan.tool,
        title: of,
        risk,
      })),
    },
  }
}

/** All that the steps rest on: one that has moved, has run or was taken back makes the whole another than was shown. */
async function basis({ members }: BundleParts, ctx: BundleContext): Promise<string | ToolFailed> {
  const states = await Promise.all(
    members.map(async (member) => {
      if (!isReady(member)) return ['gone']
      const { plan, call, described } = member
      if (described !== undefined) return [plan.id, plan.state, described.basis]
      const now = await readBasis(call, toolContext(call, ctx.signal))
      return [plan.id, plan.state, now.kind === 'value' ? now.value : now.kind]
    }),
  )
  return createHash('sha256').update(JSON.stringify(states)).digest('hex')
}

async function run(
  { bundle, members, apply }: BundleParts,
  { plans: named, on_failure: onFailure = 'stop' }: BundleInput,
  ctx: RunContext<Code>,
): Promise<BundleOutput | ToolFailed> {
  const { plans } = bundle.engine
  const id = ctx.idempotencyKey
  const of = members.length
  const steps: BundleStep[] = []
  let stopped = false
  for (const [at, member] of members.entries()) {
    // Others may have concluded that this run is over, and told that what has not begun will not run.
    const goesOn = !stopped && !ctx.signal.aborted && !ctx.cancelled.aborted
    if (!goesOn || !isReady(member) || (await plans.find({ by: 'id', id }))?.state !== 'applying') {
      stopped = true
      steps.push(member === undefined ? goneStep(named[at]) : notRun(member))
      continue
    }
    ctx.progress({ progress: at, total: of, message: `${at + 1}/${of} ${titleOf(member)}` })
    const step = stepOf(member, await runStep(bundle, member, { bundle: id, at, of }, apply))
    steps.push(step)
    stopped = step.state !== 'applied' && onFailure === 'stop'
  }
  const counted = outputOf(steps)
  if (counted.applied > 0) return counted
  const at = steps.findIndex(({ error }) => error !== undefined)
  const { title, error, state } = steps[at] ?? {}
  if (steps.some((step) => step.state === 'not_known'))
    return ctx.fail('unclear', `Nobody saw how step ${at + 1} (${title}) ended. ${error?.message}`)
  return ctx.fail(
    'nothing_applied',
    state === undefined
      ? 'None of the steps was run.'
      : `None of the ${of} changes was made: step ${at + 1} (${title}) failed. ${error?.message}`,
  )
}

/** A plan that is not kept any more. */
const goneStep = (plan: unknown): BundleStep => ({ plan_id: String(plan), tool: '', title: '', state: 'not_run' })

const outputOf = (steps: readonly BundleStep[]): BundleOutput => ({
  applied: steps.filter(({ state }) => state === 'applied').length,
  steps: [...steps],
})

/** What the plans of the steps say. */
async function reconcile({ members, apply }: BundleParts) {
  const steps: BundleStep[] = []
  for (const member of members) {
    if (member === undefined || member.plan.state === 'applying') return { kind: 'unknown' } as const
    steps.push(await stepByNow(member, apply))
  }
  const states = new Set(steps.map(({ state }) => state))
  if (states.has('applied')) return { kind: 'applied', result: outputOf(steps) } as const
  return { kind: states.has('not_known') ? 'unknown' : 'not-applied' } as const
}

/** What became of a step, by its plan. One whose end is not known is asked for it, by its own tool, which only looks. */
const stepByNow = async (member: Member, apply: ApplyStep): Promise<BundleStep> =>
  isReady(member) && member.plan.state === 'unknown' ? stepOf(member, await apply(member.call)) : recordedStep(member)

/** The recorded result of a bundle, with what has been found out since of steps that nobody had seen end. */
export async function resultByNow(
  { steps }: BundleOutput,
  members: readonly (Member | undefined)[],
  apply: ApplyStep,
): Promise<BundleOutput> {
  const now = await Promise.all(
    steps.map((step, at) => {
      const member = members[at]
      return step.state === 'not_known' && member !== undefined ? stepByNow(member, apply) : step
    }),
  )
  return outputOf(now)
}

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
function undo({ members }: BundleParts, { title }: BundleInput, { steps }: BundleOutput): OfferedCall | undefined {
  const applied = steps.flatMap((step, at) => {
    const member = members[at]
    return step.state === 'applied' && isReady(member) ? [{ member, output: outputOfStep(member, step) }] : []
  })
  const calls = applied.map(({ member: { call }, output }) =>
    output === undefined ? undefined : call.tool.contract.undo?.(call.input, output.value),
  )
  const known = calls.filter((one) => one !== undefined).toReversed()
  const [only] = known
  if (only === undefined || known.length < calls.length) return undefined
  if (known.length === 1) return only
  return {
    tool: applyBundleName,
    arguments: {
      plans: known.map((one) => ({ tool: one.tool, arguments: one.arguments })),
      title: `Undo: ${title}`.slice(0, 200),
    },
    label: 'Undo all',
  }
}

/** What has not taken effect, as a new bundle; of one call alone, its own preview is asked for. */
function rest(
  { members }: BundleParts,
  { title, on_failure: onFailure }: BundleInput,
  output: BundleOutput,
): OfferedCall | undefined {
  const left = output.steps.flatMap(({ state }, at) => {
    const member = members[at]
    return (state === 'failed' || state === 'not_run') && isReady(member) ? [member] : []
  })
  const [only] = left
  if (only === undefined) return undefined
  const label = 'Preview the rest'
  if (left.length === 1)
    return { tool: only.plan.tool, arguments: only.call.input as Readonly<Record<string, unknown>>, label }
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

function success({ members }: BundleParts, { title }: BundleInput, { steps, applied }: BundleOutput): Success {
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
