// SQLite writes every page that a commit has changed, whole, and a durable commit waits for all of them. A row of the log
// stands in as many indices as there are questions about it, and is written when its call begins and when it ends: on its
// own that would be most of what a commit writes. So the newest rows are in a table with one index, and are moved, many at
// a time, before anybody reads the log and soon after they were written (ADR 103). PostgreSQL has no such table.
import { sql, type Kysely, type RawBuilder, type Transaction } from 'kysely'
import { isPostgres } from '../../dialect-locks.ts'
import type { Relaxed } from '../../open-database.ts'
import { isBusy, isOfARow, takesNoWrite } from '../../sqlite/busy.ts'
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

/**
 * Moves the newest rows to where the log is read; in a transaction that writes, and that is taken back whole where this fails.
 * So SQLite need not note what the statement changes. Nor are rows sorted: either would want a temporary file.
 */
export const moveRecent = async (trx: Transaction<Tables>): Promise<void> => {
  if (isPostgres(trx)) return
  await trx
    .insertInto('countersign_activity')
    .orFail()
    .columns(allColumns)
    .expression(trx.selectFrom('countersign_activity_recent').select(allColumns))
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
  /** An attempt that has not read the rows yet: whoever asks now sees all that was written before. */
  let waiting: Promise<void> | undefined
  let busyUntil = 0
  const begin = (waitMs?: number): Promise<void> =>
    relaxed((trx) => {
      waiting = undefined
      return moveRecent(trx)
    }, waitMs)
  const attempt = async (move: () => Promise<void>): Promise<void> => {
    clearTimeout(next)
    next = undefined
    written = 0
    try {
      const found = await db.selectFrom('countersign_activity_recent').select('id').limit(1).executeTakeFirst()
      if (found !== undefined) await move()
      busyUntil = 0
    } catch (error) {
      waiting = undefined
      if (takesNoWrite(error) || isOfARow(error)) moveIn(isBusy(error) ? REST_MS : AGAIN_MS)
      throw isOfARow(error) ? await cannotMove(db, error) : error
    }
  }
  const moved = async (): Promise<void> => {
    // Those who come next need not wait in turn.
    if (performance.now() < busyUntil) return moveIn(REST_MS)
    try {
      await attempt(() => (waiting ??= begin(BRIEF_MS)))
    } catch (error) {
      if (!takesNoWrite(error)) throw error
      if (isBusy(error)) busyUntil = performance.now() + REST_MS
    }
  }
  // Whoever reads the log hears what is wrong.
  const moveQuietly = (): void => void moved().catch(() => undefined)
  const moveIn = (ms: number): void => {
    next ??= setTimeout(() => {
      next = undefined
      moveQuietly()
    }, ms).unref()
  }
  // A process that died may have left some.
  moveIn(REST_MS)
  return {
    moved,
    movedAll: () => attempt(() => begin()),
    wrote: (rows) => {
      written += rows
      if (written >= MOST_RECENT) moveQuietly()
      else moveIn(REST_MS)
    },
  }
}

/** Names the row that stands in the way, if one does. */
async function cannotMove(db: Kysely<Tables>, cause: unknown): Promise<Error> {
  const found = await db
    .selectFrom('countersign_activity_recent as recent')
    .innerJoin('countersign_activity as call', (join) =>
      join.on((is) =>
        is.or([
          is('call.id', '=', is.ref('recent.id')),
          is('call.position', '=', is.ref('recent.position')),
          ...(['begin_seq', 'end_seq'] as const).map((seq) =>
            is.and([is('call.tenant', '=', is.ref('recent.tenant')), is(`call.${seq}`, '=', is.ref(`recent.${seq}`))]),
          ),
        ]),
      ),
    )
    .select(['recent.id as recent', 'call.id as call'])
    .executeTakeFirst()
    .catch(() => undefined)
  const rows =
    found === undefined
      ? 'A row of countersign_activity_recent'
      : `Row ${found.recent} of countersign_activity_recent and row ${found.call} of countersign_activity are in each other's way: the first`
  const why = cause instanceof Error ? cause.message : String(cause)
  return new Error(
    `${rows} cannot be moved to the log (${why}), and with it none that is newer: somebody has written into the database. Run \`countersign activity verify\`, which names what was changed or inserted; what was not is evidence and stays.`,
    { cause },
  )
}
