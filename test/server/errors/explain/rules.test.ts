// Each rule brings texts that it must know and texts that it must not; here they meet all rules, as an answer brings them.
import { describe, expect, test } from 'vitest'
import { templates, templateOf } from '../../../../server/errors/explain/classes.ts'
import { answerRuleList, ruleForText } from '../../../../server/errors/explain/rules/find-rule.ts'
import { recordedErrors } from '../../../errors/recorded.ts'

const recorded = recordedErrors()

describe.each(answerRuleList.map((rule) => [rule.id, rule] as const))('%s', (_, rule) => {
  test.each(rule.matches)('knows "%s"', (text) => {
    expect(ruleForText(text)?.rule.id).toBe(rule.id)
  })

  test.each([...rule.others])('leaves "%s" to others', (text) => {
    expect(ruleForText(text)?.rule.id).not.toBe(rule.id)
  })

  test('says where its examples are from, and fills in nothing that its pattern does not name', () => {
    for (const from of rule.from) expect(from.startsWith('https://') || recorded.has(from), from).toBe(true)
    const named = [...rule.pattern.source.matchAll(/\(\?<([a-z]+)>/g)].map(([, name]) => name)
    if (rule.cause?.includes('{')) expect(named).toContain('name')
  })

  test('is found by words that the index can hold', () => {
    for (const word of rule.words) expect(word).toMatch(/^[a-z\d_]{2,40}$/)
  })
})

test('ids are of one rule each, and every kind of error says a cause and what to do', () => {
  expect(new Set(answerRuleList.map(({ id }) => id)).size).toBe(answerRuleList.length)
  for (const type of Object.keys(templates) as (keyof typeof templates)[]) {
    const { cause, steps, retryable, question } = templateOf(type)
    for (const sentence of [cause, ...steps]) expect(sentence).toMatch(/^[A-Z][^{}]{10,200}\.$/)
    expect(steps.length, type).toBeGreaterThan(0)
    // Where no other call helps, a person is asked.
    expect(question !== undefined, type).toBe(retryable === 'no')
  }
})
