// Fulfilling sends goods away, and nothing brings them back. It happens for the whole order or not at all; what is
// missing, and which purchase order brings it, is said before anyone can confirm.
import { z } from 'zod'
import { dayAfter, spoken } from './days.ts'
import { failures, openOrder } from './lookup.ts'
import { spokenMoney } from './money.ts'
import type { Arrival, Order, Product } from './queries.ts'
import { arrivalsOf, availableOf, sawArrivals, sawOrder, sawStock, withProducts } from './queries.ts'
import { hasEnded } from '../../toolsets/rehearsal.ts'
import { deskTool } from './desk-tool.ts'
import { count } from '../../toolsets/say.ts'
import { orderLines, stockGoes } from './say.ts'
import { orderId, orderOut } from './shapes.ts'
import { orderView } from './views.ts'
import { postMovements, setStock, stockAfter } from './writes.ts'

/** `fromFree` is what is taken from free stock because it was back-ordered. */
interface Goods {
  readonly product: Product
  readonly quantity: number
  readonly reserved: number
  readonly fromFree: number
}

function noStock(order: Order, lacking: readonly Goods[], arrivals: readonly Arrival[]) {
  const first = lacking.map(({ product, fromFree }) => {
    const missing = `${fromFree - Math.max(0, availableOf(product))} ${product.sku}`
    const next = arrivals.find(({ sku }) => sku === product.sku)
    if (next === undefined) return `Order ${missing} first (purchases_create)`
    const due = next.expected_date === null ? '' : `, expected ${spoken(next.expected_date)}`
    return `Receive ${next.id} first (${missing} missing${due})`
  })
  return {
    code: 'no_stock' as const,
    title: `${lacking.length} of ${count(order.lines.length, 'line')} ${lacking.length === 1 ? 'has' : 'have'} no stock.`,
    text: `${first.join('. ')}, or take ${lacking.map(({ product }) => product.sku).join(', ')} off the order.`,
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
      obstacle: lacking.length === 0 ? undefined : noStock(order, lacking, arrivals),
      seen: [sawOrder(order, true), ...goods.map(({ product }) => sawStock(product, true)), ...sawArrivals(arrivals)],
    }
  },
  describe({ order, goods }, _input, ctx) {
    const view = orderView(order, order.lines)
    const early = order.delivery_date !== null && order.delivery_date > dayAfter(ctx.now())
    return {
      title: `Fulfil order ${order.id}`,
      subtitle: `${order.customer} · ${count(order.lines.length, 'line')}`,
      summary: `Fulfils order ${order.id} for ${order.customer}: ${count(order.lines.length, 'line')}, ${spokenMoney(view.total)}. The goods leave the warehouse.`,
      blocks: [orderLines(view)],
      effects: [
        ...goods.map(
          ({ product, quantity }) =>
            `${quantity} ${product.sku} ${quantity === 1 ? 'leaves' : 'leave'} the warehouse: on hand goes from ${product.on_hand} to ${product.on_hand - quantity}`,
        ),
        ...goods.filter(({ fromFree }) => fromFree > 0).map(({ product, fromFree }) => stockGoes(product, -fromFree)),
        `${order.customer} is not told`,
      ],
      warnings: early
        ? [{ title: `Delivery is agreed for ${spoken(order.delivery_date ?? '')}.`, text: 'The goods leave today.' }]
        : [],
      confirmLabel: 'Fulfil order',
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
    success: (_input, { order }) => ({
      title: `Order ${order.id} fulfilled`,
      subtitle: `${order.customer} · ${count(order.lines.length, 'line')} · ${spokenMoney(order.total)}`,
      blocks: [orderLines(order)],
    }),
  },
})
