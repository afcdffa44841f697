// V8 reads a function when it is called first, compiles a pattern at its first use, and again, to be faster, at its second: the
// first explanations of a process take twice what the later ones do. So the rules explain their own examples once before.
import { explainRun } from './explain-run.ts'
import type { Language, Program, RunFacts } from './facts.ts'
import type { Rule } from './rules/rule.ts'
import { allRules } from './rules/rules.ts'

const programs: Readonly<Record<Language, Program>> = {
  python: {
    language: 'python',
    code: 'import json\n\nvalues = json.loads("[1, 2]")  # two of them\nfor value in values:\n    print(f"{value} of {total}")\n',
  },
  javascript: {
    language: 'javascript',
    code: 'const values = JSON.parse("[1, 2]") // two of them\nfor (const value of values) {\n  print(`${value} of ${total}`)\n}\n',
  },
}

/** A run that ended with an error that a rule knows. */
const failedWith = (last: string, language: Language): RunFacts => ({
  stderr:
    language === 'python'
      ? `Traceback (most recent call last):\n  File "program.py", line 5, in <module>\n    print(f"{value} of {total}")\n                        ^^^^^\n${last}\n`
      : `${last}\n    at <eval> (program.js:3:23)\n`,
  exitCode: 1,
  ended: 'error',
  fuel: { consumed: 1, budget: 1000 },
  imports: [],
  sessionReset: false,
})

/** What is rehearsed: the first example of every rule. */
export const rehearsals: readonly (readonly [rule: Rule, run: RunFacts, program: Program])[] = allRules.map((rule) => [
  rule,
  failedWith(rule.matches[0] ?? '', rule.language),
  programs[rule.language],
])

/** Examples at once: the calls of a server are answered in between. */
const atOnce = 8

/** Has every rule explain its first example, twice, in steps. Nobody waits for its end. */
export async function rehearseExplanations(): Promise<void> {
  const twice = [...rehearsals, ...rehearsals]
  for (let from = 0; from < twice.length; from += atOnce) {
    await new Promise((resume) => setTimeout(resume, 1).unref())
    for (const [, run, program] of twice.slice(from, from + atOnce)) explainRun(run, program)
  }
}
