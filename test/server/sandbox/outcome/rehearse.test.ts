// What is rehearsed is what agents hit: each example goes the whole way to its rule.
import { expect, test } from 'vitest'
import { rehearsals, rehearseExplanations } from '../../../../server/sandbox/outcome/rehearse.ts'
import { explainRun } from '../../../../server/sandbox/outcome/explain-run.ts'
import { allRules } from '../../../../server/sandbox/outcome/rules/rules.ts'
import { ruleName } from '../../../../server/errors/explain/rule.ts'

test('each rule explains its own example, but for those that read the line that is shown', () => {
  const wrong = rehearsals.filter(([rule, facts, program]) => {
    const { guidance } = explainRun(facts, program)
    return rule.shown === undefined && guidance?.evidence.rule !== ruleName(rule)
  })
  expect(wrong.map(([{ id }]) => id)).toEqual([])
  expect(rehearsals).toHaveLength(allRules.length)
})

test('a rehearsal comes to its end, and lets others work in between', async () => {
  let others = 0
  const between = setInterval(() => (others += 1), 0)
  await rehearseExplanations()
  clearInterval(between)
  expect(others).toBeGreaterThan(1)
})
