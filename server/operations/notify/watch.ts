// Polling of the database for events that webhooks are notified of. Events are not caught where they happen, so that no call
// waits for a notification, none is lost in a crash, and it does not matter in which process they happened.
import { randomBytes } from 'node:crypto'
import type { FeedbackItem, NoticeDraft, Store } from '../../store/store.ts'
import { messageOf } from './message.ts'
import {
  approvalExpiring,
  approvalWaiting,
  feedbackHigh,
  rationaleMissing,
  recordTampered,
  type Notice,
  type Whereabouts,
} from './notice.ts'
import { isFor, type Webhook } from './webhook.ts'

interface WatchOptions {
  readonly store: Pick<Store, 'notifications' | 'approvals' | 'feedback' | 'grace'>
  readonly webhooks: readonly Webhook[]
  /** Where people look at what they are told of; an address may become known after the start. */
  readonly where: () => Whereabouts
  readonly redact: (text: string) => string
  /** Epoch milliseconds, by the store's clock. */
  readonly now: () => number
  /** When calls without a rationale are refused (ISO 8601); `undefined` where they are already. */
  readonly graceUntil: string | undefined
  /** Called when a webhook's outbox has no room for so many notifications. */
  readonly full: (event: string, count: number) => void
}

const hour = 3_600_000
const day = 24 * hour
/** Clocks of processes differ a little. */
const overlapMs = 60_000
/** Subjects that are remembered as told, to spare the database, which refuses a second notice in any case. */
const mostRemembered = 20_000
/** Pages that one round reads; the next round goes on where it ended. */
const mostPages = 10
const feedbackPage = 100

type Undecided = Awaited<ReturnType<Store['notifications']['undecided']>>[number]

/** Watches a store for these webhooks; each function answered is one round. */
export function createWatch(options: WatchOptions) {
  const { store, webhooks, now } = options
  const told = new Set<string>()
  let feedbackSince = now() - day
  // Reading many items may take several rounds: the newest one when it began, and the last one that was told.
  let sweep: { readonly newest: FeedbackItem; readonly last: FeedbackItem } | undefined
  let lastUndecided: Undecided | undefined

  const wanted = (event: Notice['event'], tenant: string): readonly Webhook[] =>
    webhooks.filter((webhook) => isFor(webhook, event, tenant))

  const send = async (notice: Notice): Promise<void> => {
    const { event, tenant, subject } = notice
    const receivers = wanted(event, tenant).filter(({ id }) => !told.has(`${id} ${subject}`))
    if (receivers.length === 0) return
    const body = messageOf(notice, options.where(), options.redact)
    const drafts = receivers.map((webhook): NoticeDraft => ({
      id: `msg_${randomBytes(15).toString('base64url')}`,
      webhook: webhook.id,
      subject,
      tenant,
      event,
      body,
    }))
    const { full } = await store.notifications.add(drafts)
    if (full > 0) options.full(event, full)
    if (told.size >= mostRemembered) told.clear()
    for (const { id } of receivers) told.add(`${id} ${subject}`)
  }

  const sendFor = async ({ id, tenant, createdAt, expiresAt }: Undecided): Promise<void> => {
    // An hour before it expires, or when three quarters of its time are over.
    const late = expiresAt - now() <= Math.min(hour, (expiresAt - createdAt) / 4)
    const events = late ? (['approval.waiting', 'approval.expiring'] as const) : (['approval.waiting'] as const)
    for (const event of events) {
      const subject = `${event} ${id}`
      if (wanted(event, tenant).every((webhook) => told.has(`${webhook.id} ${subject}`))) continue
      const found = await store.approvals.find(id)
      if (found === undefined) continue
      const approval = { ...found, ...found.principal }
      await send(event === 'approval.waiting' ? approvalWaiting(approval) : approvalExpiring(approval, now()))
    }
  }

  return {
    /** Approvals that nobody was told of, and those about to expire. */
    approvals: async () => {
      for (let page = 0; page < mostPages; page += 1) {
        const waiting = await store.notifications.undecided(lastUndecided)
        for (const approval of waiting) await sendFor(approval)
        lastUndecided = waiting.at(-1)
        if (lastUndecided === undefined) return
      }
    },
    feedback: async () => {
      for (let page = 0; page < mostPages; page += 1) {
        const items: readonly FeedbackItem[] = await store.feedback.list({
          since: feedbackSince,
          severity: 'high',
          limit: feedbackPage,
          before: sweep?.last.id,
        })
        for (const item of items.toReversed()) await send(feedbackHigh(item))
        const newest: FeedbackItem | undefined = sweep?.newest ?? items[0]
        const last = items.at(-1)
        if (items.length === feedbackPage && newest !== undefined && last !== undefined) {
          sweep = { newest, last }
          continue
        }
        // Only when the oldest of them has been told, too.
        if (newest !== undefined) feedbackSince = Math.max(feedbackSince, newest.createdAt - overlapMs)
        sweep = undefined
        return
      }
    },
    grace: async () => {
      const until = options.graceUntil
      if (until === undefined || now() >= Date.parse(until)) return
      const today = now() - (now() % day)
      const rows = (await store.grace.callers()).filter(({ lastAt }) => lastAt >= today)
      const callers = Map.groupBy(rows, ({ principal, client }) =>
        JSON.stringify([principal.tenant, principal.subject, client]),
      )
      for (const [first, ...rest] of callers.values()) {
        if (first === undefined) continue
        const all = [first, ...rest]
        const [tools, calls] = [all.map(({ tool }) => tool), all.reduce((sum, row) => sum + row.calls, 0)]
        await send(rationaleMissing({ ...first, tools, calls, until, at: now() }))
      }
    },
    /** A problem that a check of the activity log has found. */
    tampered: (problem: Parameters<typeof recordTampered>[0]) => send(recordTampered(problem)),
  }
}
