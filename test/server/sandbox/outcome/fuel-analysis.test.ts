import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { explainRun } from '../../../../server/sandbox/outcome/explain-run.ts'
import type { RunFacts } from '../../../../server/sandbox/outcome/facts.ts'
import { run } from './runs.ts'

const billion = 1_000_000_000
const fuelOf = (facts: Partial<RunFacts>, code = '', largestBudget?: number) =>
  explainRun(run(facts), { language: 'python', code }, largestBudget === undefined ? {} : { largestBudget }).fuel
const used = (consumed: number, budget: number) => fuelOf({ fuel: { consumed, budget } })

describe('what a run used', () => {
  test.each([
    [0, 'efficient'],
    [499, 'efficient'],
    [500, 'moderate'],
    [749, 'moderate'],
    [750, 'warning'],
    [899, 'warning'],
    [900, 'critical'],
    [999, 'critical'],
    [1000, 'exhausted'],
  ])('%i of 1000 is %s', (consumed, status) => {
    expect(used(consumed, 1000)).toMatchObject({ status, utilization_percent: consumed / 10 })
  })

  test('8.5 of 10 billion is a warning that asks for 15 to 20 billion by the name of the argument', () => {
    expect(used(8.5 * billion, 10 * billion)).toStrictEqual({
      consumed: 8_500_000_000,
      budget: 10_000_000_000,
      utilization_percent: 85,
      status: 'warning',
      recommendation: 'Give calls like this one a `budget` of 15 to 20 billion: 15000000000 to 20000000000.',
      likely_causes: [],
    })
  })

  test('a run that was ended is exhausted, whatever was counted', () => {
    expect(fuelOf({ ended: 'out_of_fuel', fuel: { consumed: 999, budget: 1000 } })).toMatchObject({
      status: 'exhausted',
      utilization_percent: 100,
    })
  })
})

describe('the budget that is recommended', () => {
  const recommended = (text: string): number => Number(/(\d+)[ .)]*[^\d]*$/.exec(text)?.[1])

  test('is at least half as much again as what a run used that finished', () => {
    const budget = fc.integer({ min: 1, max: 10 ** 12 })
    fc.assert(
      fc.property(budget, fc.double({ min: 0.75, max: 1, noNaN: true }), (budget, share) => {
        const { recommendation, consumed } = used(Math.floor(budget * share), budget)
        if (consumed / budget >= 0.76) expect(recommended(recommendation)).toBeGreaterThanOrEqual(consumed * 1.5)
      }),
    )
  })

  test('of a run that was ended is the largest, stands in the fix, and is none where it had that one', () => {
    const facts = run({ ended: 'out_of_fuel', exitCode: 1, fuel: { consumed: billion, budget: billion } })
    const of = (largestBudget: number) =>
      explainRun(facts, { language: 'python', code: '' }, { largestBudget }).guidance
    expect(of(50 * billion)?.fix).toMatchObject([{ kind: 'edit_arguments', pointer: '/budget', to: 50 * billion }])
    expect(of(billion)?.fix).toStrictEqual([])
    expect(of(billion)?.actionable_guidance[0]).toMatch(/^No call may have a larger budget/)
  })

  test('is enough in a session for what the session has done, which a call pays again where it begins anew', () => {
    const of = (first: number, imports: RunFacts['imports'] = []) =>
      fuelOf({
        fuel: { consumed: 8, budget: 10 },
        imports,
        sessionId: 's1',
        sessionFuel: [
          { run: first, consumed: 700, budget: 1000 },
          { run: first + 1, consumed: 8, budget: 10 },
        ],
      }).recommendation
    expect(of(1)).toBe(
      'Give calls like this one a `budget` of 710: 710. It is enough for a session that begins anew, too.',
    )
    // Its first run is forgotten, and what it imported there is not.
    expect(of(2, [{ module: 'json', firstInSession: false }])).toMatch(/ of 1\.1 billion: 1100000000\./)
  })

  test('is never more than a call may have', () => {
    expect(fuelOf({ fuel: { consumed: 9 * billion, budget: 10 * billion } }, '', 12 * billion).recommendation).toBe(
      'Give calls like this one a `budget` of 12 billion: 12000000000.',
    )
  })
})

describe('first imports', () => {
  const imports = [
    { module: 'openpyxl', firstInSession: true, fuel: 5.1 * billion },
    { module: 'json', firstInSession: true, fuel: 2_000_000 },
    { module: 'csv', firstInSession: false, fuel: billion },
  ]
  const facts = { fuel: { consumed: 6 * billion, budget: 10 * billion }, imports }

  test('are said with what they took, and that the next call of the session does not pay them', () => {
    expect(fuelOf({ ...facts, sessionId: 's1' }).likely_causes).toStrictEqual([
      'The first import of openpyxl took 5.1 billion of it; the next call of this session does not pay it again.',
    ])
  })

  test('are paid by each call where there is no session, and by the next one where it has begun anew', () => {
    expect(fuelOf(facts).likely_causes).toStrictEqual([expect.stringMatching(/in a session .* only its first call/)])
    expect(fuelOf({ ...facts, sessionId: 's1', sessionReset: true }).likely_causes).toStrictEqual([
      expect.stringMatching(/pays it again\.$/),
    ])
  })

  test('are read from the code where the run was ended before it could say them, and never from what was printed', () => {
    const packages = new Map([['openpyxl', 5 * billion]])
    const causesOf = (code: string, stderr = '') =>
      explainRun(
        run({ ended: 'out_of_fuel', exitCode: 1, stderr, fuel: { consumed: 5 * billion, budget: 5 * billion } }),
        { language: 'python', code },
        { packages },
      ).fuel.likely_causes
    expect(causesOf('import json, openpyxl as xl\n')).toStrictEqual([
      expect.stringMatching(/^The first import of openpyxl/),
    ])
    expect(causesOf('from openpyxl.styles import Font')).toHaveLength(1)
    expect(causesOf('print("import openpyxl")', 'import openpyxl')).toStrictEqual([])
  })
})

test('loops that may run long are named where the fuel ran short', () => {
  const code = 'n = 0\nwhile True:\n    n += 1\nfor i in range(10_000_000):\n    pass\n'
  expect(fuelOf({ ended: 'out_of_fuel', fuel: { consumed: 1000, budget: 1000 } }, code).likely_causes).toStrictEqual([
    'The loop on line 2 ends only by a break, a return or an error inside it.',
    'Line 4 counts to a large number.',
  ])
  expect(fuelOf({ fuel: { consumed: 1, budget: 1000 } }, code).likely_causes).toStrictEqual([])
})
