// The run of a tool whose effect lies in the store's own database: what it writes and the ending of its plan are one
// commit. A process that dies leaves the plan open and nothing written, so nobody ever has to find out what became of such a
// run (ADR 84). The plan is not claimed before it: a row that is locked while a tool runs would hold up whoever stops or
// cancels it. It ends in the same statement in which it is found open; where it is not, the run is taken back.
import {
  CompiledQuery,
  Kysely,
  type DatabaseConnection,
  type Dialect,
  type QueryResult,
  type Transaction,
} from 'kysely'
import { isPostgres } from './dialect-locks.ts'
import { writeClaiming, writeEnd, writeEvent } from './activity/write/write-entry.ts'
import type { PlanEnding, PlanStore, PlanTransaction, RunInTransaction } from '../model/plan-store.ts'
import { revokeFrozenPlan, type SealedEnding } from './plans.ts'
import type { createPlanStatements } from './plan-statements.ts'
import { UNAWAITED } from './postgres/connection.ts'
import { isStoreAway } from '../model/store-away.ts'
import { codeOf } from './postgres/loss.ts'
import { isConflict } from './retry-on-connection-loss.ts'
import { createSemaphore } from '../semaphore.ts'
import { sqliteCode } from './sqlite/busy.ts'
import type { Tables } from './tables.ts'
import type { WriteBatcher, WriteStep } from './write-batcher.ts'

/** How often a run is taken that another transaction was in the way of. */
const ATTEMPTS = 5

const SAVEPOINT = 'countersign_run'

/** As long as a run may take in a transaction that it shares, in milliseconds: the others wait for it, and all who read. */
const SHARED_MS = 50

/** As long as one may take at all. */
const LONGEST_MS = 5000

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
type Ran = PlanEnding['kind'] | 'postponed' | undefined

/**
 * Runs work in the transaction in which its plan ends; answers whether it did. Where it did not, because the plan was not open
 * any more or has expired, nothing of the run is left. It throws a StoreAway with effect `unknown` where the answer of the
 * commit was lost and the database stays away.
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
    const shared = isLocal ? await write(stepOf(parts, id, owner, work, SHARED_MS)) : 'postponed'
    if (shared !== 'postponed') return shared
    await work.row?.written
    const release = await turns.take()
    try {
      return await writeAlone(stepOf(parts, id, owner, work, LONGEST_MS))
    } finally {
      release?.()
    }
  }
  return async (id, owner, work) => {
    try {
      return (await take(id, owner, work)) !== undefined
    } catch (error) {
      // A deferred constraint is looked at by the commit, which then takes everything back. It would each time.
      if (!isBrokenConstraint(error)) throw error
      const failed = { ...work, run: () => Promise.resolve(work.crashed(error)) }
      return (await write(stepOf(parts, id, owner, failed, LONGEST_MS))) !== undefined
    }
  }
}

const stepOf = (
  { statements, seal, now }: Parts,
  id: string,
  owner: string,
  work: RunInTransaction,
  longestMs: number,
): WriteStep<Ran> => {
  const { row } = work
  const end = async (trx: Transaction<Tables>, ending: PlanEnding): Promise<boolean> => {
    const { numAffectedRows = 0n } = await statements.endOpen(trx, { id, owner, at: now(), ...seal(id, ending) })
    return numAffectedRows > 0n
  }
  return {
    how: 'durable',
    beside: {
      lock: `plan ${id}`,
      // Where the commit of another try took its effect, the plan is not open any more: whoever asks reads what became of it.
      write: async (trx, { changed }) => {
        const ran = await takeRun(trx, work, longestMs, (ending) => end(trx, ending))
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
            for (const event of row.events()) await writeEvent(tx, row.id, event, now())
            const completion = row.completion(ran)
            // Whatever happens to this process now, the row names the plan.
            if (completion === undefined) await writeClaiming(tx, row.id, id, now())
            else await writeEnd(tx, row.id, completion, now())
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
  longestMs: number,
  end: (ending: PlanEnding) => Promise<boolean>,
): Promise<Ran> {
  const seconds = longestMs / 1000
  const late = (): Error =>
    longestMs === SHARED_MS
      ? new Postponed()
      : new Error(`The run took longer than ${seconds} seconds and was taken back. ${onlyOneWay}`)
  const isTakenAgain = (error: unknown): boolean => error instanceof Postponed || isConflict(error)
  let ending: PlanEnding
  for (let attempt = 1; ; attempt += 1) {
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
        if (isPostgres(trx)) await tell(trx, `${UNAWAITED}set local statement_timeout to default`)
        if (!(await end(ending))) return await takeBack(trx)
        // In PostgreSQL it ends with the transaction, and would cost a way to the server.
        if (!isPostgres(trx)) await tell(trx, `release ${SAVEPOINT}`)
        return ending.kind
      }
    } catch (error) {
      if (isStoreAway(error)) throw error
      if (error instanceof Postponed) {
        await takeBack(trx)
        return 'postponed'
      }
      if (isConflict(error) && attempt < ATTEMPTS) {
        await takeBack(trx)
        continue
      }
      ending = crashed(error)
    }
    break
  }
  await takeBack(trx)
  return (await end(ending)) ? ending.kind : undefined
}

/** SQLSTATE class 23 (integrity_constraint_violation), SQLITE_CONSTRAINT. */
const isBrokenConstraint = (error: unknown): boolean =>
  codeOf(error)?.startsWith('23') === true || sqliteCode(error) === SQLITE_CONSTRAINT

const SQLITE_CONSTRAINT = 19

const onlyOneWay =
  'A transactional tool uses the database through ctx.transaction alone: on SQLite any other way waits for it, and is gone then.'

const tell = async (trx: Transaction<Tables>, statement: string): Promise<void> => {
  await trx.executeQuery(CompiledQuery.raw(statement))
}

/** With it goes the time limit of its statements. */
const takeBack = async (trx: Transaction<Tables>): Promise<undefined> => {
  await tell(trx, `rollback to ${SAVEPOINT}`)
}

/** What ends a transaction, or a part of it: that is not for a tool to do. Comments may stand before it. */
const endsTransaction =
  /^(?:\s|--[^\n]*\n|\/\*(?:[^*]|\*(?!\/))*\*\/)*(?:begin|start|commit|end|abort|rollback|savepoint|release|prepare)\b/i

/** Several statements in one text, which PostgreSQL takes where no values come with it; the second could be a commit. */
const isSeveral = ({ sql, parameters }: CompiledQuery): boolean => parameters.length === 0 && /;\s*[^\s;]/.test(sql)

/**
 * The transaction as a run is given it: its statements and nothing else of it. `close` waits for those that are under way;
 * whatever comes after that is refused, or it would be written behind the answer that nothing was. It answers whether all had
 * ended before.
 */
function statementsIn(trx: Transaction<Tables>): {
  readonly db: PlanTransaction
  readonly close: () => Promise<boolean>
} {
  const executor = trx.getExecutor()
  const underWay = new Set<Promise<unknown>>()
  let isOver = false
  const refuse = (why: string) => Promise.reject(new Error(why))
  const noTransaction = () =>
    refuse('The run of a transactional tool is in a transaction already: call ctx.transaction itself.')
  const connection: DatabaseConnection = {
    executeQuery: <R>(query: CompiledQuery): Promise<QueryResult<R>> => {
      if (isOver)
        return refuse('The run is over, and so is its transaction: await all that it writes before it returns.')
      if (endsTransaction.test(query.sql)) return noTransaction()
      if (isSeveral(query)) return refuse('One statement at a time, and values as parameters: this text has several.')
      const answer = executor.executeQuery<R>(query)
      const settled = answer.then(
        () => undefined,
        () => undefined,
      )
      underWay.add(settled)
      void settled.then(() => underWay.delete(settled))
      return answer
    },
    streamQuery: () => {
      throw new Error('The transaction of a plan does not stream; use execute().')
    },
  }
  const dialect: Dialect = {
    createAdapter: () => executor.adapter,
    createQueryCompiler: () => ({ compileQuery: (node, queryId) => executor.compileQuery(node, queryId) }),
    createIntrospector: () => {
      throw new Error('The transaction of a plan does not list tables.')
    },
    createDriver: () => ({
      init: () => Promise.resolve(),
      acquireConnection: () => Promise.resolve(connection),
      releaseConnection: () => Promise.resolve(),
      beginTransaction: noTransaction,
      commitTransaction: noTransaction,
      rollbackTransaction: noTransaction,
      destroy: () => Promise.resolve(),
    }),
  }
  return {
    db: new Kysely<unknown>({ dialect }),
    close: async () => {
      isOver = true
      const isDone = underWay.size === 0
      await Promise.all(underWay)
      return isDone
    },
  }
}
