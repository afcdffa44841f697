// The contract of one call of `apply_bundle`: its risk is the highest of its steps, its state is theirs, and it runs them by their own
// plans, so that none runs twice however often the bundle is repeated (docs/adr/0086).
import { createHash } from 'node:crypto'
import { countedWords, quotation } from '../../cards/card-words.ts'
import { plainSentence } from '../../cards/figures.ts'
import type { Risk } from '../../model/risk.ts'
import { LONGEST_HELD_MS } from '../../model/run-time.ts'
import type { WriteTool } from '../../tools/catalog.ts'
import type { Preview, RunContext, ToolContext, ToolFailed, WriteContract } from '../../tools/contract.ts'
import { riskRank } from '../../tools/define-tool.ts'
import { ratedRisk } from '../authorize/gate.ts'
import { declaredGuidance } from '../answers/outcome.ts'
import { toolContext } from '../invoke-contract.ts'
import { describeCall, readBasis, type Described } from '../preview/describe.ts'
import { stepBlocks, typedFor, type ShownStep } from './bundle-card.ts'
import type { BundleInput, BundleOutput, BundleStep } from './bundle-contract.ts'
import { callOf, isLater, whyBlocked, type Step } from './bundle-members.ts'
import { inWords } from './references.ts'
import type { PlannedCall, WriteCall } from '../call-context.ts'
import { revisionBlocks } from '../preview/revision.ts'
import { readShown } from '../preview/shown.ts'
import { rest, success, undo, type BundleParts } from './bundle-result.ts'
import { isReady, notRun, recordedStep, runStep, stepOf, titleOf, type ApplyStep } from './bundle-steps.ts'

type Code = 'not_bundled' | 'nothing_applied' | 'unclear'
type BundleContext = ToolContext<Code>

/** `apply_bundle` as it is for these steps. */
export function bundleTool(tool: WriteTool, parts: BundleParts): WriteTool {
  const { members } = parts
  // Of a tool that is not there any more nobody can say what was secret.
  const secrets = members.flatMap((member, at) =>
    (callOf(member)?.tool.contract.secrets?.result ?? (callOf(member) === undefined ? [''] : [])).map(
      (pointer) => `/steps/${at}/result${pointer}`,
    ),
  )
  const contract = {
    ...tool.contract,
    risk: riskOfAll(members),
    ...(secrets.length === 0 ? {} : { secrets: { result: secrets } }),
    preview: (given, ctx: BundleContext) => preview(parts, given as BundleInput, ctx),
    basis: (_, ctx: BundleContext) => basis(parts, ctx),
    run: (given, ctx: RunContext<Code>) => run(parts, given as BundleInput, ctx),
    reconcile: async () => reconcile(parts),
    undo: (given, output, { language }) => undo(parts, given as BundleInput, output as BundleOutput, language),
    rest: (given, output, { language }) => rest(parts, given as BundleInput, output as BundleOutput, language),
    cards: {
      success: (given, output, { language }) => success(parts, given as BundleInput, output as BundleOutput, language),
    },
  } satisfies Partial<WriteContract>
  return { ...tool, contract }
}

/** The highest of the steps'. What none of them is would run without a person, and nobody asks for a bundle of those. */
const riskOfAll = (members: readonly (Step | undefined)[]): Risk =>
  members
    .map((member): Risk => {
      const call = callOf(member)
      const risk = call === undefined ? 'critical' : ratedRisk(call)
      return risk === 'forbidden' ? 'critical' : risk
    })
    .reduce((highest, risk) => (riskRank(risk) > riskRank(highest) ? risk : highest), 'medium')

async function preview(
  { members }: BundleParts,
  { title }: BundleInput,
  ctx: BundleContext,
): Promise<Preview | ToolFailed> {
  const shown: (ShownStep & { readonly step: Step; readonly call: WriteCall })[] = []
  for (const [at, step] of members.entries()) {
    const call = callOf(step)
    const described = call && step && (await describedIn(ctx.language, call, step))
    if (step === undefined || call === undefined || described === undefined)
      return ctx.fail('not_bundled', `Step ${at + 1} is not there any more.`)
    if (described.kind === 'answer') {
      const why = declaredGuidance(described.answer)?.message ?? whyBlocked(described.answer)
      return ctx.fail('not_bundled', `Step ${at + 1} (${call.tool.wireName}) cannot be previewed: ${why}`)
    }
    if (!isLater(step) && (step.plan.state !== 'open' || described.basis !== step.plan.basis))
      return ctx.fail('not_bundled', `Step ${at + 1} (${call.tool.wireName}) is not as it was previewed any more.`)
    const changed = isLater(step)
      ? undefined
      : revisionBlocks(inLanguage(ctx.language, call), call.input, readShown(step.plan.shown).proposed)
    const of = isLater(step) ? inWords(described.preview, step.later.standIns, ctx.language) : described.preview
    shown.push({ step, call, preview: of, risk: ratedRisk(call), ...(changed && { changed }) })
  }
  const phrase = typedFor(shown.map(({ call, preview: of }) => ({ preview: of, contract: call.tool.contract })))
  const many = (name: 'bundle' | 'bundleSummary' | 'bundleConfirm', ...more: readonly string[]): string =>
    countedWords(ctx.language, name, shown.length, ...more)
  return {
    title: many('bundle', quotation(ctx.language, title)),
    summary: many('bundleSummary', shown.map((step) => step.preview.title).join('; ')),
    blocks: stepBlocks(shown, ctx.language),
    confirmLabel: many('bundleConfirm'),
    ...(phrase === '' ? {} : { confirmPhrase: phrase }),
    details: {
      plans: shown.map(({ step, call, preview: of, risk }) => ({
        ...(isLater(step) ? {} : { plan_id: step.plan.id }),
        tool: call.tool.wireName,
        title: plainSentence(of.title),
        risk,
        summary: plainSentence(of.summary),
        changes: of.changes ?? [],
        warnings: (of.warnings ?? []).map((warning) =>
          [warning.title, warning.text]
            .filter(Boolean)
            .map((text) => plainSentence(text ?? ''))
            .join(' '),
        ),
        expected_side_effects: (of.effects ?? []).map(plainSentence),
      })),
    },
  }
}

/** A step's call in this language: an approver reads English, whatever the one who asks reads. */
const inLanguage = (language: string, call: WriteCall): WriteCall =>
  call.request.language === language ? call : { ...call, request: { ...call.request, language } }

/** What a step's tool says of it in this language. */
async function describedIn(language: string, call: WriteCall, step: Step): Promise<Described> {
  if (call.request.language === language && step.described !== undefined) return step.described
  const anew = await describeCall(inLanguage(language, call))
  const repeats = isLater(step) ? [] : (step.repeatsIn?.(language) ?? [])
  if (anew.kind !== 'described' || repeats.length === 0) return anew
  return { ...anew, preview: { ...anew.preview, warnings: [...(anew.preview.warnings ?? []), ...repeats] } }
}

/** All that the steps rest on: one that has moved, has run or was taken back makes the whole another than was shown. */
async function basis({ members }: BundleParts, ctx: BundleContext): Promise<string | ToolFailed> {
  const states = await Promise.all(
    members.map(async (step, at) => {
      if (isLater(step)) {
        const { call } = step.later
        const aborting = { ...call, request: { ...call.request, signal: ctx.signal } }
        const now = await describedIn(ctx.language, aborting, step)
        if (now.kind !== 'described') return ['gone']
        // What it shows is compared with what was signed, and later with what it shows then.
        members[at] = { later: { ...step.later, call: inLanguage(ctx.language, call) }, described: now }
        return [step.later.entry, now.basis, now.preview]
      }
      if (!isReady(step)) return ['gone']
      const { plan, call, described } = step
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
  const risk = riskOfAll(members)
  const id = ctx.idempotencyKey
  const of = members.length
  const steps: BundleStep[] = []
  // What has begun goes on although whoever asked is gone.
  const running = { ...bundle, request: { ...bundle.request, signal: ctx.signal } }
  const ranStep = async (ran: ReturnType<typeof runStep>, at: number): Promise<BundleStep> => {
    const found = await ran.catch((error: unknown) => ({ error }))
    const member = members[at]
    if (member === undefined) throw new Error(`Step ${at + 1} is gone.`)
    const call = callOf(member)
    if ('error' in found) bundle.engine.report(found.error, `step ${at + 1} of ${id}`)
    const plan = isLater(member) ? undefined : await plans.find({ by: 'id', id: member.plan.id })
    // With its end: another server's whole answer is kept with its plan alone.
    const ended = plan !== undefined && isReady(member) ? { plan, call: { ...member.call, plan } } : member
    if (call?.tool.contract.passes === true || 'error' in found) members[at] = ended
    return 'error' in found ? recordedStep(ended) : stepOf(ended, found, at)
  }
  // The last step is open for as long as those before it run, and are asked.
  const lastsMs = bundle.engine.settings.runTimeoutMs * of + LONGEST_HELD_MS
  for (const member of members) if (member !== undefined && !isLater(member)) await plans.keep(member.plan.id, lastsMs)
  let stopped = false
  for (const [at, member] of members.entries()) {
    // Others may have concluded that this run is over, and told that what has not begun will not run.
    // A client that goes away, or gives up waiting, does not stop what has begun; a person on the card does.
    const onCard = bundle.engine.runningCalls?.find(id)?.cancelled.aborted === true
    const isCancelled = onCard || (at === 0 && ctx.cancelled.aborted)
    const goesOn = !stopped && !ctx.signal.aborted && !isCancelled
    if (member === undefined || !goesOn || (await plans.find({ by: 'id', id }))?.state !== 'applying') {
      stopped = true
      steps.push(member === undefined ? goneStep(named[at]) : notRun(member))
      continue
    }
    ctx.progress({ progress: at, total: of, message: `${at + 1}/${of} ${titleOf(member)}` })
    // A step that takes a value has its plan from here on.
    const began = (call: PlannedCall): void => void (members[at] = { plan: call.plan, call })
    const step = await ranStep(
      runStep(running, member, { bundle: id, at, of, risk }, { apply, before: steps, began }),
      at,
    )
    steps.push(step)
    stopped = step.state !== 'applied' && onFailure === 'stop'
  }
  await leaveNoneOpen(bundle, members)
  const counted = outputOf(steps)
  if (counted.applied > 0) return counted
  const isUnclear = steps.some(({ state }) => state === 'not_known')
  const at = steps.findIndex(({ error, state }) => (isUnclear ? state === 'not_known' : error !== undefined))
  const { title, tool, error, state } = steps[at] ?? {}
  // What agents read is in English.
  const name = ctx.language === 'en' ? title : tool
  if (isUnclear) return ctx.fail('unclear', `Nobody saw how step ${at + 1} (${name}) ended. ${error?.message}`)
  return ctx.fail(
    'nothing_applied',
    state === undefined
      ? 'None of the steps was run.'
      : `None of the ${of} changes was made: step ${at + 1} (${name}) failed. ${error?.message}`,
  )
}

/** What was signed is over: whoever wants a step that did not run, or was refused before it began, previews it anew. */
async function leaveNoneOpen({ engine }: BundleParts['bundle'], members: BundleParts['members']): Promise<void> {
  for (const member of members) if (member !== undefined && !isLater(member)) await engine.plans.expire(member.plan.id)
}

/** A plan that is not kept any more. */
const goneStep = (plan: unknown): BundleStep => ({ plan_id: String(plan), tool: '', title: '', state: 'not_run' })

const outputOf = (steps: readonly BundleStep[]): BundleOutput => ({
  applied: steps.filter(({ state }) => state === 'applied').length,
  steps: [...steps],
})

/** What the plans of the steps say, once the process that ran them has been silent for so long that it begins none any more. */
async function reconcile({ bundle, members, apply, plan }: BundleParts) {
  const { engine } = bundle
  const steps: BundleStep[] = []
  for (const [at, member] of members.entries()) {
    if (member === undefined || (!isLater(member) && member.plan.state === 'applying'))
      return { kind: 'unknown' } as const
    steps.push(await stepByNow(member, at, apply))
  }
  const states = new Set(steps.map(({ state }) => state))
  const mayGoOn = plan !== undefined && engine.now() - plan.changedAt < engine.settings.leaseMs
  if (states.has('applied') && states.has('not_run') && mayGoOn) return { kind: 'unknown' } as const
  await leaveNoneOpen(bundle, members)
  if (states.has('applied')) return { kind: 'applied', result: outputOf(steps) } as const
  return { kind: states.has('not_known') ? 'unknown' : 'not-applied' } as const
}

/** What became of a step, by its plan. One whose end is not known is asked for it, by its own tool, which only looks. */
const stepByNow = async (member: Step, at: number, apply: ApplyStep): Promise<BundleStep> =>
  isReady(member) && member.plan.state === 'unknown'
    ? stepOf(member, await apply(member.call), at)
    : recordedStep(member)

/** The recorded result of a bundle, with what has been found out since of steps that had not ended then. */
export async function resultByNow(
  { steps }: BundleOutput,
  members: readonly (Step | undefined)[],
  apply: ApplyStep,
): Promise<BundleOutput> {
  const now = await Promise.all(
    steps.map(async (step, at) => {
      const member = members[at]
      // A run that slept may have taken effect although its tool had found none.
      const mayDiffer =
        step.state === 'failed' ? !isLater(member) && member?.plan.state === 'applied' : step.state !== 'applied'
      return mayDiffer && member !== undefined && !isLater(member) ? stepByNow(member, at, apply) : step
    }),
  )
  return outputOf(now)
}
