// What nobody can reach any more takes room: files that were deleted a month ago, and contents that no version names.
import type { FilesParts } from '../parts.ts'
import { everSince, isoAt, restorableDays } from '../queries.ts'

/** How long an upload may take between its content and its row, in days: an hour. */
const uploadDays = 1 / 24

/** Removes them, rows first: a content that is named is never removed. Safe for several processes at once. */
export async function sweep({ db, storage, now }: Pick<FilesParts, 'db' | 'storage' | 'now'>): Promise<void> {
  const over = isoAt(now(), -restorableDays)
  const gone = await db.selectFrom('files_files').select('id').where('deleted_at', '<=', over).execute()
  for (const { id } of gone)
    await db.transaction().execute(async (transaction) => {
      // Holds the row, and looks again.
      const { numUpdatedRows } = await transaction
        .updateTable('files_files')
        .set((eb) => ({ version: eb('version', '+', 1) }))
        .where('id', '=', id)
        .where('deleted_at', '<=', over)
        // What is still to be said of a link's downloads is said before it goes.
        .where((is) =>
          is.not(
            is.exists(
              is
                .selectFrom('files_links')
                .select('files_links.id')
                .where('file_id', '=', id)
                .where('record_more', '>', 0),
            ),
          ),
        )
        .executeTakeFirst()
      if (numUpdatedRows !== 1n) return
      await transaction
        .insertInto('files_loose')
        .columns(['storage_key', 'since'])
        .expression((eb) =>
          eb
            .selectFrom('files_versions')
            .where('file_id', '=', id)
            .select(['storage_key', eb.val(everSince).as('since')])
            .distinct(),
        )
        .execute()
      await transaction.deleteFrom('files_links').where('file_id', '=', id).execute()
      await transaction.deleteFrom('files_versions').where('file_id', '=', id).execute()
      await transaction.deleteFrom('files_files').where('id', '=', id).execute()
    })
  const loose = await db
    .selectFrom('files_loose')
    .select('storage_key')
    .where('since', '<=', isoAt(now(), -uploadDays))
    .execute()
  for (const { storage_key } of loose) await removeLoose({ db, storage }, storage_key)
}

/** Removes a content that no version names, and that none will name from here on; where this ends half-way, a sweep goes on. */
export async function removeLoose(
  { db, storage }: Pick<FilesParts, 'db' | 'storage'>,
  storage_key: string,
): Promise<void> {
  const { numUpdatedRows } = await db
    .updateTable('files_loose')
    .set({ since: everSince })
    .where('storage_key', '=', storage_key)
    .executeTakeFirst()
  if (numUpdatedRows !== 1n) return
  await storage.remove(storage_key)
  await db.deleteFrom('files_loose').where('storage_key', '=', storage_key).execute()
}
