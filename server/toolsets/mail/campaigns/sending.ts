// One process sends mails of one campaign. Each is marked before its first byte, and what the server said is written down
// after it; marks and answers of many mails share a commit. No more are marked than the server takes in a moment: after a
// crash, those are the ones of which nobody knows whether they went out.
import { setTimeout as wait } from 'node:timers/promises'
import type { ToolsetParts } from '../../toolset.ts'
import { answerTo, waitAfter } from '../outbox/attempts.ts'
import type { CampaignMailRow, CampaignRow, MailDatabase, MailRecording } from '../schema.ts'
import type { RecipientAnswer, Smtp } from '../transports/smtp.ts'
import { readLetter, type Letter } from './letter.ts'
import { undeliverableWords } from './start.ts'
import { renew, step, type Outcome, type Step } from './marks.ts'
import { clearRest, planNext, writeRest, type Rest } from './schedule.ts'

/** Mails that are marked at a time, at most. */
const mostMarked = 64
/** So much of them has an answer, and the commit that writes that down marks as many others. */
const share = 3 / 4
/** How long an answer waits at least and at most for others to share a commit with, in milliseconds. */
const together = { leastMs: 20, mostMs: 500 }
/** It waits by so much longer than a commit takes: on a slow disk, commits are not what all the time goes to. */
const patience = 8
/** Until a mail server that takes nothing is asked again. */
const restMs = 60_000
/** Until a campaign is looked at again of which others have mails in their hands. */
const lookMs = 2_000
/** So many recipients one after the other who are refused are not each a case of its own. */
const mostInRow = 20
/** What a server says of a mailbox, and not of whoever sends to it (RFC 3463). */
const ofMailbox = /^\d{3}[ -]5\.[12]\.\d/

export interface SendingParts extends Pick<ToolsetParts, 'now' | 'report'> {
  readonly db: MailDatabase
  readonly recording: MailRecording
  readonly smtp: Smtp
  /** Connections to the mail server. */
  readonly connections: number
  /** The rule that mail to this domain breaks, in words: operators may have changed it since it was confirmed. */
  readonly forbids: (domain: string) => string | undefined
  readonly owner: string
  readonly leaseMs: number
  /** Aborted when the server ends: nothing more is begun. */
  readonly ending: AbortSignal
  /** Called whenever answers have been written down: so many, that took so many milliseconds. */
  readonly onStep: (answers: number, ms: number) => void
}

/** Sends what is due of a campaign, until nothing is, it is halted, or the mail server takes nothing. */
export async function sendCampaign(parts: SendingParts, campaign: CampaignRow): Promise<void> {
  const { db, now } = parts
  const iso = (ms: number): string => new Date(ms).toISOString()
  const letter = await readLetter(campaign)
  const rest =
    typeof letter === 'string'
      ? ({ code: 'template_unreadable', text: letter } as const)
      : await sendDue(parts, campaign, letter)
  // Connections that were closed on purpose say nothing of the mail server.
  if (parts.ending.aborted) return
  if (rest !== undefined) await writeRest(db, campaign.id, rest)
  else await planNext(db, campaign.id, iso(now()), iso(now() + lookMs))
}

async function sendDue(
  { db, recording, now, report, smtp, connections, forbids, owner, leaseMs, ending, onStep }: SendingParts,
  campaign: CampaignRow,
  letter: Letter,
): Promise<Rest | undefined> {
  const iso = (ms: number): string => new Date(ms).toISOString()
  /** Marked, and without an answer so far. */
  const inHand = new Map<number, CampaignMailRow>()
  /** Of these, those that are not begun. */
  const ready: CampaignMailRow[] = []
  let outcomes: Outcome[] = []
  let window = connections
  let underway = 0
  let [deferredInRow, refusedInRow] = [0, 0]
  let rest: Rest | undefined
  let isHalted = false
  let isFailing = campaign.failure_code !== null
  let renewed = { positions: new Set<number>() as ReadonlySet<number>, until: '' }
  let enough = Promise.withResolvers<void>()
  let gathering: NodeJS.Timeout | undefined
  let togetherMs = together.leastMs

  const holder = () => ({
    campaign,
    owner,
    now: iso(now()),
    leaseUntil: iso(now() + leaseMs),
  })
  const goesOn = (): boolean => rest === undefined && !isHalted && !ending.aborted
  /** This process may have slept, and others have given the mail up. */
  const holds = ({ position, lease_until }: CampaignMailRow): boolean => {
    const at = iso(now())
    return (lease_until ?? '') > at || (renewed.until > at && renewed.positions.has(position))
  }

  /** Grows while the server takes most of it in a moment, and shrinks to what it takes. */
  const nextWindow = (now: number, answers: number): number =>
    answers >= now * share ? Math.min(mostMarked, now + connections) : Math.max(connections, Math.min(now, answers * 2))

  const isEnough = (): boolean => outcomes.length >= window * share || inHand.size === 0
  /** An answer is written down at once where there are others, or shortly. */
  const gather = (): void => {
    if (isEnough()) enough.resolve()
    else if (outcomes.length > 0) gathering ??= setTimeout(() => enough.resolve(), togetherMs)
  }
  const ended = (
    mail: CampaignMailRow,
    outcome: Pick<Outcome, 'state' | 'response' | 'serviceId'>,
    attempts = mail.attempts,
  ): void => {
    const isAskedAgain = outcome.state === 'deferred' && attempts > mail.attempts
    const dueAt = isAskedAgain ? iso(now() + (waitAfter(attempts) ?? 0)) : mail.due_at
    inHand.delete(mail.position)
    outcomes.push({ ...outcome, position: mail.position, attempts, dueAt })
    gather()
  }
  /** Not begun: as it was before it was marked. */
  const putBack = (mail: CampaignMailRow): void =>
    ended(mail, { state: mail.attempts === 0 ? 'pending' : 'deferred', response: mail.response })

  /** What the server says of this mail, or of all. */
  function answered(mail: CampaignMailRow, { fault, ...answer }: RecipientAnswer): void {
    if (fault !== undefined) {
      rest ??=
        fault === 'not_admitted'
          ? { code: 'mail_server_refuses_us', text: answer.response }
          : { code: 'mail_server_unreachable', text: answer.response, nextAt: iso(now() + restMs) }
      return putBack(mail)
    }
    const attempt = mail.attempts + 1
    const { state, response, serviceId } = answerTo(answer, attempt)
    deferredInRow = state === 'deferred' ? deferredInRow + 1 : 0
    refusedInRow = answer.state === 'refused' && !ofMailbox.test(response) ? refusedInRow + 1 : 0
    if (deferredInRow >= mostInRow) rest ??= { code: 'mail_server_defers', text: response, nextAt: iso(now() + restMs) }
    if (refusedInRow >= mostInRow) rest ??= { code: 'mail_server_refuses_all', text: response }
    ended(mail, { state, response, serviceId }, attempt)
  }

  async function deliver(mail: CampaignMailRow): Promise<void> {
    if (!goesOn() || !holds(mail)) return putBack(mail)
    const made = await letter(mail, now())
    if (typeof made === 'string') return ended(mail, { state: 'skipped', response: made })
    const answer = (await smtp.send(made)).get(mail.address)
    answered(mail, answer ?? { state: 'unknown', response: 'The mail server said nothing of this recipient.' })
  }

  const begin = (): void => {
    while (underway < connections * 2) {
      const mail = ready.shift()
      if (mail === undefined) return
      underway += 1
      void deliver(mail)
        // `Smtp` throws nothing: it was not begun.
        .catch((error: unknown) => {
          const incident = report(error, 'mail of a campaign')
          ended(mail, { state: 'skipped', response: `It could not be made (${incident}).` })
        })
        .finally(() => {
          underway -= 1
          begin()
        })
    }
  }

  /** Again and again where the database fails: what is known must not be lost while this process lives. */
  async function write(): Promise<Step | undefined> {
    const given = outcomes
    outcomes = []
    clearTimeout(gathering)
    gathering = undefined
    enough = Promise.withResolvers()
    for (let attempt = 1; ; attempt += 1) {
      try {
        const ended = [...given, ...outcomes].map(({ position }) => position)
        return await step(recording, holder(), {
          outcomes: given,
          most: goesOn() ? Math.max(0, window - inHand.size) : 0,
          ...(attempt === 1 ? {} : { known: [...inHand.keys(), ...ended] }),
        })
      } catch (error) {
        if (attempt === 1) report(error, 'marks of a campaign')
        if (ending.aborted && attempt > 3) throw error
        await wait(Math.min(2000, 20 * 2 ** attempt), undefined, { ref: false })
      }
    }
  }

  /** Those that go to nobody by now are not begun. */
  function take({ taken, undeliverable }: Step): void {
    for (const mail of taken) {
      inHand.set(mail.position, mail)
      const why = undeliverable.get(mail.contact_id)
      const response = why === undefined ? forbids(mail.domain) : undeliverableWords(why)
      if (response === undefined) ready.push(mail)
      else ended(mail, { state: 'skipped', response })
    }
  }

  const heartbeat = setInterval(() => {
    const held = holder()
    if (inHand.size > 0)
      renew(db, held, [...inHand.keys()]).then(
        (positions) => (renewed = { positions, until: held.leaseUntil }),
        (error: unknown) => void report(error, 'lease of a campaign'),
      )
  }, leaseMs / 3)
  heartbeat.unref()
  try {
    for (let since = performance.now(); ;) {
      const answers = outcomes.filter(({ state }) => state !== 'pending').length
      const isTaken = outcomes.some(({ state }) => state === 'accepted')
      const began = performance.now()
      const done = await write()
      togetherMs = Math.min(together.mostMs, Math.max(together.leastMs, (performance.now() - began) * patience))
      if (done === undefined) return undefined
      if (isFailing && isTaken) {
        isFailing = false
        await clearRest(db, campaign.id)
      }
      onStep(answers, performance.now() - since)
      since = performance.now()
      isHalted = done.state !== 'running'
      window = nextWindow(window, answers)
      take(done)
      begin()
      if (inHand.size === 0 && outcomes.length === 0 && (done.taken.length === 0 || !goesOn())) return rest
      gather()
      await enough.promise
    }
  } finally {
    clearInterval(heartbeat)
  }
}
