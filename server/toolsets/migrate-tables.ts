// Two processes may open one new database in the same second. SQLite has no migration lock in Kysely, and PostgreSQL's is
// taken only after the migration's own tables were made, so every step must be able to run twice without harm (`if not
// exists`, a seed behind a marker row), and the process that loses a race simply looks again.
import { sql, type CreateTableBuilder, type Kysely } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'

const attempts = 10

/**
 * Brings the tables of a toolset to their latest form. Which steps were done stands in `<prefix>migration`.
 * @throws the database's own error when it still fails after several attempts.
 */
export async function migrateTables<Tables>(
  db: Kysely<Tables>,
  prefix: string,
  migrations: Readonly<Record<string, Migration>>,
): Promise<void> {
  const migrationTableName = `${prefix}migration`
  if (await areDone(db, migrationTableName, Object.keys(migrations))) return
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve({ ...migrations }) },
    migrationTableName,
    migrationLockTableName: `${prefix}migration_lock`,
  })
  for (let attempt = 1; ; attempt += 1) {
    const { error } = await migrator.migrateToLatest()
    if (error === undefined) return
    if (attempt === attempts) throw error
  }
}

/** Whether these steps were done, and no others. One query; the migrator asks for all tables and their columns first. */
async function areDone<Tables>(db: Kysely<Tables>, table: string, names: readonly string[]): Promise<boolean> {
  try {
    const { rows } = await sql<{ readonly name: string }>`select name from ${sql.table(table)}`.execute(db)
    return rows.length === names.length && rows.every(({ name }) => names.includes(name))
  } catch {
    // In a new database there is no such table. Whatever else it is, the migrator meets it as well.
    return false
  }
}

/** Adds a column that may be empty to a table that is there. */
export async function addColumn<Tables>(
  db: Kysely<Tables>,
  table: string,
  name: string,
  type: 'text' | 'integer',
): Promise<void> {
  const tables = await db.introspection.getTables()
  const isThere = tables.some((each) => each.name === table && each.columns.some((column) => column.name === name))
  if (!isThere) await db.schema.alterTable(table).addColumn(name, type).execute()
}

export type Table = CreateTableBuilder<string, string>

/** Adds columns that always have a value. */
export const required =
  (type: 'text' | 'integer', ...names: readonly string[]) =>
  (table: Table): Table =>
    names.reduce((made, name) => made.addColumn(name, type, (column) => column.notNull()), table)

/** Adds columns that may be empty. */
export const optional =
  (type: 'text' | 'integer', ...names: readonly string[]) =>
  (table: Table): Table =>
    names.reduce((made, name) => made.addColumn(name, type), table)

/** How a toolset creates its tables: each with its prefix, and only where it is missing. */
export const tableMaker = <Tables>(db: Kysely<Tables>, prefix: string) => {
  const create = (name: string): Table => db.schema.createTable(`${prefix}${name}`).ifNotExists()
  const keyed = (name: string, key: string): Table =>
    create(name).addColumn(key, 'text', (column) => column.primaryKey().notNull())
  return {
    create,
    keyed,
    /** With a `version`, for what a preview relies on. */
    versioned: (name: string, key: string): Table => keyed(name, key).$call(required('integer', 'version')),
    /** Where confirmed calls are written down (`RunRow`). */
    runs: (): Table => keyed('runs', 'idempotency_key').$call(required('text', 'tool', 'result', 'at')),
  }
}
