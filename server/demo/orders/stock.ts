// Someone counted. The count wins over the books, but not over promises: what open orders hold cannot be counted away
// silently.
import { z } from 'zod'
import { afterChange, failures, unknownSkus } from './lookup.ts'
import type { OpenLine, Product } from './queries.ts'
import { availableOf, findProducts, openLinesOf, sawOrder, sawStock } from './queries.ts'
import { deskTool } from './desk-tool.ts'
import { fieldsBlock, textValue } from '../../toolsets/say.ts'
import { numberValue, stockGoes } from './say.ts'
import { reason, sku, stockOut } from './shapes.ts'
import { stockView } from './views.ts'
import { postMovements, setStock, stockAfter } from './writes.ts'

function obstacleOf(product: Product, after: number, holders: readonly OpenLine[]) {
  if (after < 0)
    return {
      code: 'not_that_many' as const,
      title: `Only ${product.on_hand} ${product.sku} are on hand.`,
      text: `Take away ${product.on_hand} at most.`,
    }
  const held = holders.map((line) => `${line.order_id} holds ${line.reserved}`).join(', ')
  return {
    code: 'stock_promised' as const,
    title: `${product.reserved} ${product.sku} are promised to open orders.`,
    text: `On hand would be ${after}, and ${held}. Change those orders first, or take away ${Math.max(0, availableOf(product))} at most.`,
  }
}

/** `stock.adjust`. */
export const adjustStock = deskTool({
  name: 'stock.adjust',
  title: 'Adjust stock',
  noun: 'the stock adjustment',
  description:
    'Adds pieces to the stock of one product or takes some away, after a count or a loss. Goods that arrive are booked with purchases_receive instead.',
  operation: 'destructive',
  risk: 'high',
  permissions: ['stock:write'],
  input: z.strictObject({
    sku,
    delta: z
      .int()
      .min(-10_000)
      .max(10_000)
      .refine((delta) => delta !== 0, 'must not be 0')
      .describe('Pieces to add (positive) or take away (negative), never 0'),
    reason: reason.describe('Why, for the stock movement: "two broken in the warehouse"'),
  }),
  output: z.object({ stock: stockOut, delta: z.int() }),
  failures: {
    unknown_sku: failures.unknown_sku,
    stock_promised: afterChange('Change or delete the orders that hold the stock first, or take less away.'),
    not_that_many: afterChange('Take away at most what is on hand; products_search shows it.'),
  },
  sideEffects: [{ what: 'The stock on hand changes by the given number', onRepeat: 'It changes by that number again' }],
  revise: ['/delta', '/reason'],
  async foresee(db, input, ctx) {
    const product = (await findProducts(db, [input.sku])).get(input.sku)
    if (product === undefined) return unknownSkus(db, ctx, [{ sku: input.sku, pointer: '/sku' }])
    const after = product.on_hand + input.delta
    const short = input.delta < 0 && after < product.reserved
    const holders = short ? (await openLinesOf(db, [product.sku])).filter(({ reserved }) => reserved > 0) : []
    return {
      product,
      after,
      obstacle: short ? obstacleOf(product, after, holders) : undefined,
      seen: [
        sawStock(product, true),
        ...holders.map(({ order_id, version }) => sawOrder({ id: order_id, version }, false)),
      ],
    }
  },
  describe({ product, after }, input) {
    const amount = Math.abs(input.delta)
    return {
      title: `${input.delta > 0 ? `Add ${amount} to` : `Take ${amount} from`} the stock of ${product.sku}`,
      subtitle: product.name,
      summary: `Adjusts ${product.sku} by ${input.delta > 0 ? '+' : ''}${input.delta}: on hand goes from ${product.on_hand} to ${after}.`,
      changes: [
        { pointer: '/on_hand', label: 'On hand', before: numberValue(product.on_hand), after: numberValue(after) },
      ],
      unchanged: [{ label: 'Reserved', value: numberValue(product.reserved) }],
      blocks: [fieldsBlock({ Reason: textValue(input.reason) })],
      effects: [stockGoes(product, input.delta), 'The movement stays on the books with its reason'],
      warnings:
        amount >= 10 && amount > product.on_hand
          ? [{ title: `${amount} is more than all that is on hand (${product.on_hand}).`, text: 'Check the quantity.' }]
          : [],
      confirmLabel: 'Adjust stock',
      details: { stock_after: stockView(stockAfter(product, { on_hand: input.delta })) },
    }
  },
  async carryOut(transaction, { product }, input, ctx) {
    const figures = stockAfter(product, { on_hand: input.delta })
    await setStock(transaction, [figures])
    await postMovements(transaction, 'adjustment', input.reason, [{ sku: product.sku, quantity: input.delta }], ctx)
    return { stock: stockView(figures), delta: input.delta }
  },
  undo: (input) => ({
    tool: 'stock_adjust',
    arguments: { sku: input.sku, delta: -input.delta, reason: 'Takes the last adjustment back' },
    label: `Adjust ${input.sku} back`,
  }),
  cards: {
    success: (input, { stock, delta }) => ({
      title: `Stock of ${stock.sku} adjusted`,
      subtitle: `${delta > 0 ? '+' : ''}${delta} · ${input.reason}`,
      blocks: [
        fieldsBlock({
          'On hand': numberValue(stock.on_hand),
          Reserved: numberValue(stock.reserved),
          Available: numberValue(stock.available),
        }),
      ],
    }),
  },
})
