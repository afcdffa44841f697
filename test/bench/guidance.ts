// `npm run bench -- guidance [--data=DIR] [--seed=N]`: how often an error of a program is told for what it is, how often the edit
// that is offered makes the program run, how often text that looks like an error is taken for one, and what it costs. Mistakes
// are made in programs of ours, by a seed; `--data` names a copy of friendly-traceback's repository, whose programs with one
// mistake each are compiled and never run. The rules were written with seed 1 and those programs in sight; other seeds were not.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { withEdits } from '../../server/sandbox/outcome/edits/mistake.ts'
import { explainRun } from '../../server/sandbox/outcome/explain-run.ts'
import type { Language, RunFacts } from '../../server/sandbox/outcome/facts.ts'
import { allRules } from '../../server/sandbox/outcome/rules/rules.ts'
import { seeded } from '../kit/seeded.ts'
import type { Aim } from './aims.ts'
import { table } from './figures.ts'
import { explanationCosts, explanationShares } from './guidance/cost.ts'
import { fuelAdvice } from './guidance/fuel.ts'
import { javascriptPrograms } from './guidance/javascript-programs.ts'
import { mutants, type Mutant } from './guidance/mutations.ts'
import { errorsOfServers } from './guidance/servers.ts'
import { pythonPrograms } from './guidance/python-programs.ts'
import { javascriptRuntime, pythonRuntime, type Ran, type Runtime } from './guidance/runtimes.ts'

const general: ReadonlySet<string> = new Set(allRules.filter((rule) => rule.general === true).map(({ type }) => type))

const factsOf = ({ stderr, exitCode }: Ran): RunFacts => ({
  stderr,
  exitCode,
  ended: exitCode === 1 ? 'error' : 'finished',
  fuel: { consumed: 1, budget: 1000 },
  imports: [],
  sessionReset: false,
})

interface Counted {
  failed: number
  right: number
  specific: number
  offered: number
  mended: number
  same: number
}

const share = (part: number, whole: number): string => (whole === 0 ? '-' : `${((100 * part) / whole).toFixed(1)} %`)

const row = (name: string, { failed, right, specific, offered, mended, same }: Counted): readonly string[] => [
  name,
  String(failed),
  share(right, failed),
  share(specific, failed),
  share(offered, failed),
  share(mended, offered),
  share(same, offered),
]

/** Mutants that fail: how each is told, and whether the program runs once its edits are made. */
function measure(
  language: Language,
  all: readonly Mutant[],
  run: Runtime,
  compileOnly = false,
): ReadonlyMap<string, Counted> {
  const originals = [...new Set(all.map(({ original }) => original))]
  const expected = new Map(run(compileOnly ? [] : originals).map(({ stdout }, at) => [originals[at] ?? '', stdout]))
  const counts = new Map<string, Counted>()
  const mended: { readonly counted: Counted; readonly code: string; readonly original: string }[] = []
  for (const [at, ran] of run(
    all.map(({ code }) => code),
    compileOnly,
  ).entries()) {
    const mutant = all[at]
    if (mutant === undefined || ran.exitCode === 0) continue
    const counted = counts.get(mutant.mistake) ?? { failed: 0, right: 0, specific: 0, offered: 0, mended: 0, same: 0 }
    counts.set(mutant.mistake, counted)
    counted.failed++
    const { guidance } = explainRun(factsOf(ran), { language, code: mutant.code })
    if (guidance === undefined) continue
    if (mutant.types.includes(guidance.error_type)) counted.right++
    if (!general.has(guidance.error_type)) counted.specific++
    if (guidance.edits === undefined) continue
    counted.offered++
    const code = withEdits(mutant.code, guidance.edits)
    if (code !== undefined) mended.push({ counted, code, original: mutant.original })
  }
  for (const [at, { exitCode, stdout }] of run(
    mended.map(({ code }) => code),
    compileOnly,
  ).entries()) {
    const one = mended[at]
    if (one === undefined || exitCode !== 0) continue
    one.counted.mended++
    if (compileOnly || stdout === expected.get(one.original)) one.counted.same++
  }
  return counts
}

const sum = (counts: Iterable<Counted>): Counted => {
  const total: Counted = { failed: 0, right: 0, specific: 0, offered: 0, mended: 0, same: 0 }
  for (const one of counts) for (const key of Object.keys(total) as (keyof Counted)[]) total[key] += one[key]
  return total
}

/** Errors of syntax, as Python has them; which of them a program of the collection has, its name does not say. */
const syntaxTypes = [
  ...new Set(
    allRules
      .filter(
        ({ language, raised }) =>
          language === 'python' && raised.some((name) => /^(?:Syntax|Indentation|Tab)Error$/.test(name)),
      )
      .map(({ type }) => type),
  ),
]

const friendly = (folder: string): readonly Mutant[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.py'))
    .map((name) => ({
      language: 'python',
      mistake: 'all',
      code: readFileSync(join(folder, name), 'utf8'),
      original: '',
      types: syntaxTypes,
    }))

const lures = [
  'OutOfFuel',
  'out of memory',
  'Killed',
  'Segmentation fault',
  'SyntaxError: invalid syntax',
  "KeyError: 'x'",
  'MemoryError',
  'Traceback (most recent call last):\n  File "program.py", line 1, in <module>\nKeyError: \'x\'',
  'TypeError: not a function\n    at <eval> (program.js:1:1)',
  'InternalError: out of memory',
  'error: budget exhausted',
  'timeout',
]

/** Programs that finish, or fail otherwise, and print what looks like another error. */
function falsePositives(runs: number): { readonly clean: number; readonly otherwise: number } {
  const random = seeded(3)
  const lure = (): string => lures[Math.floor(random() * lures.length)] ?? ''
  let [clean, otherwise] = [0, 0]
  for (let at = 0; at < runs; at++) {
    const language = at % 2 === 0 ? 'python' : 'javascript'
    const printed = Array.from({ length: 1 + Math.floor(random() * 4) }, lure).join('\n')
    const of = (facts: Partial<RunFacts>) =>
      explainRun({ ...factsOf({ stdout: '', stderr: '', exitCode: 0 }), ...facts }, { language, code: 'x' }).guidance
        ?.error_type
    if (of({ stderr: printed }) !== undefined) clean++
    const real =
      language === 'python'
        ? 'Traceback (most recent call last):\n  File "program.py", line 1, in <module>\nIndexError: list index out of range\n'
        : 'RangeError: invalid array length\n    at <eval> (program.js:1:1)\n'
    const expected = language === 'python' ? 'index_out_of_range' : 'value_out_of_range'
    if (of({ stderr: `${printed}\n${real}`, exitCode: 1, ended: 'error' }) !== expected) otherwise++
    if (of({ stderr: printed, exitCode: 1 }) !== 'exit_status') otherwise++
    if (of({ stderr: printed, exitCode: 1, ended: 'timeout' }) !== 'timeout') otherwise++
  }
  return { clean, otherwise }
}

/** Measures and prints. */
export async function guidance(): Promise<readonly Aim[]> {
  const { values } = parseArgs({ options: { data: { type: 'string' }, seed: { type: 'string' } }, strict: false })
  const seed = Number(values['seed'] ?? 2)
  const [python, javascript] = [pythonRuntime(['python3.12', 'python3']), await javascriptRuntime()]
  const head = ['', 'programs', 'right class', 'specific', 'edit offered', 'runs then', 'same output']
  const rows: (readonly string[])[] = [head]
  const aims: Aim[] = []
  const add = (name: string, counts: ReadonlyMap<string, Counted>): void => {
    aims.push(...aimsOf(name, sum(counts.values())))
    rows.push(
      row(name, sum(counts.values())),
      ...[...counts].filter(([mistake]) => mistake !== 'all').map(([mistake, one]) => row(`  ${mistake}`, one)),
    )
  }
  if (python === undefined) console.log('  Python: not measured, there is no Python 3.12 on this machine')
  else add(`Python, seed ${seed}`, measure('python', mutants(pythonPrograms, 'python', seed, 2), python))
  if (javascript === undefined) console.log('  JavaScript: not measured, quickjs-emscripten-core is not installed')
  else
    add(
      `JavaScript, seed ${seed}`,
      measure('javascript', mutants(javascriptPrograms, 'javascript', seed, 2), javascript),
    )
  const folder = typeof values['data'] === 'string' ? join(values['data'], 'tests', 'syntax') : ''
  if (python !== undefined && existsSync(folder))
    add('friendly-traceback, compiled', measure('python', friendly(folder), python, true))
  else console.log('  friendly-traceback: not measured; --data=DIR names a copy of its repository')
  console.log(`guidance: mistakes in programs\n${table(rows)}`)
  const { clean, otherwise } = falsePositives(2000)
  aims.push({
    what: 'text that looks like an error and is taken for one',
    aim: 1,
    unit: 'percent',
    measured: (100 * (clean + otherwise)) / 8000,
  })
  console.log(
    `\nguidance: text that looks like an error\n${table([
      ['', 'runs', 'wrong'],
      ['finished', '2000', String(clean)],
      ['failed otherwise', '6000', String(otherwise)],
    ])}`,
  )
  explanationCosts()
  const shares = await explanationShares([
    ...mutants(pythonPrograms, 'python', seed, 1),
    ...mutants(javascriptPrograms, 'javascript', seed, 1),
  ])
  await fuelAdvice()
  await errorsOfServers()
  return [...aims, ...shares]
}

const aimsOf = (name: string, { failed, right, offered, mended }: Counted): readonly Aim[] => [
  { what: `right class, ${name}`, aim: 95, atLeast: true, unit: 'percent', measured: (100 * right) / failed },
  { what: `edits that mend, ${name}`, aim: 50, atLeast: true, unit: 'percent', measured: (100 * mended) / offered },
]
