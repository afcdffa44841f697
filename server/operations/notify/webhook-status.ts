// What operators ask of webhooks: how does it go with each, and does this one work.
import type { Store } from '../../store/store.ts'
import { messageOf } from './message.ts'
import { testNotice } from './notice.ts'
import type { Attempt, Letter } from './send.ts'
import { giveUpMs } from './schedule.ts'
import { shownUrl, type Webhook } from './webhook.ts'

export interface WebhookStatusOptions {
  readonly outbox: Pick<Store['notifications'], 'records'>
  readonly webhooks: readonly Webhook[]
  readonly send: (webhook: Webhook, letter: Letter) => Promise<Attempt>
  readonly address: () => string | undefined
  readonly redact: (text: string) => string
  /** Epoch milliseconds. */
  readonly now: () => number
  /** Makes ids of messages. */
  readonly newId: () => string
}

export interface WebhookView {
  readonly id: string
  /** `null`: told of every tenant. */
  readonly tenant: string | null
  /** Without its path, which may be a secret. */
  readonly url: string
  readonly events: readonly string[]
  readonly signed: boolean
  readonly private_network: boolean
  readonly waiting: number
  /** Of the last 30 days. */
  readonly given_up: number
  readonly last_delivery: { readonly at: string; readonly event: string; readonly status: number | null } | null
  /** What has failed last and did not arrive since. */
  readonly last_failure: {
    readonly at: string
    readonly event: string
    readonly status: number | null
    readonly message: string
    readonly attempts: number
    readonly given_up: boolean
  } | null
}

export type Tested =
  | { readonly delivered: true; readonly status: number; readonly ms: number }
  | { readonly delivered: false; readonly status: number | null; readonly message: string; readonly ms: number }

export interface WebhookStatus {
  /** After how many seconds an event that cannot be delivered is given up. */
  readonly givesUpAfterSeconds: number
  /** Those of one tenant, or all. A webhook of all tenants is not a tenant's to see. */
  list(tenant: string | undefined): Promise<readonly WebhookView[]>
  /** Sends one message now and says what came back; `undefined` where there is no such webhook to see. */
  test(id: string, tenant: string | undefined, by: string): Promise<Tested | undefined>
}

/** How it goes with these webhooks. */
export function createWebhookStatus(options: WebhookStatusOptions): WebhookStatus {
  const { outbox, webhooks, now } = options
  const visible = (tenant: string | undefined): readonly Webhook[] =>
    tenant === undefined ? webhooks : webhooks.filter((webhook) => webhook.tenant === tenant)
  return {
    givesUpAfterSeconds: giveUpMs / 1000,
    list: async (tenant) => {
      const shown = visible(tenant)
      const records = await outbox.records(shown.map(({ id }) => id))
      return shown.flatMap((webhook, i) => {
        const record = records[i]
        return record === undefined ? [] : [viewOf(webhook, record)]
      })
    },
    test: async (id, tenant, by) => {
      const webhook = visible(tenant).find((one) => one.id === id)
      if (webhook === undefined) return undefined
      const started = now()
      const body = messageOf(testNotice(webhook.tenant, by, started), options.address(), options.redact)
      const attempt = await options.send(webhook, { id: options.newId(), body })
      const ms = Math.max(0, now() - started)
      return attempt.kind === 'delivered'
        ? { delivered: true, status: attempt.status, ms }
        : { delivered: false, status: attempt.status ?? null, message: attempt.trouble, ms }
    },
  }
}

const viewOf = (
  webhook: Webhook,
  { waiting, givenUp, delivered, failed }: Awaited<ReturnType<Store['notifications']['records']>>[number],
): WebhookView => ({
  id: webhook.id,
  tenant: webhook.tenant ?? null,
  url: shownUrl(webhook.url),
  events: webhook.events,
  signed: webhook.secret !== undefined,
  private_network: webhook.privateNetwork,
  waiting,
  given_up: givenUp,
  last_delivery:
    delivered === undefined
      ? null
      : { at: new Date(delivered.at).toISOString(), event: delivered.event, status: delivered.status ?? null },
  last_failure:
    failed === undefined
      ? null
      : {
          at: new Date(failed.at).toISOString(),
          event: failed.event,
          status: failed.status ?? null,
          message: failed.trouble,
          attempts: failed.attempts,
          given_up: failed.givenUp,
        },
})
