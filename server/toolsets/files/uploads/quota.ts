// How much the files of a tenant take, and may take. What counts is what can be reached: files that are not deleted, with
// their versions, a content that several versions share once. A deleted file makes room at once and needs it to come back.
import { spokenSize } from '../../say.ts'
import type { FilesParts } from '../parts.ts'
import type { FilesDatabase } from '../tables.ts'
import { wordsIn } from '../words.ts'

export interface Usage {
  readonly bytes: number
  readonly files: number
}

const contentsOf = (db: FilesDatabase) =>
  db
    .selectFrom('files_versions as content')
    .innerJoin('files_files as file', 'file.id', 'content.file_id')
    .select(['content.storage_key', 'content.bytes'])
    .distinct()

/** What the files of a tenant take now. */
export async function usageOf(db: FilesDatabase, tenant: string): Promise<Usage> {
  const { bytes } = await db
    .selectFrom(contentsOf(db).where('tenant', '=', tenant).where('deleted_at', 'is', null).as('kept'))
    .select((eb) => eb.fn.sum<number | string | null>('kept.bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  const { files } = await db
    .selectFrom('files_files')
    .select((eb) => eb.fn.countAll<number | string>().as('files'))
    .where('tenant', '=', tenant)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow()
  return { bytes: Number(bytes ?? 0), files: Number(files) }
}

/** What a file takes with its versions. */
export async function bytesOf(db: FilesDatabase, fileId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom(contentsOf(db).where('file.id', '=', fileId).as('kept'))
    .select((eb) => eb.fn.sum<number | string | null>('kept.bytes').as('bytes'))
    .executeTakeFirstOrThrow()
  return Number(bytes ?? 0)
}

/** Why so many more bytes have no room; `undefined` where they have. */
export async function noRoomFor(
  { tenantBytes }: Pick<FilesParts, 'tenantBytes'>,
  db: FilesDatabase,
  tenant: string,
  more: number,
  words = wordsIn('en'),
): Promise<string | undefined> {
  if (tenantBytes === undefined) return undefined
  const { bytes } = await usageOf(db, tenant)
  return bytes + more <= tenantBytes
    ? undefined
    : words.noRoom({
        all: spokenSize(tenantBytes, words.units),
        left: spokenSize(Math.max(0, tenantBytes - bytes), words.units),
        needs: spokenSize(more, words.units),
      })
}

/** Whoever adds bytes of this tenant waits here for whoever is at it: both would find the same room. */
export const takeTurn = async (transaction: FilesDatabase, tenant: string): Promise<unknown> =>
  transaction
    .insertInto('files_turns')
    .values({ tenant, turns: 1 })
    .onConflict((conflict) =>
      conflict.column('tenant').doUpdateSet((eb) => ({ turns: eb('files_turns.turns', '+', 1) })),
    )
    .execute()
