// The operators' door. Behind one token lies everything that a person decides about agents: approvals, the freeze, and
// what agents had to say. No tool of this server leads here.
import { Hono } from 'hono'
import { z } from 'zod'
import type { RationaleRule } from '../call/grace.ts'
import type { Freeze, Store } from '../store/store.ts'
import { createAdminApprovals, type AdminApprovalsOptions } from './admin-approvals.ts'
import { createAdminFeedback } from './admin-feedback.ts'
import { approverOf, nameSchema, readBody, refuseAdmin } from './admin-input.ts'
import { requireAdmin } from './admin-token.ts'

export interface AdminApiOptions extends Omit<AdminApprovalsOptions, 'store'> {
  /** `undefined` lets nobody in. */
  readonly token: string | undefined
  readonly store: AdminApprovalsOptions['store'] & Pick<Store, 'switches' | 'feedback' | 'grace'>
  readonly rationale: RationaleRule
}

const tenant = z.string().min(1, 'the name of a tenant').optional()
const said = 'a sentence of 3 to 500 characters: agents and cards show it'
const freezeBody = z.strictObject({
  tenant,
  reason: z.string(said).trim().min(3, said).max(500, said),
  by: nameSchema.optional(),
})
const unfreezeBody = z.strictObject({ tenant, by: nameSchema.optional() })

/** The app below `/admin`. */
export function createAdminApp(options: AdminApiOptions): Hono {
  const { store, token, rationale } = options
  const app = new Hono()
    .use(requireAdmin(token))
    .route('/approvals', createAdminApprovals(options))
    .route('/feedback', createAdminFeedback(store.feedback))
    .get('/freeze', async (c) => c.json({ freezes: (await store.switches.list()).map(freezeView) }))
    .post('/freeze', async (c) => {
      const read = await readBody(c, freezeBody)
      if (!read.ok) return read.response
      const freeze = { tenant: read.value.tenant, reason: read.value.reason, by: approverOf(c, read.value.by) }
      const { revoked } = await store.switches.freeze(freeze)
      return c.json({ frozen: true, tenant: freeze.tenant ?? null, reason: freeze.reason, revoked_plans: revoked })
    })
    .post('/unfreeze', async (c) => {
      const read = await readBody(c, unfreezeBody)
      if (!read.ok) return read.response
      if (await store.switches.unfreeze(read.value.tenant))
        return c.json({ frozen: false, tenant: read.value.tenant ?? null })
      return refuseAdmin(409, {
        code: 'not-frozen',
        message: `There is no freeze of ${read.value.tenant ?? 'all tenants'}.`,
        next: 'GET /admin/freeze lists those that hold.',
      })
    })
    .get('/grace', async (c) => c.json({ rationale, callers: (await store.grace.callers()).map(callerView) }))
  app.all('*', (c) =>
    refuseAdmin(404, {
      code: 'not-found',
      message: `There is nothing at ${c.req.method} ${c.req.path.slice(0, 200)}.`,
      next: 'There are /admin/approvals, /admin/freeze, /admin/unfreeze, /admin/feedback and /admin/grace.',
    }),
  )
  return app
}

const freezeView = ({ tenant, reason, by, at }: Freeze) => ({
  tenant: tenant ?? null,
  reason,
  by,
  at: new Date(at).toISOString(),
})

const callerView = (caller: Awaited<ReturnType<Store['grace']['callers']>>[number]) => ({
  ...caller.principal,
  client: caller.client,
  tool: caller.tool,
  calls: caller.calls,
  first_at: new Date(caller.firstAt).toISOString(),
  last_at: new Date(caller.lastAt).toISOString(),
})
