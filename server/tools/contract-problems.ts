// Validation of a contract's form: each problem names the field, what is wrong with it, and what to write instead.
import { z } from 'zod'
import { nearest } from '../errors/nearest.ts'
import { valueAt } from '../errors/pointer.ts'
import { fixes, innerFields, readFields, writeFields } from './contract.schema.ts'

/** Something that is wrong with a contract. */
export interface ContractProblem {
  /** The field to change; inside of a field with dots: "failures.out_of_stock.effect". */
  readonly field: string
  /** What is wrong. */
  readonly problem: string
  /** What to put there. */
  readonly fix: string
}

type Issue = z.core.$ZodIssue

// Zod compiles a schema at its first use, which takes far longer than what it then checks: so both are made once.
const readForm = z.strictObject(readFields)
const writeForm = z.strictObject(writeFields)

const pathText = (path: readonly PropertyKey[]): string => path.map(String).join('.')

/** What to write for a field inside of a field, where that is more exact than `fixes`. */
const innerFixes: readonly (readonly [RegExp, string])[] = [
  [/^failures\.[^.]+\.effect$/, 'Say what the failure leaves behind: none, partial or unknown.'],
  [/^failures\.[^.]+\.guidance$/, 'Say in one sentence what to do next.'],
  [
    /^failures\.[^.]+\.says(?:\.|$)/,
    'Say in one sentence what has happened, by language: { de: "…" }, or leave it out.',
  ],
  [/^failures\.[^.]+\.retryable$/, 'Use no, after_change or after_wait, or leave it out.'],
  [/^sideEffects\.\d+\.onRepeat$/, 'Say what happens when the same call runs again.'],
  [/^sideEffects\.\d+\.what$/, 'Say in one sentence what changes.'],
]

const fixFor = (path: readonly PropertyKey[]): string =>
  innerFixes.find(([form]) => form.test(pathText(path)))?.[1] ??
  fixes[String(path[0]) as keyof typeof fixes] ??
  'Leave it out.'

function quoted(value: unknown): string {
  if (typeof value === 'string') return `"${value.slice(0, 60)}"`
  return typeof value === 'number' || typeof value === 'boolean' ? `${value}` : `of the type ${typeof value}`
}

/** All problems of a contract's form, in the order of its fields; unknown fields last. */
export function formProblems(contract: Readonly<Record<string, unknown>>): readonly ContractProblem[] {
  const read = contract['operation'] === 'read'
  const known = Object.keys(read ? readFields : writeFields)

  function unknownField(path: readonly PropertyKey[], key: string): ContractProblem {
    const inside = path.length === 0 ? known : innerFields(String(path[0]), read)
    const field = pathText([...path, key])
    const [meant] = nearest(key, inside, 1)
    const problem = 'is not a field of a contract'
    if (meant !== undefined) return { field, problem, fix: `Did you mean "${meant}"? ${fixFor([...path, meant])}` }
    if (path.length > 0 || !Object.hasOwn(fixes, key))
      return { field, problem, fix: `Known here are ${inside.join(', ')}.` }
    const kind = read ? 'read' : 'write'
    return { field, problem: `is not a field of a ${kind}`, fix: 'Remove it, or change operation.' }
  }

  function problemsOf(issue: Issue, above: readonly PropertyKey[] = []): readonly ContractProblem[] {
    const path = [...above, ...issue.path]
    const value = valueAt(contract, path)
    if (issue.code === 'unrecognized_keys') return issue.keys.map((key) => unknownField(path, key))
    const inner =
      issue.code === 'invalid_union'
        ? issue.errors.flatMap((branch) => branch.filter(isInside).flatMap((each) => problemsOf(each, path)))
        : []
    if (inner.length > 0) return inner
    const fix = ownFix(issue) ?? `${meantBy(issue, value)}${fixFor(path)}`
    return [{ field: pathText(path), problem: saidOf(issue, value), fix }]
  }

  const parsed = (read ? readForm : writeForm).safeParse(contract)
  return parsed.success ? [] : parsed.error.issues.flatMap((issue) => problemsOf(issue))
}

/** Whether an issue is about the inside of an object, where a field takes a word or an object. */
const isInside = (issue: Issue): boolean => issue.path.length > 0 || issue.code === 'unrecognized_keys'

/** What to write instead, where the value itself decides that. */
function ownFix(issue: Issue): string | undefined {
  const fix: unknown = issue.code === 'custom' ? issue.params?.['fix'] : undefined
  return typeof fix === 'string' ? fix : undefined
}

function saidOf(issue: Issue, value: unknown): string {
  if (value === undefined) return 'is missing'
  if (typeof value === 'string' && value.trim() === '') return 'is missing'
  if (issue.code === 'custom') return issue.message
  if (issue.code === 'too_small') return 'is empty'
  return `is ${quoted(value)}`
}

/** "Did you mean …?", where a misspelt word is near to one that is allowed. */
function meantBy(issue: Issue, value: unknown): string {
  const words =
    issue.code === 'invalid_value'
      ? issue.values
      : issue.code === 'invalid_union'
        ? issue.errors.flat().flatMap((each) => (each.code === 'invalid_value' ? each.values : []))
        : []
  const [meant] = typeof value === 'string' ? nearest(value, words.map(String), 1) : []
  return meant === undefined ? '' : `Did you mean "${meant}"? `
}
