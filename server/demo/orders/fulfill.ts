// Fulfilling sends goods away, and nothing brings them back. It happens for the whole order or not at all; what is
// missing, and which purchase order brings it, is said before anyone can confirm.
import { z } from 'zod'
import { dayAfter, spoken } from './days.ts'
import { failures, openOrder } from './lookup.ts'
import { spokenMoney } from './money.ts'
import type { Arrival, Order, Product } from './queries.ts'
import { arrivalsOf, availableOf, sawArrivals, sawOrder, sawStock, withProducts } from './queries.ts'
import { hasEnded } from '../../tools/has-ended.ts'
import { deskTool } from './desk-tool.ts'
import { orderLines, spokenDue, stockGoes } from './say.ts'
import { orderId, orderOut } from './shapes.ts'
import { orderView } from './views.ts'
import { wordsIn, type DeskWords } from './words.ts'
import { postMovements, setStock, stockAfter } from './writes.ts'

/** `fromFree` is what is taken from free stock because it was back-ordered. */
interface Goods {
  readonly product: Product
  readonly quantity: number
  readonly reserved: number
  readonly fromFree: number
}

function noStock(words: DeskWords, order: Order, lacking: readonly Goods[], arrivals: readonly Arrival[]) {
  const { noStock: says } = words.fulfill
  const first = lacking.map(({ product, fromFree }) => {
    const missing = { sku: product.sku, quantity: fromFree - Math.max(0, availableOf(product)) }
    const next = arrivals.find(({ sku }) => sku === product.sku)
    return next === undefined
      ? says.orderFirst(missing)
      : says.receiveFirst({ ...missing, id: next.id, due: spokenDue(next) })
  })
  return {
    code: 'no_stock' as const,
    title: says.title(lacking.length, order.lines.length),
    text: says.text(first, words.list(lacking.map(({ product }) => product.sku))),
  }
}

const stockLeft = ({ product, quantity, reserved }: Goods) =>
  stockAfter(product, { on_hand: -quantity, reserved: -reserved })

/** `orders.fulfill`. */
export const fulfillOrder = deskTool({
  name: 'orders.fulfill',
  title: 'Fulfil a sales order',
  noun: 'the fulfilment of the sales order',
  description:
    'Sends the goods of an open sales order and closes it; all lines or none. A fulfilled order can only be corrected.',
  operation: 'destructive',
  risk: 'high',
  permissions: ['orders:write'],
  input: z.strictObject({ id: orderId }),
  output: z.object({ order: orderOut }),
  failures: {
    unknown_order: failures.unknown_order,
    not_open: failures.not_open,
    no_stock: failures.no_stock,
  },
  sideEffects: [
    { what: 'The goods are posted out of the warehouse', onRepeat: 'Refused: the order is no longer open' },
    { what: 'The order becomes fulfilled', onRepeat: 'Refused: the order is no longer open' },
  ],
  async foresee(db, { id }, ctx) {
    const order = await openOrder(db, ctx, id, 'fulfilled')
    if (hasEnded(order)) return order
    const goods = (await withProducts(db, order.lines)).map(({ product, quantity, reserved }) => ({
      product,
      quantity,
      reserved,
      fromFree: quantity - reserved,
    }))
    const lacking = goods.filter(({ product, fromFree }) => fromFree > Math.max(0, availableOf(product)))
    const arrivals = await arrivalsOf(
      db,
      lacking.map(({ product }) => product),
    )
    return {
      order,
      goods,
      obstacle: lacking.length === 0 ? undefined : noStock(wordsIn(ctx.language), order, lacking, arrivals),
      seen: [sawOrder(order, true), ...goods.map(({ product }) => sawStock(product, true)), ...sawArrivals(arrivals)],
    }
  },
  describe({ order, goods }, _input, ctx) {
    const words = wordsIn(ctx.language)
    const view = orderView(order, order.lines)
    const lines = words.lines(order.lines.length)
    const early = order.delivery_date !== null && order.delivery_date > dayAfter(ctx.now())
    return {
      title: words.fulfill.title(order.id),
      subtitle: `${order.customer} · ${lines}`,
      summary: words.fulfill.summary({
        id: order.id,
        customer: order.customer,
        lines,
        total: spokenMoney(view.total),
      }),
      blocks: [orderLines(words, view)],
      effects: [
        ...goods.map(({ product: { sku, on_hand }, quantity }) =>
          words.fulfill.leaves({ sku, quantity, from: on_hand, to: on_hand - quantity }),
        ),
        ...goods
          .filter(({ fromFree }) => fromFree > 0)
          .map(({ product, fromFree }) => stockGoes(words, product, -fromFree)),
        words.notTold(order.customer),
      ],
      warnings: early
        ? [{ title: words.fulfill.early.title(spoken(order.delivery_date ?? '')), text: words.fulfill.early.text }]
        : [],
      confirmLabel: words.fulfill.confirm,
      details: { stock_after: goods.map(stockLeft) },
    }
  },
  async carryOut(transaction, { order, goods }, _input, ctx) {
    await transaction.updateTable('desk_orders').set({ state: 'fulfilled' }).where('id', '=', order.id).execute()
    await transaction.updateTable('desk_order_lines').set({ reserved: 0 }).where('order_id', '=', order.id).execute()
    await setStock(transaction, goods.map(stockLeft))
    const moves = goods.map(({ product, quantity }) => ({ sku: product.sku, quantity: -quantity }))
    await postMovements(transaction, 'sale', order.id, moves, ctx)
    return {
      order: orderView(
        { ...order, state: 'fulfilled', version: order.version + 1 },
        order.lines.map((line) => ({ ...line, reserved: 0 })),
      ),
    }
  },
  cards: {
    success(_input, { order }, { language }) {
      const words = wordsIn(language)
      return {
        title: words.fulfill.done(order.id),
        subtitle: `${order.customer} · ${words.lines(order.lines.length)} · ${spokenMoney(order.total)}`,
        blocks: [orderLines(words, order)],
      }
    },
  },
})
