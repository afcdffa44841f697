// Joins those who watch for events, those who carry them out, and those who check the record, and gives them the clock
// that they run by. Each round is small, overlaps with none of its kind, and a failed one is reported and tried again.
import { randomBytes, randomUUID } from 'node:crypto'
import type { EngineSettings } from '../../rail/engine.ts'
import type { Telemetry } from './telemetry.ts'
import { loadSending } from '../../operations/notify/load-sending.ts'
import { createWebhookDelivery } from '../../operations/notify/webhook-delivery.ts'
import { createWebhookStatus } from '../../operations/notify/webhook-status.ts'
import type { Whereabouts } from '../../operations/notify/notice.ts'
import type { OutgoingMessage } from '../../operations/notify/send.ts'
import { createWatch } from '../../operations/notify/watch.ts'
import { toWebhooks, type Webhook, type WebhookSetting } from '../../operations/notify/webhook.ts'
import { redactText } from '../../policy/redact.ts'
import { verifyApart } from '../../store/activity/chain/verify-apart.ts'
import type { Store } from '../../store/store.ts'

export type { WebhookStatus } from '../../operations/notify/webhook-status.ts'
export type { WebhookSetting } from '../../operations/notify/webhook.ts'

export interface NotifierParts {
  readonly store: Store
  readonly webhooks: readonly WebhookSetting[]
  /** The engine's; its web address may become known later. */
  readonly settings: Pick<EngineSettings, 'webAddress' | 'rationale' | 'operatorOptions' | 'operatorVariables'>
  readonly telemetry: Telemetry
  readonly version: string
  /** How the store was opened, for a second look at it from aside. */
  readonly opened: { readonly file: string; readonly secret: string | undefined; readonly anchor: string | undefined }
  readonly report: (error: unknown, where: string) => unknown
  readonly verifyAfterMs?: number | undefined
}

/** What the turn is called that says how a check of the record ended. */
export const verified = 'verified '

/** In milliseconds: one attempt, and for how long its notification is nobody else's. */
const attemptMs = 10_000
const holdMs = 30_000

const everyMs = { approvals: 1000, deliver: 1000, feedback: 5000, grace: 5000, verify: 3_600_000 } as const
/** A server that has just started has other things to do than to check its past. */
const firstVerifyMs = 600_000

/** Starts to watch, to deliver and to check. Without webhooks only the record is checked. */
export function startNotifier(parts: NotifierParts) {
  const { store, settings, telemetry, report } = parts
  const webhooks = toWebhooks(parts.webhooks)
  const now = store.now
  const where = (): Whereabouts => ({
    address: settings.webAddress,
    options: settings.operatorOptions ?? '',
    variables: settings.operatorVariables ?? [],
  })
  const send = async (webhook: Webhook, message: OutgoingMessage, signal?: AbortSignal) => {
    const { send: sendOnce } = await loadSending()
    return sendOnce(webhook, message, {
      now: Date.now,
      timeoutMs: attemptMs,
      agent: `Countersign/${parts.version}`,
      ...(signal === undefined ? {} : { signal }),
    })
  }
  const watch = createWatch({
    store,
    webhooks,
    where,
    redact: redactText,
    now,
    graceUntil: settings.rationale.mode === 'grace' ? settings.rationale.until : undefined,
    full: (event, count) =>
      telemetry.log.warn(`${count} notifications were dropped: too many wait for their webhook already`, { event }),
  })
  const delivery = createWebhookDelivery({
    outbox: store.notifications,
    webhooks,
    send,
    owner: randomUUID(),
    now,
    chance: Math.random,
    holdMs,
    onAttempt: (webhook, notice, end) => {
      const result = end.kind === 'delivered' ? 'delivered' : end.kind === 'later' ? 'failed' : 'gave-up'
      telemetry.metrics.webhook(notice.event, result)
      const about = { webhook: webhook.id, event: notice.event, message: notice.id, attempts: notice.attempts + 1 }
      if (end.kind === 'delivered') telemetry.log.debug('A notification was delivered', about)
      if (end.kind === 'later') telemetry.log.info(`A notification was not delivered: ${end.trouble}`, about)
      if (end.kind === 'given-up')
        telemetry.log.warn(`A notification is given up after a day of attempts: ${end.trouble}`, about)
    },
    report,
  })

  const ending = new AbortController()
  const verify = async (): Promise<void> => {
    // Whoever takes the day's turn does it, for all processes on this database.
    if (!(await store.notifications.takeTurn(`verify ${new Date(now()).toISOString().slice(0, 10)}`))) return
    const reports =
      store.file === ':memory:' ? await store.activity.verify() : await verifyApart(parts.opened, ending.signal)
    const problems = reports.flatMap(({ problem }) => (problem === undefined ? [] : [problem]))
    // For the figures of every server, also of one that is started afterwards.
    await store.notifications.takeTurn(`${verified}${new Date(now()).toISOString()} ${problems.length}`)
    for (const problem of problems) {
      const { tenant, kind, id } = problem
      telemetry.log.error(`The record of calls is not what was written: ${problem.message}`, { tenant, kind, row: id })
      await watch.tampered({ ...problem, at: now() })
    }
  }

  const rounds = createRounds(report, ending.signal)
  rounds.every(everyMs.verify, 'checking the record', verify, parts.verifyAfterMs ?? firstVerifyMs)
  if (webhooks.length > 0) {
    rounds.every(everyMs.approvals, 'looking for approvals to tell of', () => watch.approvals())
    rounds.every(everyMs.deliver, 'delivering notifications', () => delivery.round())
    rounds.every(everyMs.feedback, 'looking for feedback to tell of', () => watch.feedback())
    rounds.every(everyMs.grace, 'looking for callers without a rationale', () => watch.grace())
  }
  return {
    webhooks: createWebhookStatus({
      outbox: store.notifications,
      webhooks,
      send,
      where,
      redact: redactText,
      now: Date.now,
      newId: () => `msg_${randomBytes(15).toString('base64url')}`,
    }),
    stop: async () => {
      ending.abort()
      await delivery.stop()
      await rounds.over()
    },
  }
}

/** Work that comes again and again, and never meets itself. */
function createRounds(report: NotifierParts['report'], ending: AbortSignal) {
  const running = new Set<Promise<void>>()
  const every = (ms: number, where: string, work: () => Promise<void>, firstMs = ms): void => {
    const again = (waitMs: number): void => {
      const timer = setTimeout(() => {
        ending.removeEventListener('abort', stop)
        const round = work()
          .catch((error: unknown) => {
            if (!ending.aborted) report(error, where)
          })
          .finally(() => {
            running.delete(round)
            if (!ending.aborted) again(ms)
          })
        running.add(round)
      }, waitMs)
      const stop = (): void => clearTimeout(timer)
      ending.addEventListener('abort', stop, { once: true })
      timer.unref()
    }
    again(firstMs)
  }
  return { every, over: async (): Promise<void> => void (await Promise.all(running)) }
}
