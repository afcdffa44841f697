// Goods that arrive are promised already, some of them: back-orders are served first, the oldest order before the
// newer, and only the rest becomes free stock. Who gets what is decided in the preview, not by the write.
import { z } from 'zod'
import type { Preview, ToolContext, ToolFailed } from '../../tools/contract.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { dayAfter, spoken } from './days.ts'
import { failures, unknownPurchase } from './lookup.ts'
import type { OpenLine, Product, Purchase } from './queries.ts'
import { availableOf, findPurchase, openLinesOf, sawOrder, sawStock, withProducts } from './queries.ts'
import type { Foreseen, Seen } from './rehearsal.ts'
import { rehearsed } from './rehearsal.ts'
import { count, purchaseLines, stockGoes } from './say.ts'
import type { OrderDatabase } from './schema.ts'
import { purchaseId, purchaseOut, stockOut } from './shapes.ts'
import { purchaseView, stockView } from './views.ts'
import { postMovements, setStock } from './writes.ts'

const input = z.strictObject({ id: purchaseId })
type Input = z.infer<typeof input>

const declared = {
  unknown_purchase: failures.unknown_purchase,
  already_received: {
    effect: 'none',
    guidance: 'The goods are in stock already; look at products_search.',
    retryable: 'no',
  },
} as const
type Code = keyof typeof declared

type Served = OpenLine & { readonly gets: number }

interface Forecast extends Foreseen<Code> {
  readonly purchase: Purchase
  readonly arriving: readonly { readonly product: Product; readonly quantity: number; readonly promised: number }[]
  readonly served: readonly Served[]
}

async function foresee(db: OrderDatabase, { id }: Input, ctx: ToolContext<Code>): Promise<Forecast | ToolFailed> {
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
}

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

function describe({ purchase, arriving, served }: Forecast, _input: Input, ctx: ToolContext<Code>): Preview {
  const today = dayAfter(ctx.now())
  const early = purchase.expected_date !== null && purchase.expected_date > today
  return {
    title: `Receive purchase order ${purchase.id}`,
    subtitle: `${purchase.supplier} · ${count(purchase.lines.length, 'line')}`,
    summary: `Books the goods of ${purchase.id} from ${purchase.supplier} into stock: ${arriving.map(({ product, quantity }) => `${quantity} × ${product.sku}`).join(', ')}.`,
    blocks: [purchaseLines(purchaseView(purchase, purchase.lines))],
    effects: [
      ...arriving.map(
        ({ product, quantity }) =>
          `On hand of ${product.sku} goes from ${product.on_hand} to ${product.on_hand + quantity}`,
      ),
      ...served.map((line) => `${line.order_id} (${line.customer}) gets ${line.gets} back-ordered ${line.sku}`),
      ...arriving.map(({ product, quantity, promised }) =>
        stockGoes(product.sku, availableOf(product), availableOf(product) + quantity - promised),
      ),
    ],
    warnings: early
      ? [
          {
            title: `${purchase.id} is expected on ${spoken(purchase.expected_date ?? '')}.`,
            text: 'Receive it only when the goods are really here.',
          },
        ]
      : [],
    confirmLabel: 'Receive goods',
    details: {
      served: served.map((line) => ({ order: line.order_id, sku: line.sku, quantity: line.gets })),
      stock_after: arriving.map((each) => stockView(stockAfter(each))),
    },
  }
}

const stockAfter = ({ product, quantity, promised }: Forecast['arriving'][number]) => ({
  sku: product.sku,
  on_hand: product.on_hand + quantity,
  reserved: product.reserved + promised,
})

/** `purchases.receive`. */
export const receivePurchase = (db: OrderDatabase) =>
  defineTool({
    name: 'purchases.receive',
    title: 'Receive a purchase order',
    noun: 'the receipt of the purchase order',
    description:
      'Books the goods of an open purchase order into stock, all of it, and gives them to back-ordered lines first, the oldest order first.',
    operation: 'destructive',
    risk: 'high',
    permissions: ['purchases:write'],
    cheatsheet: 'orders',
    input,
    output: z.object({
      purchase: purchaseOut,
      stock: z.array(stockOut),
      served: z.array(z.object({ order: z.string(), sku: z.string(), quantity: z.int() })),
    }),
    failures: declared,
    sideEffects: [
      { what: 'The goods are posted into the warehouse', onRepeat: 'Refused: it was received already' },
      { what: 'Back-ordered lines of open orders are reserved', onRepeat: 'Nothing more' },
    ],
    idempotency: 'plan',
    ...rehearsed(db, {
      tool: 'purchases.receive',
      foresee,
      describe,
      async carryOut(transaction, { purchase, arriving, served }: Forecast, _input: Input, ctx) {
        await transaction
          .updateTable('desk_purchases')
          .set({ state: 'received' })
          .where('id', '=', purchase.id)
          .execute()
        for (const line of served)
          await transaction
            .updateTable('desk_order_lines')
            .set({ reserved: line.reserved + line.gets })
            .where('order_id', '=', line.order_id)
            .where('sku', '=', line.sku)
            .execute()
        await setStock(transaction, arriving.map(stockAfter))
        const moves = arriving.map(({ product, quantity }) => ({ sku: product.sku, quantity }))
        await postMovements(transaction, 'receipt', purchase.id, moves, ctx)
        return {
          purchase: purchaseView({ ...purchase, state: 'received', version: purchase.version + 1 }, purchase.lines),
          stock: arriving.map((each) => stockView(stockAfter(each))),
          served: served.map((line) => ({ order: line.order_id, sku: line.sku, quantity: line.gets })),
        }
      },
    }),
    cards: {
      success: (_input, { purchase, stock, served }) => ({
        title: `Purchase order ${purchase.id} received`,
        subtitle: purchase.supplier,
        blocks: [
          purchaseLines(purchase),
          {
            kind: 'effects',
            effects: [
              ...served.map((line) => `${line.order} got ${line.quantity} back-ordered ${line.sku}`),
              ...stock.map((each) => `Stock of ${each.sku} is now ${each.available}`),
            ],
          },
        ],
      }),
    },
  })
