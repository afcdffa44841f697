// The operators' door. Behind one token lies everything that a person decides about agents: approvals, the freeze, and
// what agents had to say. No tool of this server leads here.
import { Hono, type MiddlewareHandler } from 'hono'
import { z } from 'zod'
import type { RationaleRule } from '../call/grace.ts'
import type { Shelf } from '../call/shelf.ts'
import type { Freeze, Store } from '../store/store.ts'
import { createApprovalEvents } from './approval-events.ts'
import { createAccountsApi, createDelegationsApi } from './accounts-api.ts'
import { createApprovalsApi, type ApprovalsApiOptions } from './approvals-api.ts'
import { createContractsApi } from './contracts-api.ts'
import { createDefinitionsApi } from './definitions-api.ts'
import { createFeedbackApi } from './feedback-api.ts'
import { createGrantsApi, type GrantsApiOptions } from './grants-api.ts'
import { approverOf, nameSchema, readBody, refuseOperator } from './operator-input.ts'
import type { OperatorEnv } from './operator.ts'
import { createTokensApi, type TokensStore } from './tokens-api.ts'
import { createWebhooksApi } from './webhooks-api.ts'
import type { WebhookDesk } from '../notify/desk.ts'
import { createSettingsApi, type SettingsApiOptions } from './settings-api.ts'

export interface OperatorApiOptions extends Omit<ApprovalsApiOptions, 'store'> {
  /** Lets operators through and nobody else. */
  readonly guard: MiddlewareHandler<OperatorEnv>
  readonly store: ApprovalsApiOptions['store'] &
    GrantsApiOptions['store'] &
    TokensStore &
    Pick<Store, 'switches' | 'feedback' | 'grace' | 'waitingApprovals'>
  readonly giving: GrantsApiOptions['giving']
  readonly rationale: RationaleRule
  readonly webhooks: WebhookDesk | undefined
  readonly shelf: Shelf
  readonly settings: SettingsApiOptions
}

const tenant = z.string().min(1, 'the name of a tenant').optional()
const said = 'a sentence of 3 to 500 characters: agents and cards show it'
const freezeBody = z.strictObject({
  tenant,
  reason: z.string(said).trim().min(3, said).max(500, said),
  by: nameSchema.optional(),
})
const unfreezeBody = z.strictObject({ tenant, by: nameSchema.optional() })

/** The app below `/api/v1`. */
export function createOperatorApi(options: OperatorApiOptions): Hono<OperatorEnv> {
  const { store, guard, rationale } = options
  const app = new Hono<OperatorEnv>()
    .use(guard)
    .route('/approvals/events', createApprovalEvents({ waiting: store.waitingApprovals, report: options.report }))
    .route('/approvals', createApprovalsApi(options))
    .route('/', createGrantsApi({ store, giving: options.giving }))
    .route('/contracts', createContractsApi({ shelf: options.shelf, settings: options.settings.settings }))
    .route('/definitions', createDefinitionsApi({ shelf: options.shelf }))
    .route('/settings', createSettingsApi(options.settings))
    .route('/feedback', createFeedbackApi(store.feedback))
    .route('/accounts', createAccountsApi(store))
    .route('/delegations', createDelegationsApi(store))
    .route('/tokens', createTokensApi(store))
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
      return refuseOperator(409, {
        code: 'not-frozen',
        message: `There is no freeze of ${read.value.tenant ?? 'all tenants'}.`,
        next: 'GET /api/v1/freeze lists those that hold.',
      })
    })
    .get('/grace', async (c) => c.json({ rationale, callers: (await store.grace.callers()).map(callerView) }))
  if (options.webhooks !== undefined) app.route('/webhooks', createWebhooksApi(options.webhooks))
  app.all('*', (c) =>
    refuseOperator(404, {
      code: 'not-found',
      message: `There is nothing at ${c.req.method} ${c.req.path.slice(0, 200)}.`,
      next: 'There are /api/v1/approvals, /api/v1/freeze, /api/v1/unfreeze, /api/v1/feedback and /api/v1/grace.',
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
