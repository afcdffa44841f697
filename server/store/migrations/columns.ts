// What a migration is written with: the words that databases spell differently, and columns in their order, those of one
// type that follow each other in one line.
import type { CreateIndexBuilder, CreateTableBuilder, ColumnDataType, Kysely } from 'kysely'

export interface ColumnTypes {
  readonly bytes: 'blob' | 'bytea'
  /** A number that the database counts up by itself. */
  readonly position: 'integer' | 'bigserial'
}

/** Adds columns or a constraint to a table that is being made. */
type TablePart = (table: CreateTableBuilder<string, string>) => CreateTableBuilder<string, string>

/** The column that is the primary key. */
export const key = (name: string, type: ColumnDataType = 'text'): TablePart =>
  function addKey(table) {
    return table.addColumn(name, type, (column) => column.primaryKey().notNull())
  }

/** Columns that always have a value. */
export const required = (type: ColumnDataType, ...names: readonly string[]): TablePart =>
  function addRequired(table) {
    return names.reduce((made, name) => made.addColumn(name, type, (column) => column.notNull()), table)
  }

/** Columns that may be null. */
export const optional = (type: ColumnDataType, ...names: readonly string[]): TablePart =>
  function addOptional(table) {
    return names.reduce((made, name) => made.addColumn(name, type), table)
  }

/** A number that is 0 where nobody has said anything else. */
export const zero = (name: string): TablePart =>
  function addZero(table) {
    return table.addColumn(name, 'integer', (column) => column.notNull().defaultTo(0))
  }

/** Makes a table of these parts, in this order. */
export const createTable = (db: Kysely<unknown>, name: string, ...parts: readonly TablePart[]): Promise<void> =>
  parts
    .reduce((table, part) => part(table), db.schema.createTable(name) as CreateTableBuilder<string, string>)
    .execute()

/** An index whose name begins with that of its table. */
export const index = (
  db: Kysely<unknown>,
  table: string,
  name: string,
  ...columns: readonly string[]
): CreateIndexBuilder =>
  db.schema
    .createIndex(`${table}_${name}`)
    .on(table)
    .columns([...columns])
