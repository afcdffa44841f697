// Editors that VS Code is under keep what people switch in a database of their own (`state.vscdb`): a table of keys and
// values. Somebody else's, and in use, so it is looked into and nothing else.
import { sql } from 'kysely'
import { z } from 'zod'
import { fail, ok, type Result } from '../errors/result.ts'
import type { StoreFailure } from './failure.ts'
import { openToRead } from './read-only.ts'

const rows = z.array(z.object({ key: z.string(), value: z.union([z.string(), z.instanceof(Uint8Array)]) }))

/** The texts under these keys of an editor's database, those that are there; or why it cannot be read. */
export async function readEditorItems(
  file: string,
  keys: readonly string[],
): Promise<Result<ReadonlyMap<string, string>, string>> {
  const opened = await openToRead(file)
  if (!opened.ok) return fail(reasonOf(opened.failure))
  if (opened.value === undefined) return ok(new Map())
  const { db, refuse, close } = opened.value
  try {
    const found = await sql`select key, value from ItemTable where key in (${sql.join(keys)})`.execute(db)
    return ok(
      new Map(
        rows
          .parse(found.rows)
          .map(({ key, value }) => [key, typeof value === 'string' ? value : Buffer.from(value).toString('utf8')]),
      ),
    )
  } catch (error) {
    const refused = refuse(error)
    return refused.ok ? refused : fail(reasonOf(refused.failure))
  } finally {
    await close()
  }
}

function reasonOf({ kind, message }: StoreFailure): string {
  switch (kind) {
    case 'busy':
      return 'an editor has been writing to it for five seconds; close the editor and run the import again'
    case 'read-only':
      return 'the editor ended in the middle of a write; start it and close it once'
    case 'not-a-database':
      return 'it is no SQLite database'
    default:
      return message.replace(/\.$/, '')
  }
}
