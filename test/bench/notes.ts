// A ratio means something only where both sides do the same work. This is that work: one row read and one row written,
// durably, by the same code, through the same driver, in databases of the same layout.
import type { Kysely } from 'kysely'
import { z } from 'zod'

// A type, not an interface: Kysely wants an index signature.
type NotesTables = {
  readonly bench_notes: { readonly id: string; readonly text: string; readonly version: number }
  readonly bench_touches: { readonly id: string; readonly count: number }
}

export interface Note {
  readonly id: string
  readonly text: string
  readonly version: number
}

export interface Notes {
  find(id: string): Promise<Note>
  /** Writes the text, if the note still has this version; as it is now where none is given. In a transaction, where there is one. */
  edit(
    input: { readonly id: string; readonly text: string },
    version?: number,
    transaction?: Kysely<unknown>,
  ): Promise<Note | undefined>
  /** One more durable commit of one row, which leaves the note as it is. A commit of no change would wait for no disk. */
  touch(id: string): Promise<void>
}

/** How many notes there are; calls go round them, so that no plan meets another of the same note. */
export const noteCount = 4000

export const noteId = (index: number): string => `note-${index % noteCount}`

export const noteInput = { id: z.string(), text: z.string().max(500) }
export const noteOutput = { id: z.string(), text: z.string(), version: z.int() }

/** The notes of a database, created where they are missing. */
export async function openNotes(database: Kysely<unknown>): Promise<Notes> {
  const db = database.$extendTables<NotesTables>()
  await db.schema
    .createTable('bench_notes')
    .ifNotExists()
    .addColumn('id', 'text', (col) => col.primaryKey().notNull())
    .addColumn('text', 'text', (col) => col.notNull())
    .addColumn('version', 'integer', (col) => col.notNull())
    .execute()
  await db.schema
    .createTable('bench_touches')
    .ifNotExists()
    .addColumn('id', 'text', (col) => col.primaryKey().notNull())
    .addColumn('count', 'integer', (col) => col.notNull())
    .execute()
  await db.transaction().execute(async (trx) => {
    for (let index = 0; index < noteCount; index++)
      await trx
        .insertInto('bench_notes')
        .values({ id: noteId(index), text: 'as it was', version: 1 })
        .onConflict((conflict) => conflict.doNothing())
        .execute()
  })
  const find = (id: string): Promise<Note> =>
    db.selectFrom('bench_notes').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return {
    find,
    touch: async (id) => {
      await db
        .insertInto('bench_touches')
        .values({ id, count: 1 })
        .onConflict((conflict) =>
          conflict.column('id').doUpdateSet((is) => ({ count: is('bench_touches.count', '+', 1) })),
        )
        .execute()
    },
    edit: async ({ id, text }, version, transaction) => {
      const expected = version ?? (await find(id)).version
      return await (transaction?.$extendTables<NotesTables>() ?? db)
        .updateTable('bench_notes')
        .set({ text, version: expected + 1 })
        .where('id', '=', id)
        .where('version', '=', expected)
        .returningAll()
        .executeTakeFirst()
    },
  }
}
