// What is known of files. Contents lie elsewhere, under keys that nobody outside has chosen; here is which content belongs
// to which name. Moments are ISO text of one length, so that they compare as text.
import { sql, type Kysely } from 'kysely'
import { z } from 'zod'
import type { Migration } from 'kysely/migration'
import { addColumn, migrateTables, optional, required, tableMaker } from '../migrate-tables.ts'
import type { RunRow } from '../rehearsal.ts'

export interface FilesTables {
  /** `current`: number of the version that the file is now. */
  files_files: {
    id: string
    tenant: string
    name: string
    /** The name as it is searched: in small letters, compatible forms made equal. */
    search_name: string
    current: number
    created_at: string
    deleted_at: string | null
    version: number
  }
  /** Contents that a file has or had. Two versions may have one content. */
  files_versions: {
    file_id: string
    number: number
    storage_key: string
    type: string
    bytes: number
    sha256: string
    /** SHA-256 of each piece, as `contents/content.ts` reads it. */
    pieces: string
    created_at: string
    created_by: string
  }
  /** Of a link's token only the hash is kept: who reads the database cannot download. */
  files_links: {
    id: string
    file_id: string
    /** Which version it gives: the one that a person has seen. */
    number: number
    token_hash: string
    expires_at: string
    revoked_at: string | null
    created_at: string
    created_by: string
    downloads: number
    last_download_at: string | null
    version: number
    /** Idempotency key of the call that made it; `null` of links that are older than this column, or a server, knows. */
    run: string | null
    /** How the downloads of its last hour are on record (`links/hour-of-link.ts`). */
    record_hour: string | null
    record_rows: number | null
    record_more: number | null
  }
  /** Contents that no version names: of an upload that has not ended, or of a file that is gone. Swept. */
  files_loose: { storage_key: string; since: string }
  /** One row for each tenant, which whoever adds bytes holds while they are counted. */
  files_turns: { tenant: string; turns: number }
  files_runs: RunRow
}

/** The database as this toolset sees it; inside a transaction it is that transaction. */
export type FilesDatabase = Kysely<FilesTables>

/**
 * Creates the tables where they are missing.
 * @throws the database's own error when it still fails after several attempts.
 */
export const migrate = (db: FilesDatabase): Promise<void> => migrateTables(db, 'files_', migrations)

const migrations: Readonly<Record<string, Migration>> = {
  '001-tables': { up: (db: FilesDatabase) => tables(db) },
  '002-turns': {
    up: async (db: FilesDatabase) => {
      await tableMaker(db, 'files_').keyed('turns', 'tenant').$call(required('integer', 'turns')).execute()
    },
  },
  '003-record': { up: (db: FilesDatabase) => linksOnRecord(db) },
}

/** What `files.create_download_link` has answered, as far as it is read here. */
const madeLink = z.object({ linkId: z.string(), repeated: z.boolean() })

async function linksOnRecord(db: FilesDatabase): Promise<void> {
  for (const name of ['run', 'record_hour']) await addColumn(db, 'files_links', name, 'text')
  for (const name of ['record_rows', 'record_more']) await addColumn(db, 'files_links', name, 'integer')
  // What each call answered is kept, so the calls of links that are there are known.
  const calls = await db
    .selectFrom('files_runs')
    .select(['idempotency_key', 'result'])
    .where('tool', '=', 'files.create_download_link')
    .execute()
  for (const { idempotency_key: run, result } of calls) {
    const { linkId, repeated } = madeLink.parse(JSON.parse(result))
    if (!repeated) await db.updateTable('files_links').set({ run }).where('id', '=', linkId).execute()
  }
}

async function tables(db: FilesDatabase): Promise<void> {
  const { create, keyed, versioned, runs } = tableMaker(db, 'files_')
  await versioned('files', 'id')
    .$call(required('text', 'tenant', 'name', 'search_name', 'created_at'))
    .$call(required('integer', 'current'))
    .$call(optional('text', 'deleted_at'))
    .execute()
  await db.schema
    .createIndex('files_files_by_name')
    .ifNotExists()
    .unique()
    .on('files_files')
    .columns(['tenant', 'name'])
    .where(sql.ref('deleted_at'), 'is', null)
    .execute()
  await create('versions')
    .addColumn('file_id', 'text', (column) => column.notNull().references('files_files.id'))
    .$call(required('integer', 'number', 'bytes'))
    .$call(required('text', 'storage_key', 'type', 'sha256', 'pieces', 'created_at', 'created_by'))
    .addPrimaryKeyConstraint('files_versions_key', ['file_id', 'number'])
    .execute()
  await versioned('links', 'id')
    .addColumn('file_id', 'text', (column) => column.notNull().references('files_files.id'))
    .$call(required('integer', 'number', 'downloads'))
    .$call(required('text', 'token_hash', 'expires_at', 'created_at', 'created_by'))
    .$call(optional('text', 'revoked_at', 'last_download_at'))
    .execute()
  await db.schema
    .createIndex('files_links_by_token')
    .ifNotExists()
    .unique()
    .on('files_links')
    .column('token_hash')
    .execute()
  // However many processes make the same link at once, there is one.
  await db.schema
    .createIndex('files_links_by_pair')
    .ifNotExists()
    .unique()
    .on('files_links')
    .columns(['file_id', 'expires_at'])
    .where(sql.ref('revoked_at'), 'is', null)
    .execute()
  await keyed('loose', 'storage_key').$call(required('text', 'since')).execute()
  await runs().execute()
}
