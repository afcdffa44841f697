// The tables of the order desk, and what a new desk holds.
import type { Migration } from 'kysely/migration'
import { migrateTables, required, tableMaker } from '../../toolsets/migrate-tables.ts'
import type { OrderDatabase } from './schema.ts'
import { seed } from './seed.ts'

/**
 * Creates the desk's tables where they are missing and fills a new desk once.
 * @throws the database's own error when it still fails after several attempts.
 */
export const migrate = (db: OrderDatabase, now: () => number): Promise<void> =>
  migrateTables(db, 'desk_', migrations(now))

const migrations = (now: () => number): Record<string, Migration> => ({
  '001-tables': { up: (db: OrderDatabase) => tables(db) },
  '002-seed': {
    up: (db: OrderDatabase) =>
      db.isTransaction ? seed(db, now()) : db.transaction().execute((transaction) => seed(transaction, now())),
  },
})

async function tables(db: OrderDatabase): Promise<void> {
  const { create, versioned, keyed, runs } = tableMaker(db, 'desk_')

  await versioned('customers', 'name').$call(required('integer', 'agreed_discount')).execute()
  await versioned('suppliers', 'name').$call(required('integer', 'lead_days')).execute()
  await versioned('products', 'sku')
    .$call(required('text', 'name'))
    .$call(required('integer', 'price_cents', 'cost_cents'))
    .addColumn('supplier', 'text', (column) => column.notNull().references('desk_suppliers.name'))
    .$call(required('integer', 'usual_quantity'))
    .execute()
  await versioned('stock', 'sku')
    .$call(required('integer', 'on_hand', 'reserved'))
    .execute()
  await create('movements')
    .$call(required('text', 'run', 'sku'))
    .$call(required('integer', 'quantity'))
    .$call(required('text', 'kind', 'reference', 'at'))
    .addPrimaryKeyConstraint('desk_movements_key', ['run', 'sku'])
    .execute()
  await versioned('orders', 'id')
    .addColumn('customer', 'text', (column) => column.notNull().references('desk_customers.name'))
    .$call(required('text', 'state', 'created_at'))
    .addColumn('delivery_date', 'text')
    .$call(required('integer', 'discount_percent'))
    .addColumn('contact', 'text')
    .addColumn('note', 'text')
    .execute()
  await create('order_lines')
    .addColumn('order_id', 'text', (column) => column.notNull().references('desk_orders.id'))
    .addColumn('sku', 'text', (column) => column.notNull().references('desk_products.sku'))
    .$call(required('integer', 'position'))
    .$call(required('text', 'name'))
    .$call(required('integer', 'quantity', 'reserved', 'unit_price_cents'))
    .addPrimaryKeyConstraint('desk_order_lines_key', ['order_id', 'sku'])
    .execute()
  await versioned('purchases', 'id')
    .addColumn('supplier', 'text', (column) => column.notNull().references('desk_suppliers.name'))
    .$call(required('text', 'state', 'created_at'))
    .addColumn('expected_date', 'text')
    .execute()
  await create('purchase_lines')
    .addColumn('purchase_id', 'text', (column) => column.notNull().references('desk_purchases.id'))
    .addColumn('sku', 'text', (column) => column.notNull().references('desk_products.sku'))
    .$call(required('integer', 'position'))
    .$call(required('text', 'name'))
    .$call(required('integer', 'quantity', 'unit_cost_cents'))
    .addPrimaryKeyConstraint('desk_purchase_lines_key', ['purchase_id', 'sku'])
    .execute()
  await keyed('counters', 'name').$call(required('integer', 'next')).execute()
  await runs().execute()
  await db.schema.createIndex('desk_order_lines_by_sku').ifNotExists().on('desk_order_lines').column('sku').execute()
}
