// The desk's reads. They run at once and cost a model little: lists are short by default and say when there is more.
import { z } from 'zod'
import type { Contract } from '../../tools/contract.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { failures, unknownCustomer, unknownOrder } from './lookup.ts'
import { money } from './money.ts'
import { allProducts, availableOf, findCustomer, findOrder, linesOf } from './queries.ts'
import type { OrderDatabase } from './schema.ts'
import { customer, moneyOut, orderId, orderOut, orderSummaryOut } from './shapes.ts'
import { orderView, summaryOf } from './views.ts'

/** `orders.list`, `orders.get`, `products.search`. */
export const readTools = (db: OrderDatabase): readonly Contract[] => [listOrders(db), getOrder(db), searchProducts(db)]

const listOrders = (db: OrderDatabase): Contract =>
  defineTool({
    name: 'orders.list',
    title: 'List sales orders',
    description:
      'Lists sales orders, the newest first, optionally of one customer or in one state. Amounts are decimal strings; `more` says that older orders were left out.',
    operation: 'read',
    risk: 'low',
    permissions: ['orders:read'],
    cheatsheet: 'orders',
    input: z.strictObject({
      customer: customer.optional(),
      state: z.enum(['open', 'fulfilled', 'cancelled']).optional(),
      limit: z.int().min(1).max(100).default(20),
    }),
    output: z.object({ orders: z.array(orderSummaryOut), more: z.boolean() }),
    failures: { unknown_customer: failures.unknown_customer },
    async run(input, ctx) {
      if (input.customer !== undefined && (await findCustomer(db, input.customer)) === undefined)
        return unknownCustomer(db, ctx, input.customer)
      const rows = await db
        .selectFrom('desk_orders')
        .selectAll()
        .$if(input.customer !== undefined, (query) => query.where('customer', '=', input.customer ?? ''))
        .$if(input.state !== undefined, (query) => query.where('state', '=', input.state ?? 'open'))
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .limit(input.limit + 1)
        .execute()
      const page = rows.slice(0, input.limit)
      const lines = await linesOf(
        db,
        page.map(({ id }) => id),
      )
      return {
        orders: page.map((order) =>
          summaryOf(
            order,
            lines.filter((line) => line.order_id === order.id),
          ),
        ),
        more: rows.length > page.length,
      }
    },
  })

const getOrder = (db: OrderDatabase): Contract =>
  defineTool({
    name: 'orders.get',
    title: 'Get a sales order',
    description: 'One sales order with its lines, prices, totals and what of it is reserved or back-ordered.',
    operation: 'read',
    risk: 'low',
    permissions: ['orders:read'],
    cheatsheet: 'orders',
    input: z.strictObject({ id: orderId }),
    output: z.object({ order: orderOut }),
    failures: { unknown_order: failures.unknown_order },
    async run({ id }, ctx) {
      const order = await findOrder(db, id)
      return order === undefined ? unknownOrder(db, ctx, id) : { order: orderView(order, order.lines) }
    },
  })

const searchProducts = (db: OrderDatabase): Contract =>
  defineTool({
    name: 'products.search',
    title: 'Search products',
    description:
      'Products whose SKU or name holds every word of the query, all of them without one, with price and stock. `available` is what can be promised: on hand less reserved.',
    operation: 'read',
    risk: 'low',
    permissions: ['orders:read'],
    cheatsheet: 'orders',
    input: z.strictObject({ query: z.string().max(100).optional().describe('Words, like "oak desk" or "LAMP"') }),
    output: z.object({
      products: z.array(
        z.object({ sku: z.string(), name: z.string(), price: moneyOut, on_hand: z.int(), available: z.int() }),
      ),
    }),
    failures: {},
    async run({ query }) {
      const words = (query ?? '').toLowerCase().split(/\s+/).filter(Boolean)
      const matches = (text: string): boolean => words.every((word) => text.includes(word))
      const found = (await allProducts(db)).filter(({ sku, name }) => matches(`${sku} ${name}`.toLowerCase()))
      return {
        products: found.map((product) => ({
          sku: product.sku,
          name: product.name,
          price: money(product.price_cents),
          on_hand: product.on_hand,
          available: availableOf(product),
        })),
      }
    },
  })
