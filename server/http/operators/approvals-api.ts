// Where a person outside the chat decides. Approving runs the call that was asked for, in this process where it serves
// the tool, once the last vote that it needs is cast; what became of it comes back with the decision and stays readable
// with the approval.
import { Hono } from 'hono'
import { z } from 'zod'
import { needsSecondFactor } from '../../operators/approval-factor.ts'
import { rightTo } from '../../operators/approval-rights.ts'
import { decideApproval, type DecisionRefusal, type Refused } from '../../operators/decide-approval.ts'
import { bodyOf } from '../../rail/answers/envelope.ts'
import type { Answer } from '../../rail/answers/outcome.ts'
import type { ListPlace, readListOfApproval } from '../../rail/apply/card-reads.ts'
import type { Failure } from '../../errors/failure.ts'
import type { Approval } from '../../model/approvals.ts'
import type { Store } from '../../store/store.ts'
import { approvalView, callView } from './approval-view.ts'
import { approverParts, deciderOf, type ApproverStore } from './approver.ts'
import { refuseApi, refuseUnknown } from '../refusal.ts'
import { approverOf, body, limitSchema, nameSchema, query } from './operator-input.ts'
import { sees, visibleTenant, type Operator, type OperatorEnv } from './operator.ts'

/** Runs an approved call here; `undefined` where this process does not serve its tool. */
export type RunApproved = (approval: Approval) => Promise<Answer | undefined>

/** Reads on in a list of an approval's card; nothing where this process does not serve its tool or there is no such list. */
export type ReadList = (
  approval: Approval,
  place: ListPlace,
  signal: AbortSignal,
) => ReturnType<typeof readListOfApproval>

export interface ApprovalsApiOptions {
  readonly store: ApproverStore & Pick<Store, 'plans'>
  readonly run: RunApproved
  readonly readList: ReadList
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

const listPart = z.string().min(1, 'a text').max(500, 'at most 500 characters').optional()
const listPlace = z.strictObject({ after: listPart, key: listPart })

const sentence = 'a sentence of 3 to 500 characters'
const code = z
  .string()
  .regex(/^[\d\s-]{6,12}$/, 'the six digits of an authenticator')
  .optional()
const onBehalfOf = nameSchema.optional()

const approveBody = z.strictObject({ code, on_behalf_of: onBehalfOf, by: nameSchema.optional() })
const rejectBody = z.strictObject({
  reason: z.string(sentence).trim().min(3, sentence).max(500, sentence).optional(),
  // Rejecting takes no second factor; a page that asks for a code before it knows the answer may send it all the same.
  code,
  on_behalf_of: onBehalfOf,
  by: nameSchema.optional(),
})

const statusOf: Readonly<Record<DecisionRefusal, 403 | 404 | 409 | 429>> = {
  'unknown-approval': 404,
  'already-decided': 409,
  'voted-before': 409,
  'not-yours-to-decide': 403,
  'second-factor-not-enrolled': 403,
  'second-factor-needed': 403,
  'second-factor-wrong': 403,
  'second-factor-paused': 429,
  'second-factor-unavailable': 403,
}

/** Whether an operator may decide, and in whose right or why not. */
interface Right {
  readonly may: boolean
  readonly on_behalf_of?: string
  readonly why?: string
}

/** The app below `/api/v1/approvals`. */
export function createApprovalsApi({ store, run, readList, report }: ApprovalsApiOptions) {
  const { approvals, plans } = store
  const detail = async (approval: Approval, operator: Operator) => {
    const { secondFactor, delegatedTo } = approverParts(store, operator)
    const by = deciderOf(operator)
    const delegated = await delegatedTo?.(by.person)
    const may = (decision: 'approved' | 'rejected'): Right => {
      const right = rightTo(approval, { decision, by }, delegated)
      if (right.kind === 'own') return { may: true }
      if (right.kind === 'delegated') return { may: true, on_behalf_of: right.behalf.name }
      return { may: false, ...(right.kind === 'none' ? { why: `${right.refusal.message} ${right.refusal.next}` } : {}) }
    }
    return {
      ...approvalView(approval),
      second_factor_needed: needsSecondFactor(approval, await secondFactor.enrolled()),
      you: {
        approve: may('approved'),
        reject: may('rejected'),
        // By the person: two may have one name, and the holder of the admin token says any.
        voted: approval.votes.some(({ person, decision }) => person === by.person && decision === 'approved'),
      },
      card: JSON.parse(approval.card) as unknown,
      call: callView(await plans.find({ by: 'id', id: approval.planId })),
    }
  }
  return new Hono<OperatorEnv>()
    .get('/', query(filters), async (c) => {
      const { limit = 50, tenant, before, state } = c.req.valid('query')
      const visible = visibleTenant(c, tenant)
      // A page begins after one of the operator's own; another tenant's id is no place to begin at.
      if (before !== undefined && !(await isSeen(approvals, c.var.operator, before))) return c.json(noApprovals)
      const found = await approvals.list({ state, tenant: visible, before, limit })
      return c.json({
        approvals: found.map(approvalView),
        next: found.length < limit ? null : (found.at(-1)?.id ?? null),
      })
    })
    .get('/:id', async (c) => {
      const approval = await approvals.find(c.req.param('id'))
      return approval === undefined || !sees(c.var.operator, approval.principal.tenant)
        ? refuseUnknown('approval', 'approvals')
        : c.json(await detail(approval, c.var.operator))
    })
    .get('/:id/lists/:list', query(listPlace), async (c) => {
      const approval = await approvals.find(c.req.param('id'))
      if (approval === undefined || !sees(c.var.operator, approval.principal.tenant))
        return refuseUnknown('approval', 'approvals')
      const read = await readList(approval, { ...c.req.valid('query'), list: c.req.param('list') }, c.req.raw.signal)
      if (read === undefined) return refuseUnknown('list', `approvals/${approval.id}`, 'the approval with its card')
      return read.kind === 'read' ? c.json(read.value) : refuseApi(409, notListed(read))
    })
    .post('/:id/approve', body(approveBody), async (c) => {
      const given = c.req.valid('json')
      const operator = { ...c.var.operator, name: approverOf(c, given.by) }
      const result = await decideApproval(approverParts(store, operator), c.req.param('id'), {
        decision: 'approved',
        by: deciderOf(operator),
        code: given.code,
        onBehalfOf: given.on_behalf_of,
      })
      if (result.kind === 'refused') return refused(result)
      if (result.kind === 'waiting')
        return c.json({ approval: await detail(result.approval, operator), outcome: null }, 202)
      const outcome = await run(result.approval).catch((error: unknown) => {
        report(error, `running ${result.approval.id}`)
        return undefined
      })
      return c.json({
        approval: await detail(result.approval, operator),
        outcome: outcome === undefined ? null : bodyOf(outcome),
      })
    })
    .post('/:id/reject', body(rejectBody), async (c) => {
      const given = c.req.valid('json')
      const operator = { ...c.var.operator, name: approverOf(c, given.by) }
      const result = await decideApproval(approverParts(store, operator), c.req.param('id'), {
        decision: 'rejected',
        by: deciderOf(operator),
        reason: given.reason,
        onBehalfOf: given.on_behalf_of,
      })
      return result.kind === 'refused' ? refused(result) : c.json({ approval: await detail(result.approval, operator) })
    })
}

const noApprovals = { approvals: [], next: null }

/** Why the tool did not answer; the reason is its operator's. */
const notListed = ({ kind, tool }: Failure) => ({
  code: kind,
  message: `${tool} could not list it.`,
  next: 'Try again. What the card shows is as it was asked for.',
})

async function isSeen(approvals: Store['approvals'], operator: Operator, id: string): Promise<boolean> {
  if (operator.tenant === undefined) return true
  const approval = await approvals.find(id)
  return approval !== undefined && sees(operator, approval.principal.tenant)
}

function refused({ code: kind, message, next, approval, retryAt }: Refused) {
  return refuseApi(
    statusOf[kind],
    { code: kind, message, next },
    approval === undefined ? {} : { approval: approvalView(approval) },
    retryAt === undefined ? {} : { 'retry-after': String(Math.max(1, Math.ceil((retryAt - Date.now()) / 1000))) },
  )
}
