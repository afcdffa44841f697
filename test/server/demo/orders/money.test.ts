import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { decimal, money, totalsOf } from '../../../../server/demo/orders/money.ts'

const cents = fc.integer({ min: -1_000_000_000_000, max: 1_000_000_000_000 })
const line = fc.record({
  quantity: fc.integer({ min: 0, max: 10_000 }),
  unit_price_cents: fc.integer({ min: 0, max: 10_000_000 }),
})
const lines = fc.array(line, { maxLength: 50 })
const percent = fc.integer({ min: 0, max: 100 })

test('a decimal string says exactly the cents it was made from', () => {
  fc.assert(
    fc.property(cents, (amount) => {
      const text = decimal(amount)
      expect(text).toMatch(/^-?\d+\.\d\d$/)
      expect(BigInt(text.replace('.', ''))).toBe(BigInt(amount))
    }),
  )
  expect(['0.00', '0.05', '-0.05', '998.00']).toStrictEqual([0, 5, -5, 99800].map(decimal))
})

test('no cent is lost: subtotal less discount is the total, as integers without bound would have it', () => {
  fc.assert(
    fc.property(lines, percent, (each, discount) => {
      const totals = totalsOf(each, discount)
      const exact = each.reduce(
        (sum, { quantity, unit_price_cents }) => sum + BigInt(quantity) * BigInt(unit_price_cents),
        0n,
      )
      expect(BigInt(totals.subtotal)).toBe(exact)
      expect(BigInt(totals.discount)).toBe((exact * BigInt(discount) + 50n) / 100n)
      expect(totals.subtotal - totals.discount).toBe(totals.total)
      expect(totals.total).toBeGreaterThanOrEqual(0)
    }),
  )
})

test('half a cent of discount rounds up', () => {
  expect(totalsOf([{ quantity: 1, unit_price_cents: 1050 }], 1)).toStrictEqual({
    subtotal: 1050,
    discount: 11,
    total: 1039,
  })
  expect(money(1039)).toStrictEqual({ amount: '10.39', currency: 'EUR' })
})
