// What can become of a plan. It has one life, although two processes may reach for it at once and any of them may die
// between two steps. So every step is one statement (or a transaction of its caller) whose condition and effect cannot be
// torn apart; nobody reads first and writes then. Sealing and reading belong to `plan-store.ts`.
import {
  sql,
  type Expression,
  type ExpressionBuilder,
  type Kysely,
  type RawBuilder,
  type Selectable,
  type Transaction,
} from 'kysely'
import { lapsedIn } from './lease.ts'
import type { PlanEnding } from '../model/plan-store.ts'
import type { PlanTable, Tables } from './tables.ts'

/** How a run ended, sealed for its plan. */
export type SealedEnding = Readonly<{ kind: PlanEnding['kind']; ending: Uint8Array }>

/** The run of a plan: its claim is this owner's for so long at a time. */
export type Lease = Readonly<{ id: string; owner: string; leaseMs: number }>

/** A run that has been claimed. */
export type Run = Pick<Lease, 'id' | 'owner'>

/** Plans that nobody has claimed, cancelled or superseded; they may have expired. */
const updateOpen = (db: Kysely<Tables>) => db.updateTable('countersign_plans').where('state', '=', 'open')

/** One of them that has not expired. */
const updateLive = (db: Kysely<Tables>, id: string, at: number) =>
  updateOpen(db).where('id', '=', id).where('expires_at', '>', at)

/** What the steps of every call need, in the order of a row. */
interface OfCall {
  readonly id: string
  readonly digest: string
  readonly tenant: string
  readonly subject: string
}

/** The freezes that stop a tenant now. */
const freezesOf = (is: ExpressionBuilder<Tables, 'countersign_plans'>, tenant: string | Expression<string>) =>
  is
    .selectFrom('countersign_freezes as freeze')
    .where('freeze.lifted_at', 'is', null)
    .where((of) => of.or([of('freeze.tenant', 'is', null), of('freeze.tenant', '=', tenant)]))

/**
 * Writes a plan down, executed by the caller; answers what it is then: open, or revoked where changes of its tenant are
 * stopped. A freeze revokes the plans that are open when it falls, and the preview of this one may have begun before that.
 * Nothing is answered where the plan is there already.
 */
export const insertPlan = (db: Kysely<Tables>, row: Selectable<PlanTable>) =>
  db
    .insertInto('countersign_plans')
    .values((is) => ({
      ...row,
      state: is
        .case()
        .when(is.exists(freezesOf(is, row.tenant).select('freeze.id')))
        .then('cancelled' as const)
        .else('open' as const)
        .end(),
      changed_at: is.fn.coalesce(
        freezesOf(is, row.tenant)
          .select((of) => of.fn.max('freeze.at').as('at'))
          .$asScalar(),
        is.val(row.changed_at),
      ),
    }))
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returning(['state', 'changed_at'])

/** Every other open plan of a call is superseded by this one; the caller may narrow them, and executes it. */
export const supersedePlans = (db: Kysely<Tables>, { id, digest, tenant, subject }: OfCall, at: number) =>
  updateOpen(db)
    .set({ state: 'superseded', changed_at: at })
    .where('digest', '=', digest)
    .where('tenant', '=', tenant)
    .where('subject', '=', subject)
    .where('id', '!=', id)

/** The open plans that were changed into this call are superseded by its own; executed by the caller. */
export const supersedeRevised = (db: Kysely<Tables>, { digest, tenant, subject }: Omit<OfCall, 'id'>, at: number) =>
  updateOpen(db)
    .set({ state: 'superseded', changed_at: at })
    .where('revised_digest', '=', digest)
    .where('tenant', '=', tenant)
    .where('subject', '=', subject)
    .where('held', '=', 0)
    .where('expires_at', '>', at)

/** Notes what the call of a plan was changed into; whether it was open and nobody decides about it. */
export async function revisePlan(db: Kysely<Tables>, id: string, digest: string, at: number): Promise<boolean> {
  const noted = updateLive(db, id, at).set({ revised_digest: digest }).where('held', '=', 0)
  return (await noted.executeTakeFirst()).numUpdatedRows > 0n
}

/** The open plan that was changed into this call, else the one of the call itself. */
export const findRevisedPlan = (
  db: Kysely<Tables>,
  digest: string,
  { tenant, subject }: Pick<OfCall, 'tenant' | 'subject'>,
  at: number,
) =>
  db
    .selectFrom('countersign_plans')
    .selectAll()
    .where((is) => is.or([is('revised_digest', '=', digest), is('digest', '=', digest)]))
    .where('held', '=', 0)
    .where('tenant', '=', tenant)
    .where('subject', '=', subject)
    .where('state', '=', 'open')
    .where('expires_at', '>', at)
    .orderBy((is) => is.case().when('revised_digest', '=', digest).then(0).else(1).end())
    .orderBy('changed_at', 'desc')
    .limit(1)
    .execute()

/** Keeps a plan for a decision that takes longer than a preview, for `ttlMs`; answers its row where it was still open. */
export const holdPlan = (db: Kysely<Tables>, id: string, ttlMs: number, at: number) =>
  updateLive(db, id, at)
    .set({ held: 1, expires_at: at + ttlMs })
    .returningAll()
    .executeTakeFirst()

/** Lets an open plan last for at least `ttlMs` from now. */
export const keepPlan = (db: Kysely<Tables>, id: string, ttlMs: number, at: number) =>
  updateLive(db, id, at)
    .where('expires_at', '<', at + ttlMs)
    .set({ expires_at: at + ttlMs })
    .execute()

/** Lets an open plan last no longer than now. */
export const expirePlan = (db: Kysely<Tables>, id: string, at: number) =>
  updateLive(db, id, at).set({ expires_at: at }).execute()

/** Cancels a plan; answers its row where it was still open. */
export const cancelPlan = (db: Kysely<Tables>, id: string, at: number) =>
  updateLive(db, id, at).set({ state: 'cancelled', changed_at: at }).returningAll().executeTakeFirst()

/** Cancels every open plan of a tenant, or of all; answers how many. */
export async function cancelPlans(trx: Transaction<Tables>, tenant: string | undefined, at: number): Promise<number> {
  const all = updateOpen(trx).set({ state: 'cancelled', changed_at: at }).where('expires_at', '>', at)
  const { numUpdatedRows } = await (tenant === undefined ? all : all.where('tenant', '=', tenant)).executeTakeFirst()
  return Number(numUpdatedRows)
}

/** The freezes that stop a plan's tenant now, in a statement that changes plans. */
const freezesOver = (is: ExpressionBuilder<Tables, 'countersign_plans'>) =>
  freezesOf(is, is.ref('countersign_plans.tenant'))

/**
 * Claims an open plan for one run, executed by the caller; answers its row where it was still open and nobody has stopped
 * its tenant's changes: whoever opened a plan since the freeze may not have asked (an older version). `clock`: as SQL.
 */
export const claimPlan = (db: Kysely<Tables>, { id, owner, leaseMs }: Lease, clock: RawBuilder<number>, at: number) =>
  updateLive(db, id, at)
    .where((is) => is.not(is.exists(freezesOver(is).select('freeze.id'))))
    .set({ state: 'applying', changed_at: at, owner, lease_until: sql<number>`${clock} + ${leaseMs}` })
    .returningAll()

/** Revokes an open plan whose tenant's changes are stopped, as the freeze would have, had it been open then. */
export const revokeFrozenPlan = (db: Kysely<Tables>, id: string, at: number) =>
  updateLive(db, id, at)
    .where((is) => is.exists(freezesOver(is).select('freeze.id')))
    .set((is) => ({
      state: 'cancelled' as const,
      changed_at: freezesOver(is).select('freeze.at').orderBy('freeze.at', 'desc').limit(1).$asScalar().$notNull(),
    }))
    .execute()

/** Prolongs the claim of a run that has not lapsed, executed by the caller: a row is updated where it had not. */
export const renewLease = (db: Kysely<Tables>, { id, owner, leaseMs }: Lease, clock: RawBuilder<number>) =>
  db
    .updateTable('countersign_plans')
    .set({ lease_until: sql<number>`${clock} + ${leaseMs}` })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('state', '=', 'applying')
    // A lapsed lease may already have been read as `unknown` by a clock a little ahead; it does not come back.
    .where('lease_until', '>', clock)

/** Finds a run's claim if at least two thirds of its lease are left, executed by the caller. */
export const heldClaim = (db: Kysely<Tables>, { id, owner, leaseMs }: Lease, clock: RawBuilder<number>) =>
  db
    .selectFrom('countersign_plans')
    .select('id')
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('state', '=', 'applying')
    .where('lease_until', '>=', sql<number>`${clock} + cast(${leaseMs} as bigint) * 2 / 3`)

/** A plan's row as it ends, whatever else must hold of it for that. */
const endingOf = (db: Kysely<Tables>, id: string, { kind, ending }: SealedEnding, at: number) =>
  db
    .updateTable('countersign_plans')
    .set({ state: kind, changed_at: at, lease_until: null, ending })
    .where('id', '=', id)

/** Writes down how a run ended, also where it was taken for lost by then: a row is updated where it did. The caller executes it. */
export const finishPlan = (db: Kysely<Tables>, { id, owner }: Run, ending: SealedEnding, at: number) =>
  endingOf(db, id, ending, at).where('owner', '=', owner).where('state', 'in', ['applying', 'unknown'])

/**
 * Ends an open plan with the run that shares this transaction, executed by the caller: a row is updated where it was still
 * open and nobody has stopped its tenant's changes.
 */
export const endOpenPlan = (db: Kysely<Tables>, { id, owner }: Run, { kind, ending }: SealedEnding, at: number) =>
  updateLive(db, id, at)
    .where((is) => is.not(is.exists(freezesOver(is).select('freeze.id'))))
    .set({ state: kind, changed_at: at, owner, ending })

/** Writes down what somebody else found out of a run that was lost; whether it was. */
export async function settlePlan(db: Kysely<Tables>, id: string, ending: SealedEnding, at: number): Promise<boolean> {
  const { numUpdatedRows } = await endingOf(db, id, ending, at)
    .where((is) => is.or([is('state', '=', 'unknown'), lapsedIn(is, at)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Replaces the conclusion that a run had failed by what its owner knows; whether that conclusion still stood. */
export async function correctPlan(
  trx: Transaction<Tables>,
  { id, owner }: Run,
  wrong: Uint8Array,
  { kind, ending }: SealedEnding,
  at: number,
): Promise<boolean> {
  const { numUpdatedRows } = await trx
    .updateTable('countersign_plans')
    .set({ state: kind, changed_at: at, ending })
    .where('id', '=', id)
    .where('owner', '=', owner)
    .where('state', '=', 'failed')
    // No two seals are alike: it is the conclusion that was read, and no other.
    .where('ending', '=', wrong)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  // Whoever heard "failed" gave back the use of a grant that this run rested on.
  await trx.updateTable('countersign_grant_uses').set({ returned_at: null }).where('plan_id', '=', id).execute()
  return true
}

/** Writes down that a run was lost; whoever settled it in between was right. */
export const lapsePlan = (db: Kysely<Tables>, id: string, ending: SealedEnding, at: number) =>
  endingOf(db, id, ending, at)
    .where((is) => lapsedIn(is, at))
    .execute()

/**
 * Notes a click on Confirm and prolongs the plan by `extendMs`; answers its row where it counted. The first click counts.
 * Only a trusted one may follow, once, in place of one that proved less.
 */
export const clickPlan = (
  db: Kysely<Tables>,
  id: string,
  { trusted, extendMs }: { readonly trusted: boolean; readonly extendMs: number },
  at: number,
) =>
  updateLive(db, id, at)
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
    .where((is) =>
      trusted ? is.or([is('click_at', 'is', null), is('click_trusted', '=', 0)]) : is('click_at', 'is', null),
    )
    .returningAll()
    .executeTakeFirst()
