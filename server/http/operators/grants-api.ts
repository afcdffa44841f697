// Grants at the operators' door: proposed from an approval, given, listed with their uses, renewed, revoked.
import { Hono } from 'hono'
import { z } from 'zod'
import {
  checkTerms,
  giveGrant,
  mostTimes,
  type GivingParts,
  type GrantRefusal,
  type GrantRefusalCode,
} from '../../operators/give-grant.ts'
import { renewGrant, revokeGrant } from '../../operators/end-grant.ts'
import { coversCall, proposeGrant } from '../../operators/propose-grant.ts'
import { grantStates } from '../../operators/grant-state.ts'
import type { Grant } from '../../model/grants.ts'
import type { Store } from '../../store/store.ts'
import { deciderOf } from './approver.ts'
import { grantableView, grantView, proposalView, useView, type GrantView } from './grants-view.ts'
import { refuseApi, refuseUnknown } from '../refusal.ts'
import { approverOf, body, limitSchema, nameSchema, query } from './operator-input.ts'
import { sees, visibleTenant, type OperatorEnv } from './operator.ts'
import { readUntil, untilWords } from '../activity/time-input.ts'

export interface GrantsApiOptions {
  readonly store: Pick<Store, 'grants' | 'activityLog' | 'approvals' | 'plans'>
  readonly giving: Pick<GivingParts, 'rules' | 'riskOf' | 'approverOf' | 'now' | 'random'>
}

const filters = z.strictObject({
  state: z.enum(['active', 'ended'], 'active or ended').optional(),
  tenant: z.string().min(1, 'the name of a tenant').optional(),
  tool: z.string().min(1, 'the name of a tool').optional(),
  limit: limitSchema,
  before: z
    .string()
    .regex(/^gr_[0-9a-z]{16}$/, 'the id of a grant')
    .optional(),
})

const terms = z.strictObject({
  tool: z.string('the name of a tool').min(1, 'the name of a tool').max(200, 'the name of a tool'),
  tenant: z.string().min(1, 'the name of a tenant').max(200, 'the name of a tenant').optional(),
  subject: z.string().max(200, 'whose calls it covers; everyone of the tenant when absent').nullish(),
  condition: z.string('an expression over the arguments, or "true"').max(4000, 'at most 1000 characters'),
  times: z.int(`a whole number from 1 to ${mostTimes}`),
  per: z.enum(['hour', 'day', 'total'], 'hour, day or total').default('total'),
  until: z.string(untilWords),
  note: z.string().max(500, 'at most 500 characters').nullish(),
  approval_id: z
    .string()
    .regex(/^ap_[0-9a-z]{16}$/, 'the id of an approval')
    .nullish(),
  by: nameSchema.optional(),
  // Says what would come of it, and gives nothing.
  check_only: z.boolean('true or false').default(false),
})

/** More than these nobody picks from a list. */
const mostListed = 1000

const statusOf: Readonly<Record<GrantRefusalCode, 400 | 403 | 404 | 409>> = {
  'unknown-tool': 400,
  'not-grantable': 409,
  'not-yours-to-give': 403,
  'bad-terms': 400,
  'bad-condition': 400,
  'unknown-grant': 404,
  'already-ended': 409,
}

/** The app below `/api/v1`: `/grants`, and `/approvals/:id/grant-proposal`. */
export function createGrantsApi({ store, giving }: GrantsApiOptions) {
  const { grants } = store
  const parts: GivingParts = { ...giving, grants, activityLog: store.activityLog }
  const viewsOf = async (list: readonly Grant[]) =>
    (await grantStates(parts, list)).map(([grant, state]) => grantView(grant, state))
  /** One in, one out. */
  const viewOf = async (grant: Grant) => (await viewsOf([grant]))[0] as GrantView

  return new Hono<OperatorEnv>()
    .get('/grants', query(filters), async (c) => {
      const { limit = 50, tenant, before, state, tool } = c.req.valid('query')
      const last = before === undefined ? undefined : await grants.find(before)
      if (before !== undefined && (last === undefined || !sees(c.var.operator, last.tenant)))
        return c.json({ grants: [], next: null })
      const found = await grants.list({ tenant: visibleTenant(c, tenant), tool, state, before, limit })
      return c.json({ grants: await viewsOf(found), next: found.length < limit ? null : (found.at(-1)?.id ?? null) })
    })
    .get('/grants/tools', async (c) => {
      const tools = await grants.offers(mostListed)
      return c.json({
        tools: tools
          // These run by themselves.
          .filter((tool) => tool.risk !== 'low')
          .map(grantableView),
      })
    })
    .get('/grants/:id', async (c) => {
      const grant = await grants.find(c.req.param('id'))
      if (grant === undefined || !sees(c.var.operator, grant.tenant)) return refuseUnknown('grant', 'grants')
      return c.json({ ...(await viewOf(grant)), uses: (await grants.uses(grant.id, 100)).map(useView) })
    })
    .post('/grants', body(terms), async (c) => {
      const value = c.req.valid('json')
      const { operator } = c.var
      const until = readUntil(value.until, giving.now())
      if (until === undefined)
        return badTerms('until', `until is ${JSON.stringify(value.until.slice(0, 60))}: ${untilWords}.`)
      // An approval of another tenant is one that there is not.
      const approvalId = value.approval_id ?? undefined
      const approval = approvalId === undefined ? undefined : await store.approvals.find(approvalId)
      if (approvalId !== undefined && (approval === undefined || !sees(operator, approval.principal.tenant)))
        return badTerms('approval_id', `There is no approval ${approvalId}.`)
      const by = deciderOf({ ...operator, name: approverOf(c, value.by) })
      const asked = {
        tool: value.tool,
        tenant: value.tenant ?? operator.tenant ?? approval?.principal.tenant ?? 'default',
        subject: value.subject ?? undefined,
        condition: value.condition,
        times: value.times,
        per: value.per,
        until,
        note: value.note ?? undefined,
        approvalId: approval?.id,
      }
      if (approval !== undefined && (approval.tool !== asked.tool || approval.principal.tenant !== asked.tenant))
        return badTerms('approval_id', `${approval.id} is an approval of another tool or tenant.`)
      if (value.check_only) {
        const checked = await checkTerms(parts, by, asked)
        if (checked.kind === 'refused') return refused(checked.refusal)
        const plan = approval && (await store.plans.find({ by: 'id', id: approval.planId }))
        const covers = plan && (await coversCall(checked.tool, asked.condition, plan.args))
        return c.json({ ok: true, risk_up_to: checked.risk, covers_approved_call: covers ?? null })
      }
      const given = await giveGrant(parts, by, asked)
      return given.kind === 'refused' ? refused(given.refusal) : c.json({ grant: await viewOf(given.grant) }, 201)
    })
    .post('/grants/:id/renew', async (c) => {
      const renewed = await renewGrant(parts, deciderOf(c.var.operator), c.req.param('id'))
      return renewed.kind === 'refused' ? refused(renewed.refusal) : c.json({ grant: await viewOf(renewed.grant) })
    })
    .delete('/grants/:id', async (c) => {
      const revoked = await revokeGrant(parts, deciderOf(c.var.operator), c.req.param('id'))
      return revoked.kind === 'refused' ? refused(revoked.refusal) : c.json({ grant: await viewOf(revoked.grant) })
    })
    .get('/approvals/:id/grant-proposal', async (c) => {
      const approval = await store.approvals.find(c.req.param('id'))
      if (approval === undefined || !sees(c.var.operator, approval.principal.tenant))
        return refuseUnknown('approval', 'approvals')
      const proposed = await proposeGrant(parts, approval, await store.plans.find({ by: 'id', id: approval.planId }))
      if (proposed.kind === 'refused') return refused(proposed.refusal)
      return c.json(proposalView(approval, proposed.proposal, giving.now()))
    })
}

const badTerms = (field: string, message: string) =>
  refuseApi(400, { code: 'bad-terms', message, field, next: 'Change it and send it again.' })

const refused = ({ code, message, next, field, at }: GrantRefusal) =>
  refuseApi(statusOf[code], {
    code,
    message,
    next,
    ...(field === undefined ? {} : { field }),
    ...(at === undefined ? {} : { at }),
  })
