// An address and what it means are each other's inverse, whatever a tool is called.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readRoute, to } from '../../../ui/admin/route.ts'

test('the address of a page leads back to its parts', () => {
  const part = fc
    .string({ minLength: 1, unit: 'grapheme' })
    .filter((text) => text !== '.' && text !== '..' && text.isWellFormed())
  fc.assert(
    fc.property(fc.array(part, { maxLength: 4 }), (parts) => {
      const url = new URL(to(...parts), 'http://localhost')
      expect(readRoute(url, 0).path).toStrictEqual(parts)
    }),
  )
})

test('an address that nobody made is read as it stands', () => {
  const read = (address: string) => readRoute(new URL(address, 'http://localhost'), 0).path
  expect(read('/admin')).toStrictEqual([])
  expect(read('/admin/')).toStrictEqual([])
  expect(read('/admin//approvals/')).toStrictEqual(['approvals'])
  expect(read('/admin/tools/%E0%A4%A')).toStrictEqual(['tools', '%E0%A4%A'])
})
