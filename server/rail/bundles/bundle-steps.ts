// Runs the steps of a confirmed bundle in their order, each by its own plan: what has run is known by that plan, whatever becomes
// of the bundle's.
import { CardError } from '../../cards/builders.ts'
import type { PlanState } from '../../model/plan-store.ts'
import { declaredGuidance, type Answer } from '../answers/outcome.ts'
import { failureAnswer } from '../answers/answers.ts'
import { recordedOutput } from '../answers/plan-answers.ts'
import { isWriteTool, type WriteTool } from '../../tools/catalog.ts'
import type { CallRequest } from '../engine.ts'
import { riskRank } from '../../tools/define-tool.ts'
import type { Risk } from '../../model/risk.ts'
import { ratedRisk } from '../authorize/gate.ts'
import {
  callContext,
  parsedCall,
  visible,
  type CallContext,
  type PlannedCall,
  type WriteCall,
} from '../call-context.ts'
import { admit } from '../intake/admit.ts'
import { withKnownTool } from '../intake/await-tool.ts'
import { readArguments } from '../intake/read-arguments.ts'
import { describeCall } from '../preview/describe.ts'
import { openForRun } from '../preview/preview.ts'
import { readShown } from '../preview/shown.ts'
import { withActivityRow } from '../record/activity-row.ts'
import { observed } from '../record/observer.ts'
import type { BundleStep } from './bundle-contract.ts'
import {
  callOf,
  isLater,
  laterPlanId,
  said,
  stepRequest,
  storedCall,
  unfitFor,
  type LaterMember,
  type Member,
  type Step,
  type Unfit,
} from './bundle-members.ts'
import { ended, staleStep } from './step-ends.ts'
import { differsOnlyBy, inWords, isPlainValue, valueOf, withValues, type StandIn } from './references.ts'

/** Applies a plan whose bundle has been confirmed, or says what has become of it. */
export type ApplyStep = (call: PlannedCall) => Promise<Answer>

/** Which step of which bundle, and the risk that was confirmed. */
interface Place {
  readonly bundle: string
  readonly at: number
  readonly of: number
  readonly risk: Risk
}

/** A step whose call can still be made. */
export type Ready = Member & { readonly call: PlannedCall }
export const isReady = (step: Step | undefined): step is Ready =>
  step !== undefined && !isLater(step) && step.call !== undefined

/** A step that has come to its turn. */
interface Turn extends Pick<CallRequest, 'tool' | 'args' | 'spelling'> {
  /** The call to apply, or why not; asked for once its row is written, because its server may be asked then. */
  readonly begin: (call: CallContext) => Promise<PlannedCall | Unfit>
}

/** What a step is run with. */
interface Running {
  readonly apply: ApplyStep
  /** What became of the steps before it. */
  readonly before: readonly BundleStep[]
  /** Told of the call that is applied. */
  readonly began: (call: PlannedCall) => void
}

/** Runs one step, with a row of its own in the activity log, as a call of its tool would have one. */
export async function runStep(
  bundle: WriteCall,
  step: Step,
  place: Place,
  { apply, before, began }: Running,
): Promise<Answer | Unfit> {
  const { engine } = bundle
  const turn = isLater(step) ? laterTurn(bundle, step, place, before) : plannedTurn(step, place.risk)
  if ('why' in turn) return turn
  const { begin, ...called } = turn
  const request = stepRequest(bundle, {
    ...called,
    notes: [`Step ${place.at + 1} of ${place.of} of the bundle ${place.bundle}.`],
    // They were counted when they were previewed: what was confirmed is not stopped half way by a limit.
    counted: ['calls', 'writes'],
  })
  const found: { unfit?: Unfit } = {}
  const answer = await withKnownTool(engine, request, (known) => {
    const arrived = callContext(engine, known, bundle)
    return observed(arrived, async () =>
      withActivityRow(await admit(arrived), async (call) => {
        const named = { engine, tool: visible(call.named), request: call.request }
        const { refusal } = call.request
        if (refusal !== undefined) return failureAnswer(named, refusal, { outcome: 'refused' })
        const begun = await begin(call)
        // The last look before it: while this process was silent, others may have told that this step is not run.
        const isOurs = (await engine.plans.find({ by: 'id', id: place.bundle }))?.state === 'applying'
        if (!('why' in begun) && isOurs) {
          began(begun)
          return apply(begun)
        }
        found.unfit = 'why' in begun ? begun : { why: 'was not run: its bundle had been silent for too long' }
        const failure = { kind: 'plan-refused', tool: call.request.tool, reason: 'unknown' } as const
        return failureAnswer(named, failure, { outcome: 'refused' })
      }),
    )
  })
  return found.unfit ?? answer
}

const rationaleOf = (tool: WriteTool, rationale: string): object =>
  rationale === '' ? {} : { [tool.reserved.rationale]: rationale }

function plannedTurn({ plan, call }: Member, risk: Risk): Turn | Unfit {
  if (call === undefined) return { why: 'has another definition by now, or its tool is not there' }
  const { spelling } = call.request
  return {
    tool: plan.tool,
    args: { ...(JSON.parse(plan.args) as object), ...rationaleOf(call.tool, plan.rationale) },
    ...(spelling === undefined ? {} : { spelling }),
    begin: async (context) => {
      // What was so when the bundle was shown may be otherwise by now.
      const now = storedCall(context, plan)
      if (now === undefined) return { why: 'has another definition by now, or its tool is not there' }
      return (await whyNot(now, risk)) ?? now
    },
  }
}

async function whyNot(call: WriteCall, risk: Risk): Promise<Unfit | undefined> {
  const unfit = await unfitFor(call)
  if (unfit !== undefined) return { why: unfit }
  return riskRank(ratedRisk(call)) > riskRank(risk) ? { why: 'is of a higher risk than it was' } : undefined
}

/** A step with the value that it takes: it is previewed again, and runs only where that shows what was shown, but for the value. */
function laterTurn(
  bundle: WriteCall,
  { later, described: shown }: LaterMember,
  place: Place,
  before: readonly BundleStep[],
): Turn | Unfit {
  const { entry, standIns } = later
  const values: (readonly [StandIn, unknown])[] = []
  for (const one of standIns) {
    const { step, from } = one.reference
    const value = valueOf(one.reference, before[step]?.result)
    if (!isPlainValue(value))
      return {
        why: `takes ${from || 'all'} of what step ${step + 1} answered, and that is no number and no text of one line`,
      }
    values.push([one, value])
  }
  const args = withValues(
    entry.arguments,
    values.map(([{ reference }, value]) => [reference, value]),
  )
  return {
    tool: entry.tool,
    args: { ...rationaleOf(later.call.tool, bundle.rationale), ...(args as object) },
    begin: async (context) => {
      const { engine, request } = context
      const tool = visible(context.named)
      if (tool === undefined || !isWriteTool(tool) || tool.definition !== later.call.tool.definition)
        return { why: 'has another definition by now, or its tool is not there' }
      const parsed = readArguments({ ...context, tool }, request.args, { mayLackRationale: true })
      if (!parsed.ok)
        return said(entry.tool, failureAnswer({ ...context, tool }, parsed.failure, { outcome: 'refused' }))
      const call: WriteCall = { ...parsedCall({ ...context, tool }, parsed.value), intent: 'apply' }
      const unfit = await whyNot(call, ratedRisk(later.call))
      if (unfit !== undefined) return unfit
      const now = await describeCall(call)
      if (now.kind === 'answer') return said(entry.tool, now.answer)
      if (shown === undefined || !differsOnlyBy(shown.preview, now.preview, values))
        return { why: 'is not what the card has shown, now that the value is there: preview it by itself' }
      try {
        return await openForRun(call, now, laterPlanId(place.bundle, place.at))
      } catch (error) {
        if (!(error instanceof CardError)) throw error
        engine.report(error, `step ${place.at + 1} of ${place.bundle}`)
        return { why: 'cannot be shown on a card with the value that it takes' }
      }
    },
  }
}

export function titleOf(step: Step): string {
  if (isLater(step)) {
    const { described, later } = step
    const { language = 'en' } = later.call.request
    if (described !== undefined) return inWords(described.preview.title, later.standIns, language)
    // The title of a tool is in English.
    return language === 'en' ? later.call.tool.contract.title : later.entry.tool
  }
  const { language = 'en', title } = readShown(step.plan.shown)
  const wanted = step.call?.request.language ?? language
  if (language === wanted) return title || step.plan.tool
  return wanted === 'en' ? (step.call?.tool.contract.title ?? step.plan.tool) : step.plan.tool
}

const begun = (step: Step): Pick<BundleStep, 'plan_id' | 'tool' | 'title'> => ({
  ...(isLater(step) ? {} : { plan_id: step.plan.id }),
  tool: isLater(step) ? step.later.entry.tool : step.plan.tool,
  title: titleOf(step),
})

export const notRun = (step: Step): BundleStep => ({ ...begun(step), state: 'not_run' })

/** What became of a step, by the answer of its call. `at`: counted from 0. */
export function stepOf(member: Step, answer: Answer | Unfit, at: number): BundleStep {
  if ('why' in answer)
    return { ...begun(member), state: 'failed', error: { code: 'not_as_shown', message: `It ${answer.why}.` } }
  switch (answer.outcome) {
    case 'applied':
    case 'replayed':
      return { ...begun(member), state: 'applied', ...resultOf(member, answer.result) }
    case 'outcome_unknown':
    case 'running':
      return { ...begun(member), state: 'not_known', error: errorOf(answer) }
    case 'stale':
      return {
        ...begun(member),
        state: 'failed',
        error: staleStep(at),
      }
    default:
      return { ...begun(member), state: 'failed', error: errorOf(answer) }
  }
}

function errorOf(answer: Answer): NonNullable<BundleStep['error']> {
  const guidance = declaredGuidance(answer)
  if (guidance === undefined) return { code: answer.outcome, message: answer.next ?? answer.outcome }
  const { error_type: code, message, cause } = guidance
  // Of a confirmation that cannot be used, the cause says which.
  return { code, message: guidance.category === 'confirmation' ? cause : message }
}

/** What its tool answered, as a client reads it: of another server's result its structured content, where it has one. */
function resultOf(step: Step, output: unknown): Pick<BundleStep, 'result'> {
  if (output === undefined) return {}
  if (callOf(step)?.tool.contract.passes !== true) return { result: output }
  const { structuredContent, content } = output as { readonly structuredContent?: unknown; readonly content?: unknown }
  return { result: structuredContent ?? content ?? null }
}

/** What became of a step, by its plan alone: after a crash, or where its bundle's end was not recorded. */
export function recordedStep(member: Step): BundleStep {
  if (isLater(member)) return notRun(member)
  const { plan, call } = member
  const state = stateOf(plan.state)
  const output = state === 'applied' && call !== undefined ? recordedOutput({ ...call, plan }) : undefined
  const failure = plan.ending?.kind === 'failed' || plan.ending?.kind === 'unknown' ? plan.ending.failure : undefined
  return {
    ...begun(member),
    state,
    ...(output === undefined ? {} : resultOf(member, output.value)),
    ...(state === 'applied' || state === 'not_run'
      ? {}
      : { error: failure ?? { code: plan.state, message: endedAs[plan.state] ?? 'It was not applied.' } }),
  }
}

const endedAs: Partial<Record<PlanState, string>> = ended

function stateOf(state: PlanState): BundleStep['state'] {
  switch (state) {
    case 'applied':
      return 'applied'
    case 'open':
    case 'expired':
      return 'not_run'
    case 'applying':
    case 'unknown':
      return 'not_known'
    case 'failed':
    case 'stale':
    case 'cancelled':
    case 'superseded':
      return 'failed'
    default:
      return state satisfies never
  }
}
