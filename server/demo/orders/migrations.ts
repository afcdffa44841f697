// Two processes may open one new database in the same second. SQLite has no migration lock in Kysely, and PostgreSQL's is
// taken only after the migration's own tables were made, so every step here can run twice without harm (`if not exists`,
// a seed behind a marker row), and the process that loses a race simply looks again.
import type { CreateTableBuilder } from 'kysely'
import { Migrator, type Migration } from 'kysely/migration'
import type { OrderDatabase } from './schema.ts'
import { seed } from './seed.ts'

const attempts = 10

/**
 * Creates the desk's tables where they are missing and fills a new desk once.
 * @throws the database's own error when it still fails after several attempts.
 */
export async function migrate(db: OrderDatabase, now: () => number): Promise<void> {
  const migrator = new Migrator({
    db,
    provider: { getMigrations: () => Promise.resolve(migrations(now)) },
    migrationTableName: 'desk_migration',
    migrationLockTableName: 'desk_migration_lock',
  })
  for (let attempt = 1; ; attempt += 1) {
    const { error } = await migrator.migrateToLatest()
    if (error === undefined) return
    if (attempt === attempts) throw error
  }
}

const migrations = (now: () => number): Record<string, Migration> => ({
  '001-tables': { up: (db: OrderDatabase) => tables(db) },
  '002-seed': {
    up: (db: OrderDatabase) =>
      db.isTransaction ? seed(db, now()) : db.transaction().execute((transaction) => seed(transaction, now())),
  },
})

type Table = CreateTableBuilder<string, string>

/** Adds columns that always have a value. */
const required =
  (type: 'text' | 'integer', ...names: readonly string[]) =>
  (table: Table): Table =>
    names.reduce((made, name) => made.addColumn(name, type, (column) => column.notNull()), table)

async function tables(db: OrderDatabase): Promise<void> {
  const create = (name: string) => db.schema.createTable(name).ifNotExists() as Table
  const keyed = (table: string, key: string) =>
    create(table).addColumn(key, 'text', (column) => column.primaryKey().notNull())
  const named = (table: string, key: string) => keyed(table, key).$call(required('integer', 'version'))

  await named('desk_customers', 'name').$call(required('integer', 'agreed_discount')).execute()
  await named('desk_suppliers', 'name').$call(required('integer', 'lead_days')).execute()
  await named('desk_products', 'sku')
    .$call(required('text', 'name'))
    .$call(required('integer', 'price_cents', 'cost_cents'))
    .addColumn('supplier', 'text', (column) => column.notNull().references('desk_suppliers.name'))
    .$call(required('integer', 'usual_quantity'))
    .execute()
  await named('desk_stock', 'sku')
    .$call(required('integer', 'on_hand', 'reserved'))
    .execute()
  await create('desk_movements')
    .$call(required('text', 'run', 'sku'))
    .$call(required('integer', 'quantity'))
    .$call(required('text', 'kind', 'reference', 'at'))
    .addPrimaryKeyConstraint('desk_movements_key', ['run', 'sku'])
    .execute()
  await named('desk_orders', 'id')
    .addColumn('customer', 'text', (column) => column.notNull().references('desk_customers.name'))
    .$call(required('text', 'state', 'created_at'))
    .addColumn('delivery_date', 'text')
    .$call(required('integer', 'discount_percent'))
    .addColumn('contact', 'text')
    .addColumn('note', 'text')
    .execute()
  await create('desk_order_lines')
    .addColumn('order_id', 'text', (column) => column.notNull().references('desk_orders.id'))
    .addColumn('sku', 'text', (column) => column.notNull().references('desk_products.sku'))
    .$call(required('integer', 'position'))
    .$call(required('text', 'name'))
    .$call(required('integer', 'quantity', 'reserved', 'unit_price_cents'))
    .addPrimaryKeyConstraint('desk_order_lines_key', ['order_id', 'sku'])
    .execute()
  await named('desk_purchases', 'id')
    .addColumn('supplier', 'text', (column) => column.notNull().references('desk_suppliers.name'))
    .$call(required('text', 'state', 'created_at'))
    .addColumn('expected_date', 'text')
    .execute()
  await create('desk_purchase_lines')
    .addColumn('purchase_id', 'text', (column) => column.notNull().references('desk_purchases.id'))
    .addColumn('sku', 'text', (column) => column.notNull().references('desk_products.sku'))
    .$call(required('integer', 'position'))
    .$call(required('text', 'name'))
    .$call(required('integer', 'quantity', 'unit_cost_cents'))
    .addPrimaryKeyConstraint('desk_purchase_lines_key', ['purchase_id', 'sku'])
    .execute()
  await keyed('desk_counters', 'name').$call(required('integer', 'next')).execute()
  await keyed('desk_runs', 'idempotency_key')
    .$call(required('text', 'tool', 'result', 'at'))
    .execute()
  await db.schema.createIndex('desk_order_lines_by_sku').ifNotExists().on('desk_order_lines').column('sku').execute()
}
