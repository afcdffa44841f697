// What an explanation costs: on texts that were made to cost, and as a share of the call that it is part of. A clock of the
// processor ticks too seldom for tenths of a millisecond, so the wall's is read, and a measurement during which the system
// gave the processor to somebody else does not count.
import { loadavg } from 'node:os'
import { explainRun } from '../../../server/sandbox/outcome/explain-run.ts'
import { surroundingsOf, type Language, type Program, type RunFacts } from '../../../server/sandbox/outcome/facts.ts'
import { analyseFuel } from '../../../server/sandbox/outcome/fuel-analysis.ts'
import { raisedError } from '../../../server/sandbox/outcome/raised-error.ts'
import { ruleFor } from '../../../server/sandbox/outcome/rules/rules.ts'
import { defaultLimits } from '../../../server/sandbox/limits.ts'
import { packageTable } from '../../../server/sandbox/packages/packages.ts'
import { ms, quantile, table } from '../figures.ts'
import { withFolder } from '../processes.ts'
import type { Aim } from '../aims.ts'
import { openCodeCalls } from './execute-code.ts'
import { javascriptPrograms } from './javascript-programs.ts'
import { pythonPrograms } from './python-programs.ts'

const known = surroundingsOf(defaultLimits, packageTable())
const failedWith = (stderr: string): RunFacts => ({
  stderr,
  exitCode: 1,
  ended: 'error',
  fuel: { consumed: 1, budget: 1000 },
  imports: [],
  sessionReset: false,
})

/** Milliseconds that some work took; `undefined` where the system took the processor away meanwhile. */
function undisturbed(work: () => void): number | undefined {
  const switches = process.resourceUsage().involuntaryContextSwitches
  const began = performance.now()
  work()
  const took = performance.now() - began
  return process.resourceUsage().involuntaryContextSwitches === switches ? took : undefined
}

const size = 10_240
const fill = (piece: string): string => piece.repeat(Math.ceil(size / piece.length)).slice(0, size)

/** What stands before the error. */
const tails: Readonly<Record<string, string>> = {
  'a short traceback': '',
  'ten kilobytes of words': fill('some words of a log line\n'),
  'one line of ten kilobytes': fill('a'),
  'ten kilobytes of frames': fill('  File "x.py", line 1, in f\n'),
  'ten kilobytes of frames of JavaScript': fill('    at f (program.js:1:1)\n'),
  'ten kilobytes of quotation marks': fill(`"'\``),
  'ten kilobytes of tracebacks': fill(
    'Traceback (most recent call last):\n  File "p.py", line 1\n    x\n    ^\nKeyError: 1\n',
  ),
  'ten kilobytes of groups': fill('  + Exception Group Traceback (most recent call last):\n  | ExceptionGroup: a\n'),
  'empty lines': fill('\n'),
  'spaces and marks': fill('    ~~~~^^^^ \n'),
}

/** Programs as large as edits are made of. */
const large: Readonly<Record<Language, string>> = {
  python: `total = 3\nprint(totl)\n${'value = other_name + "text" * 3  # why\n'.repeat(1600)}`.slice(0, 65_000),
  javascript: `const total = 3\nprint(totl)\n${'var value = otherName + `text` // why\n'.repeat(1600)}`.slice(
    0,
    65_000,
  ),
}

const last: Readonly<Record<Language, string>> = {
  python: `Traceback (most recent call last):\n  File "program.py", line 2, in <module>\nNameError: name 'totl' is not defined\n`,
  javascript: `ReferenceError: 'totl' is not defined\n    at <eval> (program.js:2:5)\n`,
}

const runs = 2000

function costOf(cases: readonly (readonly [language: Language, code: string, stderr: string])[]): readonly string[] {
  const measured: number[] = []
  let taken = 0
  for (const [language, code, stderr] of cases) {
    const facts = failedWith(stderr)
    for (let at = 0; at < runs; at++) {
      const took = undisturbed(() => void explainRun(facts, { language, code }, known))
      if (at < runs / 5) continue
      if (took === undefined) taken++
      else measured.push(took)
    }
  }
  return [ms(quantile(measured, 0.5)), ms(quantile(measured, 0.99)), String(taken)]
}

/** Prints the cost of one explanation, edit included, for each way to fill stderr. */
export function explanationCosts(): void {
  const [python = '', javascript = ''] = [pythonPrograms[0], javascriptPrograms[0]]
  const rows = Object.entries(tails).map(([name, before]) => [
    name,
    ...costOf([
      ['python', python, `${before}\n${last.python}`],
      ['python', python, before],
      ['javascript', javascript, `${before}\n${last.javascript}`],
      ['javascript', javascript, before],
    ]),
  ])
  const [inPython, inJavascript] = (['python', 'javascript'] as const).map((language) =>
    costOf([[language, large[language], last[language]]]),
  )
  rows.push(
    ['a program of 65 KB, Python', ...(inPython ?? [])],
    ['a program of 65 KB, JavaScript', ...(inJavascript ?? [])],
  )
  console.log(
    `\nguidance: cost of one explanation (load ${loadavg()[0]?.toFixed(1)})\n${table([['stderr', 'half', 'p99', 'disturbed, left out'], ...rows])}`,
  )
}

const processorMs = (): number => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const meanOf = (values: readonly number[]): number => values.reduce((sum, one) => sum + one, 0) / values.length

const percent = (part: number, whole: number): string => `${((100 * part) / whole).toFixed(2)} %`

/** What an explanation does before it puts words and an edit together: the class of the error, and what the fuel says. */
function classifyAndAnalyse(facts: RunFacts, program: Program): void {
  const error = raisedError(facts.stderr, program.language)
  if (error !== undefined) ruleFor(error, program.language)
  analyseFuel(facts, program, known)
}

/**
 * Prints the share of classification and analysis in a call of `execute_code` that fails, as an agent pays them in a session;
 * and that of the whole explanation, with its words and its edit. Each is made once after every other call, since the one
 * that comes second would find its code in the caches of the processor.
 */
export async function explanationShares(mutants: readonly Program[]): Promise<readonly Aim[]> {
  return withFolder(async (folder) => {
    const aims: Aim[] = []
    const calls = await openCodeCalls(folder)
    const rows: (readonly string[])[] = [
      [
        '',
        'calls',
        'call, processor',
        'its run, median',
        'classification and analysis, mean',
        'half',
        'p99',
        'share',
        'whole explanation, mean',
        'half',
        'p99',
        'share',
        'again at once, mean',
        'share',
      ],
    ]
    for (const language of ['python', 'javascript'] as const) {
      const programs = mutants.filter((one) => one.language === language)
      if (programs.length === 0) continue
      const session = await calls.session(language)
      const [classified, explained, again, ran]: [number[], number[], number[], number[]] = [[], [], [], []]
      let processor = 0
      const twice = [...programs, ...programs]
      for (const [at, { code }] of [...programs.slice(0, unmeasured), ...twice].entries()) {
        // A name that an earlier call of the session declared would be declared twice.
        const given = language === 'javascript' ? `{ ${code} }` : code
        const began = processorMs()
        const { stderr, exit_code: exitCode, ended, duration_ms: duration } = await calls.run(language, given, session)
        const used = processorMs() - began
        if (at < unmeasured || ended !== 'error') continue
        processor += used
        ran.push(duration)
        const facts = { ...failedWith(stderr), exitCode }
        const program = { language, code: given }
        // The second time that a program comes, it is measured the other way.
        const isWhole = (at + Math.floor((at - unmeasured) / programs.length)) % 2 === 0
        const explain = (): void => void explainRun(facts, program, known)
        const took = undisturbed(isWhole ? explain : () => classifyAndAnalyse(facts, program))
        if (took !== undefined) (isWhole ? explained : classified).push(took)
        const repeated = isWhole ? undisturbed(explain) : undefined
        if (repeated !== undefined) again.push(repeated)
      }
      const call = processor / ran.length
      const share = (times: readonly number[]): string => percent(meanOf(times), call)
      const spread = (times: readonly number[]): readonly string[] => [
        ms(meanOf(times)),
        ms(quantile(times, 0.5)),
        ms(quantile(times, 0.99)),
        share(times),
      ]
      aims.push({
        what: `Classification and analysis, share of a call that fails, ${language}`,
        aim: 1,
        unit: 'percent',
        measured: (100 * meanOf(classified)) / call,
        note: `${share(explained)} with the words and the edit of this program`,
      })
      const figures = [...spread(classified), ...spread(explained), ms(meanOf(again)), share(again)]
      rows.push([language, String(ran.length), ms(call), ms(quantile(ran, 0.5)), ...figures])
    }
    await calls.close()
    console.log(
      `\nguidance: the explanation in a call of execute_code that fails (load ${loadavg()[0]?.toFixed(1)})\n${table(rows)}`,
    )
    console.log(
      '  call: the time of the processor of the whole call, all threads; an explanation is measured once after a call, as cold',
    )
    console.log(
      '  as a call finds it; runs are the mistakes in programs above, in one session. Made again at once, the same explanation',
    )
    console.log('  finds its code in the caches of the processor, which the rest of a call has filled otherwise.')
    return aims
  })
}

/** Programs of a session before those that are measured. */
const unmeasured = 20
