// A receiver of notifications, as its operator wrote it down. Its address often is a secret in itself (whoever has it can
// post into the channel), so everybody but the sender knows a webhook by an id and by the host it leads to.
import { createHash } from 'node:crypto'

/** What a webhook can be told of. */
export type NoticeEvent =
  'approval.waiting' | 'approval.expiring' | 'feedback.high' | 'rationale.missing' | 'record.tampered' | 'webhook.test'

/** As configured. */
export interface WebhookSetting {
  /** Told of this tenant only; of all when absent. */
  readonly tenant?: string | undefined
  readonly url: string
  /** Signs what is sent: `whsec_` and base64, or any text. Unsigned without it. */
  readonly secret?: string | undefined
  readonly events: readonly string[]
  /** May lie on this machine or in a private network. */
  readonly privateNetwork: boolean
}

export interface Webhook extends WebhookSetting {
  readonly id: string
}

/** Webhooks with their ids: the same in every process and after every restart, as long as tenant and address stay. */
export const toWebhooks = (settings: readonly WebhookSetting[]): readonly Webhook[] => {
  const byId = new Map<string, Webhook>()
  for (const setting of settings) {
    const named = createHash('sha256').update(JSON.stringify([setting.tenant ?? null, setting.url]))
    const id = `wh_${named.digest('hex').slice(0, 16)}`
    const before = byId.get(id)
    const events = [...new Set([...(before?.events ?? []), ...setting.events])]
    byId.set(id, { ...setting, id, events })
  }
  return [...byId.values()]
}

/** Whether it is to be told of this, of this tenant. */
export const isFor = (webhook: Webhook, event: NoticeEvent, tenant: string): boolean =>
  webhook.events.includes(event) && (webhook.tenant === undefined || webhook.tenant === tenant)

/** The address as others may see it: without its path, which is where the secret is. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? origin : `${origin}/…`
}
