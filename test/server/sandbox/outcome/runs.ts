// Runs as a host reports them.
import type { Language, RunFacts } from '../../../../server/sandbox/outcome/facts.ts'

const plain: RunFacts = {
  stderr: '',
  exitCode: 0,
  ended: 'finished',
  fuel: { consumed: 1_000_000, budget: 1_000_000_000 },
  imports: [],
  sessionReset: false,
}

/** A run that went well, but for what is said otherwise. */
export const run = (facts: Partial<RunFacts> = {}): RunFacts => ({ ...plain, ...facts })

/** A run that ended with this error in the first line of the program. */
export const failed = (language: Language, last: string, line = 1): RunFacts =>
  run({
    ended: 'error',
    exitCode: 1,
    stderr:
      language === 'python'
        ? `Traceback (most recent call last):\n  File "main.py", line ${line}, in <module>\n${last}\n`
        : `${last}\n    at <eval> (main.js:${line}:1)\n`,
  })
