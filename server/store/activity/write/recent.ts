// SQLite writes every page that a commit has changed, whole, and a durable commit waits for all of them. A row of the log
// stands in as many indices as there are questions about it, and is written when its call begins and when it ends: on its
// own that would be most of what a commit writes. So the newest rows are in a table with one index, and are moved, many at
// a time, before anybody reads the log and soon after they were written (ADR 103). PostgreSQL has no such table.
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { isPostgres } from '../../dialect-locks.ts'
import type { Relaxed } from '../../open-database.ts'
import { takesNoWrite } from '../../sqlite/busy.ts'
import type { Tables } from '../../tables.ts'
import { allColumns } from './statements.ts'

/** After so many rows they are moved: more would keep this process from its calls for longer. */
const MOST_RECENT = 100
/** For so long rows stay at most, in milliseconds, where nobody reads the log: some ask it in SQL of their own. */
const REST_MS = 1000
/** After so long it is tried again where it failed. */
const AGAIN_MS = 5000
/** For so long a reader waits at most for another process that holds the lock of the file: it keeps it for milliseconds. */
const BRIEF_MS = 100

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
  /**
   * Moves what there is, whoever wrote it. Where the database takes no write at present, it stays where it is for now.
   * @throws where somebody has changed the database, so that rows can never be moved.
   */
  readonly moved: () => Promise<void>
  /** The same for whoever must not miss a row. It also throws where the database takes no write. */
  readonly movedAll: () => Promise<void>
  /** To be told of so many rows that were written. */
  readonly wrote: (rows: number) => void
}

/** Moves the newest rows in transactions of its own. A power cut may take such a transaction back: then they are moved again. */
export function createMoving(db: Kysely<Tables>, relaxed: Relaxed<Tables>): Moving {
  const nothing = (): Promise<void> => Promise.resolve()
  if (isPostgres(db)) return { moved: nothing, movedAll: nothing, wrote: () => undefined }
  let written = 0
  let next: NodeJS.Timeout | undefined
  const movedAll = async (waitMs?: number): Promise<void> => {
    clearTimeout(next)
    next = undefined
    written = 0
    const found = await db.selectFrom('countersign_activity_recent').select('id').limit(1).executeTakeFirst()
    if (found === undefined) return
    try {
      await relaxed(moveRecent, waitMs)
    } catch (error) {
      moveIn(AGAIN_MS)
      throw takesNoWrite(error) ? error : await cannotMove(db, error)
    }
  }
  const moved = async (): Promise<void> => {
    try {
      await movedAll(BRIEF_MS)
    } catch (error) {
      if (!takesNoWrite(error)) throw error
    }
  }
  // Whoever reads the log hears what is wrong.
  const moveQuietly = (): void => void moved().catch(() => undefined)
  const moveIn = (ms: number): void => void (next ??= setTimeout(moveQuietly, ms).unref())
  // A process that died may have left some.
  moveIn(REST_MS)
  return {
    moved,
    movedAll: () => movedAll(),
    wrote: (rows) => {
      written += rows
      if (written >= MOST_RECENT) moveQuietly()
      else moveIn(REST_MS)
    },
  }
}

/** Names a row that stands in the way. */
async function cannotMove(db: Kysely<Tables>, cause: unknown): Promise<Error> {
  const known = await db
    .selectFrom('countersign_activity_recent as recent')
    .innerJoin('countersign_activity as call', (join) =>
      join.on((is) =>
        is.or([is('call.id', '=', is.ref('recent.id')), is('call.position', '=', is.ref('recent.position'))]),
      ),
    )
    .select('recent.id')
    .executeTakeFirst()
  const row = known === undefined ? 'A row' : `Row ${known.id}`
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Error(
    `${row} of countersign_activity_recent cannot be moved to countersign_activity (${why}), and with it none that is newer: somebody has changed the database. Run \`countersign activity verify\`, and correct or remove that row.`,
    { cause },
  )
}
