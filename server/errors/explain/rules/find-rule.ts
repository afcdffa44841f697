// Finds the rule that knows a text. Its words are looked up in one pass, and a pattern is tried only near the first of its own:
// so a text costs by its length and not by the number of rules, also where it was written to cost more.
import { accessRules, statusRules } from './access.ts'
import type { AnswerRule } from './answer-rule.ts'
import { argumentRules, valueRules } from './arguments.ts'
import { browserRules, programRules } from './browser.ts'
import { gitRules } from './git.ts'
import { sqlRules } from './sql.ts'
import { fileRules, networkRules } from './system.ts'

/** Every rule, nearer ones first. */
export const answerRuleList: readonly AnswerRule[] = [
  ...browserRules.slice(0, 2),
  ...gitRules,
  ...sqlRules,
  ...argumentRules,
  ...networkRules,
  ...browserRules.slice(2),
  ...fileRules,
  ...accessRules,
  ...statusRules,
  ...valueRules,
  ...programRules,
]

const byWord: ReadonlyMap<string, readonly number[]> = (() => {
  const found = new Map<string, number[]>()
  for (const [at, { words }] of answerRuleList.entries())
    for (const word of words) found.set(word, [...(found.get(word) ?? []), at])
  return found
})()

/** An error says what happened at its beginning, and a program's output at its end; what is between is not read. */
const [head, tail] = [2400, 1200]

/** How far around its word a pattern may look. */
const [before, after] = [200, 500]

/** Places of one word at which a pattern is tried. */
const mostTries = 3

export interface FoundRule {
  readonly rule: AnswerRule
  readonly groups: Readonly<Record<string, string | undefined>>
}

/** The first rule that knows the text. */
export function ruleForText(whole: string): FoundRule | undefined {
  const text = whole.length > head + tail ? `${whole.slice(0, head)}\n${whole.slice(-tail)}` : whole
  const places = placesOf(text)
  for (const at of [...places.keys()].toSorted((a, b) => a - b)) {
    const rule = answerRuleList[at]
    if (rule === undefined) continue
    for (const place of places.get(at) ?? []) {
      const match = rule.pattern.exec(text.slice(Math.max(0, place - before), place + after))
      if (match !== null) return { rule, groups: match.groups ?? {} }
    }
  }
  return undefined
}

const isWordUnit = (unit: number): boolean =>
  (unit > 0x60 && unit < 0x7b) || (unit > 0x2f && unit < 0x3a) || (unit > 0x40 && unit < 0x5b) || unit === 0x5f

/** For each rule of which a word is in the text, where. */
function placesOf(text: string): ReadonlyMap<number, readonly number[]> {
  const small = text.toLowerCase()
  const found = new Map<number, number[]>()
  let start = -1
  for (let at = 0; at <= small.length; at++) {
    if (at < small.length && isWordUnit(small.charCodeAt(at))) {
      if (start === -1) start = at
      continue
    }
    if (start === -1) continue
    // No word of a rule is shorter than two letters or longer than forty.
    if (at - start > 1 && at - start <= 40) {
      for (const rule of byWord.get(small.slice(start, at)) ?? []) {
        const places = found.get(rule)
        if (places === undefined) found.set(rule, [start])
        else if (places.length < mostTries && start - (places.at(-1) ?? 0) > after / 2) places.push(start)
      }
    }
    start = -1
  }
  return found
}
