// One process sends mails of one campaign. Each is marked before its first byte, and what the server said is written down
// after it; marks and answers of many mails share a commit.
import type { ToolsetParts } from '../../toolset.ts'
import type { MailSettings } from '../options.ts'
import type { CampaignMailRow, CampaignRow, MailDatabase, MailRecording } from '../schema.ts'
import type { Smtp } from '../transports/smtp.ts'
import { createMailsInFlight, type MailsInFlight } from './mails-in-flight.ts'
import { retryWrite } from './retry-write.ts'
import { readMailRenderer, type MailRenderer } from './mail-renderer.ts'
import { undeliverableWords } from './start.ts'
import { renew, commitBatch, type LeaseHolder, type MailOutcome, type Batch } from './commit-batch.ts'
import { clearRest, planNext, writeRest } from './schedule.ts'
import { createAnswerClassifier, type AnswerClassifier } from './answer-classifier.ts'
import { count } from '../../say.ts'

/** Until a campaign is looked at again of which others have mails in their hands. */
const lookMs = 2_000

export interface SendingParts extends Pick<ToolsetParts, 'now' | 'report'> {
  readonly db: MailDatabase
  readonly recording: MailRecording
  readonly settings: Pick<MailSettings, 'policy'>
  readonly smtp: Smtp
  /** Connections to the mail server. */
  readonly connections: number
  /** The rule that mail to this domain breaks, in words: operators may have changed it since it was confirmed. */
  readonly forbids: (domain: string) => string | undefined
  readonly owner: string
  readonly leaseMs: number
  /** How long answers are kept for a database that does not take them. */
  readonly keepMs: number
  /** Aborted when the server ends: nothing more is begun. */
  readonly ending: AbortSignal
  /** Called whenever answers have been written down: so many, that took so many milliseconds. */
  readonly onBatch: (answers: number, ms: number) => void
}

/** Sends what is due of a campaign, until nothing is, it is halted, or nothing may go out just now. */
export async function sendCampaign(parts: SendingParts, campaign: CampaignRow): Promise<void> {
  const { db, now } = parts
  const iso = (ms: number): string => new Date(ms).toISOString()
  const render = await readMailRenderer(campaign)
  const classifier = createAnswerClassifier(campaign, now)
  if (typeof render === 'string') classifier.restsFor({ code: 'template_unreadable', text: render })
  else await sendDue(parts, campaign, render, classifier)
  // Connections that were closed on purpose say nothing of the mail server.
  if (parts.ending.aborted) return
  const rest = classifier.rest()
  if (rest === undefined) await planNext(db, campaign.id, iso(now()), iso(now() + lookMs))
  else await writeRest(db, campaign.id, rest, { now: iso(now()), putOff: classifier.putOff() })
}

async function sendDue(
  parts: SendingParts,
  campaign: CampaignRow,
  render: MailRenderer,
  classifier: AnswerClassifier,
): Promise<void> {
  const inFlight = createMailsInFlight(parts.connections)
  const lease = holdLease(parts, campaign, inFlight)
  let isHalted = false
  const goesOn = (): boolean => classifier.rest() === undefined && !isHalted && !parts.ending.aborted
  const line = createLine(parts, {
    /** Not begun where this process may have slept, and others have given the mail up. */
    send: (mail) =>
      goesOn() && lease.holds(mail) ? sendOne(parts.smtp, render, classifier, mail, parts.now()) : undefined,
    ended: (mail, outcome) => inFlight.answer(outcome ?? classifier.asBefore(mail)),
  })
  let isFailing = campaign.failure_code !== null
  try {
    for (let since = performance.now(); ;) {
      const outcomes = inFlight.takeAnswers()
      const began = performance.now()
      const done = await writeDown(parts, lease.holder(), inFlight, outcomes, goesOn)
      if (done === undefined) return
      isHalted = done.state !== 'running'
      if (done.full !== undefined) classifier.restsFor(done.full)
      if (isFailing && outcomes.some(({ state }) => state === 'accepted')) {
        isFailing = false
        await clearRest(parts.db, campaign.id)
      }
      const answers = outcomes.filter(({ state }) => state !== 'pending').length
      inFlight.adapt(answers, performance.now() - began)
      parts.onBatch(answers, performance.now() - since)
      since = performance.now()
      for (const mail of done.taken) {
        inFlight.add(mail)
        const why = whyNotNow(parts, done, mail)
        if (why === undefined) line.add(mail)
        else inFlight.answer(skipped(mail, why))
      }
      if (inFlight.isEmpty() && (done.taken.length === 0 || !goesOn())) return
      await inFlight.worthACommit()
    }
  } finally {
    lease.end()
  }
}

/** Answers and marks in one commit, again and again where the database fails. */
const writeDown = (
  { recording, settings, report, keepMs, ending }: SendingParts,
  holder: () => LeaseHolder,
  inFlight: MailsInFlight,
  outcomes: readonly MailOutcome[],
  goesOn: () => boolean,
): Promise<Batch | undefined> =>
  retryWrite(
    {
      report,
      keepMs,
      ending,
      what: `What became of ${count(outcomes.length, 'mail')} of the campaign ${holder().campaign.id}`,
    },
    (attempt) =>
      commitBatch(recording, settings, holder(), {
        outcomes,
        most: goesOn() ? inFlight.room() : 0,
        ...(attempt === 1 ? {} : { known: [...inFlight.known(), ...outcomes.map(({ position }) => position)] }),
      }),
  )

/** Says again and again that this process is still at the mails that it has marked. */
function holdLease({ db, now, report, owner, leaseMs }: SendingParts, campaign: CampaignRow, inFlight: MailsInFlight) {
  const iso = (ms: number): string => new Date(ms).toISOString()
  const holder = (): LeaseHolder => ({ campaign, owner, now: iso(now()), leaseUntil: iso(now() + leaseMs) })
  let renewed = { positions: new Set<number>() as ReadonlySet<number>, until: '' }
  const heartbeat = setInterval(() => {
    const [held, open] = [holder(), inFlight.open()]
    if (open.length > 0)
      renew(db, held, open).then(
        (positions) => (renewed = { positions, until: held.leaseUntil }),
        (error: unknown) => void report(error, 'lease of a campaign'),
      )
  }, leaseMs / 3)
  heartbeat.unref()
  return {
    holder: () => holder,
    holds({ position, lease_until }: CampaignMailRow): boolean {
      const at = iso(now())
      return (lease_until ?? '') > at || (renewed.until > at && renewed.positions.has(position))
    },
    end: () => clearInterval(heartbeat),
  }
}

/** Mails that wait for a connection, and those that have one. */
function createLine(
  { connections, report }: SendingParts,
  {
    send,
    ended,
  }: {
    /** Nothing where it is not begun. */
    readonly send: (mail: CampaignMailRow) => Promise<MailOutcome> | undefined
    readonly ended: (mail: CampaignMailRow, outcome: MailOutcome | undefined) => void
  },
) {
  const waiting: CampaignMailRow[] = []
  let underway = 0
  const run = async (mail: CampaignMailRow): Promise<void> => {
    try {
      ended(mail, await send(mail))
    } catch (error) {
      // `Smtp` throws nothing: it was not begun.
      ended(mail, skipped(mail, `It could not be made (${report(error, 'mail of a campaign')}).`))
    }
    underway -= 1
    begin()
  }
  const begin = (): void => {
    while (underway < connections * 2) {
      const mail = waiting.shift()
      if (mail === undefined) return
      underway += 1
      void run(mail)
    }
  }
  return {
    add(mail: CampaignMailRow): void {
      waiting.push(mail)
      begin()
    },
  }
}

/** Makes a mail, hands it over, and reads what the server says. */
async function sendOne(
  smtp: Smtp,
  render: MailRenderer,
  classifier: AnswerClassifier,
  mail: CampaignMailRow,
  at: number,
): Promise<MailOutcome> {
  const made = await render(mail, at)
  if (typeof made === 'string') return skipped(mail, made)
  const answer = (await smtp.send(made)).get(mail.address)
  return classifier.classify(
    mail,
    answer ?? { state: 'unknown', response: 'The mail server said nothing of this recipient.' },
  )
}

/** Why a mail that was marked goes to nobody by now. */
function whyNotNow({ forbids }: SendingParts, { undeliverable }: Batch, mail: CampaignMailRow): string | undefined {
  const why = undeliverable.get(mail.contact_id)
  return why === undefined ? forbids(mail.domain) : undeliverableWords(why)
}

const skipped = ({ position, attempts, due_at: dueAt }: CampaignMailRow, response: string): MailOutcome => ({
  position,
  state: 'skipped',
  response,
  attempts,
  dueAt,
})
