// Creating an order promises goods. The preview therefore says what the promise does to the stock, what cannot be
// promised from it, and when the rest arrives.
import { z } from 'zod'
import { isoAt, spoken } from './days.ts'
import { failures, orderedProducts, pastDate, unknownCustomer } from './lookup.ts'
import { spokenMoney } from './money.ts'
import type { Arrival, Product } from './queries.ts'
import { arrivalsOf, availableOf, findCustomer, sawArrivals, sawProduct, sawStock } from './queries.ts'
import { hasEnded } from '../../toolsets/rehearsal.ts'
import { deskTool } from './desk-tool.ts'
import { count, fieldsBlock, textValue } from '../../toolsets/say.ts'
import { backOrdered, dayValue, inShort, oddQuantities, orderLines, stockGoes } from './say.ts'
import { contact, customer, day, lines, note, orderOut } from './shapes.ts'
import { orderView } from './views.ts'
import { nextId, setLines, setStock, stockAfter } from './writes.ts'

const input = z.strictObject({
  customer,
  lines: lines.describe('What is ordered, each SKU once'),
  delivery_date: day.optional().describe('Day of delivery, YYYY-MM-DD, today or later'),
  contact: contact.optional().describe("Person or address on the customer's side"),
  note: note.optional(),
})
type Input = z.infer<typeof input>

interface Forecast {
  readonly lines: readonly (Product & { readonly quantity: number; readonly take: number; readonly short: number })[]
  readonly arrivals: readonly Arrival[]
}

/** The order as it will be, under a given id. */
function orderToBe(forecast: Forecast, asked: Input, id: string, createdAt: string) {
  const order = {
    id,
    customer: asked.customer,
    state: 'open' as const,
    created_at: createdAt,
    delivery_date: asked.delivery_date ?? null,
    discount_percent: 0,
    contact: asked.contact ?? null,
    note: asked.note ?? null,
    version: 1,
  }
  const lines = forecast.lines.map(({ sku, name, quantity, take, price_cents }) => ({
    sku,
    name,
    quantity,
    reserved: take,
    unit_price_cents: price_cents,
  }))
  return { order, lines, view: orderView(order, lines) }
}

/** A delivery that is promised for a day before its goods arrive. */
function tooEarly({ lines, arrivals }: Forecast, { delivery_date }: Input): { title: string; text: string }[] {
  if (delivery_date === undefined) return []
  return lines.flatMap(({ sku, short }) => {
    const due = arrivals.find((arrival) => arrival.sku === sku)?.expected_date
    if (short === 0 || due === undefined || due === null || due <= delivery_date) return []
    return [
      {
        title: `${sku} arrives after the delivery day.`,
        text: `Delivery is set for ${spoken(delivery_date)}; the missing ${short} arrive on ${spoken(due)}.`,
      },
    ]
  })
}

/** `orders.create`. */
export const createOrder = deskTool({
  name: 'orders.create',
  title: 'Create a sales order',
  noun: 'the new sales order',
  description:
    'Creates an open sales order at list prices and reserves what is in stock; the rest is back-ordered. `customer` and `sku` must exist exactly as orders_list and products_search show them; dates are YYYY-MM-DD.',
  operation: 'write',
  risk: 'medium',
  permissions: ['orders:write'],
  input,
  output: z.object({ order: orderOut }),
  failures: {
    unknown_customer: failures.unknown_customer,
    unknown_sku: failures.unknown_sku,
    date_in_past: failures.date_in_past,
  },
  sideEffects: [
    { what: 'A sales order is added', onRepeat: 'A second order is added' },
    { what: 'Stock is reserved for it', onRepeat: 'Further stock is reserved' },
  ],
  async foresee(db, input, ctx) {
    const customer = await findCustomer(db, input.customer)
    if (customer === undefined) return unknownCustomer(db, ctx, input.customer)
    const past = pastDate(ctx, '/delivery_date', input.delivery_date)
    if (past !== undefined) return past
    const ordered = await orderedProducts(db, ctx, input.lines)
    if (hasEnded(ordered)) return ordered
    const wanted = ordered.map(({ product, quantity }) => {
      const take = Math.min(quantity, Math.max(0, availableOf(product)))
      return { ...product, quantity, take, short: quantity - take }
    })
    const arrivals = await arrivalsOf(
      db,
      wanted.filter(({ short }) => short > 0),
    )
    return {
      lines: wanted,
      arrivals,
      seen: [
        { table: 'desk_customers', key: customer.name, version: customer.version, moves: false },
        ...wanted.map(sawProduct),
        ...wanted.map((line) => sawStock(line, line.take > 0)),
        ...sawArrivals(arrivals),
      ],
    }
  },
  describe(forecast, input, ctx) {
    const { view } = orderToBe(forecast, input, '', isoAt(ctx.now()))
    const given = {
      ...(input.delivery_date === undefined ? {} : { Delivery: dayValue(input.delivery_date) }),
      ...(input.contact === undefined ? {} : { Contact: textValue(input.contact) }),
      ...(input.note === undefined ? {} : { Note: textValue(input.note) }),
    }
    return {
      title: `Create a sales order for ${input.customer}`,
      summary: `Creates a sales order for ${input.customer}: ${inShort(input.lines)}, total ${spokenMoney(view.total)}.`,
      blocks: [orderLines(view), ...(Object.keys(given).length > 0 ? [fieldsBlock(given)] : [])],
      effects: [
        ...forecast.lines.filter(({ take }) => take > 0).map((line) => stockGoes(line, -line.take)),
        ...forecast.lines
          .filter(({ short }) => short > 0)
          .map(({ sku, short, quantity }) => backOrdered(sku, short, quantity, forecast.arrivals)),
        `${input.customer} is not told`,
      ],
      warnings: [
        ...oddQuantities(forecast.lines.map((line) => ({ ...line, usual: line.usual_quantity }))),
        ...tooEarly(forecast, input),
      ],
      confirmLabel: 'Create order',
      details: {
        total: view.total,
        lines: forecast.lines.map((line) => ({
          sku: line.sku,
          quantity: line.quantity,
          reserved: line.take,
          back_ordered: line.short,
          stock_after: availableOf(line) - line.take,
        })),
      },
    }
  },
  async carryOut(transaction, forecast, input, ctx) {
    const id = await nextId(transaction, 'sales-order')
    const { order, lines, view } = orderToBe(forecast, input, id, isoAt(ctx.now()))
    await transaction.insertInto('desk_orders').values(order).execute()
    await setLines(transaction, id, lines)
    await setStock(
      transaction,
      forecast.lines.filter(({ take }) => take > 0).map((line) => stockAfter(line, { reserved: line.take })),
    )
    return { order: view }
  },
  revise: ['/lines/*', '/lines/*/quantity', '/delivery_date', '/contact', '/note'],
  undo: (_input, { order }) => ({
    tool: 'orders_delete',
    arguments: { id: order.id },
    label: `Delete order ${order.id}`,
  }),
  cards: {
    success: (_input, { order }) => ({
      title: `Order ${order.id} created`,
      subtitle: `${order.customer} · ${count(order.lines.length, 'line')} · ${spokenMoney(order.total)}`,
      blocks: [
        orderLines(order),
        ...(order.back_ordered > 0
          ? [
              {
                kind: 'alert' as const,
                severity: 'info' as const,
                title: `${count(order.back_ordered, 'item')} back-ordered.`,
                text: order.lines
                  .filter((line) => line.back_ordered > 0)
                  .map((line) => `${line.back_ordered} of ${line.quantity} ${line.sku}`)
                  .join(', '),
              },
            ]
          : []),
      ],
    }),
  },
})
