// A wrong key would show only at the first plan that does not open, long after the start. So the database remembers which
// key it belongs to; the first process to write that wins, and every other compares.
import type { Kysely } from 'kysely'
import { randomBytes } from 'node:crypto'
import { refuse } from './failure.ts'
import type { StoreResult } from './failure.ts'
import { keyFromFile } from './key.ts'
import { createSealer } from './seal.ts'
import type { Sealer } from './seal.ts'
import type { Tables } from './tables.ts'

const NAME = 'key_check'

/**
 * The sealer of a database: its key found or made, and proven to be the one that the database was sealed with. Who only
 * looks makes and writes neither.
 */
export const openSealer = async (
  db: Kysely<Tables>,
  file: string,
  secretKey: Uint8Array | undefined,
  looks = false,
): Promise<StoreResult<Sealer>> => {
  const known = await readCheck(db)
  const key =
    secretKey !== undefined
      ? { ok: true as const, value: secretKey }
      : file === ':memory:'
        ? { ok: true as const, value: randomBytes(32) }
        : await keyFromFile(file, known === undefined && !looks)
  if (!key.ok) return key
  const sealer = createSealer(key.value)
  const check = known ?? (looks ? sealer.check : await writeCheck(db, sealer.check))
  if (check === sealer.check) return { ok: true, value: sealer }
  return refuse(
    'key-mismatch',
    file,
    `The plans in ${file} are sealed with another key than ${secretKey === undefined ? 'the file beside it' : 'the secret given'}.`,
    secretKey === undefined
      ? 'Put the right key file back, or set COUNTERSIGN_SECRET if the database was made with one.'
      : 'Set COUNTERSIGN_SECRET to the value that the database was made with, or unset it to use the key file.',
  )
}

const readCheck = async (db: Kysely<Tables>): Promise<string | undefined> =>
  (await db.selectFrom('countersign_meta').select('value').where('name', '=', NAME).executeTakeFirst())?.value

const writeCheck = async (db: Kysely<Tables>, value: string): Promise<string | undefined> => {
  await db
    .insertInto('countersign_meta')
    .values({ name: NAME, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  return await readCheck(db)
}
