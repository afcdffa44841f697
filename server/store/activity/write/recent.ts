// SQLite writes every page that a commit has changed, whole, and a durable commit waits for all of them. A row of the log
// stands in as many indices as there are questions about it, and is written when its call begins and when it ends: on its
// own that would be most of what a commit writes. So the newest rows are in a table with one index, and are moved, many at
// a time, before anybody reads the log and soon after they were written (ADR 103). PostgreSQL has no such table.
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { isPostgres } from '../../dialect-locks.ts'
import type { Relaxed } from '../../open-database.ts'
import { isConstraint } from '../../sqlite/busy.ts'
import type { Tables } from '../../tables.ts'
import { allColumns } from './statements.ts'

/** So many rows are moved at once: more would keep this process from its calls for longer. */
const MOST_RECENT = 100
/** For so long rows stay at most, in milliseconds, where nobody reads the log: some ask it in SQL of their own. */
const REST_MS = 1000

/** Moves the newest rows to where the log is read; in a transaction that writes. */
export const moveRecent = async (trx: Transaction<Tables>): Promise<void> => {
  if (isPostgres(trx)) return
  await trx
    .insertInto('countersign_activity')
    .columns(allColumns)
    .expression(trx.selectFrom('countersign_activity_recent').select(allColumns).orderBy('position'))
    .execute()
  await trx.deleteFrom('countersign_activity_recent').execute()
}

/**
 * Whether a change of a row that is read comes before every change that was not moved yet. Whoever goes on from the highest
 * number that he has seen may see no other, or he would miss those that are moved later.
 */
export const isBeforeRecent = (db: Kysely<Tables>): RawBuilder<boolean> =>
  isPostgres(db)
    ? sql`true`
    : sql`change < coalesce((select min(recent.change) from countersign_activity_recent as recent), ${sql.lit(Number.MAX_SAFE_INTEGER)})`

interface Moving {
  /** Moves what there is, whoever wrote it. Where the database takes no write at present, it stays where it is. */
  readonly moved: () => Promise<void>
  /** To be told of so many rows that were written. */
  readonly wrote: (rows: number) => void
}

/** Moves the newest rows in transactions of its own. A power cut may take such a transaction back: then they are moved again. */
export function createMoving(db: Kysely<Tables>, relaxed: Relaxed<Tables>): Moving {
  if (isPostgres(db)) return { moved: () => Promise.resolve(), wrote: () => undefined }
  let written = 0
  let rest: NodeJS.Timeout | undefined
  const moved = async (): Promise<void> => {
    clearTimeout(rest)
    rest = undefined
    written = 0
    const found = await db.selectFrom('countersign_activity_recent').select('id').limit(1).executeTakeFirst()
    if (found === undefined) return
    try {
      await relaxed(moveRecent)
    } catch (error) {
      // A number or an id that the log has already: somebody has written into the database.
      if (isConstraint(error)) throw error
    }
  }
  // Whoever reads the log hears what is wrong.
  const moveQuietly = (): void => void moved().catch(() => undefined)
  return {
    moved,
    wrote: (rows) => {
      written += rows
      if (written >= MOST_RECENT) moveQuietly()
      else rest ??= setTimeout(moveQuietly, REST_MS).unref()
    },
  }
}
