// What can be read need not be on the disk yet, nor on a synchronous standby: a commit whose answer was lost may have been seen
// by others while it still waited. A write waits for itself, and with it for all that was written before.
import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../../tables.ts'

/**
 * A write for the sake of its commit. To SQLite it is one only where something is another thing afterwards. The row is called
 * `anchored` after its first use, before heads were anchored: databases have it, and another name would leave it behind.
 */
export async function writeMark(db: Kysely<Tables>): Promise<void> {
  const value = randomUUID()
  await db
    .insertInto('countersign_meta')
    .values({ name: 'anchored', value })
    .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
    .execute()
}
