// How the desk's cards speak: facts in the present tense, numbers before adjectives, and never more certainty than the
// database has. "Stock" without another word is what is free to promise.
import type { CardBlock, CardValue } from '../../model/card.ts'
import { figureText } from '../../cards/figures.ts'
import { spoken } from './days.ts'
import type { Money } from './money.ts'
import { availableOf, type Arrival } from './queries.ts'
import type { OrderOut, PurchaseOut } from './shapes.ts'
import type { StockFigures } from './writes.ts'

export const moneyValue = ({ amount, currency }: Money): CardValue => ({ kind: 'money', amount, currency })
export const numberValue = (value: number, unit?: string): CardValue =>
  unit === undefined ? { kind: 'number', value: String(value) } : { kind: 'number', value: String(value), unit }
export const dayValue = (day: string | null): CardValue =>
  day === null ? { kind: 'unset' } : { kind: 'date', iso: day, precision: 'day' }

/** "12 %", in a sentence as in a field. */
export const spokenPercent = (percent: number): string =>
  figureText({ kind: 'number', value: String(percent), unit: '%' })

/** "Stock of DESK-01 goes from 9 to 7": what is free to promise, before and after so many pieces more. */
export function stockGoes(product: StockFigures, more: number): string {
  const free = availableOf(product)
  return more === 0
    ? `Stock of ${product.sku} stays at ${free}`
    : `Stock of ${product.sku} goes from ${free} to ${free + more}`
}

/** "2 of 4 LAMP-07 are back-ordered until 2026-11-28", as far as anyone knows. */
export function backOrdered(sku: string, short: number, quantity: number, arrivals: readonly Arrival[]): string {
  const next = arrivals.find((arrival) => arrival.sku === sku)
  const until =
    next === undefined
      ? '; none are on order'
      : next.expected_date === null
        ? ` until ${next.id} arrives`
        : ` until ${spoken(next.expected_date)} (${next.id})`
  return `${short} of ${quantity} ${sku} ${short === 1 ? 'is' : 'are'} back-ordered${until}`
}

/** Items with their quantities and prices, and what they come to. */
const linesBlock = (
  priceLabel: string,
  lines: readonly {
    readonly sku: string
    readonly name: string
    readonly quantity: number
    readonly price: Money
    readonly total: Money
  }[],
  totals: Extract<CardBlock, { readonly kind: 'lines' }>['totals'],
): CardBlock => ({
  kind: 'lines',
  itemLabel: 'Item',
  columns: ['Qty', priceLabel, 'Total'].map((label) => ({ label, align: 'end' as const })),
  items: lines.map((line) => ({
    id: line.sku,
    label: line.name,
    cells: [numberValue(line.quantity), moneyValue(line.price), moneyValue(line.total)],
  })),
  ...(totals === undefined ? {} : { totals }),
})

/** Items of a sales order with their totals, as the preview and the success card show them. */
export const orderLines = (
  order: Pick<OrderOut, 'lines' | 'subtotal' | 'discount' | 'discount_percent' | 'total'>,
): CardBlock =>
  linesBlock(
    'Price',
    order.lines.map((line) => ({ ...line, price: line.unit_price })),
    [
      ...(order.discount.amount === '0.00'
        ? []
        : [
            { label: 'Subtotal', value: moneyValue(order.subtotal) },
            {
              label: `Discount ${order.discount_percent} %`,
              value: moneyValue({ ...order.discount, amount: `-${order.discount.amount}` }),
            },
          ]),
      { label: 'Total', value: moneyValue(order.total) },
    ],
  )

/** Items of a purchase order at what they cost. */
export const purchaseLines = (purchase: Pick<PurchaseOut, 'lines' | 'total'>): CardBlock =>
  linesBlock(
    'Cost',
    purchase.lines.map((line) => ({ ...line, price: line.unit_cost })),
    [{ label: 'Total', value: moneyValue(purchase.total) }],
  )

/** "2 × DESK-01, 4 × LAMP-07", shortened when there are many. */
export function inShort(lines: readonly { readonly sku: string; readonly quantity: number }[]): string {
  const first = lines.slice(0, 3).map(({ sku, quantity }) => `${quantity} × ${sku}`)
  return lines.length > 3 ? `${first.join(', ')} and ${lines.length - 3} more` : first.join(', ')
}

/** Warns of a quantity that looks like a slip of the finger. */
export function oddQuantities(
  lines: readonly { readonly sku: string; readonly quantity: number; readonly usual: number }[],
): { readonly title: string; readonly text: string }[] {
  return lines
    .filter(({ quantity, usual }) => quantity >= 10 * usual)
    .map(({ sku, quantity, usual }) => ({
      title: `${quantity} of ${sku} is ${Math.floor(quantity / usual)} times the usual ${usual}.`,
      text: 'Check the quantity before you confirm.',
    }))
}
