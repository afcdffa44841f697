// A name that does not exist is the most common mistake of an agent. Each of these answers says what was received, what
// comes close, and which call lists the rest.
import type { FailureSpec, ToolContext, ToolFailed } from '../../tools/contract.ts'
import { nearest } from '../../errors/nearest.ts'
import { findOrder, withProducts, type Order, type Product } from './queries.ts'
import type { OrderDatabase } from './schema.ts'

/** Nothing has happened, and the same call fails until it or the desk has changed. */
export const afterChange = (guidance: string): FailureSpec => ({ effect: 'none', guidance, retryable: 'after_change' })

/** Nothing has happened, and no repetition helps. */
export const forGood = (guidance: string): FailureSpec => ({ effect: 'none', guidance, retryable: 'no' })

/** Failures that several tools share, word for word. */
export const failures = {
  unknown_customer: afterChange('Use the name of a customer exactly as orders_list shows it.'),
  unknown_supplier: afterChange('Use one of the suppliers that the answer names.'),
  unknown_sku: afterChange('Look the product up with products_search and use its SKU exactly.'),
  unknown_order: afterChange('Look the order up with orders_list and use its id exactly.'),
  unknown_purchase: afterChange('Use the id of an open purchase order that the answer names.'),
  not_open: forGood('Only open orders can be changed; a fulfilled one is corrected with orders_correct.'),
  date_in_past: afterChange('Give a day from today on, as YYYY-MM-DD.'),
  no_stock: {
    effect: 'none',
    guidance: 'Receive the purchase order that the answer names, or lower the quantity.',
    retryable: 'after_wait',
    retryAfterSeconds: 3600,
  },
  nothing_to_change: forGood('Everything is already as asked; tell the person so instead of calling again.'),
} as const satisfies Record<string, FailureSpec>

type Shared = keyof typeof failures

const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`

const didYouMean = (close: readonly string[]): string => (close.length === 0 ? '' : ` Did you mean ${listed(close)}?`)

const shown = (written: string): string => (written.length > 60 ? `${written.slice(0, 60)}…` : written)

export async function unknownCustomer(
  db: OrderDatabase,
  ctx: ToolContext<'unknown_customer'>,
  name: string,
): Promise<ToolFailed> {
  const rows = await db.selectFrom('desk_customers').select('name').orderBy('name').execute()
  return unknownName(ctx, 'unknown_customer', 'Customer', name, '/customer', rows)
}

export async function unknownSupplier(
  db: OrderDatabase,
  ctx: ToolContext<'unknown_supplier'>,
  name: string,
): Promise<ToolFailed> {
  const rows = await db.selectFrom('desk_suppliers').select('name').orderBy('name').execute()
  return unknownName(ctx, 'unknown_supplier', 'Supplier', name, '/supplier', rows)
}

function unknownName<C extends Shared>(
  ctx: ToolContext<C>,
  code: C,
  what: string,
  name: string,
  pointer: string,
  rows: readonly { readonly name: string }[],
): ToolFailed {
  const known = rows.map((row) => row.name)
  return ctx.fail(code, `${what} “${shown(name)}” does not exist.${didYouMean(nearest(name, known))}`, {
    fields: [{ pointer, received: name, allowed: listed(known) }],
  })
}

/** Blames every unknown SKU at once, each with what comes close. */
export async function unknownSkus(
  db: OrderDatabase,
  ctx: ToolContext<'unknown_sku'>,
  unknown: readonly { readonly sku: string; readonly pointer: string }[],
): Promise<ToolFailed> {
  const products = await db.selectFrom('desk_products').select(['sku', 'name']).orderBy('sku').execute()
  const called = (sku: string): string => `${sku} (${products.find((product) => product.sku === sku)?.name ?? ''})`
  const skus = products.map((product) => product.sku)
  const close = (sku: string): string[] => nearest(sku, skus).map(called)
  const message = unknown.map(({ sku }) => `SKU ${shown(sku)} does not exist.${didYouMean(close(sku))}`).join(' ')
  const stem = /^\p{L}+/u.exec(unknown[0]?.sku ?? '')?.[0].toLowerCase()
  const helps = products.some(({ sku, name }) => stem !== undefined && `${sku} ${name}`.toLowerCase().includes(stem))
  return ctx.fail('unknown_sku', message, {
    fields: unknown.map(({ sku, pointer }) => ({
      pointer,
      received: sku,
      allowed: listed(close(sku)) || 'a SKU that products_search answers',
    })),
    suggest: {
      tool: 'products_search',
      arguments: helps ? { query: stem } : {},
      why: helps ? `It lists the products that match “${stem}”` : 'It lists the products with their SKUs',
    },
  })
}

/** The products that lines name, or the answer that blames those that do not exist. */
export async function orderedProducts<L extends { readonly sku: string }>(
  db: OrderDatabase,
  ctx: ToolContext<'unknown_sku'>,
  lines: readonly L[],
): Promise<(L & { readonly product: Product })[] | ToolFailed> {
  const known = await withProducts(db, lines)
  const unknown = lines.flatMap(({ sku }, index) =>
    known.some((line) => line.sku === sku) ? [] : [{ sku, pointer: `/lines/${index}/sku` }],
  )
  return unknown.length > 0 ? unknownSkus(db, ctx, unknown) : known
}

export async function unknownOrder(
  db: OrderDatabase,
  ctx: ToolContext<'unknown_order'>,
  id: string,
): Promise<ToolFailed> {
  const rows = await db.selectFrom('desk_orders').select('id').orderBy('id', 'desc').limit(500).execute()
  const close = nearest(
    id,
    rows.map((row) => row.id),
  )
  return ctx.fail('unknown_order', `Order ${shown(id)} does not exist.${didYouMean(close)}`, {
    fields: [{ pointer: '/id', received: id, allowed: listed(close) || 'an id that orders_list answers' }],
    suggest: { tool: 'orders_list', arguments: {}, why: 'It lists the newest orders with their ids' },
  })
}

/** An order that is still open, or the answer that says why it cannot be `done` ("changed", "fulfilled"). */
export async function openOrder(
  db: OrderDatabase,
  ctx: ToolContext<'unknown_order' | 'not_open'>,
  id: string,
  done: string,
): Promise<Order | ToolFailed> {
  const order = await findOrder(db, id)
  if (order === undefined) return unknownOrder(db, ctx, id)
  if (order.state === 'open') return order
  return ctx.fail('not_open', `Order ${order.id} is ${order.state} and cannot be ${done}.`, {
    fields: [{ pointer: '/id', received: order.id, allowed: 'an open order' }],
    suggest: { tool: 'orders_list', arguments: { state: 'open' }, why: `It lists the orders that can be ${done}` },
  })
}

export async function unknownPurchase(
  db: OrderDatabase,
  ctx: ToolContext<'unknown_purchase'>,
  id: string,
): Promise<ToolFailed> {
  const rows = await db
    .selectFrom('desk_purchases')
    .select('id')
    .where('state', '=', 'open')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
  const open = rows.map((row) => row.id)
  return ctx.fail('unknown_purchase', `Purchase order ${shown(id)} does not exist.${didYouMean(nearest(id, open))}`, {
    fields: [
      {
        pointer: '/id',
        received: id,
        allowed: listed(open.slice(0, 10)) || 'the id of an open purchase order, and none is open',
      },
    ],
  })
}

/** Fails when a date lies before today (UTC). */
export function pastDate(
  ctx: ToolContext<'date_in_past'>,
  pointer: string,
  day: string | null | undefined,
): ToolFailed | undefined {
  const today = new Date(ctx.now()).toISOString().slice(0, 10)
  if (day === undefined || day === null || day >= today) return undefined
  return ctx.fail('date_in_past', `${day} is in the past.`, {
    fields: [{ pointer, received: day, allowed: `${today} or later` }],
  })
}
