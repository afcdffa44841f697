// What a change of an open order comes to: which fields differ, what each differing line takes from the stock or gives
// back, and the order as it will be.
import type { z } from 'zod'
import type { ToolContext, ToolFailed } from '../../tools/contract.ts'
import { failures, openOrder, pastDate, unknownSkus } from './lookup.ts'
import type { Arrival, Order, OrderLine, Product } from './queries.ts'
import {
  arrivalsOf,
  availableOf,
  findCustomer,
  findProducts,
  sawArrivals,
  sawOrder,
  sawProduct,
  sawStock,
} from './queries.ts'
import { hasEnded } from '../../tools/has-ended.ts'
import type { Seen } from './desk-tool.ts'
import type { OrderDatabase } from './schema.ts'
import type { modifyInput } from './shapes.ts'

export const modifyFailures = {
  unknown_order: failures.unknown_order,
  unknown_sku: failures.unknown_sku,
  not_open: failures.not_open,
  date_in_past: failures.date_in_past,
  nothing_to_change: failures.nothing_to_change,
}
type ModifyCode = keyof typeof modifyFailures

/** A line whose quantity changes; `before` or `after` is 0 for one that comes or goes. */
interface LineChange {
  readonly product: Product
  readonly before: number
  readonly after: number
  readonly reservedBefore: number
  readonly reservedAfter: number
}

type Line = Omit<OrderLine, 'order_id' | 'position'>

const simpleFields = ['delivery_date', 'discount_percent', 'contact', 'note'] as const

export interface ModifyForecast {
  readonly seen: readonly Seen[]
  readonly order: Order
  readonly target: Omit<Order, 'lines'>
  readonly targetLines: readonly Line[]
  readonly fields: readonly (typeof simpleFields)[number][]
  readonly lineChanges: readonly LineChange[]
  readonly arrivals: readonly Arrival[]
  /** Known only when the discount changes. */
  readonly agreedDiscount: number | undefined
}

/** Works a change out, or says why it cannot be one. */
export async function foreseeModify(
  db: OrderDatabase,
  input: z.infer<typeof modifyInput>,
  ctx: ToolContext<ModifyCode>,
): Promise<ModifyForecast | ToolFailed> {
  const order = await openOrder(db, ctx, input.id, 'changed')
  if (hasEnded(order)) return order
  const fields = simpleFields.filter((field) => input[field] !== undefined && input[field] !== order[field])
  const past = fields.includes('delivery_date') ? pastDate(ctx, '/delivery_date', input.delivery_date) : undefined
  if (past !== undefined) return past

  const wanted = input.lines ?? order.lines
  const quantityOf = (lines: readonly { readonly sku: string; readonly quantity: number }[], sku: string): number =>
    lines.find((line) => line.sku === sku)?.quantity ?? 0
  const changing = [...new Set([...order.lines, ...wanted].map(({ sku }) => sku))].filter(
    (sku) => quantityOf(order.lines, sku) !== quantityOf(wanted, sku),
  )
  if (fields.length === 0 && changing.length === 0)
    return ctx.fail('nothing_to_change', `Order ${order.id} already is as asked.`)
  const products = await findProducts(db, changing)
  const unknown = wanted.flatMap(({ sku }, index) =>
    changing.includes(sku) && !products.has(sku) ? [{ sku, pointer: `/lines/${index}/sku` }] : [],
  )
  if (unknown.length > 0) return unknownSkus(db, ctx, unknown)

  const lineChanges = changing.flatMap((sku): LineChange[] => {
    const product = products.get(sku)
    if (product === undefined) return []
    const reservedBefore = order.lines.find((line) => line.sku === sku)?.reserved ?? 0
    const after = quantityOf(wanted, sku)
    const reservedAfter = Math.min(after, reservedBefore + Math.max(0, availableOf(product)))
    return [{ product, before: quantityOf(order.lines, sku), after, reservedBefore, reservedAfter }]
  })
  const arrivals = await arrivalsOf(
    db,
    lineChanges.filter((line) => line.reservedAfter < line.after).map(({ product }) => product),
  )
  const customer = fields.includes('discount_percent') ? await findCustomer(db, order.customer) : undefined
  const { lines: _, ...head } = order
  return {
    order,
    target: {
      ...head,
      delivery_date: input.delivery_date === undefined ? order.delivery_date : input.delivery_date,
      discount_percent: input.discount_percent ?? order.discount_percent,
      contact: input.contact === undefined ? order.contact : input.contact,
      note: input.note === undefined ? order.note : input.note,
      version: order.version + 1,
    },
    targetLines: changing.length === 0 ? order.lines : targetLines(order, wanted, lineChanges),
    fields,
    lineChanges,
    arrivals,
    agreedDiscount: customer?.agreed_discount,
    seen: [
      sawOrder(order, true),
      ...(customer === undefined
        ? []
        : [{ table: 'desk_customers' as const, key: customer.name, version: customer.version, moves: false }]),
      ...lineChanges.map(({ product }) => sawProduct(product)),
      ...lineChanges.map((line) => sawStock(line.product, line.reservedAfter !== line.reservedBefore)),
      ...sawArrivals(arrivals),
    ],
  }
}

/** Lines that stay keep the price of the day they were ordered; new ones take today's. */
function targetLines(
  order: Order,
  wanted: readonly { readonly sku: string; readonly quantity: number }[],
  changes: readonly LineChange[],
): Line[] {
  return wanted.flatMap(({ sku, quantity }): Line[] => {
    const present = order.lines.find((line) => line.sku === sku)
    const change = changes.find((each) => each.product.sku === sku)
    const name = present?.name ?? change?.product.name
    const unit_price_cents = present?.unit_price_cents ?? change?.product.price_cents
    if (name === undefined || unit_price_cents === undefined) return []
    return [{ sku, name, quantity, reserved: change?.reservedAfter ?? present?.reserved ?? 0, unit_price_cents }]
  })
}
