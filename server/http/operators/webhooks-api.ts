// Whether notifications arrive is only noticed when one is missing. Here an operator sees how it goes with each webhook,
// and sends a message to see it arrive.
import { Hono } from 'hono'
import type { WebhookStatus } from '../../operations/notify/webhook-status.ts'
import { requireRole, visibleTenant, type OperatorEnv } from './operator.ts'
import { refuseUnknown } from '../refusal.ts'

/** The app below `/api/v1/webhooks`, behind the operators' guard. */
export const createWebhooksApi = (webhooks: WebhookStatus) =>
  new Hono<OperatorEnv>()
    .get('/', async (c) =>
      c.json({
        webhooks: await webhooks.list(visibleTenant(c, c.req.query('tenant'))),
        gives_up_after_seconds: webhooks.givesUpAfterSeconds,
      }),
    )
    .post('/:id/test', requireRole('admin'), async (c) => {
      const tested = await webhooks.test(c.req.param('id'), visibleTenant(c), c.var.operator.name)
      return tested === undefined ? refuseUnknown('webhook', 'webhooks', 'those that are configured') : c.json(tested)
    })
