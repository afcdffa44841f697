// When recipients of a tenant got mail, by whichever tool: quotas are asked of this. What a mail server has answered for is
// counted by the minute, in the transaction that writes the answers down; what waits for its time is asked of the mails.
import { sql } from 'kysely'
import type { MailDatabase } from './schema.ts'

export interface QuotaUse {
  readonly at: number
  readonly recipients: number
}

/** So long it is remembered when mail left, in milliseconds: the longest span of a quota, and some more. */
const keptMs = 26 * 3_600_000

const minuteOf = (at: string): string => at.slice(0, 16)

/** So many recipients have got mail now, or may have. */
export async function recordSent(
  transaction: MailDatabase,
  tenant: string,
  at: string,
  recipients: number,
): Promise<void> {
  if (recipients === 0) return
  const past = minuteOf(new Date(Date.parse(at) - keptMs).toISOString())
  await transaction.deleteFrom('mail_departures').where('tenant', '=', tenant).where('minute', '<', past).execute()
  await transaction
    .insertInto('mail_departures')
    .values({ tenant, minute: minuteOf(at), recipients })
    .onConflict((conflict) =>
      conflict
        .columns(['tenant', 'minute'])
        .doUpdateSet((eb) => ({ recipients: eb('mail_departures.recipients', '+', recipients) })),
    )
    .execute()
}

/** Of which time it is asked. */
export interface UsageWindow {
  readonly tenant: string
  readonly now: number
  readonly at: number
  /** So long before and after `at`, in milliseconds. */
  readonly span: number
  /** A mail that waits for more recipients never goes out, and keeps no room (`outbox/too-large.ts`). */
  readonly largest: number
  /** A mail that does not count. */
  readonly except?: string | undefined
}

/**
 * Recipients who got mail or will within a span around a moment, in the order of the times of each. One statement, and so one
 * moment of the database: a mail that is answered for while this looks goes from one of the three to another.
 */
export async function quotaUsage(db: MailDatabase, window: UsageWindow): Promise<readonly QuotaUse[]> {
  const { now, at, span } = window
  const rows = await alreadySent(db, window).unionAll(waitingMails(db, window)).unionAll(inFlight(db, window)).execute()
  return rows
    .map(({ kind, moment, recipients }) => ({
      at: kind === 'gone' ? Date.parse(moment) : kind === 'held' ? now : Math.max(now, Date.parse(moment)),
      recipients: Number(recipients),
    }))
    .filter((each) => each.recipients > 0 && each.at > at - span)
    .toSorted((a, b) => a.at - b.at)
}

/** Minutes are enough for an hour, and ten of them for a day. A time in one is its last, so that nobody goes too early. */
function alreadySent(db: MailDatabase, { tenant, at, span }: UsageWindow) {
  const [digits, lastOf] = span > 7_200_000 ? [15, '9:59.999Z'] : [16, ':59.999Z']
  const begin = sql`substr(minute, 1, ${sql.lit(digits)})`
  return db
    .selectFrom('mail_departures')
    .select((eb) => [
      sql<'gone' | 'waiting' | 'held'>`'gone'`.as('kind'),
      sql<string>`${begin} || ${sql.lit(lastOf)}`.as('moment'),
      eb.cast<number | string>(eb.fn.sum('recipients'), 'bigint').as('recipients'),
    ])
    .where('tenant', '=', tenant)
    .where('minute', '>=', minuteOf(new Date(at - span).toISOString()).slice(0, digits))
    .groupBy(begin)
}

/** Mails that go out later, or again; those that should have gone by now go at once. */
const waitingMails = (db: MailDatabase, { tenant, at, span, largest, except = '' }: UsageWindow) =>
  db
    .selectFrom('mail_emails as email')
    .innerJoin('mail_recipients as recipient', 'recipient.email_id', 'email.id')
    .select((eb) => [
      sql<'gone' | 'waiting' | 'held'>`'waiting'`.as('kind'),
      'email.due_at as moment',
      eb.fn.countAll<number | string>().as('recipients'),
    ])
    .where('email.state', 'in', ['scheduled', 'sending'])
    .where('email.due_at', '<', new Date(at + span).toISOString())
    .where('email.tenant', '=', tenant)
    .where('email.id', '!=', except)
    .where('recipient.state', 'in', ['pending', 'deferred'])
    .groupBy(['email.id', 'email.due_at', 'email.state'])
    .having((eb) => eb.or([eb('email.state', '=', 'sending'), eb(eb.fn.countAll(), '<=', largest)]))

/** Mails of campaigns that somebody has in hand just now. */
export const inFlight = (db: MailDatabase, { tenant }: UsageWindow) =>
  db
    .selectFrom('mail_campaign_mails')
    .select((eb) => [
      sql<'gone' | 'waiting' | 'held'>`'held'`.as('kind'),
      sql<string>`''`.as('moment'),
      eb.fn.countAll<number | string>().as('recipients'),
    ])
    // By the index of these few, which says it so. Where it may, SQLite reads all mails that the tenant ever had, by that of
    // their addresses; it may not where the column is in an expression.
    .where('state', '=', sql.lit('sending'))
    .where(sql`tenant || ''`, '=', tenant)
