// Runs the steps of a confirmed bundle in their order, each by its own plan: what has run is known by that plan, whatever becomes
// of the bundle's.
import type { PlanState } from '../../model/plan-store.ts'
import { declaredGuidance, type Answer } from '../answers/outcome.ts'
import { failureAnswer } from '../answers/answers.ts'
import { recordedOutput } from '../answers/plan-answers.ts'
import { riskRank } from '../../tools/define-tool.ts'
import type { Risk } from '../../model/risk.ts'
import { ratedRisk } from '../authorize/gate.ts'
import { callContext, visible, type CallContext, type PlannedCall } from '../call-context.ts'
import { admit } from '../intake/admit.ts'
import { withKnownTool } from '../intake/await-tool.ts'
import { readShown } from '../preview/shown.ts'
import { withActivityRow } from '../record/activity-row.ts'
import { observed } from '../record/observer.ts'
import type { BundleStep } from './bundle-contract.ts'
import { stepRequest, storedCall, unfitFor, type Member, type Unfit } from './bundle-members.ts'

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
export const isReady = (member: Member | undefined): member is Ready => member?.call !== undefined

/** Runs one step, with a row of its own in the activity log, as a call of its tool would have one. */
export async function runStep(
  bundle: CallContext,
  { plan, call: planned }: Ready,
  { bundle: id, at, of, risk }: Place,
  apply: ApplyStep,
): Promise<Answer | Unfit> {
  const { engine } = bundle
  const rationale = plan.rationale === '' ? {} : { [planned.tool.reserved.rationale]: plan.rationale }
  const request = stepRequest(bundle, {
    tool: plan.tool,
    args: { ...(JSON.parse(plan.args) as object), ...rationale },
    ...(planned.request.spelling === undefined ? {} : { spelling: planned.request.spelling }),
    notes: [`Step ${at + 1} of ${of} of the bundle ${id}.`],
    // They were counted when they were previewed: what was confirmed is not stopped half way by a limit.
    counted: ['calls', 'writes'],
  })
  const found: { unfit?: Unfit | undefined } = {}
  const answer = await withKnownTool(engine, request, (known) => {
    const arrived = callContext(engine, known)
    return observed(arrived, async () =>
      withActivityRow(await admit(arrived), async (call) => {
        const { refusal } = call.request
        const tool = visible(call.named)
        if (refusal !== undefined)
          return failureAnswer({ engine, tool, request: call.request }, refusal, {
            outcome: 'refused',
            planId: plan.id,
          })
        // What was so when the bundle was shown may be otherwise by now.
        const step = storedCall(call, plan)
        found.unfit = await whyNot(step, risk)
        if (step !== undefined && found.unfit === undefined) return apply(step)
        return failureAnswer(
          { engine, tool, request: call.request },
          { kind: 'plan-refused', tool: plan.tool, reason: 'unknown', planId: plan.id },
          { outcome: 'refused', planId: plan.id },
        )
      }),
    )
  })
  return found.unfit ?? answer
}

async function whyNot(step: PlannedCall | undefined, risk: Risk): Promise<Unfit | undefined> {
  if (step === undefined) return { why: 'has another definition by now, or its tool is not there' }
  const unfit = await unfitFor(step)
  if (unfit !== undefined) return { why: unfit }
  return riskRank(ratedRisk(step)) > riskRank(risk) ? { why: 'is of a higher risk than it was' } : undefined
}

export const titleOf = ({ plan }: Member): string => readShown(plan.shown).title || plan.tool

const begun = (member: Member): Pick<BundleStep, 'plan_id' | 'tool' | 'title'> => ({
  plan_id: member.plan.id,
  tool: member.plan.tool,
  title: titleOf(member),
})

export const notRun = (member: Member): BundleStep => ({ ...begun(member), state: 'not_run' })

/** What became of a step, by the answer of its call. `at`: counted from 0. */
export function stepOf(member: Member, answer: Answer | Unfit, at: number): BundleStep {
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
        error: {
          code: 'stale',
          message: `What it rests on has changed since you looked${at === 0 ? '' : ', maybe by a step before it'}. Preview it again.`,
        },
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
function resultOf({ call }: Member, output: unknown): Pick<BundleStep, 'result'> {
  if (output === undefined) return {}
  if (call?.tool.contract.passes !== true) return { result: output }
  const { structuredContent, content } = output as { readonly structuredContent?: unknown; readonly content?: unknown }
  return { result: structuredContent ?? content ?? null }
}

/** What became of a step, by its plan alone: after a crash, or where its bundle's end was not recorded. */
export function recordedStep(member: Member): BundleStep {
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
      : { error: failure ?? { code: plan.state, message: ended[plan.state] ?? 'It was not applied.' } }),
  }
}

const ended: Partial<Record<PlanState, string>> = {
  applying: 'It is being applied right now.',
  unknown: 'Nobody saw how it ended.',
  stale: 'What it rests on has changed since you looked.',
  cancelled: 'It was cancelled.',
  superseded: 'A newer preview has taken its place.',
  expired: 'It had expired.',
}

function stateOf(state: PlanState): BundleStep['state'] {
  switch (state) {
    case 'applied':
      return 'applied'
    case 'open':
      return 'not_run'
    case 'applying':
    case 'unknown':
      return 'not_known'
    case 'failed':
    case 'stale':
    case 'cancelled':
    case 'superseded':
    case 'expired':
      return 'failed'
    default:
      return state satisfies never
  }
}
