// The tables of the mail toolset.
import { sql } from 'kysely'
import type { Migration } from 'kysely/migration'
import { addColumn, migrateTables, optional, required, tableMaker } from '../migrate-tables.ts'
import { folded, foldedFields } from './contacts/folded.ts'
import type { MailDatabase } from './schema.ts'

/**
 * Creates the tables where they are missing.
 * @throws the database's own error when it still fails after several attempts.
 */
export const migrate = (db: MailDatabase): Promise<void> => migrateTables(db, 'mail_', migrations)

const migrations: Readonly<Record<string, Migration>> = {
  '001-tables': { up: (db: MailDatabase) => tables(db) },
  '002-templates': { up: (db: MailDatabase) => templates(db) },
  '004-drafts': { up: (db: MailDatabase) => drafts(db) },
  '003-campaigns': { up: (db: MailDatabase) => campaigns(db) },
  '005-begun': { up: (db: MailDatabase) => addColumn(db, 'mail_emails', 'begun', 'integer') },
  '006-folded': { up: (db: MailDatabase) => foldContacts(db) },
  '007-service-ids': { up: (db: MailDatabase) => serviceIds(db) },
  '008-departures': { up: (db: MailDatabase) => departures(db) },
}

async function tables(db: MailDatabase): Promise<void> {
  const { create, versioned, keyed, runs } = tableMaker(db, 'mail_')
  await versioned('emails', 'id')
    .$call(
      required(
        'text',
        'tenant',
        'created_by',
        'created_at',
        'due_at',
        'leaves_at',
        'state',
        'message_id',
        'sender_name',
        'sender_address',
        'subject',
        'body',
      ),
    )
    .$call(required('text', 'attachments', 'run'))
    .$call(required('integer', 'attempts'))
    .$call(optional('text', 'reply_to', 'project_id', 'owner', 'lease_until', 'ended_at', 'failure_code'))
    .$call(optional('text', 'failure_text'))
    .execute()
  await create('recipients')
    .$call(required('text', 'email_id', 'tenant', 'role', 'address', 'address_key', 'domain', 'state'))
    .$call(required('integer', 'position'))
    .$call(optional('text', 'name', 'response'))
    .addPrimaryKeyConstraint('mail_recipients_key', ['email_id', 'position'])
    .execute()
  await versioned('contacts', 'id')
    .$call(required('text', 'tenant', 'address', 'address_key', 'domain', 'created_at'))
    .$call(optional('text', 'name', 'first_name', 'last_name', 'company', 'note', 'undeliverable'))
    .addUniqueConstraint('mail_contacts_once', ['tenant', 'address_key'])
    .execute()
  await keyed('turns', 'tenant').$call(required('integer', 'turns')).execute()
  await runs().execute()
  const index = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(`mail_${name}`).ifNotExists().on(`mail_${table}`).columns(columns).execute()
  await index('emails_by_due', 'emails', ['state', 'due_at'])
  await index('emails_by_run', 'emails', ['run'])
  await index('emails_by_tenant', 'emails', ['tenant', 'created_at'])
  await index('recipients_by_address', 'recipients', ['tenant', 'address_key'])
}

async function templates(db: MailDatabase): Promise<void> {
  const { versioned } = tableMaker(db, 'mail_')
  await versioned('templates', 'id')
    .$call(required('text', 'tenant', 'name', 'subject', 'body', 'variables', 'fallbacks', 'created_at', 'updated_at'))
    .$call(optional('text', 'description'))
    .addUniqueConstraint('mail_templates_once', ['tenant', 'name'])
    .execute()
  await versioned('segments', 'id')
    .$call(required('text', 'tenant', 'name', 'conditions', 'created_at'))
    .$call(optional('text', 'description'))
    .addUniqueConstraint('mail_segments_once', ['tenant', 'name'])
    .execute()
}

async function campaigns(db: MailDatabase): Promise<void> {
  const { create, keyed, versioned } = tableMaker(db, 'mail_')
  await versioned('campaigns', 'id')
    .$call(required('text', 'tenant', 'created_by', 'created_at', 'run', 'template_id', 'template_name', 'segment_id'))
    .$call(required('text', 'segment_name', 'sender_name', 'sender_address', 'subject', 'body', 'variables'))
    .$call(required('text', 'fallbacks', 'given', 'due_at', 'next_at', 'state'))
    .$call(optional('text', 'reply_to', 'ended_at', 'failure_code', 'failure_text'))
    .addUniqueConstraint('mail_campaigns_once', ['run'])
    .execute()
  await create('campaign_mails')
    .$call(required('text', 'campaign_id', 'tenant', 'contact_id', 'address', 'address_key', 'domain', 'state'))
    .$call(required('integer', 'position', 'attempts'))
    .$call(required('text', 'due_at'))
    .$call(optional('text', 'name', 'first_name', 'last_name', 'company', 'response', 'owner', 'lease_until'))
    .$call(optional('text', 'ended_at'))
    .addPrimaryKeyConstraint('mail_campaign_mails_key', ['campaign_id', 'position'])
    .execute()
  await keyed('rates', 'id')
    .$call(required('integer', 'mails', 'busy_ms'))
    .execute()
  const index = (name: string, table: string, columns: string[]) =>
    db.schema.createIndex(`mail_${name}`).ifNotExists().on(`mail_${table}`).columns(columns)
  await index('campaigns_by_tenant', 'campaigns', ['tenant', 'created_at']).execute()
  await index('campaigns_by_next', 'campaigns', ['state', 'next_at']).execute()
  await index('campaign_mails_by_due', 'campaign_mails', ['campaign_id', 'state', 'due_at', 'position']).execute()
  await index('campaign_mails_by_address', 'campaign_mails', ['tenant', 'address_key']).execute()
  // A few rows at any time: those that a process has in its hands.
  await index('campaign_mails_by_lease', 'campaign_mails', ['lease_until'])
    .where(sql.ref('state'), '=', sql.lit('sending'))
    .execute()
}

async function drafts(db: MailDatabase): Promise<void> {
  await tableMaker(db, 'mail_')
    .versioned('drafts', 'id')
    .$call(required('text', 'tenant', 'created_by', 'created_at', 'changed_at', 'mail_json'))
    .execute()
  await db.schema
    .createIndex('mail_drafts_by_tenant')
    .ifNotExists()
    .on('mail_drafts')
    .columns(['tenant', 'created_at'])
    .execute()
}

async function foldContacts(db: MailDatabase): Promise<void> {
  for (const field of foldedFields) await addColumn(db, 'mail_contacts', `${field}_folded`, 'text')
  for (let after: string | undefined = ''; after !== undefined;) {
    const rows: readonly (Parameters<typeof folded>[0] & { readonly id: string })[] = await db
      .selectFrom('mail_contacts')
      .select(['id', ...foldedFields])
      .where('id', '>', after)
      .orderBy('id')
      .limit(1000)
      .execute()
    const write = async (transaction: MailDatabase): Promise<void> => {
      for (const row of rows)
        await transaction.updateTable('mail_contacts').set(folded(row)).where('id', '=', row.id).execute()
    }
    // PostgreSQL takes all steps in one transaction.
    await (db.isTransaction ? write(db) : db.transaction().execute(write))
    after = rows.at(-1)?.id
  }
}

/** Reports on mail that went by SES name it by the id that stood in the answer only. */
async function serviceIds(db: MailDatabase): Promise<void> {
  for (const table of ['mail_recipients', 'mail_campaign_mails'] as const) {
    await addColumn(db, table, 'service_id', 'text')
    await db
      .updateTable(table)
      .set((eb) => ({ service_id: eb.ref('response') }))
      .where('service_id', 'is', null)
      .where('state', '=', 'accepted')
      .where('response', 'like', '%-%-000000')
      .execute()
    await db.schema
      .createIndex(`${table}_by_service_id`)
      .ifNotExists()
      .on(table)
      .column('service_id')
      .where(sql.ref('service_id'), 'is not', null)
      .execute()
  }
}

/** What has gone out before this was counted is not: the quotas of one day may be used a second time. */
async function departures(db: MailDatabase): Promise<void> {
  await tableMaker(db, 'mail_')
    .create('departures')
    .$call(required('text', 'tenant', 'minute'))
    .$call(required('integer', 'recipients'))
    .addPrimaryKeyConstraint('mail_departures_key', ['tenant', 'minute'])
    .execute()
  await addColumn(db, 'mail_campaigns', 'failing_since', 'text')
}
