// A webhook: a receiver of notifications, as an operator configured it. Its address often is a secret (whoever has it can
// post into the channel), so everything but `send.ts` knows a webhook by its id and its host.
import { createHash } from 'node:crypto'

/** The events that a webhook can be notified of. */
export type NoticeEvent =
  | 'approval.waiting'
  | 'approval.expiring'
  | 'feedback.high'
  | 'rationale.missing'
  | 'record.tampered'
  | 'webhook.test'

/** A webhook as configured. */
export interface WebhookSetting {
  /** Notified of this tenant only; of all when absent. */
  readonly tenant?: string | undefined
  readonly url: string
  /** Signs the notifications: `whsec_` and base64, or any text. Unsigned when absent. */
  readonly secret?: string | undefined
  readonly events: readonly string[]
  /** May lie on this machine or in a private network. */
  readonly privateNetwork: boolean
}

export interface Webhook extends WebhookSetting {
  readonly id: string
}

/** Webhooks with ids, which are the same in every process and after every restart while tenant and address stay. */
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

/** Whether a webhook is notified of this event of this tenant. */
export const isFor = (webhook: Webhook, event: NoticeEvent, tenant: string): boolean =>
  webhook.events.includes(event) && (webhook.tenant === undefined || webhook.tenant === tenant)

/** The address as others may see it: without path and query, where the secret is. */
export function shownUrl(url: string): string {
  const { origin, pathname, search } = new URL(url)
  return pathname === '/' && search === '' ? origin : `${origin}/…`
}
