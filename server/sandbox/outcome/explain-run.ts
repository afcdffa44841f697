// What is said of a run: nothing of an error where there is none, the host's reason where it ended the program, and otherwise
// what the last error in stderr means, with the edit of this program where one is mechanical. Pure.
import type { BudgetAnalysis } from '../../errors/budget.ts'
import { filled, ruleName } from '../../errors/explain/rule.ts'
import type { CodeEdit, ErrorGuidance, Fix } from '../../errors/guidance.ts'
import { programDocs } from '../../errors/related-docs.ts'
import type { Ended, Program, RunFacts, Surroundings } from './facts.ts'
import { editsFor } from './edits/edits.ts'
import { analyseFuel } from './fuel-analysis.ts'
import { largestProgram, readProgram } from './program-text.ts'
import { raisedError, type RaisedError } from './raised-error.ts'
import { hostEndings } from './rules/host.ts'
import { ruleFor, type Found } from './rules/rules.ts'

export interface Explanation {
  /** Absent where the program finished with exit code 0, whatever it printed. */
  readonly guidance?: ErrorGuidance
  /** What the error said, where no rule knows more of it than its kind. */
  readonly unexplained?: string
  readonly fuel: BudgetAnalysis
}

/** Explains how a run ended and what it used. */
export function explainRun(run: RunFacts, program: Program, known: Surroundings = {}): Explanation {
  const { analysis: fuel, budget } = analyseFuel(run, program, known)
  if (run.ended === 'finished' && run.exitCode === 0) return { fuel }
  if (run.ended !== 'error' && isHostEnding(run.ended)) return { fuel, guidance: ofHost(run, run.ended, fuel, budget) }
  // A program that left by itself (`sys.exit(1)`) has raised nothing, whatever it printed.
  const error = run.ended === 'error' ? raisedError(run.stderr, program.language) : undefined
  const found = error === undefined ? undefined : ruleFor(error, program.language)
  if (error === undefined || found === undefined)
    return { fuel, guidance: ofExit(run), ...(run.ended === 'error' ? { unexplained: lastLine(run) } : {}) }
  return {
    fuel,
    guidance: ofError(error, found, run, program, known),
    ...(found.rule.general === true ? { unexplained: `${error.name}: ${error.message}` } : {}),
  }
}

const isHostEnding = (ended: Ended): ended is keyof typeof hostEndings => Object.hasOwn(hostEndings, ended)

const after = (steps: readonly string[], { sessionReset }: RunFacts): readonly string[] =>
  sessionReset
    ? [...steps, 'The session has begun anew: variables are gone, files of the workspace are still there.']
    : steps

function ofHost(
  run: RunFacts,
  ended: keyof typeof hostEndings,
  fuel: BudgetAnalysis,
  budget: number | undefined,
): ErrorGuidance {
  const { type, message, cause, steps, example } = hostEndings[ended]
  const fix: readonly Fix[] =
    ended === 'out_of_fuel' && budget !== undefined
      ? [{ kind: 'edit_arguments', pointer: '/budget', to: budget, why: fuel.recommendation }]
      : []
  return {
    error_type: type,
    category: 'arguments',
    message,
    cause: [cause, ...(ended === 'out_of_fuel' ? fuel.likely_causes : [])].join(' '),
    actionable_guidance: after(ended === 'out_of_fuel' ? [fuel.recommendation] : steps, run),
    fix,
    retryable: 'after_change',
    field_errors: [],
    related_docs: programDocs(type),
    code_examples: example === undefined ? [] : [shown(...example)],
    evidence: { source: 'host', rule: `host.${ended}`, confidence: 'certain' },
  }
}

const lastLine = ({ stderr }: RunFacts): string => stderr.trimEnd().split('\n').at(-1)?.slice(0, 200) ?? ''

function ofExit(run: RunFacts): ErrorGuidance {
  const last = lastLine(run)
  return {
    error_type: 'exit_status',
    category: 'arguments',
    message: `The program left with exit code ${run.exitCode}${last === '' ? '.' : `: ${last}`}`,
    cause: 'The program ended itself; no error of the language did.',
    actionable_guidance: after(['Read what it printed: it says there why it left, if it says so at all.'], run),
    fix: [],
    retryable: 'after_change',
    field_errors: [],
    related_docs: programDocs('exit_status'),
    code_examples: [],
    evidence: { source: 'exit_code', rule: 'exit.status', confidence: 'certain' },
  }
}

function ofError(
  error: RaisedError,
  found: Found,
  run: RunFacts,
  program: Program,
  known: Surroundings,
): ErrorGuidance {
  const { rule, groups } = found
  const edits = edited(found, error, program, known)
  const toDo = edits.map(inWords)
  const place = error.line === undefined ? '' : `Line ${error.line}: `
  const ends = error.message.indexOf('\n')
  const first = ends === -1 ? error.message : error.message.slice(0, ends)
  const named = error.name === '' || first === '' ? error.name + first : `${error.name}: ${first}`
  return {
    error_type: rule.type,
    category: 'arguments',
    message: (place + named).slice(0, 500),
    cause: filled(rule.cause, groups),
    actionable_guidance: after([...toDo, ...rule.steps.map((step) => filled(step, groups))], run),
    fix: edits.length === 0 ? [] : [{ kind: 'edit_arguments', pointer: '/code', why: toDo.join(' ') }],
    retryable: 'after_change',
    field_errors: [],
    related_docs: programDocs(rule.type),
    code_examples:
      edits.length > 0
        ? edits.map((edit) => shown(edit.before, edit.after, edit.line))
        : rule.example === undefined
          ? []
          : [shown(...rule.example)],
    ...(edits.length === 0 ? {} : { edits }),
    evidence: { source: 'stderr', rule: ruleName(rule), confidence: 'likely' },
  }
}

/** Edits that still fit the program; a program that is too large to be read gets none. */
function edited(
  { rule, groups }: Found,
  error: RaisedError,
  program: Program,
  known: Surroundings,
): readonly CodeEdit[] {
  if (rule.edit === undefined || program.code.length > largestProgram) return []
  return editsFor(rule.edit, { program: readProgram(program), error, groups, known }).slice(0, mostEdits)
}

/** More would be a rewrite, which nobody asked for. */
const mostEdits = 20

const quoted = (text: string): string => (text.length > 120 ? `${text.slice(0, 117)}…` : text)

const inWords = ({ line, before, after }: CodeEdit): string =>
  before.includes('\n') || after.includes('\n')
    ? `From line ${line} on, change the program as the example shows.`
    : after.trim() === ''
      ? `On line ${line} remove \`${quoted(before.trim())}\`.`
      : `On line ${line} write \`${quoted(after.trim())}\` instead of \`${quoted(before.trim())}\`.`

const marked = (sign: string, text: string): string =>
  `${sign} ${text.includes('\n') ? text.replaceAll('\n', `\n${sign} `) : text}`

/** An example as a change of lines. */
const shown = (before: string, after: string, line?: number): string =>
  `${line === undefined ? '' : `line ${line}\n`}${marked('-', before)}\n${marked('+', after)}`
