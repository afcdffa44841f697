// Someone counted. The count wins over the books, but not over promises: what open orders hold cannot be counted away
// silently.
import { z } from 'zod'
import type { Preview, ToolContext, ToolFailed } from '../../tools/contract.ts'
import { defineTool } from '../../tools/define-tool.ts'
import { failures, unknownSkus } from './lookup.ts'
import type { OpenLine, Product } from './queries.ts'
import { availableOf, findProducts, openLinesOf, sawOrder, sawStock } from './queries.ts'
import type { Foreseen } from './rehearsal.ts'
import { rehearsed } from './rehearsal.ts'
import { numberValue, stockGoes } from './say.ts'
import type { OrderDatabase } from './schema.ts'
import { reason, sku, stockOut } from './shapes.ts'
import { stockView } from './views.ts'
import { postMovements, setStock } from './writes.ts'

const input = z.strictObject({
  sku,
  delta: z
    .int()
    .min(-10_000)
    .max(10_000)
    .refine((delta) => delta !== 0, 'must not be 0')
    .describe('Pieces to add (positive) or take away (negative), never 0'),
  reason: reason.describe('Why, for the stock movement: "two broken in the warehouse"'),
})
type Input = z.infer<typeof input>

const declared = {
  unknown_sku: failures.unknown_sku,
  stock_promised: {
    effect: 'none',
    guidance: 'Change or delete the orders that hold the stock first, or take less away.',
    retryable: 'after_change',
  },
  not_that_many: {
    effect: 'none',
    guidance: 'Take away at most what is on hand; products_search shows it.',
    retryable: 'after_change',
  },
} as const
type Code = keyof typeof declared

interface Forecast extends Foreseen<Code> {
  readonly product: Product
  readonly after: number
}

async function foresee(db: OrderDatabase, input: Input, ctx: ToolContext<Code>): Promise<Forecast | ToolFailed> {
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
}

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

function describe({ product, after }: Forecast, input: Input): Preview {
  const free = availableOf(product)
  const amount = Math.abs(input.delta)
  return {
    title: `${input.delta > 0 ? `Add ${amount} to` : `Take ${amount} from`} the stock of ${product.sku}`,
    subtitle: product.name,
    summary: `Adjusts ${product.sku} by ${input.delta > 0 ? '+' : ''}${input.delta}: on hand goes from ${product.on_hand} to ${after}.`,
    changes: [
      { pointer: '/on_hand', label: 'On hand', before: numberValue(product.on_hand), after: numberValue(after) },
    ],
    unchanged: [{ label: 'Reserved', value: numberValue(product.reserved) }],
    blocks: [{ kind: 'fields', fields: [{ label: 'Reason', value: { kind: 'text', text: input.reason } }] }],
    effects: [stockGoes(product.sku, free, free + input.delta), 'The movement stays on the books with its reason'],
    warnings:
      amount >= 10 && amount > product.on_hand
        ? [{ title: `${amount} is more than all that is on hand (${product.on_hand}).`, text: 'Check the quantity.' }]
        : [],
    confirmLabel: 'Adjust stock',
    details: { stock_after: stockView({ sku: product.sku, on_hand: after, reserved: product.reserved }) },
  }
}

/** `stock.adjust`. */
export const adjustStock = (db: OrderDatabase) =>
  defineTool({
    name: 'stock.adjust',
    title: 'Adjust stock',
    noun: 'the stock adjustment',
    description:
      'Adds pieces to the stock of one product or takes some away, after a count or a loss. Goods that arrive are booked with purchases_receive instead.',
    operation: 'destructive',
    risk: 'high',
    permissions: ['stock:write'],
    cheatsheet: 'orders',
    input,
    output: z.object({ stock: stockOut, delta: z.int() }),
    failures: declared,
    sideEffects: [
      { what: 'The stock on hand changes by the given number', onRepeat: 'It changes by that number again' },
    ],
    idempotency: 'plan',
    ...rehearsed(db, {
      tool: 'stock.adjust',
      foresee,
      describe,
      async carryOut(transaction, { product, after }: Forecast, input: Input, ctx) {
        const figures = { sku: product.sku, on_hand: after, reserved: product.reserved }
        await setStock(transaction, [figures])
        await postMovements(transaction, 'adjustment', input.reason, [{ sku: product.sku, quantity: input.delta }], ctx)
        return { stock: stockView(figures), delta: input.delta }
      },
    }),
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
          {
            kind: 'fields',
            fields: [
              { label: 'On hand', value: numberValue(stock.on_hand) },
              { label: 'Reserved', value: numberValue(stock.reserved) },
              { label: 'Available', value: numberValue(stock.available) },
            ],
          },
        ],
      }),
    },
  })
