// A mail is written down before the first byte of it goes out, and what the server answered is written down for each
// recipient after that. Whoever sends a mail holds it by a lease in its row, so that two processes never send one mail; a
// mail whose holder is gone may have gone out, and is `unknown` from then on.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import type { ExpressionBuilder } from 'kysely'
import type { ToolsetParts } from '../toolset.ts'
import { readAttachments } from './attachments.ts'
import { answerTo, waitAfter } from './attempts.ts'
import { renderBody } from './body.ts'
import type { Obstacle } from './policy.ts'
import { findEmail, type Email } from './queries.ts'
import type { EmailRow, EmailState, MailDatabase, MailTables, RecipientRow } from './schema.ts'
import type { RecipientAnswer, Smtp } from './smtp.ts'

const minuteMs = 60_000
/** How often mails that are due are looked for. */
const lookMs = 2_000
/** Mails of one look. */
const atOnce = 20

interface OutboxOptions extends OutboxTimes, Pick<ToolsetParts, 'now' | 'files' | 'report'> {
  readonly db: MailDatabase
  readonly smtp: Smtp
  /** The rule that these recipients break by now: operators may have changed it since a mail was scheduled. */
  readonly forbids: (recipients: readonly RecipientRow[]) => Obstacle | undefined
}

/** In milliseconds. */
export interface OutboxTimes {
  /** How long a process may be silent about a mail that it sends. */
  readonly leaseMs?: number
  /** How long the end of a server waits for mails that are being sent. */
  readonly patienceMs?: number
}

export interface Outbox {
  /** Columns of a mail that this process sends as soon as its row is written. */
  held(): Pick<EmailRow, 'owner' | 'lease_until'>
  /** Sends a mail that this process holds, once, and writes down what became of it. */
  deliver(id: string): Promise<void>
  /** Sends what is due and settles what nobody holds any more; done by itself every two seconds. */
  work(): Promise<void>
  /** Ends that, and waits for what has begun. */
  close(): Promise<void>
}

export function createOutbox({
  db,
  now,
  files,
  report,
  smtp,
  forbids,
  leaseMs = 2 * minuteMs,
  patienceMs = 20_000,
}: OutboxOptions): Outbox {
  const owner = randomUUID()
  const inHands = new Map<string, Promise<void>>()
  const iso = (ms: number): string => new Date(ms).toISOString()
  const lease = (): string => iso(now() + leaseMs)

  /** False once the mail is in other hands. */
  const holds = async (id: string): Promise<boolean> =>
    (
      await db
        .updateTable('mail_emails')
        .set({ lease_until: lease() })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('state', '=', 'sending')
        .executeTakeFirst()
    ).numUpdatedRows === 1n

  async function deliver(id: string): Promise<void> {
    const email = await findEmail(db, id)
    if (email?.owner !== owner || email.state !== 'sending') return
    const heartbeat = setInterval(
      () => void holds(id).catch((error: unknown) => report(error, 'lease of a mail')),
      leaseMs / 3,
    )
    try {
      const rule = forbids(email.recipients)
      if (rule !== undefined) return await withhold(email, rule.code, `${rule.title} ${rule.text}`)
      const attachments = await readAttachments(files(), email)
      if (typeof attachments === 'string') return await withhold(email, 'confirmation_required', attachments)
      const { text, html } = await renderBody(email.body)
      const inHeader = (role: RecipientRow['role']) =>
        email.recipients
          .filter((each) => each.role === role)
          .map(({ name, address }) => ({ name: name ?? '', address }))
      // The last step before the first byte: this process may have slept, and others have given the mail up.
      if (!(await holds(id))) return
      const answers = await smtp.send({
        messageId: email.message_id,
        date: email.leaves_at,
        from: { name: email.sender_name, address: email.sender_address },
        replyTo: email.reply_to,
        to: inHeader('to'),
        cc: inHeader('cc'),
        subject: email.subject,
        text,
        html,
        attachments,
        recipients: email.recipients.filter(isOpen).map(({ address }) => address),
      })
      await settle(email, answers)
    } finally {
      clearInterval(heartbeat)
    }
  }

  /** Also a mail that others have meanwhile called unknown: this process knows. */
  async function settle(email: Email, answers: ReadonlyMap<string, RecipientAnswer>): Promise<void> {
    const attempt = email.attempts + 1
    const after = email.recipients.map((recipient): RecipientRow => {
      const answer = answers.get(recipient.address)
      if (answer === undefined) return recipient
      const { state, response } = answerTo(answer, attempt)
      return { ...recipient, state, response }
    })
    await db.transaction().execute(async (transaction) => {
      for (const { position, state, response } of after)
        await transaction
          .updateTable('mail_recipients')
          .set({ state, response })
          .where('email_id', '=', email.id)
          .where('position', '=', position)
          .execute()
      const state = stateOf(after)
      await transaction
        .updateTable('mail_emails')
        .set((eb) => ({
          state,
          attempts: attempt,
          owner: null,
          lease_until: null,
          version: eb('version', '+', 1),
          ...(state === 'scheduled' ? { due_at: iso(now() + (waitAfter(attempt) ?? 0)) } : { ended_at: iso(now()) }),
        }))
        .where('id', '=', email.id)
        .where('owner', '=', owner)
        .where('state', 'in', ['sending', 'unknown'])
        .execute()
    })
  }

  /** Nothing more of it goes out: what was confirmed is not there any more, or may not leave. Who got it before, has it. */
  async function withhold(email: Email, code: string, failure: string): Promise<void> {
    const after = email.recipients.map((recipient): RecipientRow =>
      isOpen(recipient) ? { ...recipient, state: 'refused', response: failure } : recipient,
    )
    await db.transaction().execute(async (transaction) => {
      const { numUpdatedRows } = await transaction
        .updateTable('mail_emails')
        .set((eb) => ({
          state: stateOf(after),
          failure_code: code,
          failure_text: failure,
          ended_at: iso(now()),
          owner: null,
          lease_until: null,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', email.id)
        .where('owner', '=', owner)
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return
      await transaction
        .updateTable('mail_recipients')
        .set({ state: 'refused', response: failure })
        .where('email_id', '=', email.id)
        .where('state', 'in', ['pending', 'deferred'])
        .execute()
    })
  }

  /** Mails that are due and that no other process has taken; with each comes the right to send it. */
  async function takeDue(): Promise<readonly string[]> {
    const due = await db
      .selectFrom('mail_emails')
      .select('id')
      .where('state', '=', 'scheduled')
      .where('due_at', '<=', iso(now()))
      .orderBy('due_at')
      .limit(atOnce)
      .execute()
    const taken: string[] = []
    for (const { id } of due) {
      const { numUpdatedRows } = await db
        .updateTable('mail_emails')
        .set((eb) => ({ state: 'sending', owner, lease_until: lease(), version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .where('state', '=', 'scheduled')
        .where('due_at', '<=', iso(now()))
        .executeTakeFirst()
      if (numUpdatedRows === 1n) taken.push(id)
    }
    return taken
  }

  /** Their holder is gone, or was silent for longer than its lease. The holder itself may still say what became of one. */
  async function giveUpLost(): Promise<void> {
    const at = iso(now())
    const isLost = (eb: ExpressionBuilder<MailTables, 'mail_emails'>) =>
      eb('state', '=', 'sending').and('lease_until', '<', at)
    // A statement that changes nothing would still wait for whoever writes.
    if ((await db.selectFrom('mail_emails').select('id').where(isLost).executeTakeFirst()) === undefined) return
    const lost = await db
      .updateTable('mail_emails')
      .set((eb) => ({ state: 'unknown', version: eb('version', '+', 1) }))
      .where(isLost)
      .returning('id')
      .execute()
    if (lost.length === 0) return
    await db
      .updateTable('mail_recipients')
      .set({ state: 'unknown', response: 'The process that sent it ended before it wrote down an answer.' })
      .where(
        'email_id',
        'in',
        lost.map(({ id }) => id),
      )
      .where('state', 'in', ['pending', 'deferred'])
      .execute()
  }

  /** One delivery of each mail at a time; a second caller waits for the first. */
  const once = (id: string): Promise<void> => {
    const running = inHands.get(id) ?? deliver(id).finally(() => inHands.delete(id))
    inHands.set(id, running)
    return running
  }

  let working: Promise<void> | undefined
  const work = async (): Promise<void> => {
    await giveUpLost()
    await Promise.all((await takeDue()).map(once))
  }
  const looking = setInterval(() => {
    working ??= work()
      .catch((error: unknown) => void report(error, 'outbox'))
      .finally(() => (working = undefined))
  }, lookMs)
  looking.unref()

  return {
    held: () => ({ owner, lease_until: lease() }),
    deliver: once,
    work,
    async close() {
      clearInterval(looking)
      const over = (ms: number) =>
        Promise.race([Promise.allSettled([working, ...inHands.values()]), wait(ms, undefined, { ref: false })])
      await over(patienceMs)
      // What has no answer by now is unknown, and there is a moment to write that down.
      smtp.close()
      await over(1000)
    },
  }
}

/** Whether a recipient is still to be asked. */
const isOpen = ({ state }: RecipientRow): boolean => state === 'pending' || state === 'deferred'

/** What a mail is as a whole. */
function stateOf(recipients: readonly RecipientRow[]): EmailState {
  if (recipients.some(isOpen)) return 'scheduled'
  if (recipients.some(({ state }) => state === 'unknown')) return 'unknown'
  return recipients.some(({ state }) => state === 'accepted') ? 'sent' : 'failed'
}
