import { expect, test } from 'vitest'
import { directionOf } from '../../ui/parts/direction.ts'

test.each([
  ['The order of ACME', 'ltr'],
  ['12 %', 'ltr'],
  ['', 'ltr'],
  ['SO-1042 تجاوز الحد المتفق عليه', 'rtl'],
  ['`customer-credit-limit` הזמנה זו חורגת', 'rtl'],
  ['a@b.example https://c.example/d/e/f مرحبا', 'rtl'],
  ['Delivered to محمد in the warehouse by truck', 'ltr'],
  ['محمد', 'rtl'],
  ['שלום', 'rtl'],
])('%s is read %s', (text, direction) => {
  expect(directionOf(text)).toBe(direction)
})
