// Stored stock figures are a cache of the movements and of the open lines. When they drift, every promise made from
// them is a little wrong; a rebuild sets them right, and its preview says by how much they were wrong.
import { z } from 'zod'
import type { CardChange } from '../../model/card.ts'
import { failures, unknownSkus } from './lookup.ts'
import { allProducts, availableOf, sawStock, type Product } from './queries.ts'
import { deskTool } from './desk-tool.ts'
import { count, fieldsBlock } from '../../toolsets/say.ts'
import { numberValue, stockGoes } from './say.ts'
import { sku } from './shapes.ts'
import { wordsIn, type DeskWords } from './words.ts'
import { setStock } from './writes.ts'

interface Figures {
  readonly product: Product
  readonly on_hand: number
  readonly reserved: number
}

/** Added up here and not in SQL, where the type of a sum differs from database to database. */
async function sums(
  rows: Promise<readonly { readonly sku: string; readonly quantity: number }[]>,
): Promise<ReadonlyMap<string, number>> {
  const total = new Map<string, number>()
  for (const { sku, quantity } of await rows) total.set(sku, (total.get(sku) ?? 0) + quantity)
  return total
}

function changesOf({ rebuild }: DeskWords, wrong: readonly Figures[]): CardChange[] {
  return wrong.flatMap(({ product, ...figures }) =>
    (['on_hand', 'reserved'] as const)
      .filter((figure) => figures[figure] !== product[figure])
      .map((figure) => ({
        pointer: `/${product.sku}/${figure}`,
        label: figure === 'on_hand' ? rebuild.onHandOf(product.sku) : rebuild.reservedOf(product.sku),
        before: numberValue(product[figure]),
        after: numberValue(figures[figure]),
      })),
  )
}

/** `cache.rebuild`. */
export const rebuildCache = deskTool({
  name: 'cache.rebuild',
  title: 'Rebuild stock figures',
  noun: 'the rebuild of the stored stock figures',
  description:
    'Recomputes stored on-hand and reserved figures from the stock movements and the open orders. Use it when figures look wrong; it changes nothing that is right.',
  operation: 'destructive',
  risk: 'high',
  permissions: ['stock:write'],
  input: z.strictObject({ sku: sku.optional().describe('Only this product; all of them when left out') }),
  output: z.object({
    checked: z.int(),
    corrected: z.array(
      z.object({
        sku: z.string(),
        on_hand: z.object({ before: z.int(), after: z.int() }),
        reserved: z.object({ before: z.int(), after: z.int() }),
      }),
    ),
  }),
  failures: {
    unknown_sku: failures.unknown_sku,
    nothing_to_change: failures.nothing_to_change,
  },
  sideEffects: [
    { what: 'Stored stock figures that differ are overwritten', onRepeat: 'Nothing more: they agree by then' },
  ],
  async foresee(db, input, ctx) {
    const products = (await allProducts(db)).filter(({ sku }) => input.sku === undefined || sku === input.sku)
    if (input.sku !== undefined && products.length === 0)
      return unknownSkus(db, ctx, [{ sku: input.sku, pointer: '/sku' }])
    const moved = await sums(db.selectFrom('desk_movements').select(['sku', 'quantity']).execute())
    const held = await sums(
      db
        .selectFrom('desk_order_lines as line')
        .innerJoin('desk_orders as order', 'order.id', 'line.order_id')
        .select(['line.sku', 'line.reserved as quantity'])
        .where('order.state', '=', 'open')
        .execute(),
    )
    const wrong = products
      .map((product) => ({ product, on_hand: moved.get(product.sku) ?? 0, reserved: held.get(product.sku) ?? 0 }))
      .filter((each) => each.on_hand !== each.product.on_hand || each.reserved !== each.product.reserved)
    if (wrong.length === 0)
      return ctx.fail('nothing_to_change', `All ${count(products.length, 'stored figure')} agree with the movements.`)
    return {
      checked: products.length,
      wrong,
      seen: products.map((product) =>
        sawStock(
          product,
          wrong.some((each) => each.product === product),
        ),
      ),
    }
  },
  describe({ checked, wrong }, _input, { language }) {
    const words = wordsIn(language)
    const { rebuild } = words
    const overPromised = wrong.filter((each) => each.reserved > each.on_hand)
    return {
      title: rebuild.title,
      subtitle: rebuild.differ(wrong.length, checked),
      summary: rebuild.summary(words.list(wrong.map(({ product }) => product.sku))),
      changes: changesOf(words, wrong),
      effects: [
        ...wrong.map(({ product, ...figures }) =>
          stockGoes(words, product, availableOf(figures) - availableOf(product)),
        ),
        ...(checked > wrong.length ? [rebuild.agree(checked - wrong.length)] : []),
      ],
      warnings: overPromised.map(({ product, on_hand, reserved }) => ({
        title: rebuild.overPromised.title({ sku: product.sku, reserved, onHand: on_hand }),
        text: rebuild.overPromised.text,
      })),
      confirmLabel: rebuild.confirm(wrong.length),
      details: { checked, corrected: wrong.length },
    }
  },
  async carryOut(transaction, { checked, wrong }) {
    await setStock(
      transaction,
      wrong.map(({ product, on_hand, reserved }) => ({ sku: product.sku, on_hand, reserved })),
    )
    return {
      checked,
      corrected: wrong.map(({ product, on_hand, reserved }) => ({
        sku: product.sku,
        on_hand: { before: product.on_hand, after: on_hand },
        reserved: { before: product.reserved, after: reserved },
      })),
    }
  },
  cards: {
    success(_input, { checked, corrected }, { language }) {
      const { rebuild } = wordsIn(language)
      return {
        title: rebuild.done,
        subtitle: rebuild.corrected(corrected.length, checked),
        blocks: [
          fieldsBlock(
            Object.fromEntries(
              corrected.flatMap((each) => [
                [rebuild.onHandOf(each.sku), numberValue(each.on_hand.after)],
                [rebuild.reservedOf(each.sku), numberValue(each.reserved.after)],
              ]),
            ),
          ),
        ],
      }
    },
  },
})
