// Which tools of other people's servers a database has seen, for those who only ask: an operator checks settings before a
// restart, and a look must neither make a database nor migrate the one that an older version is still serving.
import { Kysely } from 'kysely'
import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { z } from 'zod'
import type { StoreResult } from '../failure.ts'
import { isPostgresAddress } from '../postgres/address.ts'
import { openPostgresEngine } from '../postgres/engine.ts'
import { whileBusy } from '../sqlite/busy.ts'
import { sqliteDialect } from '../sqlite/dialect.ts'
import { sqliteName } from '../sqlite/engine.ts'
import { refuseSqlite } from '../sqlite/inspect.ts'
import type { Tables } from '../tables.ts'

/** Names of tools by the name under which their server is pinned. A server that is missing was never seen. */
export type SeenTools = ReadonlyMap<string, readonly string[]>

/**
 * Reads them, and writes nothing. Where there is no database, or none of ours, nothing was seen.
 * @param file a path, or the address of a PostgreSQL database.
 */
export async function seenTools(file: string): Promise<StoreResult<SeenTools>> {
  if (isPostgresAddress(file)) return seenInPostgres(file)
  const name = sqliteName(file)
  if (name === ':memory:' || !existsSync(name)) return { ok: true, value: new Map() }
  try {
    const database = await whileBusy(() => new DatabaseSync(name, { readOnly: true }))
    const db = new Kysely<unknown>({ dialect: sqliteDialect(database, onlyReads) })
    try {
      return { ok: true, value: await readSeen(db) }
    } finally {
      await db.destroy()
    }
  } catch (error) {
    return refuseSqlite(name, error)
  }
}

function onlyReads(): never {
  throw new Error('This connection only reads.')
}

async function seenInPostgres(address: string): Promise<StoreResult<SeenTools>> {
  const opened = await openPostgresEngine(address)
  if (!opened.ok) return opened
  const { db, refuse, close } = opened.value
  try {
    return { ok: true, value: await readSeen(db) }
  } catch (error) {
    return refuse(error)
  } finally {
    await close()
  }
}

const rows = z.array(z.object({ server: z.string(), tool: z.string() }))

async function readSeen(db: Kysely<unknown>): Promise<SeenTools> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'countersign_pins')) return new Map()
  const found = await db
    .$extendTables<Tables>()
    .selectFrom('countersign_pins')
    .select(['server', 'tool'])
    .orderBy('server')
    .orderBy('tool')
    .execute()
  const seen = new Map<string, string[]>()
  for (const { server, tool } of rows.parse(found)) seen.set(server, [...(seen.get(server) ?? []), tool])
  return seen
}
