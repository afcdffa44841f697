// Runs the steps of a confirmed bundle in their order, each by its own plan: what has run is known by that plan, whatever becomes
// of the bundle's.
import type { PlanState } from '../../model/plan-store.ts'
import { declaredGuidance, type Answer } from '../answers/outcome.ts'
import { failureAnswer } from '../answers/answers.ts'
import { recordedOutput } from '../answers/plan-answers.ts'
import { callContext, type CallContext, type PlannedCall } from '../call-context.ts'
import { admit } from '../intake/admit.ts'
import { withKnownTool } from '../intake/await-tool.ts'
import { readShown } from '../preview/shown.ts'
import { withActivityRow } from '../record/activity-row.ts'
import { observed } from '../record/observer.ts'
import type { BundleStep } from './bundle-contract.ts'
import { stepRequest, unfitFor, type Member } from './bundle-members.ts'

/** Applies a plan whose bundle has been confirmed, or says what has become of it. */
export type ApplyStep = (call: PlannedCall) => Promise<Answer>

/** Which step of which bundle. */
interface Place {
  readonly bundle: string
  readonly at: number
  readonly of: number
}

/** Runs one step, with a row of its own in the activity log, as a call of its tool would have one. */
export function runStep(
  bundle: CallContext,
  { plan, call: planned }: Member & { readonly call: PlannedCall },
  { bundle: id, at, of }: Place,
  apply: ApplyStep,
): Promise<Answer> {
  const { engine } = bundle
  const rationale = plan.rationale === '' ? {} : { [planned.tool.reserved.rationale]: plan.rationale }
  const request = stepRequest(bundle, {
    tool: plan.tool,
    args: { ...(JSON.parse(plan.args) as object), ...rationale },
    ...(planned.request.spelling === undefined ? {} : { spelling: planned.request.spelling }),
    notes: [`Step ${at + 1} of ${of} of the bundle ${id}.`],
  })
  return withKnownTool(engine, request, (known) => {
    const arrived = callContext(engine, known)
    return observed(arrived, async () => {
      const context = await admit(arrived)
      return withActivityRow(context, async (call) => {
        const { refusal } = call.request
        const { row, noticed } = call
        const step = { ...planned, request: call.request, noticed, ...(row && { row }) }
        if (refusal !== undefined) return failureAnswer(step, refusal, { outcome: 'refused', planId: plan.id })
        // What was so when the bundle was shown may be otherwise by now.
        const unfit = await unfitFor(step)
        return unfit === undefined
          ? apply(step)
          : failureAnswer(
              step,
              { kind: 'proof-missing', tool: plan.tool, needed: 'recorded', brought: 'none' },
              { outcome: 'refused', planId: plan.id },
            )
      })
    })
  })
}

export const titleOf = ({ plan }: Member): string => readShown(plan.shown).title || plan.tool

const begun = (member: Member): Pick<BundleStep, 'plan_id' | 'tool' | 'title'> => ({
  plan_id: member.plan.id,
  tool: member.plan.tool,
  title: titleOf(member),
})

export const notRun = (member: Member): BundleStep => ({ ...begun(member), state: 'not_run' })

/** What became of a step, by the answer of its call. */
export function stepOf(member: Member, answer: Answer): BundleStep {
  const { outcome } = answer
  switch (outcome) {
    case 'applied':
    case 'replayed':
      return { ...begun(member), state: 'applied', ...resultOf(member, answer.result) }
    case 'outcome_unknown':
    case 'running':
      return { ...begun(member), state: 'not_known', error: errorOf(answer) }
    default:
      return { ...begun(member), state: 'failed', error: errorOf(answer) }
  }
}

function errorOf(answer: Answer): NonNullable<BundleStep['error']> {
  const guidance = declaredGuidance(answer)
  return guidance === undefined
    ? { code: answer.outcome, message: answer.next ?? answer.outcome }
    : { code: guidance.error_type, message: guidance.message }
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
      : { error: failure ?? { code: plan.state, message: `Its plan is ${plan.state}.` } }),
  }
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
