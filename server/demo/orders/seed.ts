// A desk with nothing on it shows nothing. The first start fills it with a few weeks of history: back-orders, goods on
// their way, an order that cannot be fulfilled yet, and one stored figure that has drifted from its movements, so that
// every preview has something true to say. Dates count from the day of the first start.
import type { OrderDatabase, OrderState } from './schema.ts'
import { dayAfter, isoAt } from './days.ts'

const customers: readonly [name: string, agreedDiscount: number][] = [
  ['ACME', 10],
  ['Northwind', 5],
  ['Globex', 15],
  ['Initech', 0],
  ['Contoso', 8],
  ['Fabrikam', 0],
]

const suppliers: readonly [name: string, leadDays: number][] = [
  ['Oakworks', 7],
  ['Lumen Supply', 6],
  ['SitWell', 11],
  ['Metalform', 9],
]

type ProductSeed = readonly [
  sku: string,
  name: string,
  price: number,
  cost: number,
  supplier: string,
  usual: number,
  onHand: number,
]
const products: readonly ProductSeed[] = [
  ['DESK-01', 'Oak desk 160', 420_00, 251_00, 'Oakworks', 2, 11],
  ['DESK-02', 'Oak desk 120', 360_00, 214_00, 'Oakworks', 2, 5],
  ['DESK-05', 'Standing desk 160', 689_00, 430_00, 'Oakworks', 1, 1],
  ['LAMP-07', 'Desk lamp', 39_50, 17_80, 'Lumen Supply', 4, 6],
  ['LAMP-09', 'Floor lamp', 89_00, 41_00, 'Lumen Supply', 2, 8],
  ['CHAIR-03', 'Task chair', 189_00, 96_00, 'SitWell', 4, 14],
  ['CHAIR-04', 'Visitor chair', 99_00, 48_50, 'SitWell', 4, 20],
  ['SHELF-11', 'Wall shelf 90', 54_50, 22_30, 'Oakworks', 3, 17],
  ['CAB-21', 'Filing cabinet', 219_00, 120_00, 'Metalform', 1, 4],
  ['MAT-02', 'Desk mat', 24_90, 8_15, 'Lumen Supply', 5, 60],
  ['CABLE-08', 'Cable tray', 14_95, 4_99, 'Metalform', 5, 24],
  ['SCREEN-06', 'Desk screen 160', 129_50, 70_00, 'Metalform', 2, 0],
]

/** Counted once too often by a scanner: the stored figure is two below what the movements say. */
const drift: Readonly<Record<string, number>> = { 'CABLE-08': -2 }

interface OrderSeed {
  readonly id: string
  readonly customer: string
  readonly state: OrderState
  readonly age: number
  readonly delivery?: number
  readonly discount?: number
  readonly contact?: string
  readonly note?: string
  /** SKU, quantity, and how many of them are reserved. */
  readonly lines: readonly (readonly [sku: string, quantity: number, reserved: number])[]
}
// One order a row, as on a list.
// oxfmt-ignore
const orders: readonly OrderSeed[] = [
  { id: 'SO-1001', customer: 'ACME', state: 'fulfilled', age: 24, delivery: -19, discount: 5, lines: [['DESK-01', 2, 0], ['LAMP-07', 2, 0]] },
  { id: 'SO-1002', customer: 'Northwind', state: 'fulfilled', age: 20, delivery: -14, lines: [['CHAIR-03', 6, 0]] },
  { id: 'SO-1003', customer: 'Globex', state: 'cancelled', age: 15, lines: [['CAB-21', 1, 0]] },
  { id: 'SO-1004', customer: 'Initech', state: 'fulfilled', age: 12, delivery: -8, lines: [['MAT-02', 10, 0], ['CABLE-08', 10, 0]] },
  { id: 'SO-1005', customer: 'ACME', state: 'open', age: 6, delivery: 6, discount: 5, lines: [['DESK-01', 2, 2], ['LAMP-07', 4, 4]] },
  { id: 'SO-1006', customer: 'Northwind', state: 'open', age: 3, delivery: 8, contact: 'b.olsen@northwind.example', lines: [['DESK-05', 3, 1], ['CHAIR-04', 4, 4]] },
  { id: 'SO-1007', customer: 'Globex', state: 'open', age: 2, delivery: 4, discount: 12, lines: [['CHAIR-03', 8, 8], ['LAMP-09', 2, 2]] },
  { id: 'SO-1008', customer: 'Contoso', state: 'open', age: 1, note: 'Ring before delivery', lines: [['SHELF-11', 3, 3], ['MAT-02', 3, 3]] },
]

interface PurchaseSeed {
  readonly id: string
  readonly supplier: string
  readonly state: 'open' | 'received'
  readonly age: number
  readonly expected: number
  readonly lines: readonly (readonly [sku: string, quantity: number])[]
}
// oxfmt-ignore
const purchases: readonly PurchaseSeed[] = [
  { id: 'PO-301', supplier: 'Oakworks', state: 'received', age: 18, expected: -10, lines: [['DESK-01', 10]] },
  { id: 'PO-302', supplier: 'Oakworks', state: 'open', age: 4, expected: 5, lines: [['DESK-05', 6]] },
  { id: 'PO-303', supplier: 'Lumen Supply', state: 'open', age: 2, expected: 6, lines: [['LAMP-07', 20], ['LAMP-09', 5]] },
  { id: 'PO-304', supplier: 'SitWell', state: 'open', age: 1, expected: 11, lines: [['CHAIR-03', 12]] },
]

/** Fills a new desk; a desk that was ever filled stays as it is, whatever has been deleted from it since. */
export async function seed(db: OrderDatabase, now: number): Promise<void> {
  const marker = await db
    .insertInto('desk_counters')
    .values([
      { name: 'sales-order', next: 1009 },
      { name: 'purchase-order', next: 305 },
    ])
    .onConflict((conflict) => conflict.column('name').doNothing())
    .returning('name')
    .execute()
  if (marker.length > 0) await fill(db, now, 1)
}

/** Whether the products are those of a new desk, which no tool takes away or adds. */
export async function isSeeded(db: OrderDatabase): Promise<boolean> {
  const found = await db.selectFrom('desk_products').select('sku').execute()
  const known = new Set<string>(products.map(([sku]) => sku))
  return found.length === known.size && found.every(({ sku }) => known.has(sku))
}

/** Writes what a new desk holds. Each row begins with this version: one that no preview of it has seen. */
export async function fill(db: OrderDatabase, now: number, version: number): Promise<void> {
  await db
    .insertInto('desk_customers')
    .values(customers.map(([name, agreed_discount]) => ({ name, agreed_discount, version })))
    .execute()
  await db
    .insertInto('desk_suppliers')
    .values(suppliers.map(([name, lead_days]) => ({ name, lead_days, version })))
    .execute()
  await db
    .insertInto('desk_products')
    .values(
      products.map(([sku, name, price_cents, cost_cents, supplier, usual_quantity]) => ({
        sku,
        name,
        price_cents,
        cost_cents,
        supplier,
        usual_quantity,
        version,
      })),
    )
    .execute()
  await seedOrders(db, now, version)
  await seedPurchases(db, now, version)
  await seedStock(db, now, version)
}

const productOf = (sku: string): ProductSeed => {
  const found = products.find(([each]) => each === sku)
  if (found === undefined) throw new Error(`the seed names ${sku}, which is no product`)
  return found
}

async function seedOrders(db: OrderDatabase, now: number, version: number): Promise<void> {
  await db
    .insertInto('desk_orders')
    .values(
      orders.map((order) => ({
        id: order.id,
        customer: order.customer,
        state: order.state,
        created_at: isoAt(now, -order.age),
        delivery_date: order.delivery === undefined ? null : dayAfter(now, order.delivery),
        discount_percent: order.discount ?? 0,
        contact: order.contact ?? null,
        note: order.note ?? null,
        version,
      })),
    )
    .execute()
  await db
    .insertInto('desk_order_lines')
    .values(
      orders.flatMap((order) =>
        order.lines.map(([sku, quantity, reserved], position) => {
          const [, name, unit_price_cents] = productOf(sku)
          return { order_id: order.id, sku, position, name, quantity, reserved, unit_price_cents }
        }),
      ),
    )
    .execute()
}

async function seedPurchases(db: OrderDatabase, now: number, version: number): Promise<void> {
  await db
    .insertInto('desk_purchases')
    .values(
      purchases.map(({ id, supplier, state, age, expected }) => ({
        id,
        supplier,
        state,
        created_at: isoAt(now, -age),
        expected_date: dayAfter(now, expected),
        version,
      })),
    )
    .execute()
  await db
    .insertInto('desk_purchase_lines')
    .values(
      purchases.flatMap((purchase) =>
        purchase.lines.map(([sku, quantity], position) => {
          const [, name, , unit_cost_cents] = productOf(sku)
          return { purchase_id: purchase.id, sku, position, name, quantity, unit_cost_cents }
        }),
      ),
    )
    .execute()
}

async function seedStock(db: OrderDatabase, now: number, version: number): Promise<void> {
  const sold = orders
    .filter(({ state }) => state === 'fulfilled')
    .flatMap((order) =>
      order.lines.map(([sku, quantity]) => ({
        run: `seed-${order.id}`,
        sku,
        quantity: -quantity,
        kind: 'sale',
        reference: order.id,
        at: isoAt(now, order.delivery ?? -order.age),
      })),
    )
  const received = purchases
    .filter(({ state }) => state === 'received')
    .flatMap((purchase) =>
      purchase.lines.map(([sku, quantity]) => ({
        run: `seed-${purchase.id}`,
        sku,
        quantity,
        kind: 'receipt',
        reference: purchase.id,
        at: isoAt(now, purchase.expected),
      })),
    )
  const since = [...sold, ...received]
  const opening = products.map(([sku, , , , , , onHand]) => ({
    run: 'seed-opening',
    sku,
    quantity: onHand - since.filter((move) => move.sku === sku).reduce((sum, move) => sum + move.quantity, 0),
    kind: 'opening',
    reference: 'Opening stock',
    at: isoAt(now, -30),
  }))
  await db
    .insertInto('desk_movements')
    .values([...opening, ...since])
    .execute()
  await db
    .insertInto('desk_stock')
    .values(
      products.map(([sku, , , , , , onHand]) => ({
        sku,
        on_hand: onHand + (drift[sku] ?? 0),
        reserved: orders
          .flatMap((order) => order.lines)
          .filter(([each]) => each === sku)
          .reduce((sum, [, , reserved]) => sum + reserved, 0),
        version,
      })),
    )
    .execute()
}
