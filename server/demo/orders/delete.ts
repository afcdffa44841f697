// Deleting is the one thing here that leaves no trace on the desk, so the card lists what goes and what comes back.
import { z } from 'zod'
import { spoken } from './days.ts'
import { failures, forGood, unknownOrder } from './lookup.ts'
import { spokenMoney } from './money.ts'
import { availableOf, findOrder, sawOrder, sawStock, withProducts } from './queries.ts'
import { deskTool } from './desk-tool.ts'
import { count, fieldsBlock } from '../../toolsets/say.ts'
import { moneyValue, numberValue, orderLines, stockGoes } from './say.ts'
import { moneyOut, orderId } from './shapes.ts'
import { orderView } from './views.ts'
import { setStock, stockAfter } from './writes.ts'

/** `orders.delete`. */
export const deleteOrder = deskTool({
  name: 'orders.delete',
  title: 'Delete a sales order',
  noun: 'the deletion of the sales order',
  description: 'Removes an open or cancelled sales order for good and releases its stock. Fulfilled orders stay.',
  operation: 'destructive',
  risk: 'critical',
  permissions: ['orders:delete'],
  input: z.strictObject({ id: orderId }),
  output: z.object({
    deleted: z.object({ id: z.string(), customer: z.string(), total: moneyOut }),
    released: z.array(z.object({ sku: z.string(), quantity: z.int() })),
  }),
  failures: {
    unknown_order: failures.unknown_order,
    already_fulfilled: forGood('A delivered order stays on the books; correct its quantities with orders_correct.'),
  },
  sideEffects: [
    { what: 'The order and its lines are removed for good', onRepeat: 'Refused: the order does not exist' },
    { what: 'Its reserved stock is released', onRepeat: 'Nothing more' },
  ],
  async foresee(db, { id }, ctx) {
    const order = await findOrder(db, id)
    if (order === undefined) return unknownOrder(db, ctx, id)
    const held = order.state === 'open' ? order.lines.filter(({ reserved }) => reserved > 0) : []
    const released = (await withProducts(db, held)).map(({ product, reserved }) => ({ product, quantity: reserved }))
    return {
      order,
      released,
      obstacle:
        order.state === 'fulfilled'
          ? {
              code: 'already_fulfilled' as const,
              title: `${order.id} has left the warehouse.`,
              text: 'A delivered order stays on the books. Correct its quantities instead.',
            }
          : undefined,
      seen: [sawOrder(order, true), ...released.map(({ product }) => sawStock(product, true))],
    }
  },
  describe({ order, released }) {
    const view = orderView(order, order.lines)
    const items = released.reduce((sum, { quantity }) => sum + quantity, 0)
    return {
      title: `Delete order ${order.id}`,
      subtitle: `${order.customer} · ${spokenMoney(view.total)} · created ${spoken(order.created_at)}`,
      summary: `Deletes order ${order.id} for ${order.customer} (${spokenMoney(view.total)}) and its ${count(order.lines.length, 'line')} for good.`,
      blocks: [orderLines(view)],
      effects: [
        `The order and its ${count(order.lines.length, 'line')} are removed for good`,
        ...(items > 0 ? [`${count(items, 'reserved item')} ${items === 1 ? 'returns' : 'return'} to stock`] : []),
        ...released.map(({ product, quantity }) => stockGoes(product, quantity)),
        `${order.customer} is not told`,
      ],
      confirmLabel: 'Delete order',
      confirmPhrase: order.id,
      details: {
        total: view.total,
        stock_after: released.map(({ product, quantity }) => ({
          sku: product.sku,
          available: availableOf(product) + quantity,
        })),
      },
    }
  },
  async carryOut(transaction, { order, released }) {
    await transaction.deleteFrom('desk_order_lines').where('order_id', '=', order.id).execute()
    await transaction.deleteFrom('desk_orders').where('id', '=', order.id).execute()
    await setStock(
      transaction,
      released.map(({ product, quantity }) => stockAfter(product, { reserved: -quantity })),
    )
    return {
      deleted: { id: order.id, customer: order.customer, total: orderView(order, order.lines).total },
      released: released.map(({ product, quantity }) => ({ sku: product.sku, quantity })),
    }
  },
  cards: {
    success: (_input, { deleted, released }) => ({
      title: `Order ${deleted.id} deleted`,
      subtitle: `${deleted.customer} · ${spokenMoney(deleted.total)}`,
      blocks: [
        fieldsBlock({
          'Total was': moneyValue(deleted.total),
          ...Object.fromEntries(released.map((each) => [`${each.sku} back in stock`, numberValue(each.quantity)])),
        }),
      ],
    }),
  },
})
