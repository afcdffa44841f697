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
import { changeable, wordsIn, type DeskWords } from './words.ts'
import { postMovements, setStock, stockAfter } from './writes.ts'

function obstacleOf(words: DeskWords, product: Product, after: number, holders: readonly OpenLine[]) {
  const { notThatMany, promised } = words.adjust
  if (after < 0)
    return {
      code: 'not_that_many' as const,
      title: notThatMany.title(product.sku, product.on_hand),
      text: notThatMany.text(product.on_hand),
    }
  const held = words.list(holders.map((line) => promised.holds(line.order_id, line.reserved)))
  return {
    code: 'stock_promised' as const,
    title: promised.title(product.sku, product.reserved),
    text: promised.text({ after, held, free: Math.max(0, availableOf(product)) }),
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
  revise: [changeable('/delta', 'quantity'), changeable('/reason', 'reason')],
  async foresee(db, input, ctx) {
    const product = (await findProducts(db, [input.sku])).get(input.sku)
    if (product === undefined) return unknownSkus(db, ctx, [{ sku: input.sku, pointer: '/sku' }])
    const after = product.on_hand + input.delta
    const short = input.delta < 0 && after < product.reserved
    const holders = short ? (await openLinesOf(db, [product.sku])).filter(({ reserved }) => reserved > 0) : []
    return {
      product,
      after,
      obstacle: short ? obstacleOf(wordsIn(ctx.language), product, after, holders) : undefined,
      seen: [
        sawStock(product, true),
        ...holders.map(({ order_id, version }) => sawOrder({ id: order_id, version }, false)),
      ],
    }
  },
  describe({ product, after }, input, ctx) {
    const words = wordsIn(ctx.language)
    const { adjust, labels } = words
    const amount = Math.abs(input.delta)
    return {
      title: adjust.title(product.sku, input.delta),
      subtitle: product.name,
      summary: adjust.summary({ sku: product.sku, delta: input.delta, from: product.on_hand, to: after }),
      changes: [
        { pointer: '/on_hand', label: labels.onHand, before: numberValue(product.on_hand), after: numberValue(after) },
      ],
      unchanged: [{ label: labels.reserved, value: numberValue(product.reserved) }],
      blocks: [fieldsBlock({ [labels.reason]: textValue(input.reason) })],
      effects: [stockGoes(words, product, input.delta), adjust.onTheBooks],
      warnings:
        amount >= 10 && amount > product.on_hand
          ? [{ title: adjust.moreThanAll.title(amount, product.on_hand), text: adjust.moreThanAll.text }]
          : [],
      confirmLabel: adjust.confirm,
      details: { stock_after: stockView(stockAfter(product, { on_hand: input.delta })) },
    }
  },
  async carryOut(transaction, { product }, input, ctx) {
    const figures = stockAfter(product, { on_hand: input.delta })
    await setStock(transaction, [figures])
    await postMovements(transaction, 'adjustment', input.reason, [{ sku: product.sku, quantity: input.delta }], ctx)
    return { stock: stockView(figures), delta: input.delta }
  },
  undo(input, _output, { language }) {
    const { adjust } = wordsIn(language)
    return {
      tool: 'stock_adjust',
      arguments: { sku: input.sku, delta: -input.delta, reason: adjust.backReason },
      label: adjust.back(input.sku),
    }
  },
  cards: {
    success(input, { stock, delta }, { language }) {
      const { adjust, labels } = wordsIn(language)
      return {
        title: adjust.done(stock.sku),
        subtitle: `${adjust.signed(delta)} · ${input.reason}`,
        blocks: [
          fieldsBlock({
            [labels.onHand]: numberValue(stock.on_hand),
            [labels.reserved]: numberValue(stock.reserved),
            [labels.available]: numberValue(stock.available),
          }),
        ],
      }
    },
  },
})
