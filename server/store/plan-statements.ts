// The statements that every preview and apply runs, built once for a database.
import { sql, type Kysely, type RawBuilder, type Selectable } from 'kysely'
import { planColumns } from './plan-row.ts'
import {
  claimPlan,
  endOpenPlan,
  finishPlan,
  heldClaim,
  insertPlan,
  renewLease,
  supersedePlans,
  supersedeRevised,
  type Lease,
  type Run,
  type SealedEnding,
} from './plans.ts'
import { prepared } from './prepared.ts'
import type { PlanTable, Tables } from './tables.ts'

/** Epoch milliseconds. */
type AtTime = Readonly<Record<'at', number>>

type Row = Selectable<PlanTable>
type RowValues = { readonly [Column in keyof Row]: Row[Column] }

/** `clock`: the database's, as SQL, where leases go by it; else they go by the time that is given. */
export const createPlanStatements = (db: Kysely<Tables>, clock: RawBuilder<number> | undefined) => {
  const plans = db.selectFrom('countersign_plans')
  const clockOr = (at: number): RawBuilder<number> => clock ?? sql`cast(${at} as bigint)`
  return {
    /** Supersedes the older open plans of a call that nobody holds; answers the ids of those that had not expired. */
    supersede: prepared((of: Pick<Row, 'id' | 'digest' | 'tenant' | 'subject'> & AtTime) =>
      supersedePlans(db, of, of.at).where('held', '=', 0).where('expires_at', '>', of.at).returning('id'),
    ),
    /** Supersedes the open plans that were changed into a call. */
    supersedeRevised: prepared((of: Pick<Row, 'digest' | 'tenant' | 'subject'> & AtTime) =>
      supersedeRevised(db, of, of.at),
    ),
    /** When the call was last applied, since then. */
    appliedSince: prepared((of: Pick<Row, 'digest' | 'tenant' | 'subject'> & { readonly since: number }) =>
      plans
        .select('changed_at')
        .where('digest', '=', of.digest)
        .where('tenant', '=', of.tenant)
        .where('subject', '=', of.subject)
        .where('state', '=', 'applied')
        .where('changed_at', '>', of.since)
        .orderBy('changed_at', 'desc')
        .limit(1),
    ),
    /** Taken again, it finds the plan there. */
    insert: prepared((row: RowValues) =>
      insertPlan(db, Object.fromEntries(planColumns.map((column) => [column, row[column]])) as unknown as Row),
    ),
    byId: prepared(({ id }: Pick<Row, 'id'>) => plans.selectAll().where('id', '=', id)),
    byTicket: prepared(({ ticketHash }: { readonly ticketHash: string }) =>
      plans.selectAll().where('ticket_hash', '=', ticketHash),
    ),
    claim: prepared((of: Lease & AtTime) => claimPlan(db, of, clockOr(of.at), of.at)),
    renew: prepared((of: Lease & AtTime) => renewLease(db, of, clockOr(of.at))),
    holds: prepared((of: Lease & AtTime) => heldClaim(db, of, clockOr(of.at))),
    endOpen: prepared((of: Run & SealedEnding & AtTime) => endOpenPlan(db, of, of, of.at)),
    finish: prepared((of: Run & SealedEnding & AtTime) => finishPlan(db, of, of, of.at)),
  }
}
