// Each rule brings lines that it must know and lines that it must not; here they meet all rules, as a run brings them.
import { describe, expect, test } from 'vitest'
import { explainRun } from '../../../../server/sandbox/outcome/explain-run.ts'
import { allRules, ruleFor } from '../../../../server/sandbox/outcome/rules/rules.ts'
import { hostEndings } from '../../../../server/sandbox/outcome/rules/host.ts'
import { raisedError } from '../../../../server/sandbox/outcome/raised-error.ts'
import { failed } from './runs.ts'

describe.each(allRules.map((rule) => [rule.id, rule] as const))('%s', (_, rule) => {
  test.each(rule.matches)('knows "%s"', (line) => {
    const { stderr } = failed(rule.language, line)
    const found = ruleFor(raisedError(stderr, rule.language)!, rule.language)
    expect(found?.rule.id).toBe(rule.id)
  })

  test.each([...rule.others])('does not know "%s"', (line) => {
    const { stderr } = failed(rule.language, line)
    expect(ruleFor(raisedError(stderr, rule.language)!, rule.language)?.rule.id).not.toBe(rule.id)
  })

  test('says a cause and a step, and what it fills in is found in the message', () => {
    for (const line of rule.matches) {
      const { guidance } = explainRun(failed(rule.language, line), { language: rule.language, code: '' })
      expect(guidance).toMatchObject({ error_type: rule.type, retryable: 'after_change' })
      expect(guidance?.actionable_guidance.length).toBeGreaterThan(0)
    }
    const named = new Set([...rule.pattern.source.matchAll(/\(\?<([a-z]+)>/g)].map(([, name]) => name))
    const places = [rule.cause, ...rule.steps].flatMap((words) => [...words.matchAll(/\{([a-z]{1,20})\}/g)])
    // What programs write themselves: f"{value}", {a} = ….
    const literal = new Set(['value', 'a'])
    expect(places.map(([, name]) => name).filter((name) => !named.has(name) && !literal.has(name!))).toStrictEqual([])
  })
})

test('ids are of one rule each, and there are at least 44 classes of errors', () => {
  expect(new Set(allRules.map(({ id }) => id)).size).toBe(allRules.length)
  const types = new Set([...allRules, ...Object.values(hostEndings)].map(({ type }) => type))
  expect(types.size).toBeGreaterThanOrEqual(44)
})
