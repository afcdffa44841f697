// The limits of two hosts together: never wider than either of them.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { limitsOfBoth, type Limits } from '../../../../server/gateway/hosts/limits.ts'
import { leftOutBy } from '../../../../server/gateway/rules/tool-overrides.ts'

const letters = fc.string({ unit: fc.constantFrom('a', 'b', '_'), maxLength: 3 })
const pattern = fc.array(letters, { minLength: 1, maxLength: 3 }).map((parts) => parts.join('*'))
const limits: fc.Arbitrary<Limits> = fc.record(
  { enabled: fc.constant(false as const), enabled_tools: fc.array(pattern), disabled_tools: fc.array(pattern) },
  { requiredKeys: [] },
)
const offers = (held: Limits, tool: string): boolean => held.enabled !== false && leftOutBy(held, tool) === undefined

test('a tool that both offer by its name is offered, and one that either leaves out is not', () => {
  fc.assert(
    fc.property(limits, limits, letters, (one, other, tool) => {
      const both = offers(limitsOfBoth(one, other), tool)
      if (both) expect([offers(one, tool), offers(other, tool)]).toEqual([true, true])
      const isNamed = [one, other].every(({ enabled_tools: only }) => only === undefined || only.includes(tool))
      if (isNamed) expect(both).toBe(offers(one, tool) && offers(other, tool))
    }),
    { numRuns: 2000 },
  )
})
