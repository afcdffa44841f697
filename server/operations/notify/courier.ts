// Takes notifications from the outbox to their receivers, beside everything else that the process does. Each receiver has
// a line of its own, so that one that hangs holds up nobody else's; and because a notification is held in the database
// while it is tried, other processes leave it alone, and take it over if this one dies.
import type { HeldNotice, NoticeEnd, Notifications } from '../../store/store.ts'
import { giveUpMs, waitMs } from './schedule.ts'
import type { Attempt, Letter } from './send.ts'
import type { Webhook } from './webhook.ts'

export interface CourierOptions {
  readonly outbox: Pick<Notifications, 'due' | 'hold' | 'end'>
  readonly webhooks: readonly Webhook[]
  readonly send: (webhook: Webhook, letter: Letter, signal: AbortSignal) => Promise<Attempt>
  /** Names this process. */
  readonly owner: string
  /** Epoch milliseconds, by the store's clock. */
  readonly now: () => number
  /** From 0 up to 1. */
  readonly chance: () => number
  /** Longer than an attempt can take, in milliseconds. */
  readonly holdMs: number
  /** Told of each attempt. */
  readonly told: (webhook: Webhook, notice: HeldNotice, end: NoticeEnd) => void
  readonly report: (error: unknown, where: string) => unknown
}

export interface Courier {
  /** Starts what is due. Does not wait for it. */
  round(): Promise<void>
  /** Resolves when what was started is over. */
  settled(): Promise<void>
  /** Nothing new begins; attempts under way are broken off and tried again later, by whoever is there then. */
  stop(): Promise<void>
}

/** A courier for these webhooks. */
export function createCourier(options: CourierOptions): Courier {
  const { outbox, owner, now, report } = options
  const byId = new Map(options.webhooks.map((webhook) => [webhook.id, webhook]))
  const lines = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  const deliver = async (webhook: Webhook, notice: HeldNotice): Promise<boolean> => {
    const attempt = await options.send(webhook, notice, stopping.signal)
    const end = endOf(attempt, notice, now(), options.chance())
    if (await outbox.end(notice.id, owner, end)) options.told(webhook, notice, end)
    return end.kind === 'delivered'
  }

  /** Until nothing is due, or the receiver does not take it: then the others wait as well. */
  const work = async (webhook: Webhook): Promise<void> => {
    for (;;) {
      if (stopping.signal.aborted) return
      const notice = await outbox.hold(webhook.id, owner, options.holdMs)
      if (notice === undefined || !(await deliver(webhook, notice))) return
    }
  }

  const round = async (): Promise<void> => {
    for (const id of await outbox.due()) {
      const webhook = byId.get(id)
      // What another process is configured for is its own to deliver.
      if (webhook === undefined || lines.has(id) || stopping.signal.aborted) continue
      const line = work(webhook)
        .catch((error: unknown) => void report(error, 'delivering notifications'))
        .finally(() => lines.delete(id))
      lines.set(id, line)
    }
  }

  const settled = async (): Promise<void> => void (await Promise.all(lines.values()))

  return {
    round,
    settled,
    stop: async () => {
      stopping.abort()
      await settled()
    },
  }
}

/** What follows from an attempt. */
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
