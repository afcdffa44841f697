// Which tools of other people's servers a database has seen, for those who only ask.
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { StoreResult } from '../failure.ts'
import { openToRead } from '../read-only.ts'
import type { Tables } from '../tables.ts'

/** Names of tools by the name under which their server is pinned. A server that is missing was never seen. */
export type SeenTools = ReadonlyMap<string, readonly string[]>

/**
 * Reads them, and writes nothing. Where there is no database, or none of ours, nothing was seen.
 * @param file a path, or the address of a PostgreSQL database.
 */
export async function seenTools(file: string): Promise<StoreResult<SeenTools>> {
  const opened = await openToRead(file)
  if (!opened.ok) return opened
  if (opened.value === undefined) return { ok: true, value: new Map() }
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
