// Creating an order promises goods. The preview therefore says what the promise does to the stock, what cannot be
// promised from it, and when the rest arrives.
import { z } from 'zod'
import { isoAt, spoken } from './days.ts'
import { failures, orderedProducts, pastDate, unknownCustomer } from './lookup.ts'
import { spokenMoney } from './money.ts'
import type { Arrival, Product } from './queries.ts'
import { arrivalsOf, availableOf, findCustomer, sawArrivals, sawProduct, sawStock } from './queries.ts'
import { hasEnded } from '../../tools/has-ended.ts'
import { deskTool } from './desk-tool.ts'
import { fieldsBlock, textValue } from '../../toolsets/say.ts'
import { backOrdered, dayValue, inShort, oddQuantities, orderLines, stockGoes } from './say.ts'
import { contact, customer, day, lines, note, orderOut } from './shapes.ts'
import { orderView } from './views.ts'
import { changeable, wordsIn, type DeskWords } from './words.ts'
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
function tooEarly(
  { create }: DeskWords,
  { lines, arrivals }: Forecast,
  { delivery_date }: Input,
): { title: string; text: string }[] {
  if (delivery_date === undefined) return []
  return lines.flatMap(({ sku, short }) => {
    const due = arrivals.find((arrival) => arrival.sku === sku)?.expected_date
    if (short === 0 || due === undefined || due === null || due <= delivery_date) return []
    return [
      {
        title: create.tooEarly.title(sku),
        text: create.tooEarly.text({ delivery: spoken(delivery_date), missing: short, due: spoken(due) }),
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
    const words = wordsIn(ctx.language)
    const { view } = orderToBe(forecast, input, '', isoAt(ctx.now()))
    const given = {
      ...(input.delivery_date === undefined ? {} : { [words.labels.delivery]: dayValue(input.delivery_date) }),
      ...(input.contact === undefined ? {} : { [words.labels.contact]: textValue(input.contact) }),
      ...(input.note === undefined ? {} : { [words.labels.note]: textValue(input.note) }),
    }
    return {
      title: words.create.title(input.customer),
      summary: words.create.summary({
        customer: input.customer,
        goods: inShort(words, input.lines),
        total: spokenMoney(view.total),
      }),
      blocks: [orderLines(words, view), ...(Object.keys(given).length > 0 ? [fieldsBlock(given)] : [])],
      effects: [
        ...forecast.lines.filter(({ take }) => take > 0).map((line) => stockGoes(words, line, -line.take)),
        ...forecast.lines
          .filter(({ short }) => short > 0)
          .map(({ sku, short, quantity }) => backOrdered(words, { sku, part: short, quantity }, forecast.arrivals)),
        words.notTold(input.customer),
      ],
      warnings: [
        ...oddQuantities(
          words,
          forecast.lines.map((line) => ({ ...line, usual: line.usual_quantity })),
        ),
        ...tooEarly(words, forecast, input),
      ],
      confirmLabel: words.create.confirm,
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
  revise: [
    changeable('/lines/*', 'item'),
    changeable('/lines/*/quantity', 'quantity'),
    changeable('/delivery_date', 'delivery'),
    changeable('/contact', 'contact'),
    changeable('/note', 'note'),
  ],
  undo: (_input, { order }, { language }) => ({
    tool: 'orders_delete',
    arguments: { id: order.id },
    label: wordsIn(language).remove.title(order.id),
  }),
  cards: {
    success(_input, { order }, { language }) {
      const words = wordsIn(language)
      const missing = order.lines.map((line) => ({ ...line, part: line.back_ordered })).filter(({ part }) => part > 0)
      return {
        title: words.create.done(order.id),
        subtitle: `${order.customer} · ${words.lines(order.lines.length)} · ${spokenMoney(order.total)}`,
        blocks: [
          orderLines(words, order),
          ...(order.back_ordered > 0
            ? [
                {
                  kind: 'alert' as const,
                  severity: 'info' as const,
                  title: words.create.someBackOrdered(order.back_ordered),
                  text: words.list(missing.map(words.partOf)),
                },
              ]
            : []),
        ],
      }
    },
  },
})
