// Whoever tries the agency's desk out may want it as it came. Campaigns and mails that are on their way find their rows gone
// and end; what has arrived in the mailbox is the demo's own, and goes with them.
import type { FilesToolset } from '../../toolsets/files/open-files.ts'
import { searchable } from '../../toolsets/files/contents/names.ts'
import type { FilesDatabase } from '../../toolsets/files/tables.ts'
import type { MailDatabase } from '../../toolsets/mail/schema.ts'
import { ok } from '../../errors/result.ts'
import type { StartedOver } from '../../toolsets/toolset.ts'
import { notTheDemos } from '../not-the-demos.ts'
import { versionOf } from '../version-of.ts'
import type { Mailbox } from './mailbox.ts'
import { seededAt, seededFiles, seedFiles, seedMail, tenant } from './seed.ts'

/** What a desk gathers, those first that refer to others. What has gone out still counts, and no run is forgotten. */
const gathered = [
  'mail_recipients',
  'mail_emails',
  'mail_campaign_mails',
  'mail_campaigns',
  'mail_drafts',
  'mail_contacts',
  'mail_segments',
  'mail_templates',
] as const

interface AgencyParts {
  readonly mail: MailDatabase
  readonly files: FilesDatabase
  readonly toolset: Pick<FilesToolset, 'keep'>
  readonly mailbox: Pick<Mailbox, 'empty'>
}

/** Where a server that people work with has written what a demo may not delete. */
const dated = [
  'mail_contacts',
  'mail_segments',
  'mail_templates',
  'mail_drafts',
  'mail_campaigns',
  'mail_emails',
] as const

/** Whether all is of the demo's tenant, and nothing older than what the demo has filled in. */
async function isTheDemos(mail: MailDatabase, files: FilesDatabase): Promise<boolean> {
  const since = await seededAt(mail)
  if (since === undefined) return false
  for (const table of dated) {
    const other = await mail
      .selectFrom(table)
      .select('id')
      .where((is) => is.or([is('tenant', '!=', tenant), is('created_at', '<', since)]))
      .limit(1)
      .executeTakeFirst()
    if (other !== undefined) return false
  }
  const [first] = await files
    .selectFrom('files_files')
    .select('created_at')
    .where(
      'id',
      'in',
      seededFiles.map(({ id }) => id),
    )
    .orderBy('created_at')
    .limit(1)
    .execute()
  // Files that were deleted when the desk was last started over are still there, and may be older.
  const other = await files
    .selectFrom('files_files')
    .select('id')
    .where((is) =>
      is.or([
        is('tenant', '!=', tenant),
        is.and([is('deleted_at', 'is', null), is('created_at', '<', first?.created_at ?? '')]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return other === undefined
}

/** Puts the desk back to what a new one holds. Previews that were made before are stale. */
export async function startOver({ mail, files, toolset, mailbox }: AgencyParts, now: number): Promise<StartedOver> {
  if (!(await isTheDemos(mail, files))) return notTheDemos()
  await mail.transaction().execute(async (transaction) => {
    for (const table of gathered) await transaction.deleteFrom(table).execute()
    await seedMail(transaction, now, versionOf(now))
  })
  await putFilesBack(files, new Date(now).toISOString())
  // One that was deleted a month ago is gone.
  await seedFiles(toolset)
  mailbox.empty()
  return ok(undefined)
}

/** Files and links end as a person ends them, so that their contents are swept and their downloads stay on record. */
const putFilesBack = (db: FilesDatabase, at: string): Promise<void> =>
  db.transaction().execute(async (transaction) => {
    await transaction
      .updateTable('files_links')
      .set((eb) => ({ revoked_at: at, version: eb('version', '+', 1) }))
      .where('revoked_at', 'is', null)
      .execute()
    // Also those of the seed: one of them may bear the name of another by now.
    await transaction
      .updateTable('files_files')
      .set((eb) => ({ deleted_at: at, version: eb('version', '+', 1) }))
      .where('deleted_at', 'is', null)
      .execute()
    for (const { id, name } of seededFiles)
      await transaction
        .updateTable('files_files')
        .set((eb) => ({
          deleted_at: null,
          name,
          search_name: searchable(name),
          current: 1,
          version: eb('version', '+', 1),
        }))
        .where('id', '=', id)
        .execute()
  })
