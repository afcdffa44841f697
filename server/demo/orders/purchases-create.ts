// Ordering goods commits money to someone outside, which is why it is high risk although it only adds a row.
import { z } from 'zod'
import { dayAfter, isoAt, spoken } from './days.ts'
import { failures, orderedProducts, pastDate, unknownSupplier } from './lookup.ts'
import { spokenMoney } from './money.ts'
import type { Product } from './queries.ts'
import { findSupplier, sawProduct } from './queries.ts'
import { hasEnded } from '../../tools/has-ended.ts'
import { deskTool } from './desk-tool.ts'
import { fieldsBlock } from '../../toolsets/say.ts'
import { dayValue, inShort, oddQuantities, purchaseLines } from './say.ts'
import { day, lines, purchaseOut, supplier } from './shapes.ts'
import { purchaseView } from './views.ts'
import { changeable, wordsIn } from './words.ts'
import { nextId } from './writes.ts'

const input = z.strictObject({
  supplier,
  lines: lines.describe('What is bought, each SKU once'),
  expected_date: day.optional().describe("YYYY-MM-DD, today or later; the supplier's usual lead time when left out"),
})
type Input = z.infer<typeof input>

interface Forecast {
  readonly leadDays: number
  readonly lines: readonly (Product & { readonly quantity: number })[]
}

function purchaseToBe(forecast: Forecast, input: Input, id: string, now: number) {
  const purchase = {
    id,
    supplier: input.supplier,
    state: 'open' as const,
    created_at: isoAt(now),
    expected_date: input.expected_date ?? dayAfter(now, forecast.leadDays),
    version: 1,
  }
  const lines = forecast.lines.map(({ sku, name, quantity, cost_cents }) => ({
    sku,
    name,
    quantity,
    unit_cost_cents: cost_cents,
  }))
  return { purchase, lines, view: purchaseView(purchase, lines) }
}

/** `purchases.create`. */
export const createPurchase = deskTool({
  name: 'purchases.create',
  title: 'Create a purchase order',
  noun: 'the new purchase order',
  description: 'Creates an open purchase order at cost prices. Stock changes only when it is received.',
  operation: 'write',
  risk: 'high',
  permissions: ['purchases:write'],
  input,
  output: z.object({ purchase: purchaseOut }),
  failures: {
    unknown_supplier: failures.unknown_supplier,
    unknown_sku: failures.unknown_sku,
    date_in_past: failures.date_in_past,
  },
  sideEffects: [{ what: 'A purchase order is added', onRepeat: 'A second purchase order is added' }],
  revise: [
    changeable('/lines/*', 'item'),
    changeable('/lines/*/quantity', 'quantity'),
    changeable('/expected_date', 'expected'),
  ],
  async foresee(db, input, ctx) {
    const supplier = await findSupplier(db, input.supplier)
    if (supplier === undefined) return unknownSupplier(db, ctx, input.supplier)
    const past = pastDate(ctx, '/expected_date', input.expected_date)
    if (past !== undefined) return past
    const ordered = await orderedProducts(db, ctx, input.lines)
    if (hasEnded(ordered)) return ordered
    const wanted = ordered.map(({ product, quantity }) => ({ ...product, quantity }))
    return {
      leadDays: supplier.lead_days,
      lines: wanted,
      seen: [
        { table: 'desk_suppliers', key: supplier.name, version: supplier.version, moves: false },
        ...wanted.map(sawProduct),
      ],
    }
  },
  describe(forecast, input, ctx) {
    const words = wordsIn(ctx.language)
    const { purchase, view } = purchaseToBe(forecast, input, '', ctx.now())
    const elsewhere = forecast.lines.filter((line) => line.supplier !== input.supplier)
    return {
      title: words.purchase.title(input.supplier),
      subtitle: `${words.lines(forecast.lines.length)} · ${spokenMoney(view.total)}`,
      summary: words.purchase.summary({
        supplier: input.supplier,
        goods: inShort(words, input.lines),
        total: spokenMoney(view.total),
        expected: spoken(purchase.expected_date),
      }),
      blocks: [purchaseLines(words, view), fieldsBlock({ [words.labels.expected]: dayValue(purchase.expected_date) })],
      effects: [words.purchase.stockWaits, words.purchase.notedOnly(input.supplier)],
      warnings: [
        ...elsewhere.map(({ sku, supplier }) => ({
          title: words.purchase.elsewhere.title(sku, supplier),
          text: words.purchase.elsewhere.text(input.supplier),
        })),
        ...oddQuantities(
          words,
          forecast.lines.map((line) => ({ ...line, usual: line.usual_quantity * 10 })),
        ),
      ],
      confirmLabel: words.purchase.confirm,
      details: { total: view.total, expected_date: purchase.expected_date },
    }
  },
  async carryOut(transaction, forecast, input, ctx) {
    const id = await nextId(transaction, 'purchase-order')
    const { purchase, lines, view } = purchaseToBe(forecast, input, id, ctx.now())
    await transaction.insertInto('desk_purchases').values(purchase).execute()
    await transaction
      .insertInto('desk_purchase_lines')
      .values(lines.map((line, position) => ({ ...line, purchase_id: id, position })))
      .execute()
    return { purchase: view }
  },
  cards: {
    success(_input, { purchase }, { language }) {
      const words = wordsIn(language)
      return {
        title: words.purchase.done(purchase.id),
        subtitle: `${purchase.supplier} · ${spokenMoney(purchase.total)}`,
        blocks: [
          purchaseLines(words, purchase),
          fieldsBlock({ [words.labels.expected]: dayValue(purchase.expected_date) }),
        ],
      }
    },
  },
})
