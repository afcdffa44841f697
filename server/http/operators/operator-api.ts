// The operators' door. Behind it lies everything that a person decides about agents: approvals, the freeze, what agents
// had to say. No tool of this server leads here.
import { Hono, type MiddlewareHandler } from 'hono'
import type { RationaleRule } from '../../rail/intake/rationale-grace.ts'
import type { ContractViews } from '../../operators/contract-views.ts'
import type { Store } from '../../store/store.ts'
import { createApprovalEvents } from './approval-events.ts'
import { createAccountsApi, createDelegationsApi } from './accounts-api.ts'
import { createApprovalsApi, type ApprovalsApiOptions } from './approvals-api.ts'
import { createContractsApi } from './contracts-api.ts'
import { createDefinitionsApi } from './definitions-api.ts'
import { createFeedbackApi } from './feedback-api.ts'
import { createGrantsApi, type GrantsApiOptions } from './grants-api.ts'
import { createFreezeApi, type FreezeApiOptions } from './freeze-api.ts'
import { refuseApi } from '../refusal.ts'
import { sees, type OperatorEnv } from './operator.ts'
import { createTokensApi, type TokensStore } from '../auth/tokens-api.ts'
import { createWebhooksApi } from './webhooks-api.ts'
import type { WebhookStatus } from '../../operations/notify/webhook-status.ts'
import { createSettingsApi, type SettingsApiOptions } from './settings-api.ts'
import { isoTime } from '../iso-time.ts'

export interface OperatorApiOptions extends Omit<ApprovalsApiOptions, 'store'> {
  /** Lets operators through and nobody else. */
  readonly guard: MiddlewareHandler<OperatorEnv>
  readonly store: ApprovalsApiOptions['store'] &
    GrantsApiOptions['store'] &
    TokensStore &
    Pick<Store, 'switches' | 'feedback' | 'grace' | 'waitingApprovals'>
  readonly giving: GrantsApiOptions['giving']
  readonly doubt: FreezeApiOptions['doubt']
  readonly rationale: RationaleRule
  readonly webhooks: WebhookStatus | undefined
  readonly contractViews: ContractViews
  readonly settings: SettingsApiOptions
}

/** The app below `/api/v1`. */
export function createOperatorApi(options: OperatorApiOptions) {
  const { store, guard, rationale } = options
  const app = new Hono<OperatorEnv>()
    .use(guard)
    .route('/approvals/events', createApprovalEvents({ waiting: store.waitingApprovals, report: options.report }))
    .route('/approvals', createApprovalsApi(options))
    .route('/', createGrantsApi({ store, giving: options.giving }))
    .route(
      '/contracts',
      createContractsApi({ contractViews: options.contractViews, settings: options.settings.settings }),
    )
    .route(
      '/definitions',
      createDefinitionsApi({ contractViews: options.contractViews, activityLog: store.activityLog }),
    )
    .route('/settings', createSettingsApi(options.settings))
    .route('/feedback', createFeedbackApi(store))
    .route('/accounts', createAccountsApi(store))
    .route('/delegations', createDelegationsApi(store))
    .route('/tokens', createTokensApi(store))
    .route('/', createFreezeApi({ store, doubt: options.doubt }))
    .get('/grace', async (c) => {
      const callers = (await store.grace.callers()).filter(({ principal }) => sees(c.var.operator, principal.tenant))
      return c.json({ rationale, callers: callers.map(callerView) })
    })
  if (options.webhooks !== undefined) app.route('/webhooks', createWebhooksApi(options.webhooks))
  const addresses = new Set(
    app.routes.flatMap(({ path }) => path.match(/^\/\w+/)?.map((first) => `/api/v1${first}`) ?? []),
  )
  app.all('*', (c) =>
    refuseApi(404, {
      code: 'not-found',
      message: `There is nothing at ${c.req.method} ${c.req.path.slice(0, 200)}.`,
      next: `There is ${[...addresses].join(', ')}.`,
    }),
  )
  return app
}

const callerView = (caller: Awaited<ReturnType<Store['grace']['callers']>>[number]) => ({
  ...caller.principal,
  client: caller.client,
  tool: caller.tool,
  calls: caller.calls,
  first_at: isoTime(caller.firstAt),
  last_at: isoTime(caller.lastAt),
})
