// Approvers go on holiday. A delegation gives one's own right to approve to another account until a date, and nothing
// else: it cannot be delegated on, because only its giver's own roles are ever looked at.
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { fromRow, marked } from '../from-row.ts'
import { epoch } from '../plan-row.ts'
import type { Tables } from '../tables.ts'
import type { Delegation, DelegationDraft } from '../../model/operators.ts'

const columns = z.object({
  id: z.string(),
  from_id: z.string(),
  to_id: z.string(),
  /** JSON: globs. */
  tools: z.string(),
  until: epoch,
  created_at: epoch,
  created_by: z.string(),
  revoked_at: epoch.nullable(),
  revoked_by: z.string().nullable(),
})

export type DelegationTable = z.infer<typeof columns>

const row = columns.extend({ from_name: z.string().nullable(), to_name: z.string().nullable() })

const toDelegation = (raw: unknown): Delegation => {
  const { fromId, fromName, toId, toName, tools, revokedAt, revokedBy, ...same } = fromRow(row.parse(raw))
  return {
    ...same,
    from: { id: fromId, name: fromName ?? 'a removed account' },
    to: { id: toId, name: toName ?? 'a removed account' },
    tools: z.array(z.string()).parse(JSON.parse(tools)),
    revoked: marked(revokedAt, revokedBy),
  }
}

export type Delegations = ReturnType<typeof createDelegations>

/** Delegations on one database. */
export const createDelegations = (db: Kysely<Tables>, now: () => number) => {
  const all = () =>
    db
      .selectFrom('countersign_delegations')
      .leftJoin('countersign_accounts as giver', 'giver.id', 'countersign_delegations.from_id')
      .leftJoin('countersign_accounts as taker', 'taker.id', 'countersign_delegations.to_id')
      .selectAll('countersign_delegations')
      .select(['giver.name as from_name', 'taker.name as to_name'])

  const find = async (id: string): Promise<Delegation | undefined> => {
    const found = await all().where('countersign_delegations.id', '=', id).executeTakeFirst()
    return found === undefined ? undefined : toDelegation(found)
  }

  return {
    add: async ({ id, from, to, tools, until, by }: DelegationDraft): Promise<Delegation> => {
      await db
        .insertInto('countersign_delegations')
        .values({
          id,
          from_id: from,
          to_id: to,
          tools: JSON.stringify(tools),
          until,
          created_at: now(),
          created_by: by,
        })
        .execute()
      const made = await find(id)
      if (made === undefined) throw new Error('A delegation that was just made is not there.')
      return made
    },
    /** Newest first; with those that have ended. */
    list: async (): Promise<readonly Delegation[]> =>
      (
        await all()
          .orderBy('countersign_delegations.created_at', 'desc')
          .orderBy('countersign_delegations.id')
          .limit(500)
          .execute()
      ).map(toDelegation),
    /** What is delegated to this account now. */
    held: async (account: string): Promise<readonly Delegation[]> =>
      (
        await all()
          .where('to_id', '=', account)
          .where('until', '>', now())
          .where('revoked_at', 'is', null)
          .where('giver.state', '=', 'active')
          .orderBy('countersign_delegations.created_at')
          .execute()
      ).map(toDelegation),
    find,
    /** False where it does not hold any more, or never did. */
    revoke: async (id: string, by: string): Promise<boolean> => {
      const { numUpdatedRows } = await db
        .updateTable('countersign_delegations')
        .set({ revoked_at: now(), revoked_by: by })
        .where('id', '=', id)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
