// A mail is written down before the first byte of it goes out, and what the server answered is written down for each
// recipient after that. Whoever sends a mail holds it by a lease in its row, so that two processes never send one mail; a
// mail whose holder is gone before its first byte is sent by another one; behind that it may have gone out, and is `unknown`.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import type { ToolsetParts } from '../../toolset.ts'
import { readAttachments } from '../send-external/attachments.ts'
import { answerTo, waitAfter } from './attempts.ts'
import { renderBody } from '../send-external/body.ts'
import { recordSent } from '../quota-usage.ts'
import type { MailSettings } from '../options.ts'
import type { Obstacle } from '../policy.ts'
import { takeDue } from './due.ts'
import { findEmail, recipientsOf, type Email } from '../queries.ts'
import type { EmailRow, EmailState, MailDatabase, MailRecording, MailTables, RecipientRow } from '../schema.ts'
import { openOf, outgoingMail } from './outgoing.ts'
import { sentLater } from './sent-later.ts'
import { endTooLarge } from './too-large.ts'
import { stateOf, withheld } from './withheld.ts'
import type { OutgoingMail, RecipientAnswer, Smtp } from '../transports/smtp.ts'

const minuteMs = 60_000

interface OutboxOptions extends OutboxTimes, Pick<ToolsetParts, 'now' | 'files' | 'report'> {
  readonly db: MailDatabase
  readonly recording: MailRecording
  readonly smtp: Smtp
  /** Connections to the mail server. */
  readonly connections: number
  readonly settings: Pick<MailSettings, 'policy'>
  /** The rule that these recipients break by now: operators may have changed it since a mail was scheduled. */
  readonly forbids: (recipients: readonly RecipientRow[]) => Obstacle | undefined
}

/** In milliseconds. */
export interface OutboxTimes {
  /** How long a process may be silent about a mail that it sends. */
  readonly leaseMs?: number
  /** How long the end of a server waits for mails that are being sent. */
  readonly patienceMs?: number
  /** How often mails that are due are looked for. */
  readonly lookMs?: number
}

export interface Outbox {
  /** Columns of a mail that this process sends as soon as its row is written. */
  held(): Pick<EmailRow, 'owner' | 'lease_until' | 'begun'>
  /** Sends a mail that this process holds, for the call that wrote it, and writes down what became of it. */
  deliver(id: string): Promise<void>
  /** Sends what is due and settles what nobody holds any more; done by itself, without waiting for one before the next. */
  work(): Promise<void>
  /** Ends that, and waits for what has begun. */
  close(): Promise<void>
}

/** The call that wrote a mail sends it, or else the timer. */
type Sender = 'call' | 'timer'

export function createOutbox({
  db,
  recording,
  settings,
  now,
  files,
  report,
  smtp,
  connections,
  forbids,
  leaseMs = 2 * minuteMs,
  patienceMs = 20_000,
  lookMs = 2_000,
}: OutboxOptions): Outbox {
  const owner = randomUUID()
  const inFlight = new Map<string, Promise<void>>()
  const iso = (ms: number): string => new Date(ms).toISOString()
  const lease = (): string => iso(now() + leaseMs)
  const held = () => ({ owner, lease_until: lease(), begun: 0 })

  /** False once the mail is in other hands. */
  const holds = async (id: string, more: Partial<EmailRow> = {}): Promise<boolean> =>
    (
      await db
        .updateTable('mail_emails')
        .set({ lease_until: lease(), ...more })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('state', '=', 'sending')
        .executeTakeFirst()
    ).numUpdatedRows === 1n

  async function deliver(id: string, by: Sender): Promise<void> {
    const email = await findEmail(db, id)
    if (email?.owner !== owner || email.state !== 'sending') return
    const heartbeat = setInterval(
      () => void holds(id).catch((error: unknown) => report(error, 'lease of a mail')),
      leaseMs / 3,
    )
    try {
      const mail = await prepared(email).catch((error: unknown) => {
        // Nobody has it, so it is asked again as one that was refused for now.
        const incident = report(error, 'mail')
        const response = `Nothing was sent, because of a fault of this server (${incident}).`
        return new Map(openOf(email).map((address) => [address, { state: 'deferred', response } as const]))
      })
      if (mail === undefined) return
      if ('code' in mail) return await withhold(email, mail.code, mail.why, by)
      await settle(email, mail instanceof Map ? mail : await smtp.send(mail), by)
    } finally {
      clearInterval(heartbeat)
    }
  }

  /** What goes to the mail server, why nothing does, or nothing where it is in other hands. */
  async function prepared(
    email: Email,
  ): Promise<OutgoingMail | { readonly code: string; readonly why: string } | undefined> {
    const rule = forbids(email.recipients)
    if (rule !== undefined) return { code: rule.code, why: `${rule.title} ${rule.text}` }
    const attachments = await readAttachments(files(), email)
    if (typeof attachments === 'string') return { code: 'confirmation_required', why: attachments }
    const mail = outgoingMail(email, await renderBody(email.body), attachments)
    // The last step before the first byte: this process may have slept, and others have given the mail up.
    return (await holds(email.id, { begun: 1 })) ? mail : undefined
  }

  /** Also a mail that others have meanwhile called unknown: this process knows. */
  async function settle(email: Email, answers: ReadonlyMap<string, RecipientAnswer>, by: Sender): Promise<void> {
    const attempts = email.attempts + 1
    const recipients = email.recipients.map((recipient): RecipientRow => {
      const answer = answers.get(recipient.address)
      if (answer === undefined) return recipient
      const { state, response, serviceId = null } = answerTo(answer, attempts)
      return { ...recipient, state, response, service_id: serviceId }
    })
    const state = stateOf(recipients)
    const end = state === 'scheduled' ? { due_at: iso(now() + (waitAfter(attempts) ?? 0)) } : { ended_at: iso(now()) }
    const answered = [...answers.keys()].filter((address) => !openOf({ recipients }).includes(address)).length
    await writeDown({ ...email, recipients, state, attempts }, { attempts, ...end }, by, answered)
  }

  async function withhold(email: Email, code: string, failure: string, by: Sender): Promise<void> {
    const { columns, recipients } = withheld(email, code, failure)
    await writeDown({ ...email, ...columns, recipients }, { ...columns, ended_at: iso(now()) }, by)
  }

  /** What a mail has come to, unless it is in other hands by now; what the timer has come to is on record with it. */
  async function writeDown(email: Email, columns: Partial<EmailRow>, by: Sender, answered = 0): Promise<void> {
    await recording(async (transaction, record) => {
      const end = async (from: EmailState): Promise<boolean> =>
        (
          await transaction
            .updateTable('mail_emails')
            .set((eb) => ({
              ...columns,
              state: email.state,
              owner: null,
              lease_until: null,
              begun: null,
              version: eb('version', '+', 1),
            }))
            .where('id', '=', email.id)
            .where('owner', '=', owner)
            .where('state', '=', from)
            .executeTakeFirst()
        ).numUpdatedRows === 1n
      const wasHeld = await end('sending')
      if (!wasHeld && !(await end('unknown'))) return
      if (wasHeld) await recordSent(transaction, email.tenant, iso(now()), answered)
      for (const { position, state, response, service_id } of email.recipients)
        await transaction
          .updateTable('mail_recipients')
          .set({ state, response, service_id })
          .where('email_id', '=', email.id)
          .where('position', '=', position)
          .execute()
      // The row of a call that sends a mail itself says what became of that; that it is unknown may be on record by now.
      if ((by === 'timer' && email.state !== 'scheduled') || !wasHeld) record(sentLater(email))
    })
  }

  /** Their holder is gone, or was silent for longer than its lease. The holder itself may still say what became of one. */
  async function giveUpLost(): Promise<void> {
    const at = iso(now())
    const isLost = (eb: ExpressionBuilder<MailTables, 'mail_emails'>) =>
      eb('state', '=', 'sending').and('lease_until', '<', at)
    // A statement that changes nothing would still wait for whoever writes.
    if ((await db.selectFrom('mail_emails').select('id').where(isLost).executeTakeFirst()) === undefined) return
    await recording(async (transaction, record) => {
      await transaction
        .updateTable('mail_emails')
        .set((eb) => ({ state: 'scheduled', owner: null, lease_until: null, version: eb('version', '+', 1) }))
        .where(isLost)
        .where('begun', '=', 0)
        .execute()
      const lost = await transaction
        .updateTable('mail_emails')
        .set((eb) => ({ state: 'unknown', version: eb('version', '+', 1) }))
        .where(isLost)
        .returningAll()
        .execute()
      const ids = lost.map(({ id }) => id)
      if (lost.length === 0) return
      await transaction
        .updateTable('mail_recipients')
        .set({ state: 'unknown', response: 'The process that sent it ended before it wrote down an answer.' })
        .where('email_id', 'in', ids)
        .where('state', 'in', ['pending', 'deferred'])
        .execute()
      const recipients = Map.groupBy(await recipientsOf(transaction, ids), ({ email_id }) => email_id)
      for (const row of lost) {
        const those = recipients.get(row.id) ?? []
        const unknown = those.filter(({ state }) => state === 'unknown').length
        await recordSent(transaction, row.tenant, at, unknown)
        record(sentLater({ ...row, recipients: those }))
      }
    })
  }

  /** One delivery of each mail at a time; a second caller waits for the first. */
  const once = (id: string, by: Sender): Promise<void> => {
    const running = inFlight.get(id) ?? deliver(id, by).finally(() => inFlight.delete(id))
    inFlight.set(id, running)
    return running
  }

  /** Begins what is due; answers the ends of what it has begun. */
  const begin = async (): Promise<readonly Promise<void>[]> => {
    await giveUpLost()
    await endTooLarge({ db, recording, settings, now })
    const room = Math.max(0, connections - inFlight.size)
    return (await takeDue({ db, settings, now, held }, room)).map((id) => once(id, 'timer'))
  }
  let isOpen = true
  let looking: Promise<void> | undefined
  /** Nobody waits for a mail whose server is silent: each makes room for the next when it ends. */
  const look = (): Promise<void> =>
    (looking ??= begin()
      .then((begun) => {
        for (const end of begun)
          end.catch((error: unknown) => void report(error, 'outbox')).finally(() => isOpen && void look())
      })
      .catch((error: unknown) => void report(error, 'outbox'))
      .finally(() => (looking = undefined)))
  const timer = setInterval(() => void look(), lookMs)
  timer.unref()

  return {
    held,
    deliver: (id) => once(id, 'call'),
    async work() {
      for (let begun = await begin(); begun.length > 0; begun = await begin()) await Promise.all(begun)
    },
    async close() {
      isOpen = false
      clearInterval(timer)
      const over = (ms: number) =>
        Promise.race([Promise.allSettled([looking, ...inFlight.values()]), wait(ms, undefined, { ref: false })])
      await over(patienceMs)
      // What has no answer by now is unknown, and there is a moment to write that down.
      smtp.close()
      await over(1000)
    },
  }
}
