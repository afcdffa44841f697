// Which tools a permission can be given for, and with which arguments. Every server on this database says what it offers,
// so that a person at a terminal, or a server that offers other tools, can check a condition against them.
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import type { GrantableTool, Grants } from './grant.ts'
import { toTool, toToolRow } from './grant-row.ts'

export const createOffers = (
  db: Kysely<Tables>,
  now: () => number,
): Pick<Grants, 'offer' | 'offered' | 'offeredNames'> => ({
  offer: async (tools: readonly GrantableTool[]): Promise<void> => {
    if (tools.length === 0) return
    await db.transaction().execute(async (trx) => {
      // In one order everywhere: two servers that start at once would otherwise wait for each other.
      for (const tool of tools.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
        const { name, ...rest } = toToolRow(tool, now())
        await trx
          .insertInto('countersign_grant_tools')
          .values({ name, ...rest })
          .onConflict((conflict) => conflict.column('name').doUpdateSet(rest))
          .execute()
      }
    })
  },
  offered: async (name: string): Promise<GrantableTool | undefined> => {
    const row = await db.selectFrom('countersign_grant_tools').selectAll().where('name', '=', name).executeTakeFirst()
    return row === undefined ? undefined : toTool(row)
  },
  offeredNames: async (): Promise<readonly string[]> =>
    (await db.selectFrom('countersign_grant_tools').select('name').orderBy('name').execute()).map(({ name }) => name),
})
