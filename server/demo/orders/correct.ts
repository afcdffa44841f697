// A fulfilled order says what left the warehouse. When that was not what was written down, the order and the stock are
// both wrong; a correction puts the two right together and leaves its reason on the movement.
import { z } from 'zod'
import { afterChange, failures, forGood, unknownOrder } from './lookup.ts'
import { spokenMoney } from './money.ts'
import type { OrderLine, Product } from './queries.ts'
import { availableOf, findOrder, sawOrder, sawStock, withProducts } from './queries.ts'
import { deskTool } from './desk-tool.ts'
import { fieldsBlock, textValue } from '../../toolsets/say.ts'
import { numberValue, orderLines, stockGoes } from './say.ts'
import { corrections, orderId, orderOut, reason } from './shapes.ts'
import { orderView } from './views.ts'
import { changeable, wordsIn, type DeskWords } from './words.ts'
import { postMovements, setLines, setStock, stockAfter } from './writes.ts'

interface Change {
  readonly product: Product
  readonly before: number
  readonly after: number
}

const noStock = ({ correct: { noStock: says } }: DeskWords, lacking: readonly Change[]) => ({
  code: 'no_stock' as const,
  title: says.title(lacking.length),
  text: says.text(
    lacking.map(({ product, before, after }) =>
      says.lacks({ sku: product.sku, quantity: after - before, free: Math.max(0, availableOf(product)) }),
    ),
  ),
})

/** `orders.correct`. */
export const correctOrder = deskTool({
  name: 'orders.correct',
  title: 'Correct a fulfilled order',
  noun: 'the correction of the fulfilled order',
  description:
    'Corrects what a fulfilled order says was delivered and posts the difference to the stock. Give only the lines that were wrong, with the quantity that was really delivered.',
  operation: 'destructive',
  risk: 'high',
  permissions: ['orders:write'],
  input: z.strictObject({
    id: orderId,
    lines: corrections.describe('Only the lines that were wrong; 0 when nothing of it was delivered'),
    reason: reason.describe('Why, for the stock movement: "one desk came back damaged"'),
  }),
  output: z.object({ order: orderOut, previous: z.array(z.object({ sku: z.string(), quantity: z.int() })) }),
  failures: {
    unknown_order: failures.unknown_order,
    not_fulfilled: forGood('Only fulfilled orders are corrected; change an open one with orders_modify.'),
    line_not_on_order: afterChange(
      'Correct only SKUs that the order has (orders_get); create a new order for anything else.',
    ),
    no_stock: failures.no_stock,
    nothing_to_change: failures.nothing_to_change,
  },
  sideEffects: [
    { what: 'Quantities of the order are overwritten', onRepeat: 'Refused: they already are as asked' },
    { what: 'The difference is posted to the stock', onRepeat: 'Nothing more' },
  ],
  revise: [
    changeable('/lines/*', 'item'),
    changeable('/lines/*/quantity', 'quantity'),
    changeable('/reason', 'reason'),
  ],
  async foresee(db, input, ctx) {
    const order = await findOrder(db, input.id)
    if (order === undefined) return unknownOrder(db, ctx, input.id)
    if (order.state !== 'fulfilled')
      return ctx.fail('not_fulfilled', `Order ${order.id} is ${order.state}; there is nothing delivered to correct.`, {
        fields: [{ pointer: '/id', received: order.id, allowed: 'a fulfilled order' }],
      })
    const strange = input.lines.flatMap(({ sku }, index) =>
      order.lines.some((line) => line.sku === sku) ? [] : [{ pointer: `/lines/${index}/sku`, received: sku }],
    )
    if (strange.length > 0)
      return ctx.fail(
        'line_not_on_order',
        `Order ${order.id} has no ${strange.map((each) => each.received).join(', ')}.`,
        {
          fields: strange.map((each) => ({ ...each, allowed: order.lines.map(({ sku }) => sku).join(', ') })),
          suggest: { tool: 'orders_get', arguments: { id: order.id }, why: 'It shows the lines of the order' },
        },
      )
    const corrected = (line: OrderLine): number =>
      input.lines.find(({ sku }) => sku === line.sku)?.quantity ?? line.quantity
    const changing = order.lines.filter((line) => corrected(line) !== line.quantity)
    if (changing.length === 0) return ctx.fail('nothing_to_change', `Order ${order.id} already has these quantities.`)
    const changes = (await withProducts(db, changing)).map((line) => ({
      product: line.product,
      before: line.quantity,
      after: corrected(line),
    }))
    const lacking = changes.filter(({ product, before, after }) => after - before > Math.max(0, availableOf(product)))
    return {
      order,
      lines: order.lines.map((line) => ({ ...line, quantity: corrected(line) })),
      changes,
      obstacle: lacking.length === 0 ? undefined : noStock(wordsIn(ctx.language), lacking),
      seen: [sawOrder(order, true), ...changes.map(({ product }) => sawStock(product, true))],
    }
  },
  describe({ order, lines, changes }, input, { language }) {
    const words = wordsIn(language)
    const { correct } = words
    const before = orderView(order, order.lines)
    const after = orderView(order, lines)
    const still = order.lines.filter(({ sku }) => !changes.some(({ product }) => product.sku === sku))
    return {
      title: correct.title(order.id),
      subtitle: `${order.customer} · ${correct.linesOf(changes.length, order.lines.length)}`,
      summary: correct.summary({
        changes: words.list(
          changes.map((each) => correct.change({ sku: each.product.sku, from: each.before, to: each.after })),
        ),
        id: order.id,
        total: spokenMoney(after.total),
      }),
      changes: changes.map((each) => ({
        pointer: `/lines/${each.product.sku}/quantity`,
        label: `${each.product.name} ${each.product.sku}`,
        before: numberValue(each.before),
        after: numberValue(each.after),
      })),
      unchanged: still.map(({ name, sku, quantity }) => ({ label: `${name} ${sku}`, value: numberValue(quantity) })),
      blocks: [fieldsBlock({ [words.labels.reason]: textValue(input.reason) })],
      effects: [
        words.totalGoes(spokenMoney(before.total), spokenMoney(after.total)),
        ...changes.map(({ product, before, after }) => stockGoes(words, product, before - after)),
        correct.invoicesStay,
        words.notTold(order.customer),
      ],
      confirmLabel: correct.confirm(changes.length),
      details: {
        total_before: before.total,
        total_after: after.total,
        stock_after: changes.map(({ product, before, after }) => ({
          sku: product.sku,
          on_hand: product.on_hand + before - after,
        })),
      },
    }
  },
  async carryOut(transaction, { order, lines, changes }, input, ctx) {
    await setLines(transaction, order.id, lines)
    await setStock(
      transaction,
      changes.map(({ product, before, after }) => stockAfter(product, { on_hand: before - after })),
    )
    const moves = changes.map(({ product, before, after }) => ({ sku: product.sku, quantity: before - after }))
    await postMovements(transaction, 'correction', `${order.id}: ${input.reason}`, moves, ctx)
    return {
      order: orderView({ ...order, version: order.version + 1 }, lines),
      previous: changes.map(({ product, before }) => ({ sku: product.sku, quantity: before })),
    }
  },
  undo(_input, { order, previous }, { language }) {
    const { correct } = wordsIn(language)
    return {
      tool: 'orders_correct',
      arguments: { id: order.id, lines: previous, reason: correct.backReason },
      label: correct.back(order.id),
    }
  },
  cards: {
    success(_input, { order, previous }, { language }) {
      const words = wordsIn(language)
      return {
        title: words.correct.done(order.id),
        subtitle: `${order.customer} · ${words.lines(previous.length)}`,
        blocks: [orderLines(words, order)],
      }
    },
  },
})
