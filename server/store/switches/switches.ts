// Stopping must be one act: between "nothing may be applied" and "what was confirmed is revoked" no apply may slip
// through. So the switch, the open plans that it covers and the approvals that wait for a decision change in one
// transaction, and nobody else writes to either meanwhile: a plan that another process is just opening must not escape.
// Each freeze stays on record after it was lifted: a card that it revoked must still be able to say why.
import { randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Freeze, Switches } from '../../model/switches.ts'
import { sealReason } from '../approvals/approval-row.ts'
import { closeTables } from '../dialect-locks.ts'
import { cancelPlans } from '../plans.ts'
import { fromRow } from '../from-row.ts'
import { prepared } from '../prepared.ts'
import { epoch } from '../plan-row.ts'
import type { OpenDatabase } from '../open-database.ts'
import type { StoreParts, Tables } from '../tables.ts'

/** `tenant` is null where every tenant is frozen. */
const freezeRow = z.object({ tenant: z.string().nullable(), reason: z.string(), by: z.string(), at: epoch })

/** One row for each time that somebody stopped the agents; it holds while `lifted_at` is null. */
export interface FreezeTable extends z.infer<typeof freezeRow> {
  readonly id: string
  readonly lifted_at: number | null
}

const toFreeze = (row: unknown): Freeze => fromRow(freezeRow.parse(row))

/** The operators' switches on one database. */
export const createSwitches = ({ db, reads, sealer, now }: StoreParts & Pick<OpenDatabase, 'reads'>): Switches => {
  const covering = (tenant: string) =>
    db
      .selectFrom('countersign_freezes')
      .select(['tenant', 'reason', 'by', 'at'])
      .where((is) => is.or([is('tenant', 'is', null), is('tenant', '=', tenant)]))

  const newestOver = prepared(({ tenant }: { readonly tenant: string }) =>
    covering(tenant).where('lifted_at', 'is', null).orderBy('at', 'desc').limit(1),
  )
  const frozen = async (tenant: string): Promise<Freeze | undefined> => {
    const [row] = (await newestOver(reads, { tenant })).rows
    return row === undefined ? undefined : toFreeze(row)
  }

  const list = async (): Promise<readonly Freeze[]> => {
    const rows = await db
      .selectFrom('countersign_freezes')
      .select(['tenant', 'reason', 'by', 'at'])
      .where('lifted_at', 'is', null)
      .orderBy('at')
      .execute()
    return rows.map(toFreeze)
  }

  const freeze = async ({ tenant, reason, by }: Omit<Freeze, 'at'>): Promise<{ readonly revoked: number }> =>
    await db.transaction().execute(async (trx) => {
      await closeTables(trx, 'countersign_approvals', 'countersign_plans', 'countersign_freezes')
      const at = now()
      await lift(trx, tenant, at)
      await trx
        .insertInto('countersign_freezes')
        .values({ id: randomBytes(10).toString('hex'), tenant: tenant ?? null, reason, by, at })
        .execute()
      const revoked = await cancelPlans(trx, tenant, at)
      await rejectWaiting(trx, { tenant, by, reason, at })
      return { revoked }
    })

  /** What waits for a decision rests on a plan that is gone now; whoever repeats the call hears the reason. */
  const rejectWaiting = async (trx: Kysely<Tables>, { tenant, by, reason, at }: Freeze): Promise<void> => {
    let waiting = trx
      .selectFrom('countersign_approvals')
      .select('id')
      .where('state', '=', 'pending')
      .where('expires_at', '>', at)
    if (tenant !== undefined) waiting = waiting.where('tenant', '=', tenant)
    for (const { id } of await waiting.execute())
      await trx
        .updateTable('countersign_approvals')
        .set({
          state: 'rejected',
          decided_at: at,
          decided_by: by,
          reason: sealReason(sealer, id, `Changes by agents were stopped: ${reason}`),
        })
        .where('id', '=', id)
        .execute()
  }

  const unfreeze = (tenant: string | undefined): Promise<boolean> => lift(db, tenant, now())

  const revoker: Switches['revoker'] = async ({ principal, changedAt }) => {
    const row = await covering(principal.tenant).where('at', '=', changedAt).executeTakeFirst()
    return row === undefined ? undefined : toFreeze(row)
  }

  return { frozen, list, freeze, unfreeze, revoker }
}

const lift = async (db: Kysely<Tables>, tenant: string | undefined, at: number): Promise<boolean> => {
  const { numUpdatedRows } = await db
    .updateTable('countersign_freezes')
    .set({ lifted_at: at })
    .where('lifted_at', 'is', null)
    .where((is) => (tenant === undefined ? is('tenant', 'is', null) : is('tenant', '=', tenant)))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}
