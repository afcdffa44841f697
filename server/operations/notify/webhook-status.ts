// What operators ask about webhooks: whether notifications arrive at each, and whether one works now.
import type { Store } from '../../store/store.ts'
import { messageOf } from './message.ts'
import { testNotice, type Whereabouts } from './notice.ts'
import type { Attempt, OutgoingMessage } from './send.ts'
import { giveUpMs } from './schedule.ts'
import { shownUrl, type Webhook } from './webhook.ts'

interface WebhookStatusOptions {
  readonly outbox: Pick<Store['notifications'], 'records'>
  readonly webhooks: readonly Webhook[]
  readonly send: (webhook: Webhook, message: OutgoingMessage) => Promise<Attempt>
  readonly where: () => Whereabouts
  readonly redact: (text: string) => string
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Makes ids of messages. */
  readonly newId: () => string
}

export type WebhookStatus = ReturnType<typeof createWebhookStatus>

/** The status of these webhooks, as the API answers it. */
export function createWebhookStatus(options: WebhookStatusOptions) {
  const { outbox, webhooks, now } = options
  const visible = (tenant: string | undefined): readonly Webhook[] =>
    tenant === undefined ? webhooks : webhooks.filter((webhook) => webhook.tenant === tenant)
  return {
    /** After how many seconds an event that cannot be delivered is given up. */
    givesUpAfterSeconds: giveUpMs / 1000,
    /** Those of one tenant, or all. A webhook of all tenants is not a tenant's to see. */
    list: async (tenant: string | undefined) => {
      const shown = visible(tenant)
      const records = await outbox.records(shown.map(({ id }) => id))
      return shown.flatMap((webhook, i) => {
        const record = records[i]
        return record === undefined ? [] : [viewOf(webhook, record)]
      })
    },
    /** Sends one message now and says what came back; `undefined` where there is no such webhook to see. */
    test: async (id: string, tenant: string | undefined, by: string) => {
      const webhook = visible(tenant).find((one) => one.id === id)
      if (webhook === undefined) return undefined
      const started = now()
      const body = messageOf(testNotice(webhook.tenant, by, started), options.where(), options.redact)
      const attempt = await options.send(webhook, { id: options.newId(), body })
      const ms = Math.max(0, now() - started)
      return attempt.kind === 'delivered'
        ? { delivered: true as const, status: attempt.status, ms }
        : { delivered: false as const, status: attempt.status ?? null, message: attempt.trouble, ms }
    },
  }
}

const viewOf = (
  webhook: Webhook,
  { waiting, givenUp, delivered, failed }: Awaited<ReturnType<Store['notifications']['records']>>[number],
) => ({
  id: webhook.id,
  /** `null`: told of every tenant. */
  tenant: webhook.tenant ?? null,
  /** Without its path, which may be a secret. */
  url: shownUrl(webhook.url),
  events: webhook.events,
  signed: webhook.secret !== undefined,
  private_network: webhook.privateNetwork,
  waiting,
  /** Of the last 30 days. */
  given_up: givenUp,
  last_delivery: delivered === undefined ? null : whatAndWhen(delivered),
  /** The last attempt that failed, as long as nothing has arrived since. */
  last_failure:
    failed === undefined
      ? null
      : { ...whatAndWhen(failed), message: failed.trouble, attempts: failed.attempts, given_up: failed.givenUp },
})

const whatAndWhen = (attempt: {
  readonly at: number
  readonly event: string
  readonly status: number | undefined
}) => ({
  at: new Date(attempt.at).toISOString(),
  event: attempt.event,
  status: attempt.status ?? null,
})
