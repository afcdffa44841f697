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
import type { PlanEnding, PlanTransaction, RunInTransaction } from '../model/plan-store.ts'
import { revokeFrozenPlan, type SealedEnding } from './plans.ts'
import type { createPlanStatements } from './plan-statements.ts'
import { UNAWAITED } from './postgres/connection.ts'
import { isStoreAway } from './postgres/loss.ts'
import { isUndone } from './retry-on-connection-loss.ts'
import type { Tables } from './tables.ts'
import type { WriteBatcher } from './write-batcher.ts'

/** How often a run is taken that another transaction was in the way of. */
const ATTEMPTS = 5

const SAVEPOINT = 'countersign_run'

interface Parts {
  readonly statements: ReturnType<typeof createPlanStatements>
  readonly seal: (id: string, ending: PlanEnding) => SealedEnding
  readonly now: () => number
  readonly write: WriteBatcher['write']
}

/**
 * Runs `work` in the transaction in which its plan ends; answers whether it did. Where it did not, because the plan was not
 * open any more or has expired, nothing of the run is left.
 * @throws {StoreAway} with effect `unknown` where the answer of the commit was lost and the database stays away.
 */
export async function runInTransaction(
  { statements, seal, now, write }: Parts,
  id: string,
  owner: string,
  work: RunInTransaction,
): Promise<boolean> {
  const { row } = work
  let ended: PlanEnding['kind'] | undefined
  return await write<boolean>({
    how: 'durable',
    beside: {
      lock: `plan ${id}`,
      write: async (trx, { again, changed }) => {
        // The commit whose answer was lost took its effect.
        if (again && (await hasEnded(trx, id, owner))) return true
        ended = await runOnce(trx, work, async (ending) => {
          const { numAffectedRows = 0n } = await statements.endOpen(trx, { id, owner, at: now(), ...seal(id, ending) })
          return numAffectedRows > 0n
        })
        if (ended === undefined) await revokeFrozenPlan(trx, id, now())
        else changed()
        return ended !== undefined
      },
    },
    ...(row === undefined
      ? {}
      : {
          row: row.id,
          entries: async (tx, _, { written = false }) => {
            if (ended === undefined) return written
            for (const event of row.events()) await writeEvent(tx, row.id, event, now())
            const completion = row.completion(ended)
            // Whatever happens to this process now, the row names the plan.
            if (completion === undefined) await writeClaiming(tx, row.id, id, now())
            else await writeEnd(tx, row.id, completion, now())
            return written
          },
        }),
  })
}

/** Whether the plan has ended with this owner's run. */
const hasEnded = async (trx: Transaction<Tables>, id: string, owner: string): Promise<boolean> =>
  (await trx
    .selectFrom('countersign_plans')
    .select('id')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .executeTakeFirst()) !== undefined

/**
 * Runs the tool and ends its plan, or takes back what it wrote; answers how the plan has ended, if it did. The steps that
 * share the transaction keep what they have written.
 */
async function runOnce(
  trx: Transaction<Tables>,
  { run, crashed }: RunInTransaction,
  end: (ending: PlanEnding) => Promise<boolean>,
): Promise<PlanEnding['kind'] | undefined> {
  let ending: PlanEnding
  for (let attempt = 1; ; attempt += 1) {
    await trx.executeQuery(CompiledQuery.raw(`${UNAWAITED}savepoint ${SAVEPOINT}`))
    try {
      const { db, close } = statementsIn(trx)
      try {
        ending = await run(db, isUndone)
      } finally {
        await close()
      }
      if (ending.kind === 'applied') {
        if (!(await end(ending))) return await takeBack(trx)
        // In PostgreSQL it ends with the transaction, and would cost a way to the server.
        if (!isPostgres(trx)) await trx.executeQuery(CompiledQuery.raw(`release ${SAVEPOINT}`))
        return ending.kind
      }
    } catch (error) {
      if (isStoreAway(error)) throw error
      if (isUndone(error) && attempt < ATTEMPTS) {
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

const takeBack = async (trx: Transaction<Tables>): Promise<undefined> => {
  await trx.executeQuery(CompiledQuery.raw(`rollback to ${SAVEPOINT}`))
}

/** What ends a transaction, or a part of it: that is not for a tool to do. */
const endsTransaction = /^\s*(?:begin|start|commit|end|abort|rollback|savepoint|release|prepare)\b/i

/**
 * The transaction as a run is given it: its statements and nothing else of it. `close` waits for those that are under way;
 * whatever comes after that is refused, or it would be written behind the answer that nothing was.
 */
function statementsIn(trx: Transaction<Tables>): { readonly db: PlanTransaction; readonly close: () => Promise<void> } {
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
      await Promise.all(underWay)
    },
  }
}
