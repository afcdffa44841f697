// The condition of a grant: an expression in CEL (Common Expression Language) over the arguments of one tool. It is checked when
// it is written (every name, every type) and bounded when it runs: no regular expressions, no nested loops over unrelated
// lists, few nodes, small inputs. A condition whose evaluation fails does not hold.
import { Environment, type ASTNode, type ParseResult } from '@marcbachmann/cel-js'
import { nearest } from '../errors/nearest.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import { messageOf, typeText, type ArgumentShape } from './grant-shape.ts'

export interface Condition {
  readonly text: string
  /** Whether it holds for these parsed arguments. Never throws. */
  readonly holds: (input: unknown) => boolean
}

/** What is wrong with an expression. */
export interface ConditionProblem {
  readonly message: string
  readonly next: string
  /** The place, in characters of the expression. */
  readonly at?: { readonly start: number; readonly end: number }
}

/** In characters. */
export const longestCondition = 1000
const limits = { maxAstNodes: 200, maxDepth: 24, maxListElements: 100, maxMapEntries: 20, maxCallArguments: 4 }

/** The condition does not hold for larger arguments, in characters of JSON; the second limit is for expressions with loops. */
const largestInput = 256 * 1024
const largestLooped = 8 * 1024

const loops: readonly string[] = ['all', 'exists', 'exists_one', 'filter', 'map']
const methods = [...loops, ...'contains endsWith lowerAscii size startsWith trim upperAscii'.split(' ')]
const functions: readonly string[] = ['double', 'has', 'int', 'only', 'size', 'string', 'sum']

const problem = (message: string, next: string): Result<never, ConditionProblem> => fail({ message, next })

const knownHelp = `Known are comparisons, in, &&, ||, !, arithmetic, and ${[...functions, ...methods.map((name) => `.${name}`)].join(', ')}.`

/** Checks an expression against the arguments that it speaks of. */
export function compileCondition(shape: ArgumentShape, text: string): Result<Condition, ConditionProblem> {
  const trimmed = text.trim()
  if (trimmed === '')
    return problem('The condition is empty.', 'Write one, like `total < 500`, or `true` for any input.')
  if (trimmed.length > longestCondition)
    return problem(
      `The condition has ${trimmed.length} characters.`,
      `Write it in at most ${longestCondition}, or give two grants.`,
    )
  let parsed: ParseResult
  const { environment, taken } = environmentFor(shape)
  try {
    parsed = environment.parse(trimmed)
  } catch (error) {
    return unreadable(error)
  }
  const walked: Walk = { problem: undefined, presences: [], loops: false, taken }
  walk(parsed.ast, [], walked)
  if (walked.problem !== undefined) return fail(walked.problem)
  const wrong = checkTypes(environment, parsed, trimmed, walked.presences, shape)
  if (wrong !== undefined) return fail(wrong)
  const largest = walked.loops ? largestLooped : largestInput
  return ok({ text: trimmed, holds: (input) => evaluate(parsed, shape, input, largest) })
}

/** Arguments whose names are no identifiers, or reserved in CEL, are reached through `args`: `args["first-name"]`. */
function environmentFor(shape: ArgumentShape): {
  readonly environment: Environment
  readonly taken: readonly string[]
} {
  const taken: string[] = []
  const environment = new Environment({ homogeneousAggregateLiterals: false, limits })
  for (const { name, fields, make } of shape.messages)
    environment.registerType(name, {
      ctor: make,
      fields: Object.fromEntries([...fields].map(([field, type]) => [field, typeText(type)])),
    })
  for (const [name, type] of shape.root.fields)
    if (!isVariable(name) || environment.hasVariable(name)) taken.push(name)
    else environment.registerVariable(name, typeText(type))
  if (!environment.hasVariable('args')) environment.registerVariable('args', shape.root.name)
  environment
    .registerFunction('sum(list<int>): int', (items: readonly bigint[]) => items.reduce((sum, each) => sum + each, 0n))
    .registerFunction('sum(list<double>): double', (items: readonly number[]) =>
      items.reduce((sum, each) => sum + each, 0),
    )
    .registerFunction('only(dyn, list<string>): bool', hasOnly)
    .registerFunction(`${presence}(dyn): bool`, () => true)
  return { environment, taken }
}

/** Whether an object has no other keys than these, which `has` cannot say of names that are no identifiers. */
const hasOnly = (object: unknown, names: readonly string[]): boolean =>
  object instanceof Map && [...object.keys()].every((key) => names.includes(key as string))

/** The reserved words of CEL (specification, "Syntax"). */
const reserved = new Set(
  'as break const continue else false for function if import in let loop namespace null package return true var void while'.split(
    ' ',
  ),
)
/** Whether a name is an identifier of CEL. */
export const isVariable = (name: string): boolean => /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) && !reserved.has(name)

interface Walk {
  problem: ConditionProblem | undefined
  /** The places of `has`. */
  readonly presences: number[]
  loops: boolean
  /** Arguments whose names mean something else in CEL. */
  readonly taken: readonly string[]
}

/** Checks every node. `bound`: the variables of the loops around it, innermost last. */
function walk(node: ASTNode, bound: readonly string[], found: Walk): void {
  if (found.problem !== undefined) return
  const refuse = (message: string, next: string): void => {
    found.problem = { message, next, at: { start: node.start, end: node.end } }
  }
  switch (node.op) {
    case 'value':
      return
    case 'id':
      if (found.taken.includes(node.args) && !bound.includes(node.args))
        refuse(
          `The word "${node.args}" means something else in a condition.`,
          `Write \`args.${node.args}\` for the argument.`,
        )
      return
    case 'call': {
      const [name, args] = node.args
      if (!functions.includes(name)) return refuse(`The function "${name}" is not part of conditions.`, knownHelp)
      if (name === 'has') found.presences.push(node.start)
      return args.forEach((arg) => walk(arg, bound, found))
    }
    case 'rcall': {
      const [name, receiver, args] = node.args
      if (name === 'matches')
        return refuse(
          'Regular expressions are not part of conditions: one can run for hours.',
          'Use startsWith, endsWith, contains, or `in` with a list.',
        )
      if (!methods.includes(name)) return refuse(`The method "${name}" is not part of conditions.`, knownHelp)
      walk(receiver, bound, found)
      if (!loops.includes(name)) return args.forEach((arg) => walk(arg, bound, found))
      found.loops = true
      const [variable, ...rest] = args
      const innermost = bound.at(-1)
      if (innermost !== undefined && rootOf(receiver) !== innermost)
        return refuse(
          `A loop within a loop may only go over what belongs to "${innermost}".`,
          `Write it like \`orders.all(o, o.lines.all(l, …))\`.`,
        )
      return rest.forEach((arg) => walk(arg, [...bound, variable?.op === 'id' ? variable.args : ''], found))
    }
    case '[]':
      if (node.args[1].op !== 'value')
        refuse('In [] only a literal is allowed: a name in quotes, or a number.', 'Write it like `lines[0]`.')
      return walk(node.args[0], bound, found)
    case '.':
    case '.?':
      return walk(node.args[0], bound, found)
    case '!_':
    case '-_':
      return walk(node.args, bound, found)
    case 'list':
      return node.args.forEach((item) => walk(item, bound, found))
    case 'map':
      return node.args.forEach((entry) => entry.forEach((part) => walk(part, bound, found)))
    default:
      return node.args.forEach((part) => walk(part, bound, found))
  }
}

/** The variable at the beginning of a chain of fields and indexes. */
function rootOf(node: ASTNode): string | undefined {
  if (node.op === 'id') return node.args
  return node.op === '.' || node.op === '[]' ? rootOf(node.args[0]) : undefined
}

/** Replaces `has`, which accepts misspelt fields, while types are checked; of the same length, so that places stay. */
const presence = 'HAS'

function checkTypes(
  environment: Environment,
  parsed: ParseResult,
  text: string,
  presences: readonly number[],
  shape: ArgumentShape,
): ConditionProblem | undefined {
  const named = presences.reduce(
    (changed, at) => `${changed.slice(0, at)}${presence}${changed.slice(at + presence.length)}`,
    text,
  )
  for (const { valid, type, error } of [environment.check(named), parsed.check()]) {
    if (!valid) return typeProblem(error, shape)
    if (type !== 'bool')
      return {
        message: `The condition is of type ${type ?? 'unknown'} and not a boolean.`,
        next: 'Compare it with a value: `total < 500`.',
      }
  }
  return undefined
}

interface Located {
  readonly code?: string
  readonly summary?: string
  readonly range?: { readonly start: number; readonly end: number }
  readonly node?: { readonly op?: string; readonly args?: unknown }
}

function typeProblem(error: unknown, shape: ArgumentShape): ConditionProblem {
  const { code, summary = 'they cannot be determined', range, node } = error as Located
  const at = range === undefined ? {} : { at: { start: range.start, end: range.end } }
  const name = /^(?:Unknown variable|No such key): (.*)$/s.exec(summary)?.[1]
  if (name !== undefined) {
    const variable = code === 'unknown_variable'
    const known = variable
      ? [...shape.root.fields.keys()]
      : [...new Set(shape.messages.flatMap((message) => [...message.fields.keys()]))]
    const near = nearest(name, known)
    const hint =
      near.length > 0 ? `Did you mean ${near.join(' or ')}?` : `Known are ${known.slice(0, 30).join(', ') || 'none'}.`
    return {
      message: variable ? `The tool has no argument "${name}".` : `There is no field "${name}".`,
      next: variable && shape.root.fields.has(name) ? `Write it as \`args[${JSON.stringify(name)}]\`.` : hint,
      ...at,
    }
  }
  const decimal =
    node?.op !== undefined && /double (?:==|!=|in|[-+*/%]) .*int|int (?:==|!=|[-+*/%]) double/.test(summary)
  return {
    message: `The types do not match: ${summary}.`,
    next: decimal
      ? 'This argument is a decimal number: write the other number with a decimal point, like 500.0.'
      : 'Compare texts with texts ("ACME") and numbers with numbers; double(text) converts a text to a number.',
    ...at,
  }
}

function unreadable(error: unknown): Result<never, ConditionProblem> {
  const { summary, range } = error as Located
  return fail({
    message: `The condition cannot be read: ${summary ?? (error instanceof Error ? error.message : 'unknown')}.`,
    next: 'Write it like `customer == "ACME" && total < 500`.',
    ...(range === undefined ? {} : { at: { start: range.start, end: range.end } }),
  })
}

function evaluate(parsed: ParseResult, shape: ArgumentShape, input: unknown, largest: number): boolean {
  try {
    if (typeof input !== 'object' || input === null || Array.isArray(input)) return false
    if (JSON.stringify(input).length > largest) return false
    const given = input as Readonly<Record<string, unknown>>
    const args = messageOf(shape.root, given)
    const context = new Map<string, unknown>(args)
    if (!shape.root.fields.has('args')) context.set('args', args)
    return parsed(context) === true
  } catch {
    // An absent or undeclared argument, a division by zero, a text that is no number.
    return false
  }
}
