// Definitions of other people's tools as they were first seen, shared by every process of a gateway on this database.
import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../tables.ts'
import type { Pin, PinStore } from '../../model/pins.ts'

export interface Pins extends PinStore {
  /** Every pin of every server. */
  all(): Promise<readonly Pin[]>
  /** Every pin whose definition has changed and waits, of all servers. */
  waiting(): Promise<readonly Pin[]>
}

const pinRow = z.object({
  server: z.string(),
  tool: z.string(),
  definition: z.string(),
  digest: z.string(),
  held_definition: z.string().nullable(),
  held_digest: z.string().nullable(),
})

export type PinTable = z.infer<typeof pinRow>

const toPin = (row: unknown): Pin => {
  const { held_definition: definition, held_digest: digest, ...pin } = pinRow.parse(row)
  return { ...pin, ...(definition === null || digest === null ? {} : { held: { definition, digest } }) }
}

const toRow = ({ server, tool, definition, digest, held }: Pin): PinTable => ({
  server,
  tool,
  definition,
  digest,
  held_definition: held?.definition ?? null,
  held_digest: held?.digest ?? null,
})

/** A statement has a limited number of values. */
const rowsAtOnce = 500

/** The pins of one database. */
export const createPins = (db: Kysely<Tables>): Pins => {
  const rows = () => db.selectFrom('countersign_pins').selectAll().orderBy('server').orderBy('tool')
  return {
    all: async () => (await rows().execute()).map(toPin),
    get: async (server) => (await rows().where('server', '=', server).execute()).map(toPin),
    waiting: async () => (await rows().where('held_digest', 'is not', null).execute()).map(toPin),
    put: async (pins) => {
      // Each statement is a commit, which waits for the disk: a server may list thousands of tools.
      for (let at = 0; at < pins.length; at += rowsAtOnce)
        await db
          .insertInto('countersign_pins')
          .values(pins.slice(at, at + rowsAtOnce).map(toRow))
          .onConflict((conflict) =>
            conflict.columns(['server', 'tool']).doUpdateSet((is) => ({
              definition: is.ref('excluded.definition'),
              digest: is.ref('excluded.digest'),
              held_definition: is.ref('excluded.held_definition'),
              held_digest: is.ref('excluded.held_digest'),
            })),
          )
          .execute()
    },
    accept: async (server, tool, digest) => {
      const { numUpdatedRows } = await db
        .updateTable('countersign_pins')
        .set((is) => ({
          definition: is.ref('held_definition').$notNull(),
          digest: is.ref('held_digest').$notNull(),
          held_definition: null,
          held_digest: null,
        }))
        .where('server', '=', server)
        .where('tool', '=', tool)
        .where('held_digest', '=', digest)
        .executeTakeFirst()
      return numUpdatedRows > 0n
    },
  }
}
