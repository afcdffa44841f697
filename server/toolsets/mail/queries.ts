// Everything that this toolset reads of its tables, as free functions with the database first.
import { z } from 'zod'
import type { SourceFile } from '../file-source.ts'
import type { ContactRow, EmailRow, MailDatabase, RecipientRow } from './schema.ts'
import { audienceOf, type AudienceFilter } from './segments/queries.ts'

const storedFiles = z.array(
  z.object({
    id: z.string(),
    name: z.string(),
    type: z.string(),
    bytes: z.number(),
    version: z.number(),
    sha256: z.string(),
  }),
)

/** A mail with its recipients, in their order, and the files that go with it. */
export interface Email extends EmailRow {
  readonly recipients: readonly RecipientRow[]
  readonly files: readonly SourceFile[]
}

const whole = async (db: MailDatabase, row: EmailRow | undefined): Promise<Email | undefined> =>
  row === undefined
    ? undefined
    : {
        ...row,
        files: storedFiles.parse(JSON.parse(row.attachments)),
        recipients: await recipientsOf(db, [row.id]),
      }

export const findEmail = async (db: MailDatabase, id: string): Promise<Email | undefined> =>
  whole(db, await db.selectFrom('mail_emails').selectAll().where('id', '=', id).executeTakeFirst())

/** The mail that the call with this idempotency key wrote. */
export const findEmailOfRun = async (db: MailDatabase, run: string): Promise<Email | undefined> =>
  whole(db, await db.selectFrom('mail_emails').selectAll().where('run', '=', run).executeTakeFirst())

export async function recipientsOf(db: MailDatabase, ids: readonly string[]): Promise<RecipientRow[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('mail_recipients')
    .selectAll()
    .where('email_id', 'in', ids)
    .orderBy('email_id')
    .orderBy('position')
    .execute()
}

/** Contacts of a tenant by the key of their address. */
export async function contactsOf(
  db: MailDatabase,
  tenant: string,
  keys: readonly string[],
): Promise<ReadonlyMap<string, ContactRow>> {
  if (keys.length === 0) return new Map()
  const rows = await db
    .selectFrom('mail_contacts')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('address_key', 'in', keys)
    .execute()
  return new Map(rows.map((row) => [row.address_key, row]))
}

/** Those of the addresses to which mail of this tenant has gone before. */
export async function mailedBefore(
  db: MailDatabase,
  tenant: string,
  keys: readonly string[],
): Promise<ReadonlySet<string>> {
  if (keys.length === 0) return new Set()
  const rows = await db
    .selectFrom('mail_recipients')
    .select('address_key')
    .where('tenant', '=', tenant)
    .where('address_key', 'in', keys)
    .where('state', '=', 'accepted')
    .union(
      db
        .selectFrom('mail_campaign_mails')
        .select('address_key')
        .where('tenant', '=', tenant)
        .where('address_key', 'in', keys)
        .where('state', '=', 'accepted'),
    )
    .execute()
  return new Set(rows.map((row) => row.address_key))
}

/** How many contacts for whom all conditions hold could get a mail, and never got one from this tenant. */
export async function countNeverMailed(db: MailDatabase, meant: AudienceFilter): Promise<number> {
  const { tenant } = meant
  const { count } = await audienceOf(db, meant)
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('undeliverable', 'is', null)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('mail_recipients as got')
            .select('got.address_key')
            .where('got.tenant', '=', tenant)
            .where('got.state', '=', 'accepted')
            .whereRef('got.address_key', '=', 'mail_contacts.address_key'),
        ),
      ),
    )
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('mail_campaign_mails as got')
            .select('got.address_key')
            .where('got.tenant', '=', tenant)
            .where('got.state', '=', 'accepted')
            .whereRef('got.address_key', '=', 'mail_contacts.address_key'),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Domains with which this tenant deals: of its contacts, to whom campaigns go, and of those who got another mail. */
export async function knownDomains(db: MailDatabase, tenant: string): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('mail_contacts')
    .select('domain')
    .where('tenant', '=', tenant)
    .union(
      db.selectFrom('mail_recipients').select('domain').where('tenant', '=', tenant).where('state', '=', 'accepted'),
    )
    .limit(5000)
    .execute()
  return rows.map(({ domain }) => domain)
}
