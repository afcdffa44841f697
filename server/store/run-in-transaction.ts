// The run of a tool whose effect lies in the store's own database: what it writes and the ending of its plan are one
// commit. A process that dies leaves the plan open and nothing written, so nobody ever has to find out what became of such a
// run (ADR 84). The plan is not claimed before it: a row that is locked while a tool runs would hold up whoever stops or
// cancels it. It ends in the same statement in which it is found open; where it is not, the run is taken back.
import { CompiledQuery, type Transaction } from 'kysely'
import { isPostgres } from './dialect-locks.ts'
import { ReservedEventName, writeClaiming, writeEnd, writeEvent } from './activity/write/write-entry.ts'
import type { PlanEnding, PlanStore, RunInTransaction } from '../model/plan-store.ts'
import { revokeFrozenPlan, type SealedEnding } from './plans.ts'
import type { createPlanStatements } from './plan-statements.ts'
import { UNAWAITED } from './postgres/connection.ts'
import { isStoreAway } from '../model/store-away.ts'
import { StoreAway } from './postgres/loss.ts'
import { statementsIn } from './run-statements.ts'
import { isConflict } from './retry-on-connection-loss.ts'
import { createSemaphore } from '../semaphore.ts'
import { sqliteCode } from './sqlite/busy.ts'
import { TransactionEnded } from './sqlite/driver.ts'
import type { Tables } from './tables.ts'
import type { WriteBatcher, WriteStep } from './write-batcher.ts'

/** How often a run is taken that another transaction was in the way of. */
const ATTEMPTS = 5

const SAVEPOINT = 'countersign_run'

/** As long as a run may take in a transaction that it shares, in milliseconds: the others wait for it, and all who read. */
const SHARED_MS = 50

/** As long as all runs of a shared transaction may take together. */
const ALL_SHARED_MS = 250

/** As long as one may take at all, with its tries in one transaction; each statement that it has begun then has as long again. */
const LONGEST_MS = 5000

/** Whoever has waited longer than this for a turn looks first whether the plan is still open. */
const SHORT_WAIT_MS = 50

/** It takes too long for a transaction that others share, and is taken anew in one of its own. */
class Postponed extends Error {}

interface Parts {
  readonly statements: ReturnType<typeof createPlanStatements>
  readonly seal: (id: string, ending: PlanEnding) => SealedEnding
  readonly now: () => number
}

/** On PostgreSQL so many at a time, half of the connections of a process. */
const AT_ONCE = 5

/** How the plan has ended by this run, if it has. */
type Ran = PlanEnding | 'postponed' | undefined

interface Take {
  readonly isShared: boolean
  /** Whether the plan may have ended while this waited. */
  readonly hasWaited: boolean
}

/**
 * Runs work in the transaction in which its plan ends; answers that ending, or nothing where the plan was not open any more or
 * has expired. It throws a StoreAway with effect `unknown` where the answer of the commit was lost and the database stays away.
 *
 * `isLocal`: the database is a file. There a run shares its transaction with others, at first; on PostgreSQL with none, for
 * what two runs lock, they lock in no order.
 */
export const createRunInTransaction = ({
  isLocal,
  write,
  writeAlone,
  ...parts
}: Parts & {
  readonly isLocal: boolean
  readonly write: WriteBatcher['write']
  readonly writeAlone: WriteBatcher['write']
}): PlanStore['runInTransaction'] => {
  // Between two of them others find a connection: whoever stops them, and who reads.
  const turns = createSemaphore(isLocal ? 1 : AT_ONCE)
  const take = async (id: string, owner: string, work: RunInTransaction): Promise<Ran> => {
    const shared = isLocal
      ? await write(stepOf(parts, id, owner, work, { isShared: true, hasWaited: false }))
      : 'postponed'
    if (shared !== 'postponed') return shared
    await work.row?.written
    const asked = performance.now()
    const release = await turns.take()
    const hasWaited = performance.now() - asked > SHORT_WAIT_MS
    try {
      return await writeAlone(stepOf(parts, id, owner, work, { isShared: false, hasWaited }))
    } finally {
      release?.()
    }
  }
  return async (id, owner, work) => {
    let ran: Ran
    try {
      ran = await take(id, owner, work)
    } catch (error) {
      if (!isOfTheRun(error)) throw error
      // The whole transaction was taken back, and would be each time.
      const failed: RunInTransaction = {
        run: () => Promise.resolve(work.crashed(error)),
        crashed: work.crashed,
        ...(work.row === undefined
          ? {}
          : { row: { ...work.row, events: error instanceof ReservedEventName ? () => [] : work.row.events } }),
      }
      ran = await writeAlone(stepOf(parts, id, owner, failed, { isShared: false, hasWaited: false }))
    }
    return ran === 'postponed' ? undefined : ran
  }
}

const stepOf = (
  { statements, seal, now }: Parts,
  id: string,
  owner: string,
  work: RunInTransaction,
  how: Take,
): WriteStep<Ran> => {
  const { row } = work
  const end = async (trx: Transaction<Tables>, ending: PlanEnding): Promise<boolean> => {
    const { numAffectedRows = 0n } = await statements.endOpen(trx, { id, owner, at: now(), ...seal(id, ending) })
    return numAffectedRows > 0n
  }
  const isOpen = async (trx: Transaction<Tables>): Promise<boolean> => {
    const [plan] = (await statements.byId(trx, { id })).rows
    return plan?.state === 'open' && plan.expires_at > now()
  }
  return {
    how: 'durable',
    beside: {
      lock: `plan ${id}`,
      // Where the commit of another try took its effect, the plan is not open any more: whoever asks reads what became of it.
      write: async (trx, { changed }) => {
        const ran = await takeRun(trx, work, how, { end: (ending) => end(trx, ending), isOpen: () => isOpen(trx) })
        if (ran === undefined) await revokeFrozenPlan(trx, id, now())
        else if (ran !== 'postponed') changed()
        return ran
      },
    },
    ...(row === undefined
      ? {}
      : {
          row: row.id,
          entries: async (tx, _, { written: ran }) => {
            if (ran === undefined || ran === 'postponed') return ran
            for (const event of row.events()) await writeEvent(tx, row.id, event, now)
            const completion = row.completion(ran)
            // Whatever happens to this process now, the row names the plan.
            if (completion === undefined) await writeClaiming(tx, row.id, id, now)
            else await writeEnd(tx, row.id, completion, now)
            return ran
          },
        }),
  }
}

/**
 * Runs the tool and ends its plan, or takes back what it wrote; answers how the plan has ended, if it did. The steps that
 * share the transaction keep what they have written.
 */
async function takeRun(
  trx: Transaction<Tables>,
  { run, crashed }: RunInTransaction,
  { isShared, hasWaited }: Take,
  plan: { readonly end: (ending: PlanEnding) => Promise<boolean>; readonly isOpen: () => Promise<boolean> },
): Promise<Ran> {
  const late = (): Error =>
    isShared
      ? new Postponed()
      : new Error(`The run took longer than ${LONGEST_MS / 1000} seconds and was taken back. ${onlyOneWay}`)
  const isTakenAgain = (error: unknown): boolean =>
    error instanceof Postponed || isConflict(error) || isStoreAway(error)
  const until = isShared ? sharedUntil(trx) : performance.now() + LONGEST_MS
  let ending: PlanEnding
  for (let attempt = 1; ; attempt += 1) {
    const left = Math.ceil(until - performance.now())
    if (isShared && left <= 0) return 'postponed'
    // What was in its way may have been a run of the same plan.
    if ((hasWaited || attempt > 1) && !(await plan.isOpen())) return undefined
    // To PostgreSQL a limit of 0 would be none.
    const longestMs = isShared ? Math.min(SHARED_MS, left) : Math.max(1, left)
    await tell(trx, `${UNAWAITED}savepoint ${SAVEPOINT}`)
    // A statement that waits is no code that a timer could stop.
    if (isPostgres(trx)) await tell(trx, `${UNAWAITED}set local statement_timeout = ${longestMs}`)
    try {
      const { db, close } = statementsIn(trx)
      let isDone: boolean
      try {
        ending = await run(db, { longestMs, late, isTakenAgain })
      } finally {
        isDone = await close()
      }
      if (ending.kind === 'applied') {
        if (!isDone) throw new Error('The run came back before its statements had ended: await all that it writes.')
        if (isPostgres(trx)) {
          await tell(trx, `${UNAWAITED}set local statement_timeout to default`)
          // What is deferred is looked at here, where a failure is still the run's and not the commit's.
          await tell(trx, `${UNAWAITED}set constraints all immediate`)
        }
        if (!(await plan.end(ending))) return await takeBack(trx)
        // In PostgreSQL it ends with the transaction, and would cost a way to the server.
        if (!isPostgres(trx)) await tell(trx, `release ${SAVEPOINT}`)
        return ending
      }
    } catch (error) {
      // Nothing is committed before the run is over.
      if (isStoreAway(error)) throw error.effect === 'none' ? error : new StoreAway('none', error.cause)
      if (error instanceof Postponed) {
        await takeBack(trx)
        return 'postponed'
      }
      if (isConflict(error) && attempt < ATTEMPTS && performance.now() < until) {
        await takeBack(trx)
        continue
      }
      ending = crashed(error)
    }
    break
  }
  await takeBack(trx)
  return (await plan.end(ending)) ? ending : undefined
}

/** Until when the runs of a shared transaction may take; the time begins with the first of them. */
function sharedUntil(trx: Transaction<Tables>): number {
  const until = ends.get(trx) ?? performance.now() + ALL_SHARED_MS
  ends.set(trx, until)
  return until
}

const ends = new WeakMap<Transaction<Tables>, number>()

/**
 * Whether what the run has done is to blame for a transaction that was taken back: a constraint of SQLite that is deferred,
 * which only the commit looks at, or that ends the transaction; a name of an event that is not for tools.
 */
const isOfTheRun = (error: unknown): boolean =>
  error instanceof ReservedEventName ||
  sqliteCode(error instanceof TransactionEnded ? error.cause : error) === SQLITE_CONSTRAINT

const SQLITE_CONSTRAINT = 19

const onlyOneWay =
  'A transactional tool uses the database through ctx.transaction alone: on SQLite whatever asks in another way hangs until the run is over.'

const tell = async (trx: Transaction<Tables>, statement: string): Promise<void> => {
  await trx.executeQuery(CompiledQuery.raw(statement))
}

/** With it goes the time limit of its statements. */
const takeBack = async (trx: Transaction<Tables>): Promise<undefined> => {
  await tell(trx, `rollback to ${SAVEPOINT}`)
}
