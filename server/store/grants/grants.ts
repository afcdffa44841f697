// Two processes may use the last of twenty at the same instant, while somebody revokes it in a third. So a use is taken in
// one transaction whose first statement writes the grant's row: on either database whoever comes second waits there
// until the first one's use can be counted, and a revocation that was committed is seen.
import type { ExpressionBuilder, Kysely } from 'kysely'
import { retryOnConnectionLoss } from '../retry-on-connection-loss.ts'
import { supersedePlans } from '../plans.ts'
import { prepared } from '../prepared.ts'
import { epoch } from '../plan-row.ts'
import type { StoreParts, Tables } from '../tables.ts'
import type {
  Grant,
  GrantClaim,
  GrantDraft,
  GrantFilter,
  GrantPeriod,
  Grants,
  GrantTaken,
  GrantUse,
} from '../../model/grants.ts'
import { grantRow, toGrant, toGrantRow, toUse } from './grant-row.ts'
import { createOffers } from './offers.ts'

const HOUR_MS = 3_600_000
const periodMs: Readonly<Record<GrantPeriod, number>> = {
  hour: HOUR_MS,
  day: 24 * HOUR_MS,
  total: Number.POSITIVE_INFINITY,
}

/** Grants on one database. */
export const createGrants = ({ db, sealer, now }: StoreParts): Grants => {
  const counted = async (rows: readonly unknown[], at: number): Promise<readonly Grant[]> =>
    Promise.all(rows.map(async (raw) => toGrant(raw, sealer, await countsOf(db, grantRow.parse(raw), at))))

  const activeOf = prepared((of: Readonly<{ tenant: string; subject: string; tool: string; at: number }>) =>
    db
      .selectFrom('countersign_grants')
      .selectAll()
      .where('tenant', '=', of.tenant)
      .where('tool', '=', of.tool)
      .where('until_at', '>', of.at)
      .where('revoked_at', 'is', null)
      .where((is) => coversSubject(is, of.subject))
      .orderBy('created_at')
      .orderBy('id'),
  )
  const active: Grants['active'] = async ({ tenant, subject }, tool) => {
    const at = now()
    const { rows } = await activeOf(db, { tenant, subject, tool, at })
    return (await counted(rows, at)).filter(({ used, times }) => used < times)
  }

  /** Asked for again, it finds the use that this plan has. */
  const takeOnce = async (
    id: string,
    { planId, principal, tool, definition, insteadOf }: GrantClaim,
  ): Promise<GrantTaken> =>
    await db.transaction().execute(async (trx): Promise<GrantTaken> => {
      const at = now()
      const held = await trx
        .updateTable('countersign_grants')
        .set({ touched_at: at })
        .where('id', '=', id)
        .where('tenant', '=', principal.tenant)
        .where('tool', '=', tool)
        .where('definition', '=', definition)
        .where('until_at', '>', at)
        .where('revoked_at', 'is', null)
        .where((is) => coversSubject(is, principal.subject))
        .returningAll()
        .executeTakeFirst()
      if (held === undefined) return { kind: 'refused' }
      const grant = grantRow.parse(held)
      const mine = await trx
        .selectFrom('countersign_grant_uses')
        .select(['grant_id', 'returned_at'])
        .where('plan_id', '=', planId)
        .executeTakeFirst()
      const { used } = await countsOf(trx, grant, at)
      // Two calls that name one plan: the plan runs once, so it takes one use.
      if (mine !== undefined)
        return mine.grant_id === id && mine.returned_at === null
          ? { kind: 'taken', left: Math.max(0, grant.times - used) }
          : { kind: 'refused' }
      if (used >= grant.times) return { kind: 'refused' }
      await trx
        .insertInto('countersign_grant_uses')
        .values({ plan_id: planId, grant_id: id, subject: principal.subject, at, returned_at: null })
        .execute()
      if (insteadOf !== undefined)
        await supersedePlans(trx, { digest: insteadOf, ...principal, id: planId }, at).execute()
      return { kind: 'taken', left: grant.times - used - 1 }
    })

  const giveBackOnce = async (planId: string, again: boolean): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('countersign_grant_uses')
      .set({ returned_at: now() })
      .where('plan_id', '=', planId)
      .where('returned_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n || (again && (await isBack(planId)))
  }

  const isBack = async (planId: string): Promise<boolean> =>
    (await db
      .selectFrom('countersign_grant_uses')
      .select('plan_id')
      .where('plan_id', '=', planId)
      .where('returned_at', 'is not', null)
      .executeTakeFirst()) !== undefined

  const create = async (draft: GrantDraft): Promise<Grant> => {
    const row = toGrantRow(draft, sealer, now())
    await db.insertInto('countersign_grants').values(row).execute()
    return toGrant(row, sealer, { used: 0, usedInAll: 0, lastUsedAt: undefined })
  }

  const find = async (id: string): Promise<Grant | undefined> => {
    const row = await db.selectFrom('countersign_grants').selectAll().where('id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : (await counted([row], now()))[0]
  }

  const list = async ({ tenant, tool, state, limit, before }: GrantFilter): Promise<readonly Grant[]> => {
    const at = now()
    let query = db
      .selectFrom('countersign_grants')
      .selectAll()
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
    if (tenant !== undefined) query = query.where('tenant', '=', tenant)
    if (tool !== undefined) query = query.where('tool', '=', tool)
    if (state === 'active') query = query.where('revoked_at', 'is', null).where('until_at', '>', at)
    if (state === 'ended')
      query = query.where((is) => is.or([is('revoked_at', 'is not', null), is('until_at', '<=', at)]))
    if (before !== undefined) {
      const last = await db
        .selectFrom('countersign_grants')
        .select(['created_at', 'id'])
        .where('id', '=', before)
        .executeTakeFirst()
      if (last === undefined) return []
      query = query.where((is) => is(is.refTuple('created_at', 'id'), '<', is.tuple(last.created_at, last.id)))
    }
    return counted(await query.execute(), at)
  }

  const uses = async (id: string, limit: number): Promise<readonly GrantUse[]> => {
    const rows = await db
      .selectFrom('countersign_grant_uses')
      .select(['plan_id', 'subject', 'at', 'returned_at'])
      .where('grant_id', '=', id)
      .orderBy('at', 'desc')
      .orderBy('plan_id')
      .limit(limit)
      .execute()
    return rows.map(toUse)
  }

  const revoke = async (id: string, by: string): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('countersign_grants')
      .set({ revoked_at: now(), revoked_by: by })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  const renew: Grants['renew'] = async (id, { definition, risk, by, giver }) => {
    const at = now()
    const { numUpdatedRows } = await db
      .updateTable('countersign_grants')
      .set({ definition, risk, renewed_at: at, renewed_by: by, giver })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .where('until_at', '>', at)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  return {
    active,
    take: (...step) => retryOnConnectionLoss(() => takeOnce(...step)),
    giveBack: (planId) => retryOnConnectionLoss((again) => giveBackOnce(planId, again)),
    create,
    find,
    list,
    uses,
    revoke,
    renew,
    ...createOffers(db, now),
  }
}

const coversSubject = (is: ExpressionBuilder<Tables, 'countersign_grants'>, subject: string) =>
  is.or([is('subject', 'is', null), is('subject', '=', subject)])

/** How much of it is used. A use with a time ahead of our clock counts as well. */
async function countsOf(
  db: Kysely<Tables>,
  grant: { readonly id: string; readonly per: GrantPeriod },
  at: number,
): Promise<{ readonly used: number; readonly usedInAll: number; readonly lastUsedAt: number | undefined }> {
  const since = at - periodMs[grant.per]
  const counts = await db
    .selectFrom('countersign_grant_uses')
    .select((of) => [
      of.fn.countAll().as('all'),
      of.fn.max('at').as('last'),
      of.fn
        .countAll()
        .filterWhere('at', '>', Number.isFinite(since) ? since : -1)
        .as('used'),
    ])
    .where('grant_id', '=', grant.id)
    .where('returned_at', 'is', null)
    .executeTakeFirstOrThrow()
  const lastUsedAt = epoch.nullish().parse(counts.last) ?? undefined
  return { used: Number(counts.used), usedInAll: Number(counts.all), lastUsedAt }
}
