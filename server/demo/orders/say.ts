// How the desk's cards speak: facts in the present tense, numbers before adjectives, and never more certainty than the
// database has. "Stock" without another word is what is free to promise.
import type { CardBlock, CardValue } from '../../model/card.ts'
import { figureText } from '../../cards/figures.ts'
import { spoken } from './days.ts'
import type { Money } from './money.ts'
import { availableOf, type Arrival } from './queries.ts'
import type { OrderOut, PurchaseOut } from './shapes.ts'
import type { DeskWords } from './words.ts'
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
export function stockGoes(words: DeskWords, product: StockFigures, more: number): string {
  const free = availableOf(product)
  return more === 0
    ? words.stockStays(product.sku, free)
    : words.stockGoes({ sku: product.sku, from: free, to: free + more })
}

/** "2 of 4 LAMP-07 are back-ordered until 2026-11-28", as far as anyone knows. */
export function backOrdered(
  words: DeskWords,
  line: { readonly sku: string; readonly quantity: number; readonly part: number },
  arrivals: readonly Arrival[],
): string {
  const next = arrivals.find((arrival) => arrival.sku === line.sku)
  return words.backOrdered({ ...line, arrival: next && { id: next.id, day: spokenDue(next) } })
}

/** The day of an arrival, where it has one. */
export const spokenDue = ({ expected_date }: Arrival): string | undefined =>
  expected_date === null ? undefined : spoken(expected_date)

/** Items with their quantities and prices, and what they come to. */
const linesBlock = (
  words: DeskWords,
  price: string,
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
  itemLabel: words.labels.item,
  columns: [words.labels.qty, price, words.labels.amount].map((label) => ({ label, align: 'end' as const })),
  items: lines.map((line) => ({
    id: line.sku,
    label: line.name,
    cells: [numberValue(line.quantity), moneyValue(line.price), moneyValue(line.total)],
  })),
  ...(totals === undefined ? {} : { totals }),
})

/** Items of a sales order with their totals, as the preview and the success card show them. */
export const orderLines = (
  words: DeskWords,
  order: Pick<OrderOut, 'lines' | 'subtotal' | 'discount' | 'discount_percent' | 'total'>,
): CardBlock =>
  linesBlock(
    words,
    words.labels.price,
    order.lines.map((line) => ({ ...line, price: line.unit_price })),
    [
      ...(order.discount.amount === '0.00'
        ? []
        : [
            { label: words.labels.subtotal, value: moneyValue(order.subtotal) },
            {
              label: words.discountOf(order.discount_percent),
              value: moneyValue({ ...order.discount, amount: `-${order.discount.amount}` }),
            },
          ]),
      { label: words.labels.total, value: moneyValue(order.total) },
    ],
  )

/** Items of a purchase order at what they cost. */
export const purchaseLines = (words: DeskWords, purchase: Pick<PurchaseOut, 'lines' | 'total'>): CardBlock =>
  linesBlock(
    words,
    words.labels.cost,
    purchase.lines.map((line) => ({ ...line, price: line.unit_cost })),
    [{ label: words.labels.total, value: moneyValue(purchase.total) }],
  )

/** "2 × DESK-01, 4 × LAMP-07". */
export const goods = (
  words: DeskWords,
  lines: readonly { readonly sku: string; readonly quantity: number }[],
): string => words.list(lines.map(({ sku, quantity }) => `${quantity} × ${sku}`))

/** The same, shortened when there are many. */
export const inShort = (words: DeskWords, lines: Parameters<typeof goods>[1]): string =>
  lines.length > 3 ? words.andMore(goods(words, lines.slice(0, 3)), lines.length - 3) : goods(words, lines)

/** Warns of a quantity that looks like a slip of the finger. */
export const oddQuantities = (
  { oddQuantity }: DeskWords,
  lines: readonly { readonly sku: string; readonly quantity: number; readonly usual: number }[],
): { readonly title: string; readonly text: string }[] =>
  lines
    .filter(({ quantity, usual }) => quantity >= 10 * usual)
    .map(({ sku, quantity, usual }) => ({
      title: oddQuantity.title({ sku, quantity, usual, times: Math.floor(quantity / usual) }),
      text: oddQuantity.text,
    }))
