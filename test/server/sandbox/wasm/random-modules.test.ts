import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import { metered, outcomeOf, started } from './metered.ts'
import { binaryOf, randomModule } from './random-module.ts'
import type { RandomModule } from './random-module.ts'
import { runByTheRules, TooLong } from './reference.ts'
import type { Ending } from './reference.ts'

const modules = fc.noBias(fc.uint8Array({ minLength: 100, maxLength: 600, size: 'max' })).map(randomModule)
const numbers = fc.tuple(fc.integer({ min: -2, max: 40 }), fc.integer({ min: 0, max: 8 }))

/** How it ends by the rules; a program that takes too long for a test is left out. */
const byTheRules = (module: RandomModule, parameters: readonly number[]): Ending => {
  try {
    return runByTheRules(module, parameters)
  } catch (error) {
    fc.pre(!(error instanceof TooLong))
    throw error
  }
}

const memoryOf = (exports: WebAssembly.Exports): Buffer => Buffer.from((exports['memory'] as WebAssembly.Memory).buffer)

test('a random program ends as it did before it was metered, and has spent what the rules say', () => {
  fc.assert(
    fc.property(modules, numbers, (module, parameters) => {
      const binary = binaryOf(module)
      const rules = byTheRules(module, parameters)
      const bare = new WebAssembly.Instance(new WebAssembly.Module(binary))
      const before = outcomeOf(() => (bare.exports['f'] as (...of: readonly number[]) => unknown)(...parameters))
      const { run, exports } = started(binary)
      const { outcome, spent } = run('f', parameters, 2n ** 50n)
      expect(before).toStrictEqual(rules.outcome)
      expect(outcome).toStrictEqual(rules.outcome)
      expect(spent).toBe(BigInt(rules.spent))
      expect(memoryOf(exports).equals(memoryOf(bare.exports))).toBe(true)
      if ('returned' in rules.outcome) expect(rules.spent).toBe(rules.ran)
    }),
    { numRuns: runsOf(2_000) },
  )
})

test('with any budget below what it needs, a random program traps where the rules say, and never returns', () => {
  fc.assert(
    fc.property(modules, numbers, fc.nat(), (module, parameters, seed) => {
      const rules = byTheRules(module, parameters)
      fc.pre('returned' in rules.outcome)
      const binary = binaryOf(module)
      const need = rules.spent
      // All of them where there are few, else some hundred that lie anywhere and the last ones.
      const budgets = Array.from({ length: Math.min(need, 150) }, (_, at) =>
        need <= 150 ? at : at < 20 ? need - 1 - at : (seed * (at + 1)) % need,
      )
      for (const budget of budgets) {
        const { outcome, spent } = started(binary).run('f', parameters, BigInt(budget))
        expect(outcome).toStrictEqual({ trapped: 'unreachable' })
        expect(spent).toBe(BigInt(runByTheRules(module, parameters, budget).spent))
      }
      expect(started(binary).run('f', parameters, BigInt(need)).outcome).toStrictEqual(rules.outcome)
    }),
    { numRuns: runsOf(80) },
  )
})

test('the same module becomes the same binary each time', () => {
  fc.assert(
    fc.property(modules, (module) => {
      const binary = binaryOf(module)
      expect(metered(binary).outputDigest).toBe(metered(binary).outputDigest)
    }),
    { numRuns: runsOf(100) },
  )
})
