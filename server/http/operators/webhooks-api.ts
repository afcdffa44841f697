// Whether notifications arrive is only noticed when one is missing. Here an operator sees how it goes with each webhook,
// and sends a message to see it arrive.
import { Hono } from 'hono'
import type { WebhookStatus } from '../../operations/notify/webhook-status.ts'
import { requireRole, visibleTenant, type OperatorEnv } from './operator.ts'
import { refuseOperator } from './operator-input.ts'

/** The app below `/api/v1/webhooks`, behind the operators' guard. */
export const createWebhooksApi = (desk: WebhookStatus): Hono<OperatorEnv> =>
  new Hono<OperatorEnv>()
    .get('/', async (c) =>
      c.json({
        webhooks: await desk.list(visibleTenant(c, c.req.query('tenant'))),
        gives_up_after_seconds: desk.givesUpAfterSeconds,
      }),
    )
    .post('/:id/test', requireRole('admin'), async (c) => {
      const tested = await desk.test(c.req.param('id'), visibleTenant(c), c.var.operator.name)
      if (tested !== undefined) return c.json(tested)
      return refuseOperator(404, {
        code: 'unknown-webhook',
        message: 'There is no such webhook.',
        next: 'GET /api/v1/webhooks lists those that are configured.',
      })
    })
