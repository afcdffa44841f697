// Reads that several tools share. A file belongs to a tenant, and a query without one cannot be written.
import type { ExpressionBuilder } from 'kysely'
import type { FilesDatabase, FilesTables } from './tables.ts'

/** How long a deleted file can be brought back. */
export const restorableDays = 30

const dayMs = 86_400_000

/** ISO moment, some days from now. */
export const isoAt = (now: number, days = 0): string => new Date(now + days * dayMs).toISOString()

/** Since when a content is loose that will never have a name again. */
export const everSince = isoAt(0)

/** When a deleted file will be gone for good. */
export const goneAt = (deletedAt: string): string => isoAt(Date.parse(deletedAt), restorableDays)

type Version = FilesTables['files_versions']

/** A file as it is now: its row, with the content of its current version. */
export type StoredFile = FilesTables['files_files'] &
  Pick<Version, 'storage_key' | 'type' | 'bytes' | 'sha256' | 'pieces'> & {
    /** Since when it has this content, and from whom. */
    readonly changed_at: string
    readonly changed_by: string
  }

/** Files with their current versions. */
export const filesOf = (db: FilesDatabase, tenant: string) =>
  db
    .selectFrom('files_files as file')
    .innerJoin('files_versions as content', (join) =>
      join.onRef('content.file_id', '=', 'file.id').onRef('content.number', '=', 'file.current'),
    )
    .where('file.tenant', '=', tenant)
    .selectAll('file')
    .select(['storage_key', 'type', 'bytes', 'sha256', 'pieces'])
    .select(['content.created_at as changed_at', 'content.created_by as changed_by'])

/** A file that is not deleted. */
export const findFile = (db: FilesDatabase, tenant: string, id: string): Promise<StoredFile | undefined> =>
  filesOf(db, tenant).where('file.id', '=', id).where('deleted_at', 'is', null).executeTakeFirst()

/** A deleted file that can still be brought back. */
export const findDeleted = (
  db: FilesDatabase,
  tenant: string,
  id: string,
  now: number,
): Promise<StoredFile | undefined> =>
  filesOf(db, tenant).where('file.id', '=', id).where('deleted_at', '>', isoAt(now, -restorableDays)).executeTakeFirst()

/** The file that has this name now. */
export const findNamed = (db: FilesDatabase, tenant: string, name: string) =>
  db
    .selectFrom('files_files')
    .selectAll()
    .where('tenant', '=', tenant)
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** The versions of a file, the newest first. */
export const versionsOf = (db: FilesDatabase, fileId: string): Promise<Version[]> =>
  db.selectFrom('files_versions').selectAll().where('file_id', '=', fileId).orderBy('number', 'desc').execute()

export type StoredLink = FilesTables['files_links']

const works = (now: number) => (eb: ExpressionBuilder<{ link: StoredLink }, 'link'>) =>
  eb.and([eb('link.revoked_at', 'is', null), eb('link.expires_at', '>', isoAt(now))])

/** Links of a file that work now, those that end first before the others. */
export const workingLinks = (db: FilesDatabase, fileId: string, now: number): Promise<StoredLink[]> =>
  db
    .selectFrom('files_links as link')
    .selectAll('link')
    .where('file_id', '=', fileId)
    .where(works(now))
    .orderBy('expires_at')
    .orderBy('id')
    .execute()

/** What links give: each with its file, and the version that a person has seen. */
export const sharedOf = (db: FilesDatabase) =>
  db
    .selectFrom('files_links as link')
    .innerJoin('files_files as file', 'file.id', 'link.file_id')
    .innerJoin('files_versions as content', (join) =>
      join.onRef('content.file_id', '=', 'link.file_id').onRef('content.number', '=', 'link.number'),
    )
    .select(['link.id as link_id', 'link.file_id', 'link.number', 'link.created_by', 'link.run', 'file.tenant'])
    .select(['file.name', 'content.type', 'bytes', 'sha256', 'pieces', 'storage_key'])

export type Shared = Awaited<ReturnType<ReturnType<typeof sharedOf>['executeTakeFirstOrThrow']>>

/** What a token gives now. */
export const findShared = (db: FilesDatabase, tokenHash: string, now: number): Promise<Shared | undefined> =>
  sharedOf(db)
    .where('token_hash', '=', tokenHash)
    .where((eb) => eb.and([eb('revoked_at', 'is', null), eb('expires_at', '>', isoAt(now))]))
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
