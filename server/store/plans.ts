// One plan has one life, although two processes may reach for it at once and any of them may die between two steps. So
// every step is one statement (or, to open, one transaction) whose condition and effect cannot be torn apart; nobody
// reads first and writes then. A connection may be lost before the answer came, so every step can be taken again: what it
// has done already, it finds done.
import { sql, type Kysely, type RawBuilder, type Selectable, type Transaction } from 'kysely'
import { isDeepStrictEqual } from 'node:util'
import { takeTurns } from './dialect-locks.ts'
import { hasLapsed, lapsedIn } from './lease.ts'
import type { Claim, OpenedPlan, Plan, PlanDraft, PlanEnding, PlanRef, PlanStore } from '../model/plan-store.ts'
import { epoch, openEnding, parsePlanRow, sealEnding, toPlan, toPlanRow } from './plan-row.ts'
import type { OpenDatabase } from './open-database.ts'
import { retryOnConnectionLoss } from './retry-on-connection-loss.ts'
import type { Sealer } from './seal.ts'
import type { PlanTable, Tables } from './tables.ts'

const RECENTLY_MS = 10 * 60 * 1000

export interface PlansParts {
  readonly db: Kysely<Tables>
  readonly sealer: Sealer
  readonly now: () => number
  /** The database's clock as SQL; `now` where absent. A lease starts when its statement runs, not when it was asked for. */
  readonly clock?: RawBuilder<number> | undefined
  readonly renewing: OpenDatabase['renewing']
  readonly keepResultsMs: number
}

/** What the store does for its plans beside what the engine asks for. */
export interface KeptPlans extends PlanStore {
  /** Writes down of at most so many plans that their runs were lost. */
  readonly lapseSome: (limit: number) => Promise<void>
}

/** Plans that nobody has claimed, cancelled or superseded; they may have expired. */
const updateOpen = (db: Kysely<Tables>) => db.updateTable('countersign_plans').where('state', '=', 'open')

/** One of them that has not expired. */
const updateLive = (db: Kysely<Tables>, id: string, at: number) =>
  updateOpen(db).where('id', '=', id).where('expires_at', '>', at)

/** Every other open plan of a call is superseded by this one; the caller may narrow them, and executes it. */
export const supersedePlans = (
  trx: Transaction<Tables>,
  { digest, principal, id }: Pick<PlanDraft, 'digest' | 'principal' | 'id'>,
  at: number,
) =>
  updateOpen(trx)
    .set({ state: 'superseded', changed_at: at })
    .where('digest', '=', digest)
    .where('tenant', '=', principal.tenant)
    .where('subject', '=', principal.subject)
    .where('id', '!=', id)

/** Keeps a plan for a decision that takes longer than a preview, for `ttlMs`; answers its row where it was still open. */
export const holdPlan = (db: Kysely<Tables>, id: string, ttlMs: number, at: number) =>
  updateLive(db, id, at)
    .set({ held: 1, expires_at: at + ttlMs })
    .returningAll()
    .executeTakeFirst()

/** Cancels a plan; answers its row where it was still open. */
export const cancelPlan = (db: Kysely<Tables>, id: string, at: number) =>
  updateLive(db, id, at).set({ state: 'cancelled', changed_at: at }).returningAll().executeTakeFirst()

/** Cancels every open plan of a tenant, or of all; answers how many. */
export async function cancelPlans(trx: Transaction<Tables>, tenant: string | undefined, at: number): Promise<number> {
  const all = updateOpen(trx).set({ state: 'cancelled', changed_at: at }).where('expires_at', '>', at)
  const { numUpdatedRows } = await (tenant === undefined ? all : all.where('tenant', '=', tenant)).executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The life of plans on one database. */
export const createPlans = ({ db, sealer, now, clock, renewing, keepResultsMs }: PlansParts): KeptPlans => {
  const leaseClock = (): RawBuilder<number> => clock ?? sql`cast(${now()} as bigint)`
  const read = (row: Selectable<PlanTable>): Plan => toPlan(parsePlanRow(row), sealer, now(), keepResultsMs)

  const openOnce = async (draft: PlanDraft): Promise<OpenedPlan> => {
    const { tenant, subject } = draft.principal
    return await db.transaction().execute(async (trx) => {
      await takeTurns(trx, 'plan', draft.digest, tenant, subject)
      const at = now()
      const superseded = await supersedePlans(trx, draft, at)
        .where('held', '=', 0)
        .where('expires_at', '>', at)
        .returning('id')
        .executeTakeFirst()
      const applied = await trx
        .selectFrom('countersign_plans')
        .select('changed_at')
        .where('digest', '=', draft.digest)
        .where('tenant', '=', tenant)
        .where('subject', '=', subject)
        .where('state', '=', 'applied')
        .where('changed_at', '>', at - RECENTLY_MS)
        .orderBy('changed_at', 'desc')
        .limit(1)
        .executeTakeFirst()
      const row = toPlanRow(draft, sealer, at)
      await trx
        .insertInto('countersign_plans')
        .values(row)
        .onConflict((conflict) => conflict.column('id').doNothing())
        .execute()
      return {
        plan: opened(draft, at),
        superseded: superseded?.id,
        appliedAt: applied === undefined ? undefined : epoch.parse(applied.changed_at),
      }
    })
  }

  const findOnce = async (ref: PlanRef): Promise<Plan | undefined> => {
    const select = db.selectFrom('countersign_plans').selectAll()
    const row = await (
      ref.by === 'id' ? select.where('id', '=', ref.id) : select.where('ticket_hash', '=', ref.ticketHash)
    ).executeTakeFirst()
    if (row === undefined) return undefined
    return hasLapsed(row, now()) ? await lapse(row.id) : read(row)
  }

  const find = (ref: PlanRef) => retryOnConnectionLoss(() => findOnce(ref))

  /** Writes down that nobody knows how the run ended; whoever settled it in between was right. */
  const lapse = async (id: string): Promise<Plan | undefined> => {
    const at = now()
    const message = 'The process that ran this call stopped before it could say how the call ended.'
    const ending = sealEnding(sealer, id, { kind: 'unknown', failure: { code: 'owner_lost', message } })
    await db
      .updateTable('countersign_plans')
      .set({ state: 'unknown', changed_at: at, lease_until: null, ending })
      .where('id', '=', id)
      .where((is) => lapsedIn(is, at))
      .execute()
    const row = await db.selectFrom('countersign_plans').selectAll().where('id', '=', id).executeTakeFirst()
    return row && read(row)
  }

  /** Nobody may ever ask for a plan again whose process died; its end is written down all the same. */
  const lapseSome = async (limit: number): Promise<void> => {
    const lost = await db
      .selectFrom('countersign_plans')
      .select('id')
      .where((is) => lapsedIn(is, now()))
      .limit(limit)
      .execute()
    for (const { id } of lost) await lapse(id)
  }

  const claim = (id: string, owner: string, leaseMs: number): Promise<Claim> =>
    retryOnConnectionLoss(async (again) => {
      const at = now()
      const row = await updateLive(db, id, at)
        .set({ state: 'applying', changed_at: at, owner, lease_until: sql<number>`${leaseClock()} + ${leaseMs}` })
        .returningAll()
        .executeTakeFirst()
      if (row !== undefined) return { kind: 'claimed', plan: read(row) }
      const plan = await findOnce({ by: 'id', id })
      if (plan === undefined) return { kind: 'gone' }
      return { kind: again && plan.state === 'applying' && (await isOf(owner, id)) ? 'claimed' : 'taken', plan }
    })

  /** An owner names one run: what runs for it is what it asked for before the answer was lost. */
  const isOf = async (owner: string, id: string): Promise<boolean> => {
    const row = await db.selectFrom('countersign_plans').select('owner').where('id', '=', id).executeTakeFirst()
    return row?.owner === owner
  }

  const renewOnce = async (id: string, owner: string, leaseMs: number): Promise<boolean> => {
    const at = leaseClock()
    const { numUpdatedRows } = await renewing((plans) =>
      plans
        .updateTable('countersign_plans')
        .set({ lease_until: sql<number>`${at} + ${leaseMs}` })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('state', '=', 'applying')
        // A lapsed lease may already have been read as `unknown` by a clock a little ahead; it does not come back.
        .where('lease_until', '>', at)
        .executeTakeFirst(),
    )
    return numUpdatedRows > 0n
  }

  const finishOnce = async (id: string, owner: string, ending: PlanEnding): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('countersign_plans')
      .set({ state: ending.kind, changed_at: now(), lease_until: null, ending: sealEnding(sealer, id, ending) })
      .where('id', '=', id)
      .where('owner', '=', owner)
      .where('state', 'in', ['applying', 'unknown'])
      .executeTakeFirst()
    return numUpdatedRows > 0n || (await hasEnded(id, owner, ending))
  }

  /** This owner's own ending, which stands there already. */
  const hasEnded = async (id: string, owner: string, ending: PlanEnding): Promise<boolean> => {
    const row = await db
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
    const at = now()
    const { numUpdatedRows } = await db
      .updateTable('countersign_plans')
      .set({ state: ending.kind, changed_at: at, lease_until: null, ending: sealEnding(sealer, id, ending, true) })
      .where('id', '=', id)
      .where((is) => is.or([is('state', '=', 'unknown'), lapsedIn(is, at)]))
      .executeTakeFirst()
    return numUpdatedRows > 0n
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
    if (wrong === undefined || !openEnding(sealer, id, wrong).reconciled) return await hasEnded(id, owner, ending)
    return await db.transaction().execute(async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('countersign_plans')
        .set({ state: ending.kind, changed_at: now(), ending: sealEnding(sealer, id, ending) })
        .where('id', '=', id)
        .where('owner', '=', owner)
        .where('state', '=', 'failed')
        // No two seals are alike: it is the conclusion that was read, and no other.
        .where('ending', '=', wrong)
        .executeTakeFirst()
      // Whoever heard "failed" gave back the use of a grant that this run rested on.
      if (numUpdatedRows > 0n)
        await trx.updateTable('countersign_grant_uses').set({ returned_at: null }).where('plan_id', '=', id).execute()
      return numUpdatedRows > 0n
    })
  }

  /** What a step has made of a plan; the plan as it stands where the step did not fit. */
  const readBack = async (id: string, row: Selectable<PlanTable> | undefined): Promise<Plan | undefined> =>
    row === undefined ? await findOnce({ by: 'id', id }) : read(row)

  const clickOnce = async (id: string, trusted: boolean, extendMs: number): Promise<Plan | undefined> => {
    const at = now()
    const row = await updateLive(db, id, at)
      .set((is) => ({
        click_at: at,
        click_trusted: trusted ? 1 : 0,
        expires_at: is
          .case()
          .when('click_at', 'is', null)
          .then(is('expires_at', '+', extendMs))
          .else(is.ref('expires_at'))
          .end(),
      }))
      // The first click counts. Only a trusted one may follow, once, in place of one that proved less.
      .where((is) =>
        trusted ? is.or([is('click_at', 'is', null), is('click_trusted', '=', 0)]) : is('click_at', 'is', null),
      )
      .returningAll()
      .executeTakeFirst()
    return readBack(id, row)
  }

  return {
    open: (draft) => retryOnConnectionLoss(() => openOnce(draft)),
    lapseSome,
    find,
    claim,
    renew: (...step) => retryOnConnectionLoss(() => renewOnce(...step)),
    finish: (...step) => retryOnConnectionLoss(() => finishOnce(...step)),
    settle: (...step) => retryOnConnectionLoss(() => settleOnce(...step)),
    correct: (...step) => retryOnConnectionLoss(() => correctOnce(...step)),
    cancel: (id) => retryOnConnectionLoss(async () => readBack(id, await cancelPlan(db, id, now()))),
    hold: (id, ttlMs) => retryOnConnectionLoss(async () => readBack(id, await holdPlan(db, id, ttlMs, now()))),
    click: (...step) => retryOnConnectionLoss(() => clickOnce(...step)),
  }
}

/** What reading the row back would say, without deciphering it. */
const opened = ({ ttlMs, ...draft }: PlanDraft, at: number): Plan => ({
  ...draft,
  state: 'open',
  createdAt: at,
  expiresAt: at + ttlMs,
  changedAt: at,
  click: undefined,
  ending: undefined,
  resultErased: false,
})
