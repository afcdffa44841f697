// An approval that the same call has asked for before. One call, confirmed at the terminal and approved elsewhere, must not
// run twice, so whoever answers here also decides what becomes of that approval.
import type { Answer } from '../../rail/answers/outcome.ts'
import { withdrawPlan } from '../../rail/apply/plan-tools.ts'
import type { Caller, Engine } from '../../rail/engine.ts'
import type { Approval } from '../../model/approvals.ts'
import type { Plan } from '../../model/plan-store.ts'

/** An approval and the plan that it rests on. */
export interface EarlierApproval {
  readonly approval: Approval
  readonly plan: Plan
}

/** The approvals that the previewed call has asked for before: all that are live, else the newest one, pending or decided. */
export async function earlierApprovals(engine: Engine, { planId }: Answer): Promise<readonly EarlierApproval[]> {
  const previewed = planId === undefined ? undefined : await engine.plans.find({ by: 'id', id: planId })
  const found = previewed === undefined ? [] : await engine.approvals?.findByCall(previewed)
  const known = await Promise.all((found ?? []).map(({ id }) => approvalWithPlan(engine, id)))
  return known.filter((each) => each !== undefined)
}

/** An approval and its plan as they are now. */
export async function approvalWithPlan({ approvals, plans }: Engine, id: string): Promise<EarlierApproval | undefined> {
  const approval = await approvals?.find(id)
  const plan = approval === undefined ? undefined : await plans.find({ by: 'id', id: approval.planId })
  return approval === undefined || plan === undefined ? undefined : { approval, plan }
}

/** Whether its call is running, or will run as soon as it is approved. */
export const isLive = ({ approval, plan }: EarlierApproval): boolean =>
  approval.state !== 'rejected' && (plan.state === 'open' || plan.state === 'applying')

/** Whether the agreement of one person at the terminal is less than what it asks for. */
export const needsMore = ({ approval: { approvers, fourEyes, stepUp } }: EarlierApproval): boolean =>
  approvers > 1 || fourEyes || stepUp

/** Cancels its plan, so that nobody can approve it any more. False where the call was already started meanwhile. */
export async function withdraw(engine: Engine, caller: Caller, { plan }: EarlierApproval): Promise<boolean> {
  const after = await withdrawPlan(engine, caller, plan)
  return after === undefined || !hasStarted(after)
}

/** What was decided of it, and when its call was run. */
export const decisionText = ({ approval: { id, state }, plan }: EarlierApproval): string =>
  `This very call was ${state} (${id})${hasStarted(plan) && plan.state !== 'applying' ? ` and ${ranText(plan)}` : ''}.`

/** When it was run. */
export const ranText = ({ changedAt }: Pick<Plan, 'changedAt'>): string =>
  `was already run at ${new Date(changedAt).toISOString()}`

const hasStarted = ({ state }: Plan): boolean => ['applying', 'applied', 'failed', 'unknown'].includes(state)
