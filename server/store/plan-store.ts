// The plans of one database, sealed and read. A connection may be lost before the answer came, so every step can be taken
// again: what it has done already, it finds done. The steps themselves are in `plans.ts`.
import type { Kysely, RawBuilder, Selectable, Transaction } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { takeTurns } from './dialect-locks.ts'
import { freshFor } from '../fresh-for.ts'
import { hasLapsed, lapsedIn } from './lease.ts'
import type { ActivityCompletion, StartedRow } from '../model/activity.ts'
import type { Claim, OpenedPlan, Plan, PlanDraft, PlanEnding, PlanRef, PlanStore, RowEnd } from '../model/plan-store.ts'
import { createPlanStatements } from './plan-statements.ts'
import { writeClaiming, writeEnd } from './activity/write/write-entry.ts'
import { epoch, openedPlan, openEnding, parsePlanRow, sealEnding, toPlan, toPlanRow } from './plan-row.ts'
import {
  cancelPlan,
  clickPlan,
  correctPlan,
  findRevisedPlan,
  holdPlan,
  expirePlan,
  keepPlan,
  lapsePlan,
  revisePlan,
  revokeFrozenPlan,
  settlePlan,
  type SealedEnding,
} from './plans.ts'
import type { OpenDatabase } from './open-database.ts'
import { retryOnConnectionLoss, retryUntilKept } from './retry-on-connection-loss.ts'
import { createRunInTransaction } from './run-in-transaction.ts'
import type { Sealer } from './seal.ts'
import { sweptUpTo } from './sweep.ts'
import type { PlanTable, Tables } from './tables.ts'
import { startingWith, type WriteBatcher } from './write-batcher.ts'

const RECENTLY_MS = 10 * 60 * 1000

interface PlansParts {
  readonly db: Kysely<Tables>
  readonly reads: OpenDatabase['reads']
  readonly sealer: Sealer
  readonly now: () => number
  /** The database's clock as SQL; `now` where absent. A lease starts when its statement runs, not when it was asked for. */
  readonly clock?: RawBuilder<number> | undefined
  readonly renewing: OpenDatabase['renewing']
  readonly relaxed: OpenDatabase['relaxed']
  /** Every process on this database is on this machine. */
  readonly isLocal: boolean
  /** Steps share their transaction with the rows of the activity log. */
  readonly write: WriteBatcher['write']
  /** A step in a transaction of its own. */
  readonly writeAlone: WriteBatcher['write']
}

/** What the store does for its plans beside what the rail asks for. */
interface KeptPlans extends PlanStore {
  /** Writes down of at most so many plans that their runs were lost. */
  readonly lapseSome: (limit: number) => Promise<void>
}

/** The plans of one database. */
export const createPlanStore = ({
  db,
  reads,
  sealer,
  now,
  clock,
  renewing,
  relaxed,
  isLocal,
  write,
  writeAlone,
}: PlansParts): KeptPlans => {
  const statements = createPlanStatements(db, clock)
  const seal = (id: string, ending: PlanEnding, reconciled?: boolean): SealedEnding => ({
    kind: ending.kind,
    ending: sealEnding(sealer, id, ending, reconciled),
  })
  const read = (row: Selectable<PlanTable>): Plan => toPlan(parsePlanRow(row), sealer, now())

  const openIn = async (trx: Transaction<Tables>, draft: PlanDraft): Promise<OpenedPlan> => {
    const { tenant, subject } = draft.principal
    await takeTurns(trx, ...turnOf(draft))
    const at = now()
    const of = { id: draft.id, digest: draft.digest, tenant, subject, at, since: at - RECENTLY_MS }
    const [superseded] = (await statements.supersede(trx, of)).rows
    if (draft.isRevision) await statements.supersedeRevised(trx, of)
    const [applied] = (await statements.appliedSince(trx, of)).rows
    const [written] = (await statements.insert(trx, toPlanRow(draft, sealer, at))).rows
    return {
      plan: openedPlan(draft, at, written?.state === 'cancelled' ? epoch.parse(written.changed_at) : undefined),
      superseded: superseded?.id,
      appliedAt: applied === undefined ? undefined : epoch.parse(applied.changed_at),
    }
  }

  /**
   * A preview has changed nothing: one that a power cut takes away is asked for again. What rests on it (a claim, an
   * approval) waits for the disk, and with it for this. On PostgreSQL it has a transaction of its own, because the plans that
   * it supersedes are locked in no order.
   */
  const open = async (draft: PlanDraft, row?: StartedRow): Promise<OpenedPlan> => {
    if (isLocal)
      return write<OpenedPlan>({
        how: 'soon',
        beside: { lock: turnOf(draft).join(' '), write: (trx) => openIn(trx, draft) },
        ...(row === undefined
          ? {}
          : {
              entries: async (tx, _, { written }) => {
                if (written === undefined || (await tx.row(row.id)) === undefined)
                  throw new Error(`The activity row ${row.id} is gone; no plan is opened for its call.`)
                return written
              },
            }),
      })
    await row?.written
    return retryOnConnectionLoss(() => relaxed((trx) => openIn(trx, draft)))
  }

  const findOnce = async (ref: PlanRef): Promise<Plan | undefined> => {
    const { rows } = await (ref.by === 'id' ? statements.byId(reads, ref) : statements.byTicket(reads, ref))
    const [row] = rows
    if (row === undefined) return undefined
    return hasLapsed(row, now()) ? await lapse(row.id) : read(row)
  }

  const find = (ref: PlanRef) => retryOnConnectionLoss(() => findOnce(ref))

  /** Nobody knows how the run ended; whoever settled it in between was right. */
  const lapse = async (id: string): Promise<Plan | undefined> => {
    const message = 'The process that ran this call stopped before it could say how the call ended.'
    await lapsePlan(db, id, seal(id, { kind: 'unknown', failure: { code: 'owner_lost', message } }), now())
    const row = await db.selectFrom('countersign_plans').selectAll().where('id', '=', id).executeTakeFirst()
    return row && read(row)
  }

  const lapsedUpTo = sweptUpTo()

  /** Nobody may ever ask for a plan again whose process died; its end is written down all the same. */
  const lapseSome = async (limit: number): Promise<void> => {
    const at = now()
    const from = lapsedUpTo.from(at)
    const applying = db
      .selectFrom('countersign_plans')
      .where('state', '=', 'applying')
      .$if(from !== undefined, (q) => q.where('changed_at', '>=', from ?? 0))
    const lost = await applying
      .select('id')
      .where((is) => lapsedIn(is, at))
      .limit(limit)
      .execute()
    for (const { id } of lost) await lapse(id)
    if (lost.length === limit) return
    // A run keeps the time of its claim, and may be lost yet.
    const { oldest } = await applying.select(({ fn }) => fn.min('changed_at').as('oldest')).executeTakeFirstOrThrow()
    lapsedUpTo.done(Math.min(at, epoch.parse(oldest ?? at)))
  }

  const claim = async (id: string, owner: string, leaseMs: number, row?: string): Promise<Claim> => {
    const isFresh = clock !== undefined && isLocal ? freshFor(leaseMs / 3) : undefined
    const claimed = await write<Selectable<PlanTable> | undefined>({
      how: 'durable',
      beside: startingWith(
        `plan ${id}`,
        () => statements.claim.with({ id, owner, leaseMs, at: now() }),
        async (trx, { again, changed }, { rows: [row] }) => {
          if (row !== undefined) changed()
          const claimed = row ?? (again ? await claimOf(trx, id, owner) : undefined)
          if (claimed === undefined) await revokeFrozenPlan(trx, id, now())
          return claimed
        },
      ),
      ...(row === undefined
        ? {}
        : {
            row,
            entries: async (tx, _, { written: found }) => {
              if (found !== undefined) await writeClaiming(tx, row, id, now)
              return found
            },
          }),
    })
    if (claimed !== undefined)
      return { kind: 'claimed', plan: read(claimed), ...(isFresh === undefined ? {} : { isFresh }) }
    const plan = await find({ by: 'id', id })
    return plan === undefined ? { kind: 'gone' } : { kind: 'taken', plan }
  }

  /** An owner names one run: what runs for it is what it asked for before the answer was lost. */
  const claimOf = (trx: Kysely<Tables>, id: string, owner: string): Promise<Selectable<PlanTable> | undefined> =>
    trx
      .selectFrom('countersign_plans')
      .selectAll()
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('state', '=', 'applying')
      .executeTakeFirst()

  const finish = async (id: string, owner: string, ending: PlanEnding, row?: RowEnd): Promise<boolean> => {
    const beside = startingWith(
      `plan ${id}`,
      () => statements.finish.with({ id, owner, at: now(), ...seal(id, ending) }),
      async (trx, { changed }, answer) => {
        if (!hasChanged(answer)) return (await hasEnded(trx, id, owner, ending)) ? ('before' as const) : undefined
        changed()
        return 'now' as const
      },
    )
    if (row === undefined) return (await write({ how: 'durable', beside })) !== undefined
    const ended = await write<'now' | 'before' | undefined, ActivityCompletion>({
      how: 'durable',
      prepare: row.completion,
      beside,
      row: row.id,
      entries: async (tx, completion, { written: end }) => {
        // Where the answer of the first commit was lost, the row has ended with it.
        const isOpen = end === 'now' || (end === 'before' && (await tx.row(row.id))?.end_seq === null)
        if (isOpen) await writeEnd(tx, row.id, completion, now)
        return end
      },
    })
    return ended !== undefined
  }

  /** This owner's own ending, which stands there already. */
  const hasEnded = async (on: Kysely<Tables>, id: string, owner: string, ending: PlanEnding): Promise<boolean> => {
    const row = await on
      .selectFrom('countersign_plans')
      .select('ending')
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('state', '=', ending.kind)
      .executeTakeFirst()
    if (row?.ending === undefined || row.ending === null) return false
    return isDeepStrictEqual(openEnding(sealer, id, row.ending).ending, ending)
  }

  const settleOnce = async (id: string, ending: PlanEnding): Promise<boolean> => {
    // A reconcile finds out, or it does not; "still unknown" changes nothing.
    if (ending.kind !== 'applied' && ending.kind !== 'failed') return false
    return settlePlan(db, id, seal(id, ending, true), now())
  }

  const correctOnce = async (id: string, owner: string, ending: PlanEnding): Promise<boolean> => {
    if (ending.kind !== 'applied' && ending.kind !== 'unknown') return false
    const known = await db
      .selectFrom('countersign_plans')
      .select('ending')
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('state', '=', 'failed')
      .executeTakeFirst()
    const wrong = known?.ending ?? undefined
    if (wrong === undefined || !openEnding(sealer, id, wrong).reconciled) return await hasEnded(db, id, owner, ending)
    const right = seal(id, ending)
    return db.transaction().execute((trx) => correctPlan(trx, { id, owner }, wrong, right, now()))
  }

  /** What a step has made of a plan; the plan as it stands where the step did not fit. */
  const readBack = async (id: string, row: Selectable<PlanTable> | undefined): Promise<Plan | undefined> =>
    row === undefined ? await findOnce({ by: 'id', id }) : read(row)

  return {
    open,
    lapseSome,
    find,
    claim,
    renew: (id, owner, leaseMs) =>
      retryOnConnectionLoss(() =>
        renewing(async (plans) => hasChanged(await statements.renew(plans, { id, owner, leaseMs, at: now() }))),
      ),
    holds: (id, owner, leaseMs) =>
      retryOnConnectionLoss(
        async () => (await statements.holds(reads, { id, owner, leaseMs, at: now() })).rows.length > 0,
      ),
    finish,
    runInTransaction: createRunInTransaction({ statements, seal, now, isLocal, write, writeAlone }),
    settle: (...step) => retryUntilKept(db, () => settleOnce(...step)),
    correct: (...step) => retryUntilKept(db, () => correctOnce(...step)),
    revise: (id, digest) => retryUntilKept(db, () => revisePlan(db, id, digest, now())),
    findRevised: (...of) => retryOnConnectionLoss(async () => (await findRevisedPlan(db, ...of, now())).map(read)[0]),
    cancel: (id) => retryUntilKept(db, async () => readBack(id, await cancelPlan(db, id, now()))),
    keep: (id, ttlMs) => retryUntilKept(db, async () => void (await keepPlan(db, id, ttlMs, now()))),
    expire: (id) => retryUntilKept(db, async () => void (await expirePlan(db, id, now()))),
    hold: (id, ttlMs) => retryUntilKept(db, async () => readBack(id, await holdPlan(db, id, ttlMs, now()))),
    click: (id, trusted, extendMs) =>
      retryUntilKept(db, async () => readBack(id, await clickPlan(db, id, { trusted, extendMs }, now()))),
  }
}

/** Whether a statement has changed a row. */
const hasChanged = ({ numAffectedRows = 0n }: { readonly numAffectedRows?: bigint }): boolean => numAffectedRows > 0n

/** One open plan of a call at a time. */
const turnOf = ({ digest, principal: { tenant, subject } }: PlanDraft) => ['plan', digest, tenant, subject] as const
