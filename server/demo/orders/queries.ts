// Everything the desk reads, as free functions with the database first: the same ones serve previews (outside a
// transaction) and writes (inside theirs).
import type { Selectable } from 'kysely'
import type { OrderDatabase, DeskTables } from './schema.ts'
import type { Seen } from './desk-tool.ts'

export interface Product {
  readonly sku: string
  readonly name: string
  readonly price_cents: number
  readonly cost_cents: number
  readonly supplier: string
  readonly usual_quantity: number
  readonly version: number
  readonly on_hand: number
  readonly reserved: number
  readonly stock_version: number
}

export type OrderLine = Selectable<DeskTables['desk_order_lines']>
export type Order = Selectable<DeskTables['desk_orders']> & { readonly lines: readonly OrderLine[] }
export type Purchase = Selectable<DeskTables['desk_purchases']> & {
  readonly lines: readonly Selectable<DeskTables['desk_purchase_lines']>[]
}

/** Free to promise: what is in the warehouse and not reserved for anyone. */
export const availableOf = ({ on_hand, reserved }: { readonly on_hand: number; readonly reserved: number }): number =>
  on_hand - reserved

export const findCustomer = (db: OrderDatabase, name: string) =>
  db.selectFrom('desk_customers').selectAll().where('name', '=', name).executeTakeFirst()

export const findSupplier = (db: OrderDatabase, name: string) =>
  db.selectFrom('desk_suppliers').selectAll().where('name', '=', name).executeTakeFirst()

const products = (db: OrderDatabase) =>
  db
    .selectFrom('desk_products as product')
    .innerJoin('desk_stock as stock', 'stock.sku', 'product.sku')
    .select([
      'product.sku',
      'product.name',
      'product.price_cents',
      'product.cost_cents',
      'product.supplier',
      'product.usual_quantity',
      'product.version',
      'stock.on_hand',
      'stock.reserved',
      'stock.version as stock_version',
    ])

/** Products by SKU; those that do not exist are missing from the map. */
export async function findProducts(db: OrderDatabase, skus: readonly string[]): Promise<ReadonlyMap<string, Product>> {
  if (skus.length === 0) return new Map()
  const rows = await products(db).where('product.sku', 'in', skus).execute()
  return new Map(rows.map((row) => [row.sku, row]))
}

/** Lines with their products; those of products that do not exist are left out. */
export async function withProducts<L extends { readonly sku: string }>(
  db: OrderDatabase,
  lines: readonly L[],
): Promise<(L & { readonly product: Product })[]> {
  const products = await findProducts(
    db,
    lines.map(({ sku }) => sku),
  )
  return lines.flatMap((line) => {
    const product = products.get(line.sku)
    return product === undefined ? [] : [{ ...line, product }]
  })
}

/** Every product, by SKU. */
export const allProducts = (db: OrderDatabase): Promise<Product[]> => products(db).orderBy('product.sku').execute()

/** A sales order with its lines. */
export async function findOrder(db: OrderDatabase, id: string): Promise<Order | undefined> {
  const order = await db.selectFrom('desk_orders').selectAll().where('id', '=', id).executeTakeFirst()
  if (order === undefined) return undefined
  const lines = await linesOf(db, [id])
  return { ...order, lines }
}

/** Lines of several orders, each order's in its own sequence. */
export async function linesOf(db: OrderDatabase, ids: readonly string[]): Promise<OrderLine[]> {
  if (ids.length === 0) return []
  return db
    .selectFrom('desk_order_lines')
    .selectAll()
    .where('order_id', 'in', ids)
    .orderBy('order_id')
    .orderBy('position')
    .execute()
}

/** A purchase order with its lines. */
export async function findPurchase(db: OrderDatabase, id: string): Promise<Purchase | undefined> {
  const purchase = await db.selectFrom('desk_purchases').selectAll().where('id', '=', id).executeTakeFirst()
  if (purchase === undefined) return undefined
  const lines = await db
    .selectFrom('desk_purchase_lines')
    .selectAll()
    .where('purchase_id', '=', id)
    .orderBy('position')
    .execute()
  return { ...purchase, lines }
}

export interface Arrival {
  readonly id: string
  readonly version: number
  readonly expected_date: string | null
  readonly sku: string
  readonly quantity: number
}

/** Goods on their way, the soonest first and those without a date last. */
export async function arrivalsOf(db: OrderDatabase, goods: readonly { readonly sku: string }[]): Promise<Arrival[]> {
  if (goods.length === 0) return []
  const skus = goods.map(({ sku }) => sku)
  const rows = await db
    .selectFrom('desk_purchase_lines as line')
    .innerJoin('desk_purchases as purchase', 'purchase.id', 'line.purchase_id')
    .select(['purchase.id', 'purchase.version', 'purchase.expected_date', 'line.sku', 'line.quantity'])
    .where('purchase.state', '=', 'open')
    .where('line.sku', 'in', skus)
    .orderBy('purchase.id')
    .execute()
  const when = ({ expected_date }: Arrival): string => expected_date ?? '9999'
  return rows.sort((a, b) => (when(a) < when(b) ? -1 : when(a) > when(b) ? 1 : 0))
}

export interface OpenLine {
  readonly order_id: string
  readonly customer: string
  readonly version: number
  readonly sku: string
  readonly quantity: number
  readonly reserved: number
}

/** Lines of open orders that hold or want a product, the oldest order first. */
export async function openLinesOf(db: OrderDatabase, skus: readonly string[]): Promise<OpenLine[]> {
  if (skus.length === 0) return []
  return db
    .selectFrom('desk_order_lines as line')
    .innerJoin('desk_orders as order', 'order.id', 'line.order_id')
    .select(['line.order_id', 'order.customer', 'order.version', 'line.sku', 'line.quantity', 'line.reserved'])
    .where('order.state', '=', 'open')
    .where('line.sku', 'in', skus)
    .orderBy('order.created_at')
    .orderBy('order.id')
    .execute()
}

export const sawOrder = (order: { readonly id: string; readonly version: number }, moves: boolean): Seen => ({
  table: 'desk_orders',
  key: order.id,
  version: order.version,
  moves,
})

export const sawProduct = (product: Product): Seen => ({
  table: 'desk_products',
  key: product.sku,
  version: product.version,
  moves: false,
})

export const sawStock = (product: Product, moves: boolean): Seen => ({
  table: 'desk_stock',
  key: product.sku,
  version: product.stock_version,
  moves,
})

/** One entry per purchase order, however many of its lines were read. */
export const sawArrivals = (arrivals: readonly Arrival[]): Seen[] =>
  [...new Map(arrivals.map(({ id, version }) => [id, version])).entries()].map(([key, version]) => ({
    table: 'desk_purchases',
    key,
    version,
    moves: false,
  }))
