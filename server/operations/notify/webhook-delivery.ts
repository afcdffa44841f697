// Delivery of notifications from the outbox to the webhooks, in the background. Each webhook has a queue of its own, so that
// one that hangs delays no other. A notification is leased in the database while it is tried: other processes leave it
// alone, and take it over if this one dies.
import type { HeldNotice, NoticeEnd, Notifications } from '../../store/store.ts'
import { giveUpMs, waitMs } from './schedule.ts'
import type { Attempt, OutgoingMessage } from './send.ts'
import type { Webhook } from './webhook.ts'

interface WebhookDeliveryOptions {
  readonly outbox: Pick<Notifications, 'due' | 'hold' | 'end'>
  readonly webhooks: readonly Webhook[]
  readonly send: (webhook: Webhook, message: OutgoingMessage, signal: AbortSignal) => Promise<Attempt>
  /** Names this process. */
  readonly owner: string
  /** Epoch milliseconds, by the store's clock. */
  readonly now: () => number
  /** Randomness: from 0 up to, not including, 1. */
  readonly chance: () => number
  /** Longer than an attempt can take, in milliseconds. */
  readonly holdMs: number
  /** Called after each attempt. */
  readonly onAttempt: (webhook: Webhook, notice: HeldNotice, end: NoticeEnd) => void
  readonly report: (error: unknown, where: string) => unknown
}

/** Delivers to these webhooks. */
export function createWebhookDelivery(options: WebhookDeliveryOptions) {
  const { outbox, owner, now, report } = options
  const byId = new Map(options.webhooks.map((webhook) => [webhook.id, webhook]))
  const queues = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  const deliver = async (webhook: Webhook, notice: HeldNotice): Promise<boolean> => {
    const attempt = await options.send(webhook, notice, stopping.signal)
    const end = endOf(attempt, notice, now(), options.chance())
    if (await outbox.end(notice.id, owner, end)) options.onAttempt(webhook, notice, end)
    return end.kind === 'delivered'
  }

  /** Delivers until nothing is due, or an attempt fails: then the webhook's other notifications wait as well. */
  const work = async (webhook: Webhook): Promise<void> => {
    for (;;) {
      if (stopping.signal.aborted) return
      const notice = await outbox.hold(webhook.id, owner, options.holdMs)
      if (notice === undefined || !(await deliver(webhook, notice))) return
    }
  }

  /** Starts what is due. Does not wait for it. */
  const round = async (): Promise<void> => {
    for (const id of await outbox.due()) {
      const webhook = byId.get(id)
      // A webhook that only another process is configured for is delivered to by that one.
      if (webhook === undefined || queues.has(id) || stopping.signal.aborted) continue
      const queue = work(webhook)
        .catch((error: unknown) => void report(error, 'delivering notifications'))
        .finally(() => queues.delete(id))
      queues.set(id, queue)
    }
  }

  /** Resolves when what was started is over. */
  const settled = async (): Promise<void> => void (await Promise.all(queues.values()))

  return {
    round,
    settled,
    /** Starts nothing more and aborts running attempts; whichever process is up later tries them again. */
    stop: async () => {
      stopping.abort()
      await settled()
    },
  }
}

/** What becomes of a notification after an attempt: delivered, tried again later, or given up. */
export function endOf(
  attempt: Attempt,
  notice: Pick<HeldNotice, 'createdAt' | 'attempts'>,
  now: number,
  chance: number,
): NoticeEnd {
  if (attempt.kind === 'delivered') return attempt
  const { status, trouble, askedMs, gone } = attempt
  const dueAt = now + waitMs(notice.attempts + 1, chance, askedMs)
  if (gone || dueAt > notice.createdAt + giveUpMs) return { kind: 'given-up', status, trouble }
  return { kind: 'later', dueAt, status, trouble }
}
