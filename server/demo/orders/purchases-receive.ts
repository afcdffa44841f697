// Goods that arrive are promised already, some of them: back-orders are served first, the oldest order before the
// newer, and only the rest becomes free stock. Who gets what is decided in the preview, not by the write.
import { z } from 'zod'
import { dayAfter, spoken } from './days.ts'
import { failures, forGood, unknownPurchase } from './lookup.ts'
import type { OpenLine, Product } from './queries.ts'
import { availableOf, findPurchase, openLinesOf, sawOrder, sawStock, withProducts } from './queries.ts'
import { deskTool, type Seen } from './desk-tool.ts'
import { goods, purchaseLines, stockGoes } from './say.ts'
import { purchaseId, purchaseOut, stockOut } from './shapes.ts'
import { purchaseView, stockView } from './views.ts'
import { wordsIn } from './words.ts'
import { postMovements, setStock, stockAfter } from './writes.ts'

type Served = OpenLine & { readonly gets: number }

/** Orders that wait were read even where nothing is left for them. */
function sawOrders(waiting: readonly OpenLine[], served: readonly Served[]): Seen[] {
  const orders = new Map(waiting.map((line) => [line.order_id, line.version]))
  return [...orders].map(([id, version]) =>
    sawOrder(
      { id, version },
      served.some((line) => line.order_id === id),
    ),
  )
}

/** A product's figures when its goods are in, and those promised that wait for it. */
const stockWith = (arriving: { readonly product: Product; readonly quantity: number; readonly promised: number }) =>
  stockAfter(arriving.product, { on_hand: arriving.quantity, reserved: arriving.promised })

const servedOut = (served: readonly Served[]) =>
  served.map((line) => ({ order: line.order_id, sku: line.sku, quantity: line.gets }))

/** `purchases.receive`. */
export const receivePurchase = deskTool({
  name: 'purchases.receive',
  title: 'Receive a purchase order',
  noun: 'the receipt of the purchase order',
  description:
    'Books the goods of an open purchase order into stock, all of it, and gives them to back-ordered lines first, the oldest order first.',
  operation: 'destructive',
  risk: 'high',
  permissions: ['purchases:write'],
  input: z.strictObject({ id: purchaseId }),
  output: z.object({
    purchase: purchaseOut,
    stock: z.array(stockOut),
    served: z.array(z.object({ order: z.string(), sku: z.string(), quantity: z.int() })),
  }),
  failures: {
    unknown_purchase: failures.unknown_purchase,
    already_received: forGood('The goods are in stock already; look at products_search.'),
  },
  sideEffects: [
    { what: 'The goods are posted into the warehouse', onRepeat: 'Refused: it was received already' },
    { what: 'Back-ordered lines of open orders are reserved', onRepeat: 'Nothing more' },
  ],
  async foresee(db, { id }, ctx) {
    const purchase = await findPurchase(db, id)
    if (purchase === undefined) return unknownPurchase(db, ctx, id)
    if (purchase.state === 'received')
      return ctx.fail('already_received', `Purchase order ${purchase.id} was received already.`, {
        fields: [{ pointer: '/id', received: purchase.id, allowed: 'an open purchase order' }],
      })
    const skus = purchase.lines.map(({ sku }) => sku)
    const waiting = (await openLinesOf(db, skus)).filter((line) => line.quantity > line.reserved)
    const served: Served[] = []
    const arriving = (await withProducts(db, purchase.lines)).map(({ product, sku, quantity }) => {
      let free = Math.max(0, availableOf(product)) + quantity
      let promised = 0
      for (const line of waiting.filter((each) => each.sku === sku)) {
        const gets = Math.min(free, line.quantity - line.reserved)
        if (gets > 0) served.push({ ...line, gets })
        free -= gets
        promised += gets
      }
      return { product, quantity, promised }
    })
    return {
      purchase,
      arriving,
      served,
      seen: [
        { table: 'desk_purchases', key: purchase.id, version: purchase.version, moves: true },
        ...arriving.map(({ product }) => sawStock(product, true)),
        ...sawOrders(waiting, served),
      ],
    }
  },
  describe({ purchase, arriving, served }, _input, ctx) {
    const words = wordsIn(ctx.language)
    const today = dayAfter(ctx.now())
    const early = purchase.expected_date !== null && purchase.expected_date > today
    return {
      title: words.receive.title(purchase.id),
      subtitle: `${purchase.supplier} · ${words.lines(purchase.lines.length)}`,
      summary: words.receive.summary({
        id: purchase.id,
        supplier: purchase.supplier,
        goods: goods(
          words,
          arriving.map(({ product: { sku }, quantity }) => ({ sku, quantity })),
        ),
      }),
      blocks: [purchaseLines(words, purchaseView(purchase, purchase.lines))],
      effects: [
        ...arriving.map(({ product: { sku, on_hand }, quantity }) =>
          words.onHandGoes({ sku, from: on_hand, to: on_hand + quantity }),
        ),
        ...served.map(({ order_id, customer, sku, gets }) =>
          words.receive.gets({ order: order_id, customer, sku, quantity: gets }),
        ),
        ...arriving.map(({ product, quantity, promised }) => stockGoes(words, product, quantity - promised)),
      ],
      warnings: early
        ? [
            {
              title: words.receive.early.title(purchase.id, spoken(purchase.expected_date ?? '')),
              text: words.receive.early.text,
            },
          ]
        : [],
      confirmLabel: words.receive.confirm,
      details: { served: servedOut(served), stock_after: arriving.map((each) => stockView(stockWith(each))) },
    }
  },
  async carryOut(transaction, { purchase, arriving, served }, _input, ctx) {
    await transaction.updateTable('desk_purchases').set({ state: 'received' }).where('id', '=', purchase.id).execute()
    for (const line of served)
      await transaction
        .updateTable('desk_order_lines')
        .set({ reserved: line.reserved + line.gets })
        .where('order_id', '=', line.order_id)
        .where('sku', '=', line.sku)
        .execute()
    await setStock(transaction, arriving.map(stockWith))
    const moves = arriving.map(({ product, quantity }) => ({ sku: product.sku, quantity }))
    await postMovements(transaction, 'receipt', purchase.id, moves, ctx)
    return {
      purchase: purchaseView({ ...purchase, state: 'received', version: purchase.version + 1 }, purchase.lines),
      stock: arriving.map((each) => stockView(stockWith(each))),
      served: servedOut(served),
    }
  },
  cards: {
    success(_input, { purchase, stock, served }, { language }) {
      const words = wordsIn(language)
      return {
        title: words.receive.done(purchase.id),
        subtitle: purchase.supplier,
        blocks: [
          purchaseLines(words, purchase),
          {
            kind: 'effects',
            effects: [
              ...served.map(words.receive.got),
              ...stock.map(({ sku, available }) => words.stockIsNow(sku, available)),
            ],
          },
        ],
      }
    },
  },
})
