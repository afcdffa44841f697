// Two processes may open one new database in the same second. SQLite has no migration lock in Kysely, and PostgreSQL's is
// taken only after the migration's own tables were made, so every step here can run twice without harm (`if not exists`,
// a seed behind a marker row), and the process that loses a race simply looks again.
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

async function tables(db: OrderDatabase): Promise<void> {
  const create = (name: string) => db.schema.createTable(name).ifNotExists()
  const named = (table: string, key: string) =>
    create(table)
      .addColumn(key, 'text', (column) => column.primaryKey().notNull())
      .addColumn('version', 'integer', (column) => column.notNull())

  await named('desk_customers', 'name')
    .addColumn('agreed_discount', 'integer', (column) => column.notNull())
    .execute()
  await named('desk_suppliers', 'name')
    .addColumn('lead_days', 'integer', (column) => column.notNull())
    .execute()
  await named('desk_products', 'sku')
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('price_cents', 'integer', (column) => column.notNull())
    .addColumn('cost_cents', 'integer', (column) => column.notNull())
    .addColumn('supplier', 'text', (column) => column.notNull().references('desk_suppliers.name'))
    .addColumn('usual_quantity', 'integer', (column) => column.notNull())
    .execute()
  await named('desk_stock', 'sku')
    .addColumn('on_hand', 'integer', (column) => column.notNull())
    .addColumn('reserved', 'integer', (column) => column.notNull())
    .execute()
  await create('desk_movements')
    .addColumn('run', 'text', (column) => column.notNull())
    .addColumn('sku', 'text', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('reference', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('desk_movements_key', ['run', 'sku'])
    .execute()
  await named('desk_orders', 'id')
    .addColumn('customer', 'text', (column) => column.notNull().references('desk_customers.name'))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('delivery_date', 'text')
    .addColumn('discount_percent', 'integer', (column) => column.notNull())
    .addColumn('contact', 'text')
    .addColumn('note', 'text')
    .execute()
  await create('desk_order_lines')
    .addColumn('order_id', 'text', (column) => column.notNull().references('desk_orders.id'))
    .addColumn('sku', 'text', (column) => column.notNull().references('desk_products.sku'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addColumn('reserved', 'integer', (column) => column.notNull())
    .addColumn('unit_price_cents', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('desk_order_lines_key', ['order_id', 'sku'])
    .execute()
  await named('desk_purchases', 'id')
    .addColumn('supplier', 'text', (column) => column.notNull().references('desk_suppliers.name'))
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('created_at', 'text', (column) => column.notNull())
    .addColumn('expected_date', 'text')
    .execute()
  await create('desk_purchase_lines')
    .addColumn('purchase_id', 'text', (column) => column.notNull().references('desk_purchases.id'))
    .addColumn('sku', 'text', (column) => column.notNull().references('desk_products.sku'))
    .addColumn('position', 'integer', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('quantity', 'integer', (column) => column.notNull())
    .addColumn('unit_cost_cents', 'integer', (column) => column.notNull())
    .addPrimaryKeyConstraint('desk_purchase_lines_key', ['purchase_id', 'sku'])
    .execute()
  await create('desk_counters')
    .addColumn('name', 'text', (column) => column.primaryKey().notNull())
    .addColumn('next', 'integer', (column) => column.notNull())
    .execute()
  await create('desk_runs')
    .addColumn('idempotency_key', 'text', (column) => column.primaryKey().notNull())
    .addColumn('tool', 'text', (column) => column.notNull())
    .addColumn('result', 'text', (column) => column.notNull())
    .addColumn('at', 'text', (column) => column.notNull())
    .execute()
  await db.schema.createIndex('desk_order_lines_by_sku').ifNotExists().on('desk_order_lines').column('sku').execute()
}
