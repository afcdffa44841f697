// Where a person outside the chat decides. Approving runs the call that was asked for, in this process where it serves
// the tool; what became of it comes back with the decision and stays readable with the approval.
import { Hono } from 'hono'
import { z } from 'zod'
import { approvalPath } from '../call/approvals.ts'
import {
  decideApproval,
  needsSecondFactor,
  type DecisionRefusal,
  type DecisionResult,
} from '../call/decide-approval.ts'
import { bodyOf } from '../call/envelope.ts'
import type { Answer } from '../call/outcome.ts'
import type { Approval, Store } from '../store/store.ts'
import { approverOf, limitSchema, nameSchema, readBody, readQuery, refuseOperator } from './operator-input.ts'
import type { OperatorEnv } from './operator.ts'

/** Runs an approved call here; `undefined` where this process does not serve its tool. */
export type RunApproved = (approval: Approval) => Promise<Answer | undefined>

export interface ApprovalsApiOptions {
  readonly store: Pick<Store, 'approvals' | 'plans' | 'secondFactor'>
  readonly run: RunApproved
  readonly report: (error: unknown, where: string) => string
}

const filters = z.strictObject({
  state: z.enum(['pending', 'approved', 'rejected', 'expired'], 'pending, approved, rejected or expired').optional(),
  tenant: z.string().min(1, 'the name of a tenant').optional(),
  limit: limitSchema,
  before: z
    .string()
    .regex(/^ap_[0-9a-z]{16}$/, 'the id of an approval')
    .optional(),
})

const approveBody = z.strictObject({
  code: z
    .string()
    .regex(/^[\d\s-]{6,12}$/, 'the six digits of an authenticator')
    .optional(),
  by: nameSchema.optional(),
})

const rejectBody = z.strictObject({
  reason: z.string('a sentence of 3 to 500 characters').trim().min(3, sentence()).max(500, sentence()),
  by: nameSchema.optional(),
})

function sentence(): string {
  return 'a sentence of 3 to 500 characters'
}

const statusOf: Readonly<Record<DecisionRefusal, 403 | 404 | 409 | 429>> = {
  'unknown-approval': 404,
  'already-decided': 409,
  'second-factor-not-enrolled': 403,
  'second-factor-needed': 403,
  'second-factor-wrong': 403,
  'second-factor-paused': 429,
}

/** The app below `/api/v1/approvals`. */
export function createApprovalsApi({ store, run, report }: ApprovalsApiOptions): Hono<OperatorEnv> {
  const { approvals, plans, secondFactor } = store
  const detail = async (approval: Approval) => ({
    ...approvalView(approval),
    second_factor_needed: needsSecondFactor(approval, await secondFactor.enrolled()),
    card: JSON.parse(approval.card) as unknown,
    call: callView(await plans.find({ by: 'id', id: approval.planId })),
  })
  return new Hono<OperatorEnv>()
    .get('/', async (c) => {
      const read = readQuery(c, filters)
      if (!read.ok) return read.response
      const { limit = 50, ...filter } = read.value
      const found = await approvals.list({ ...filter, limit })
      return c.json({
        approvals: found.map(approvalView),
        next: found.length < limit ? null : (found.at(-1)?.id ?? null),
      })
    })
    .get('/:id', async (c) => {
      const approval = await approvals.find(c.req.param('id'))
      return approval === undefined
        ? refuseOperator(404, {
            code: 'unknown-approval',
            message: 'There is no such approval.',
            next: 'GET /api/v1/approvals lists those that there are.',
          })
        : c.json(await detail(approval))
    })
    .post('/:id/approve', async (c) => {
      const read = await readBody(c, approveBody)
      if (!read.ok) return read.response
      const by = approverOf(c, read.value.by)
      const result = await decideApproval(store, c.req.param('id'), { decision: 'approved', by, code: read.value.code })
      if (result.kind === 'refused') return refused(result)
      const outcome = await run(result.approval).catch((error: unknown) => {
        report(error, `running ${result.approval.id}`)
        return undefined
      })
      return c.json({
        approval: await detail(result.approval),
        outcome: outcome === undefined ? null : bodyOf(outcome),
      })
    })
    .post('/:id/reject', async (c) => {
      const read = await readBody(c, rejectBody)
      if (!read.ok) return read.response
      const { reason } = read.value
      const by = approverOf(c, read.value.by)
      const result = await decideApproval(store, c.req.param('id'), { decision: 'rejected', by, reason })
      return result.kind === 'refused' ? refused(result) : c.json({ approval: await detail(result.approval) })
    })
}

function refused(result: Extract<DecisionResult, { kind: 'refused' }>): Response {
  const { code, message, next, approval, retryAt } = result
  return refuseOperator(
    statusOf[code],
    { code, message, next },
    approval === undefined ? {} : { approval: approvalView(approval) },
    retryAt === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil((retryAt - Date.now()) / 1000))) },
  )
}

const iso = (at: number): string => new Date(at).toISOString()

/** An approval as operators read it. The rationale is the agent's claim and is called so. */
export const approvalView = (approval: Approval) => ({
  id: approval.id,
  state: approval.state,
  url: approvalPath(approval.id),
  tool: approval.tool,
  risk: approval.risk,
  summary: approval.summary,
  agent_claim: approval.rationale,
  step_up: approval.stepUp,
  requested_by: { ...approval.principal, client: approval.client },
  created_at: iso(approval.createdAt),
  expires_at: iso(approval.expiresAt),
  ...(approval.decidedAt === undefined ? {} : { decided_at: iso(approval.decidedAt) }),
  ...(approval.decidedBy === undefined ? {} : { decided_by: approval.decidedBy }),
  ...(approval.reason === undefined ? {} : { reason: approval.reason }),
})

/** What became of the call. Its result stays with whoever asked for it. */
function callView(plan: Awaited<ReturnType<Store['plans']['find']>>) {
  if (plan === undefined) return null
  const { ending } = plan
  return {
    plan_id: plan.id,
    state: plan.state,
    changed_at: iso(plan.changedAt),
    ...(ending !== undefined && (ending.kind === 'failed' || ending.kind === 'unknown')
      ? { error: ending.failure }
      : {}),
  }
}
