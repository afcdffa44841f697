// All rules, by the name of the error that they read, so that a message meets a handful of patterns and not all of them.
import type { Language } from '../facts.ts'
import type { RaisedError } from '../raised-error.ts'
import { javascriptFileRules } from './javascript-files.ts'
import { javascriptRules } from './javascript.ts'
import { javascriptGeneralRules, javascriptSyntaxRules } from './javascript-syntax.ts'
import { pythonGeneralRules } from './python-general.ts'
import { pythonSyntaxRules } from './python-syntax.ts'
import { pythonSystemRules } from './python-system.ts'
import { pythonNameRules } from './python-names.ts'
import { pythonOperationRules } from './python-operations.ts'
import { pythonEndingRules } from './python-endings.ts'
import { pythonLineRules } from './python-lines.ts'
import { pythonStatementRules } from './python-statements.ts'
import { pythonValueRules } from './python-values.ts'
import { rulesOf, type Rule } from './rule.ts'

/** An error of the program's own: `raise Exception(…)`, `throw new Error(…)`, or a class that it declares. */
const raisedByProgram = (language: Language, id: string, thrown: string) =>
  rulesOf(language, [
    {
      id,
      type: 'raised_by_program',
      raised: [],
      pattern: /^/,
      cause: 'The program, or a package that it uses, raised this error itself.',
      steps: ['Read the message: whoever wrote this check says there what is wrong.'],
      matches: [thrown],
      others: [],
    },
  ])

/** Every rule, nearer ones first. */
export const allRules: readonly Rule[] = [
  ...pythonSystemRules,
  ...pythonEndingRules,
  ...pythonSyntaxRules,
  ...pythonLineRules,
  ...pythonStatementRules,
  ...pythonNameRules,
  ...pythonOperationRules,
  ...pythonValueRules,
  ...pythonGeneralRules,
  ...raisedByProgram('python', 'py.raised', 'Exception: no such customer'),
  ...javascriptFileRules,
  ...javascriptRules,
  ...javascriptSyntaxRules,
  ...javascriptGeneralRules,
  ...raisedByProgram('javascript', 'js.raised', 'Error: no such customer'),
]

const byName = (of: Language): ReadonlyMap<string, readonly Rule[]> => {
  const found = new Map<string, Rule[]>()
  for (const rule of allRules.filter(({ language }) => language === of))
    for (const name of rule.raised) found.set(name, [...(found.get(name) ?? []), rule])
  return found
}

const named: Readonly<Record<Language, ReadonlyMap<string, readonly Rule[]>>> = {
  python: byName('python'),
  javascript: byName('javascript'),
}

const fallbacks = Object.groupBy(
  allRules.filter(({ raised }) => raised.length === 0),
  ({ language }) => language,
)

/** A rule that knows the error, with the words of the message that it names. */
export interface Found {
  readonly rule: Rule
  readonly groups: Readonly<Record<string, string | undefined>>
}

/** The first rule that knows the error; one always does. */
export function ruleFor(error: RaisedError, language: Language): Found | undefined {
  const message = error.message.slice(0, 500)
  return firstOf(named[language].get(error.name), error, message) ?? firstOf(fallbacks[language], error, message)
}

function firstOf(rules: readonly Rule[] | undefined, { shown }: RaisedError, message: string): Found | undefined {
  if (rules === undefined) return undefined
  for (const rule of rules) {
    if (rule.shown !== undefined && !rule.shown.test(shown ?? '')) continue
    const match = rule.pattern.exec(message)
    if (match !== null) return { rule, groups: match.groups ?? {} }
  }
  return undefined
}
