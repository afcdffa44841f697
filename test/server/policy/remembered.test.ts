import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { remembered } from '../../../server/policy/remembered.ts'
import { redactText } from '../../../server/policy/redact.ts'

const bounds = { longest: 6, most: 3 }

test('whatever is asked, in whatever order, is answered as if nothing were remembered', () => {
  const backwards = (text: string): string => Array.from(text).toReversed().join('')
  fc.assert(
    fc.property(fc.array(fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'ß', '\ud800') })), (texts) => {
      const quick = remembered(backwards, { ...bounds, keeps: (answer) => !answer.startsWith('b') })
      for (const text of texts) expect(quick(text)).toBe(backwards(text))
    }),
  )
})

test('what comes back is worked out once; what is long, is not to be kept, or has not come back for long, each time', () => {
  const asked: string[] = []
  const quick = remembered((text) => (asked.push(text), text.length), { ...bounds, keeps: (length) => length !== 5 })
  const times = (text: string): number => asked.filter((each) => each === text).length
  for (let round = 0; round < 4; round++) for (const text of ['name', 'tool', 'stays', 'too long']) quick(text)
  expect(['name', 'tool', 'stays', 'too long'].map(times)).toEqual([1, 1, 4, 4])
  for (let count = 0; count < 6; count++) quick(`n${count}`)
  quick('name')
  expect(times('name')).toBe(2)
})

test('a text that holds a secret is hidden each time, and one like it without is not', () => {
  for (let round = 0; round < 3; round++) {
    expect(redactText('password: Kirsche#12ab')).toBe('password: [redacted]')
    expect(redactText('password: see the safe')).toBe('password: see the safe')
  }
})
