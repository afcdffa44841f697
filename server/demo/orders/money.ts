// Money is whole cents inside and a decimal string outside. Nothing here divides into a float: the largest product of
// price, quantity and percent that the desk accepts stays far below 2^53, so integer arithmetic is exact.
import { figureText } from '../../cards/figures.ts'

const currency = 'EUR'

export interface Money {
  readonly amount: string
  readonly currency: string
}

/** 99800 → "998.00". */
export function decimal(cents: number): string {
  const digits = String(Math.abs(cents)).padStart(3, '0')
  return `${cents < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

/** Whole cents as the outside sees them. */
export const money = (cents: number): Money => ({ amount: decimal(cents), currency })

/** For sentences: "EUR 998.00", which a card shows in the form of its fields. */
export const spokenMoney = (amount: Money): string => figureText({ kind: 'money', ...amount })

/** Sum of quantity times price, the discount on it (half a cent rounds up), and what remains. */
export function totalsOf(
  lines: readonly { readonly quantity: number; readonly unit_price_cents: number }[],
  discountPercent: number,
): { readonly subtotal: number; readonly discount: number; readonly total: number } {
  const subtotal = lines.reduce((sum, line) => sum + line.quantity * line.unit_price_cents, 0)
  const scaled = subtotal * discountPercent + 50
  const discount = (scaled - (scaled % 100)) / 100
  return { subtotal, discount, total: subtotal - discount }
}
