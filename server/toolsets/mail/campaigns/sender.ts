// Campaigns go on by themselves: after a restart, when they are due, when the mail server answers again. Any process on the
// database sends what is due; which mails are whose stands in their rows.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { CampaignRow } from '../schema.ts'
import { giveUpLost } from './lost.ts'
import { recordRate } from './rate.ts'
import { sendCampaign, type SendingParts } from './sending.ts'

/** Campaigns that one process sends at a time: a small one does not wait for the end of a large one. */
const atOnce = 4
/** Answers after which the measured rate is written down. */
const measured = 1000

/** In milliseconds. */
export interface SenderTimes {
  /** How long a process may be silent about a mail that it sends. */
  readonly leaseMs?: number
  /** How long answers are kept for a database that does not take them. */
  readonly keepMs?: number
  /** How long the end of a server waits for mails that are being sent. */
  readonly patienceMs?: number
  /** How often campaigns that are due are looked for. */
  readonly lookMs?: number
}

type SenderOptions = SenderTimes & Omit<SendingParts, 'owner' | 'leaseMs' | 'keepMs' | 'ending' | 'onBatch'>

export interface CampaignSender {
  /** Begins what is due; done by itself every two seconds. */
  look(): Promise<void>
  /** The same, and waits until nothing of it is due any more. */
  work(): Promise<void>
  /** Resolves when something of the campaign has been written down by this process, or after so many milliseconds. */
  moved(campaignId: string, withinMs: number): Promise<void>
  /** Begins nothing more, and waits for what has begun. */
  drain(): Promise<void>
  /** Waits until its last answers are written down; to be called when the connections are closed. */
  settled(): Promise<void>
}

export function createCampaignSender({
  leaseMs = 120_000,
  keepMs = 3_600_000,
  patienceMs = 20_000,
  lookMs = 2_000,
  forbids,
  ...parts
}: SenderOptions): CampaignSender {
  const { db, recording, now, report } = parts
  const ending = new AbortController()
  const running = new Map<string, Promise<void>>()
  const watchers = new Map<string, PromiseWithResolvers<void>>()
  const rules = new Map<string, string | undefined>()

  const send = async (campaign: CampaignRow): Promise<void> => {
    let mails = 0
    let busyMs = 0
    const tell = async (): Promise<void> => {
      const [some, ms] = [mails, busyMs]
      mails = busyMs = 0
      await recordRate(db, some, ms)
    }
    try {
      await sendCampaign(
        {
          ...parts,
          owner: randomUUID(),
          leaseMs,
          keepMs,
          ending: ending.signal,
          forbids(domain) {
            if (!rules.has(domain)) rules.set(domain, forbids(domain))
            return rules.get(domain)
          },
          onBatch(answers, ms) {
            mails += answers
            busyMs += ms
            watchers.get(campaign.id)?.resolve()
            watchers.delete(campaign.id)
            if (mails >= measured) tell().catch((error: unknown) => report(error, 'rate of campaigns'))
          },
        },
        campaign,
      )
      await tell()
    } catch (error) {
      report(error, 'campaign')
    } finally {
      watchers.get(campaign.id)?.resolve()
      watchers.delete(campaign.id)
    }
  }

  let looking: Promise<void> | undefined
  const find = async (): Promise<void> => {
    const at = new Date(now()).toISOString()
    await giveUpLost(db, recording, at)
    if (ending.signal.aborted || running.size >= atOnce) return
    const due = await db
      .selectFrom('mail_campaigns')
      .selectAll()
      .where('state', '=', 'running')
      .where('next_at', '<=', at)
      .$if(running.size > 0, (query) => query.where('id', 'not in', [...running.keys()]))
      .orderBy('next_at')
      .limit(atOnce - running.size)
      .execute()
    if (ending.signal.aborted) return
    for (const campaign of due)
      running.set(
        campaign.id,
        send(campaign).finally(() => running.delete(campaign.id)),
      )
  }
  const look = (): Promise<void> => (looking ??= find().finally(() => (looking = undefined)))
  let isTold = false
  const timer = setInterval(() => {
    look().then(
      () => (isTold = false),
      (error: unknown) => {
        // Once for as long as it lasts.
        if (!isTold) report(error, 'campaigns')
        isTold = true
      },
    )
  }, lookMs)
  timer.unref()
  const over = (ms: number): Promise<unknown> =>
    Promise.race([Promise.allSettled([looking, ...running.values()]), wait(ms, undefined, { ref: false })])

  return {
    look,
    async work() {
      // One that is under way may not have seen what is due by now.
      await looking?.catch(() => undefined)
      await look()
      await Promise.all(running.values())
    },
    async moved(campaignId, withinMs) {
      const watcher = watchers.get(campaignId) ?? Promise.withResolvers<void>()
      watchers.set(campaignId, watcher)
      const timeout = new AbortController()
      await Promise.race([
        watcher.promise,
        wait(withinMs, undefined, { ref: false, signal: timeout.signal }).catch(() => undefined),
      ])
      timeout.abort()
    },
    async drain() {
      clearInterval(timer)
      ending.abort()
      await over(patienceMs)
    },
    async settled() {
      await over(5000)
    },
  }
}
