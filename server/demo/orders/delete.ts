// Deleting is the one thing here that leaves no trace on the desk, so the card lists what goes and what comes back.
import { z } from 'zod'
import { spoken } from './days.ts'
import { failures, forGood, unknownOrder } from './lookup.ts'
import { spokenMoney } from './money.ts'
import { availableOf, findOrder, sawOrder, sawStock, withProducts } from './queries.ts'
import { deskTool } from './desk-tool.ts'
import { fieldsBlock } from '../../toolsets/say.ts'
import { moneyValue, numberValue, orderLines, stockGoes } from './say.ts'
import { moneyOut, orderId } from './shapes.ts'
import { orderView } from './views.ts'
import { wordsIn } from './words.ts'
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
    const { remove } = wordsIn(ctx.language)
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
              title: remove.fulfilled.title(order.id),
              text: remove.fulfilled.text,
            }
          : undefined,
      seen: [sawOrder(order, true), ...released.map(({ product }) => sawStock(product, true))],
    }
  },
  describe({ order, released }, _input, { language }) {
    const words = wordsIn(language)
    const view = orderView(order, order.lines)
    const items = released.reduce((sum, { quantity }) => sum + quantity, 0)
    return {
      title: words.remove.title(order.id),
      subtitle: `${order.customer} · ${spokenMoney(view.total)} · ${words.remove.created(spoken(order.created_at))}`,
      summary: words.remove.summary({
        id: order.id,
        customer: order.customer,
        total: spokenMoney(view.total),
        number: order.lines.length,
      }),
      blocks: [orderLines(words, view)],
      effects: [
        words.remove.goes(order.lines.length),
        ...(items > 0 ? [words.remove.returns(items)] : []),
        ...released.map(({ product, quantity }) => stockGoes(words, product, quantity)),
        words.notTold(order.customer),
      ],
      confirmLabel: words.remove.confirm,
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
    success(_input, { deleted, released }, { language }) {
      const { labels, remove } = wordsIn(language)
      return {
        title: remove.done(deleted.id),
        subtitle: `${deleted.customer} · ${spokenMoney(deleted.total)}`,
        blocks: [
          fieldsBlock({
            [labels.totalWas]: moneyValue(deleted.total),
            ...Object.fromEntries(released.map((each) => [remove.backInStock(each.sku), numberValue(each.quantity)])),
          }),
        ],
      }
    },
  },
})
