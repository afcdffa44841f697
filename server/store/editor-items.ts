// Editors that VS Code is under keep what people switch in a database of their own (`state.vscdb`): a table of keys and
// values. Somebody else's, and in use, so it is looked into and nothing else.
import { sql } from 'kysely'
import { z } from 'zod'
import type { StoreResult } from './failure.ts'
import { openToRead } from './read-only.ts'

const rows = z.array(z.object({ value: z.union([z.string(), z.instanceof(Uint8Array)]) }))

/** The text under a key of an editor's database; `undefined` where there is none, or no database. */
export async function readEditorItem(file: string, key: string): Promise<StoreResult<string | undefined>> {
  const opened = await openToRead(file)
  if (!opened.ok) return opened
  if (opened.value === undefined) return { ok: true, value: undefined }
  const { db, refuse, close } = opened.value
  try {
    const found = await sql`select value from ItemTable where key = ${key}`.execute(db)
    const [row] = rows.parse(found.rows)
    return { ok: true, value: typeof row?.value === 'object' ? Buffer.from(row.value).toString('utf8') : row?.value }
  } catch (error) {
    return refuse(error)
  } finally {
    await close()
  }
}
