// Which tools a grant can be given for, and with which arguments. Every server on this database says what it offers,
// so that a person at a terminal, or a server that offers other tools, can check a condition against them.
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import type { GrantableTool, Grants } from '../../model/grants.ts'
import { toTool, toToolRow } from './grant-row.ts'

/** Rows in one statement: each brings nine parameters, and SQLite takes 32766. */
const CHUNK = 200

const chunks = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  Array.from({ length: Math.ceil(items.length / CHUNK) }, (_, at) => items.slice(at * CHUNK, (at + 1) * CHUNK))

export const createOffers = (
  db: Kysely<Tables>,
  now: () => number,
): Pick<Grants, 'offer' | 'offered' | 'offers' | 'offeredNames'> => ({
  offer: async (tools: readonly GrantableTool[]): Promise<void> => {
    const at = now()
    // In one order everywhere: two servers that start at once would otherwise wait for each other.
    const rows = tools.toSorted((a, b) => (a.name < b.name ? -1 : 1)).map((tool) => toToolRow(tool, at))
    for (const values of chunks(rows))
      await db
        .insertInto('countersign_grant_tools')
        .values(values)
        .onConflict((conflict) =>
          conflict.column('name').doUpdateSet((is) => ({
            title: is.ref('excluded.title'),
            operation: is.ref('excluded.operation'),
            risk: is.ref('excluded.risk'),
            risk_depends: is.ref('excluded.risk_depends'),
            step_up: is.ref('excluded.step_up'),
            definition: is.ref('excluded.definition'),
            schema: is.ref('excluded.schema'),
            seen_at: is.ref('excluded.seen_at'),
          })),
        )
        .execute()
  },
  offered: async (name: string): Promise<GrantableTool | undefined> => {
    const row = await db.selectFrom('countersign_grant_tools').selectAll().where('name', '=', name).executeTakeFirst()
    return row === undefined ? undefined : toTool(row)
  },
  offers: async (limit: number): Promise<readonly GrantableTool[]> =>
    (await db.selectFrom('countersign_grant_tools').selectAll().orderBy('name').limit(limit).execute()).map(toTool),
  offeredNames: async (): Promise<readonly string[]> =>
    (await db.selectFrom('countersign_grant_tools').select('name').orderBy('name').execute()).map(({ name }) => name),
})
