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

function changesOf(wrong: readonly Figures[]): CardChange[] {
  return wrong.flatMap(({ product, ...figures }) =>
    (['on_hand', 'reserved'] as const)
      .filter((figure) => figures[figure] !== product[figure])
      .map((figure) => ({
        pointer: `/${product.sku}/${figure}`,
        label: `${product.sku} ${figure === 'on_hand' ? 'on hand' : 'reserved'}`,
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
  describe({ checked, wrong }) {
    const overPromised = wrong.filter((each) => each.reserved > each.on_hand)
    return {
      title: 'Rebuild the stored stock figures',
      subtitle: `${wrong.length} of ${count(checked, 'product')} ${wrong.length === 1 ? 'differs' : 'differ'} from the movements`,
      summary: `Rebuilds the stored figures of ${wrong.map(({ product }) => product.sku).join(', ')} from the movements.`,
      changes: changesOf(wrong),
      effects: [
        ...wrong.map(({ product, ...figures }) => stockGoes(product, availableOf(figures) - availableOf(product))),
        ...(checked > wrong.length
          ? [`${count(checked - wrong.length, 'product')} already agree and stay as they are`]
          : []),
      ],
      warnings: overPromised.map(({ product, on_hand, reserved }) => ({
        title: `${product.sku}: ${reserved} are promised and ${on_hand} are on hand.`,
        text: 'Receive goods or change the orders that hold it.',
      })),
      confirmLabel: `Correct ${count(wrong.length, 'product')}`,
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
    success: (_input, { checked, corrected }) => ({
      title: 'Stock figures rebuilt',
      subtitle: `${corrected.length} of ${count(checked, 'product')} corrected`,
      blocks: [
        fieldsBlock(
          Object.fromEntries(
            corrected.flatMap((each) => [
              [`${each.sku} on hand`, numberValue(each.on_hand.after)],
              [`${each.sku} reserved`, numberValue(each.reserved.after)],
            ]),
          ),
        ),
      ],
    }),
  },
})
