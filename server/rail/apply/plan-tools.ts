// Three of the app-only tools, which the card itself calls with its ticket. They answer with state, time and (of a freeze) the
// reason and nothing else, because a host may let its model see them after all (docs/DESIGN.md, section 2, "App-only tools").
import { z } from 'zod'
import { redactText } from '../../policy/redact.ts'
import { readCredential, ticketHash } from '../../confirm/secret.ts'
import { appTools } from '../../tools/names.ts'
import type { Plan, PlanState } from '../../model/plan-store.ts'
import { noCall, noVerdict } from '../../model/activity.ts'
import type { Caller, Engine } from '../engine.ts'
import { plansOfSteps } from '../bundles/bundle-contract.ts'
import type { CallProgress } from './running-calls.ts'

export interface PlanStatus {
  readonly plan_id: string
  readonly state: PlanState
  /** ISO 8601. */
  readonly changed_at: string
  /** Only while open. */
  readonly expires_in_ms?: number
  /** Whether a click in the card is on record. */
  readonly clicked: boolean
  /** Why it was taken back, where an operator stopped all changes. */
  readonly reason?: string
  /** Only while applying: for how long by now, in milliseconds. */
  readonly running_ms?: number
  /** How far it has got, where its tool says so and it runs in this process. */
  readonly progress?: CallProgress
  /** While it runs here: that it can be cancelled, or that somebody has asked it to end. */
  readonly cancel?: 'possible' | 'asked'
}

export type PlanToolName = (typeof appTools)['status' | 'confirm' | 'cancel']

export const isPlanTool = (name: string): name is PlanToolName =>
  name === appTools.status || name === appTools.confirm || name === appTools.cancel

const argumentsSchema = z.strictObject({ ticket: z.string().max(64) })

/** Serves one of the card's tools. `undefined` where the ticket names no plan of this principal. */
export async function callPlanTool(
  engine: Engine,
  caller: Caller,
  name: PlanToolName,
  args: unknown,
): Promise<PlanStatus | undefined> {
  const parsed = argumentsSchema.safeParse(args)
  if (!parsed.success) return undefined
  const credential = readCredential(parsed.data.ticket)
  if (credential.kind !== 'ticket') return undefined
  const plan = await engine.plans.find({ by: 'ticket', ticketHash: ticketHash(credential.ticket) })
  const { tenant, subject } = caller.principal
  if (plan === undefined || plan.principal.tenant !== tenant || plan.principal.subject !== subject) return undefined
  // A click is the whole proof of a critical call, and a cancel takes a plan back: both have their row. A look has none.
  const after = name === appTools.status ? plan : await actWithRow(engine, caller, name, plan)
  return after === undefined ? undefined : statusOf(engine, after)
}

/** Cancels an open plan of this caller, and records that. Answers the plan afterwards: it may have been started meanwhile. */
export const withdrawPlan = async (engine: Engine, caller: Caller, plan: Plan): Promise<Plan | undefined> =>
  plan.state === 'applying' ? plan : actWithRow(engine, caller, appTools.cancel, plan)

/** Whether its call runs in this process and can be asked to end. */
const isStoppable = ({ runningCalls }: Engine, { id, state }: Plan): boolean =>
  state === 'applying' && runningCalls?.find(id)?.isCancellable === true

/** Writes the click or the cancel down, does it, and completes the row. */
const actWithRow = (engine: Engine, caller: Caller, name: PlanToolName, plan: Plan): Promise<Plan | undefined> =>
  withCardRow(
    engine,
    caller,
    {
      name,
      auditEvent:
        name === appTools.confirm ? 'plan.clicked' : isStoppable(engine, plan) ? 'plan.cancel_asked' : 'plan.cancelled',
      args: JSON.stringify({ plan: plan.id, tool: plan.tool }),
      plan,
    },
    () => act(engine, caller, name, plan),
  )

/** What a person did on the card of a plan. */
interface CardAct {
  /** Of the tool that the card called. */
  readonly name: string
  readonly auditEvent: string
  /** JSON text, redacted. */
  readonly args: string
  readonly plan: Plan
}

/** Does what a person did on a card, with a row of its own in the activity log. */
export async function withCardRow(
  engine: Engine,
  caller: Caller,
  { name, auditEvent, args, plan }: CardAct,
  work: () => Promise<Plan | undefined>,
): Promise<Plan | undefined> {
  const started = engine.now()
  const row = await engine.activityLog?.begin({
    principal: caller.principal,
    client: redactText(caller.client).slice(0, 200),
    source: 'mcp',
    tool: name,
    ...noCall,
    auditEvent,
    args,
    notes: name === appTools.cancel ? [] : [caller.trusted ? 'trusted host' : 'host not trusted'],
  })
  const after = await work()
  if (row !== undefined)
    await engine.activityLog?.complete(row, {
      ...noVerdict,
      outcome: 'ok',
      planId: plan.id,
      durationMs: Math.max(0, engine.now() - started),
      result: JSON.stringify({ state: after?.state ?? 'gone' }),
      error: undefined,
    })
  return after
}

async function act(engine: Engine, caller: Caller, name: PlanToolName, plan: Plan): Promise<Plan | undefined> {
  switch (name) {
    case appTools.status:
      return plan
    case appTools.confirm:
      return plan.state === 'open' ? engine.plans.click(plan.id, caller.trusted, engine.settings.clickExtendsMs) : plan
    case appTools.cancel:
      if (plan.state === 'open') return cancelWithSteps(engine, plan)
      if (plan.state === 'applying') engine.runningCalls?.find(plan.id)?.cancel()
      return plan
    default:
      return name satisfies never
  }
}

/** Who says no to a bundle says no to each of its steps, which have plans of their own. */
async function cancelWithSteps(engine: Engine, plan: Plan): Promise<Plan | undefined> {
  const after = await engine.plans.cancel(plan.id)
  if (after?.state === 'cancelled') for (const id of plansOfSteps(plan)) await engine.plans.cancel(id)
  return after
}

/** What may be told of a plan to whoever has its ticket. */
export async function statusOf(engine: Engine, plan: Plan): Promise<PlanStatus> {
  const freeze = plan.state === 'cancelled' ? await engine.switches?.revoker(plan) : undefined
  return {
    plan_id: plan.id,
    state: plan.state,
    changed_at: new Date(plan.changedAt).toISOString(),
    ...(plan.state === 'open' ? { expires_in_ms: Math.max(0, plan.expiresAt - engine.now()) } : {}),
    clicked: plan.click !== undefined,
    ...(freeze === undefined ? {} : { reason: freeze.reason }),
    ...(plan.state === 'applying' ? runningStatus(engine, plan) : {}),
  }
}

function runningStatus(engine: Engine, plan: Plan): Pick<PlanStatus, 'running_ms' | 'progress' | 'cancel'> {
  const running = engine.runningCalls?.find(plan.id)
  const cancel =
    running?.cancelled.aborted === true ? 'asked' : running?.isCancellable === true ? 'possible' : undefined
  return {
    running_ms: Math.max(0, engine.now() - plan.changedAt),
    ...(running?.progress === undefined ? {} : { progress: running.progress }),
    ...(cancel === undefined ? {} : { cancel }),
  }
}
