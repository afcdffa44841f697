// Two processes write into one chain, and each entry hangs on the one before it. So the head is read, the entry written
// and the head moved in one transaction that holds the write lock from its first statement. That lock is one for the
// whole log and not one for each tenant: a watcher of all tenants goes on from the highest number it has seen, so no
// smaller one may become visible later (ADR 14).
import type { Kysely, Transaction } from 'kysely'
import { takeTurns, takeTurnsAhead } from '../../dialect-locks.ts'
import { retryOnConnectionLoss } from '../../retry-on-connection-loss.ts'
import type { Relaxed } from '../../open-database.ts'
import type { Tables } from '../../tables.ts'
import type { Chain } from '../chain/chain.ts'
import type { ActivityEntry, ActivityLog, LaterEntry } from '../../../model/activity.ts'
import { createLastSeen, SetBack, type LastSeen, type SeenHead } from '../chain/last-seen.ts'
import { inChainTransaction, type ChainWriter, type ChainTransaction, type Written } from './chain-transaction.ts'
import { createMoving } from './recent.ts'
import { createStatements } from './statements.ts'
import { newRowId, writeBegin, writeEnd, writeEvent, writeLater } from './write-entry.ts'
import { writeMark } from './write-mark.ts'
import { createWriteBatcher, type InLog, type Transact, type WriteBatcher } from '../../write-batcher.ts'

export interface ActivityLogParts {
  readonly db: Kysely<Tables>
  readonly chain: Chain
  readonly now: () => number
  /** A transaction that need not survive a power cut by itself. */
  readonly relaxed: Relaxed<Tables>
}

/**
 * Runs work in one transaction; what it hands to `record` becomes rows of the activity log in the same transaction, so that
 * either all of it is there or nothing. The work may be run again, in a new transaction, where the database took the first
 * one back or was away: what it changes must say whether it was done before.
 */
export type Recording = <R>(
  work: (transaction: Transaction<unknown>, record: (entry: LaterEntry) => void) => Promise<R>,
) => Promise<R>

interface Done<R> {
  readonly answer: R
  /** Where it entered the log. */
  readonly written: Written<unknown> | undefined
}

/** The activity log, and how to wait for what it has not written yet. */
export interface Writing {
  readonly activityLog: ActivityLog
  /** For what happens later on behalf of calls. */
  readonly recording: Recording
  readonly settled: () => Promise<void>
  /** Moves the newest rows to where the log is read (`createMoving`). */
  readonly moved: () => Promise<void>
  readonly movedAll: () => Promise<void>
  /**
   * Who hears that the database was set back. Answers whether a person has accepted that: then the entry is hung on the
   * chain as it is. Else the write fails, and the next entries are hung on the older chain; where it throws, each write
   * asks again, and fails.
   */
  readonly onSetBack: (hear: () => Promise<boolean>) => void
  /** One transaction that holds the log, for what writes into the chains beside the activity log. */
  readonly transact: TransactInLog
  /** For steps that share their transaction, and its wait for the disk, with the rows of the log. */
  readonly write: WriteBatcher['write']
  /** One step in a transaction that it shares with none. */
  readonly writeAlone: WriteBatcher['write']
  readonly lastSeen: Pick<LastSeen, 'known' | 'forget'>
}

/** Runs steps in one transaction that holds the log. */
export type TransactInLog = <R>(durable: boolean, work: (tx: ChainTransaction) => Promise<R>) => Promise<R>

/**
 * The activity log on one database. A beginning waits for the disk only where nothing else does before something changes: a
 * plan's claim waits for the disk, and with it for all that was written before, on SQLite and on PostgreSQL alike.
 *
 * An ending of a plan takes the end of its row along (ADR 83). Any other end that a power cut takes away leaves the row open,
 * which is what it would be had the process died a moment earlier; a row of a call that changes nothing it may take as a whole.
 */
export const createActivityLog = ({ db, chain, now, relaxed }: ActivityLogParts): Writing => {
  const lastSeen = createLastSeen(now)
  const writer: ChainWriter = { chain, statements: createStatements(db), lastSeen }
  const moving = createMoving(db, relaxed)
  let hear: () => Promise<boolean> = () => Promise.resolve(false)
  const attempt = async <R>(durable: boolean, work: InLog<R>): Promise<R> => {
    let last: Done<R> | undefined
    const onDisk = durable ? lastSeen.mark() : undefined
    let hasChanged = false
    const alone = async (trx: Transaction<Tables>, again: boolean): Promise<Done<R>> => {
      let written: Written<unknown> | undefined
      hasChanged = false
      const answer = await work(
        trx,
        async (steps, ids = []) => {
          await takeLogAhead(trx)
          const entered = await inChainTransaction(trx, writer, steps, ids)
          written = entered
          return entered.answer
        },
        { again, changed: () => void (hasChanged = true) },
      )
      // Where it finds that it was done before, it would write nothing, and its commit would wait for nothing.
      if (durable && again) await writeMark(trx)
      const done = { answer, written }
      if (written !== undefined) last = done
      return done
    }
    // A commit whose answer was lost is looked for before anything is written again.
    const { answer, written } = await retryOnConnectionLoss(async (again) => {
      const tip = last?.written?.tips.at(-1)
      if (again && last !== undefined && tip !== undefined && (await stands(db, tip))) {
        if (durable) await db.transaction().execute(writeMark)
        return last
      }
      const work = (trx: Transaction<Tables>): Promise<Done<R>> => alone(trx, again)
      return await (durable ? db.transaction().execute(work) : relaxed(work))
    })
    // Nothing that could be made twice was made while the server had frozen itself, and its database may be an older copy.
    const tips = written?.tips ?? []
    if (written !== undefined && written.begun > 0) moving.wrote(written.begun)
    if (tips.length > 0) {
      if (written?.frozenByItself === false) lastSeen.committed(tips, durable)
      // What waits for the disk waits with it for all that the log has written before; but a commit of no change waits for
      // nothing.
    } else if (hasChanged) onDisk?.()
    return answer
  }
  const inLog: Transact = async <R>(durable: boolean, work: InLog<R>): Promise<R> => {
    try {
      return await attempt(durable, work)
    } catch (error) {
      if (!(error instanceof SetBack)) throw error
      const accepted = await hear()
      lastSeen.forget([error.seen.tenant])
      if (!accepted) throw error
    }
    return await attempt(durable, work)
  }
  const batcher = createWriteBatcher(inLog)
  const start: ActivityLog['start'] = (entry, effect) => {
    const id = newRowId()
    const written = batcher.write<void, ActivityEntry>({
      how: effect === undefined ? 'durable' : 'soon',
      prepare: () => (typeof entry === 'function' ? entry() : entry),
      entries: async (tx, known, { again }) => {
        // The transaction whose answer was lost may have been committed after all.
        if (!again || (await tx.row(id)) === undefined) await writeBegin(tx, id, known, now)
      },
    })
    return { id, written }
  }
  return {
    activityLog: {
      start,
      begin: async (entry, effect) => {
        const { id, written } = start(entry, effect)
        await written
        return id
      },
      complete: (id, completion, when = 'soon') =>
        batcher.write({
          how: when,
          row: id,
          prepare: () => (typeof completion === 'function' ? completion() : completion),
          entries: (tx, known) => writeEnd(tx, id, known, now),
        }),
      event: (id, event) => batcher.write({ how: 'durable', row: id, entries: (tx) => writeEvent(tx, id, event, now) }),
    },
    write: batcher.write,
    writeAlone: (step) => createWriteBatcher(inLog).write(step),
    recording: (work) =>
      inLog(true, async (trx, enter) => {
        const entries: LaterEntry[] = []
        // Whoever records has tables of its own.
        const answer = await work(trx as unknown as Transaction<unknown>, (entry) => void entries.push(entry))
        if (entries.length > 0)
          await enter(async (tx) => {
            for (const entry of entries) await writeLater(tx, entry, now)
          })
        return answer
      }),
    settled: () => batcher.settled(),
    moved: moving.moved,
    movedAll: moving.movedAll,
    onSetBack: (listener) => {
      hear = listener
    },
    transact: (durable, work) => inLog(durable, (_trx, enter) => enter(work)),
    lastSeen,
  }
}

/** Whether an entry with this number and this link is in its chain. */
const stands = async (db: Kysely<Tables>, tip: SeenHead): Promise<boolean> => {
  const calls = db.selectFrom('countersign_activity').select('id').where('tenant', '=', tip.tenant)
  const found =
    (await calls.where('begin_seq', '=', tip.seq).where('begin_link', '=', tip.link).executeTakeFirst()) ??
    (await calls.where('end_seq', '=', tip.seq).where('end_link', '=', tip.link).executeTakeFirst()) ??
    (await db
      .selectFrom('countersign_activity_events')
      .select('call_id as id')
      .where('tenant', '=', tip.tenant)
      .where('seq', '=', tip.seq)
      .where('link', '=', tip.link)
      .executeTakeFirst())
  return found !== undefined
}

/** The log has one writer at a time, whatever it writes: it is taken before anything of it is read. */
export const takeLog = (trx: Transaction<Tables>): Promise<void> => takeTurns(trx, ...turnOfLog)

/** The same for what reads of the log before it relies on having it, be it only on the time. */
const takeLogAhead = (trx: Transaction<Tables>): Promise<void> => takeTurnsAhead(trx, ...turnOfLog)

export const turnOfLog = ['activity log'] as const
