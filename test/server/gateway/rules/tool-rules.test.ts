// Which of several keys of the operator's file says what of a tool.
import { expect, test } from 'vitest'
import * as fc from 'fast-check'
import { matches, rulesFor } from '../../../../server/gateway/rules/tool-overrides.ts'

test('a name is above patterns, a longer beginning above a shorter, and each setting is taken from the first that has it', () => {
  const rules = {
    '*': { permissions: ['crm'], risk: 'high' },
    'list_*': { risk: 'low', operation: 'read' },
    'list_secret*': { risk: 'critical' },
    list_secrets_of_nobody: { risk: 'medium' },
  } as const
  const of = (tool: string) => rulesFor(rules as never, tool)
  expect(of('delete_it')).toEqual({ permissions: ['crm'], risk: 'high' })
  expect(of('list_it')).toEqual({ permissions: ['crm'], risk: 'low', operation: 'read' })
  expect(of('list_secrets')).toEqual({ permissions: ['crm'], risk: 'critical', operation: 'read' })
  expect(of('list_secrets_of_nobody')?.risk).toBe('medium')
  expect(rulesFor({ 'list_*': { risk: 'low' } }, 'constructor')).toBeUndefined()
})

const text = fc.string({ unit: fc.constantFrom('a', 'b', '_', '*'), maxLength: 8 })
const name = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 8 })

test('a pattern matches what the same regular expression matches', () => {
  fc.assert(
    fc.property(text, name, (key, tool) => {
      expect(matches(key, tool)).toBe(new RegExp(`^${key.replaceAll('*', '.*')}$`).test(tool))
    }),
  )
})

test('the order of the keys in the file does not matter', () => {
  fc.assert(
    fc.property(fc.uniqueArray(text, { maxLength: 6 }), name, (keys, tool) => {
      const rules = (order: readonly string[]) => Object.fromEntries(order.map((key) => [key, { permissions: [key] }]))
      expect(rulesFor(rules(keys), tool)).toEqual(rulesFor(rules(keys.toReversed()), tool))
    }),
  )
})
