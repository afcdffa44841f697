// The versions of rows that a preview relied on: in words, for the basis of a confirmation, and held by the write.
import { sql, type Kysely } from 'kysely'
import type { Foreseen, RehearsedTables, SeenRow } from './rehearsal.ts'

/** The name of the table that these statements are about; its toolset created it. */
interface NamedTables {
  versioned: { version: number }
}

/** Of the rows seen: readable on purpose, for whoever wonders why a forecast went stale. */
export const fingerprint = (
  prefix: string,
  { seen, also = [] }: Pick<Foreseen<string, string>, 'seen' | 'also'>,
): string =>
  [...seen.map(({ table, key, version }) => `${table.slice(prefix.length)}:${key}@${version}`), ...also]
    .sort()
    .join(' ')

/** Compares and locks in one statement per row, always in one order. False when one of them moved. */
export async function hold<Tables, Table extends string>(
  { keys }: RehearsedTables<Table>,
  transaction: Kysely<Tables>,
  seen: readonly SeenRow<Table>[],
): Promise<boolean> {
  const inOrder = seen.toSorted((a, b) => (placeOf(a) < placeOf(b) ? -1 : 1))
  for (const { table, key, version, moves } of inOrder) {
    const { numUpdatedRows } = await (transaction as unknown as Kysely<NamedTables>)
      .updateTable(table as string as 'versioned')
      .set((eb) => ({ version: eb('version', '+', moves ? 1 : 0) }))
      .where(sql.ref(keys[table]), '=', key)
      .where('version', '=', version)
      .executeTakeFirst()
    if (numUpdatedRows !== 1n) return false
  }
  return true
}

const placeOf = ({ table, key }: SeenRow<string>): string => `${table} ${key}`
