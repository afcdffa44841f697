// What the desk takes and gives, as schemas. Every limit here exists so that integer arithmetic stays exact and a card
// stays readable; parsing twice gives what parsing once gave.
import { z } from 'zod'

// Checked in code, not as a JSON Schema pattern: hosts that compile patterns without the `u` flag would misread \p.
const plain = (text: string): boolean => !/\p{Cc}/u.test(text)
const plainOrBreak = (text: string): boolean => !/[^\P{Cc}\n]/u.test(text)

export const orderId = z.string().min(1).max(40).describe('Id of a sales order, like "SO-1005"')
export const purchaseId = z.string().min(1).max(40).describe('Id of a purchase order, like "PO-302"')
export const sku = z.string().min(1).max(40).describe('SKU of a product, like "DESK-01"; see products_search')
export const customer = z.string().min(1).max(80).describe('Name of the customer, exactly, like "ACME"')
export const supplier = z.string().min(1).max(80).describe('Name of the supplier, exactly, like "Oakworks"')
const quantity = z.int().min(1).max(10_000).describe('Whole pieces')
export const day = z.iso.date()
export const contact = z.string().min(1).max(200).refine(plain, 'must not hold control characters')
export const note = z.string().min(1).max(1000).refine(plainOrBreak, 'must not hold control characters')
export const reason = z.string().min(3).max(200).refine(plain, 'must not hold control characters')

/** Refuses a SKU that is listed twice: which quantity was meant is a question, not something to add up. */
function eachOnce(lines: readonly { readonly sku: string }[], ctx: z.RefinementCtx): void {
  const met = new Set<string>()
  for (const [index, line] of lines.entries()) {
    if (met.has(line.sku))
      ctx.addIssue({ code: 'custom', path: [index, 'sku'], message: `${line.sku} is listed twice; give it one line` })
    met.add(line.sku)
  }
}

export const lines = z.array(z.strictObject({ sku, quantity })).min(1).max(50).superRefine(eachOnce)

export const corrections = z
  .array(z.strictObject({ sku, quantity: z.int().min(0).max(10_000).describe('What was really delivered') }))
  .min(1)
  .max(50)
  .superRefine(eachOnce)

export const modifyInput = z.strictObject({
  id: orderId,
  delivery_date: day.nullable().optional().describe('YYYY-MM-DD, today or later; null clears it'),
  discount_percent: z.int().min(0).max(100).optional().describe('Whole percent on the whole order'),
  contact: contact.nullable().optional().describe('null clears it'),
  note: note.nullable().optional().describe('null clears it'),
  lines: lines.optional().describe('Every line that the order is to have; a line left out is removed'),
})

export const moneyOut = z.object({ amount: z.string(), currency: z.string() })

const orderLineOut = z.object({
  sku: z.string(),
  name: z.string(),
  quantity: z.int(),
  reserved: z.int(),
  back_ordered: z.int(),
  unit_price: moneyOut,
  total: moneyOut,
})

export const orderSummaryOut = z.object({
  id: z.string(),
  customer: z.string(),
  state: z.enum(['open', 'fulfilled', 'cancelled']),
  total: moneyOut,
  discount_percent: z.int(),
  line_count: z.int(),
  back_ordered: z.int(),
  created_at: z.string(),
  delivery_date: z.string().nullable(),
  contact: z.string().nullable(),
  note: z.string().nullable(),
  version: z.int(),
})

export const orderOut = orderSummaryOut.extend({
  subtotal: moneyOut,
  discount: moneyOut,
  lines: z.array(orderLineOut),
})

export const purchaseOut = z.object({
  id: z.string(),
  supplier: z.string(),
  state: z.enum(['open', 'received']),
  created_at: z.string(),
  expected_date: z.string().nullable(),
  total: moneyOut,
  version: z.int(),
  lines: z.array(
    z.object({ sku: z.string(), name: z.string(), quantity: z.int(), unit_cost: moneyOut, total: moneyOut }),
  ),
})

export const stockOut = z.object({ sku: z.string(), on_hand: z.int(), reserved: z.int(), available: z.int() })

export type OrderSummaryOut = z.infer<typeof orderSummaryOut>
export type OrderOut = z.infer<typeof orderOut>
export type PurchaseOut = z.infer<typeof purchaseOut>
export type StockOut = z.infer<typeof stockOut>
