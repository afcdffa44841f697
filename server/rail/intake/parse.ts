// Arguments come from a language model through a host that may have touched them. Before anything looks at a value,
// this file makes sure that it is what it seems: plain JSON of bounded size, no number that was rounded on the way, no
// key that JavaScript treats specially, nothing unknown, and a parse that parses to itself again (docs/DESIGN.md, section 2).
import type { z } from 'zod'
import { limitIn } from '../../cards/limit-words.ts'
import { canonicalJson } from '../../canonical-json.ts'
import type { Failure } from '../../errors/failure.ts'
import type { Limit } from '../../errors/limit.ts'
import { glimpse } from '../../errors/glimpse.ts'
import { toPointer, valueAt } from '../../errors/pointer.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { boundedArguments, UnreadArguments } from '../../errors/unread-arguments.ts'
import { unknownArgument, unknownMember, type WrongArgument } from '../../errors/wrong-argument.ts'
import { readCustomIssue } from '../../tools/custom-issue.ts'
import type { Tool } from '../../tools/catalog.ts'
import type { ReservedNames } from '../../tools/names.ts'
import { runsAlone } from '../../tools/define-tool.ts'
import { limitOf } from './issue-limit.ts'
import { quietSentences } from './quiet-sentences.ts'
import { rationaleError, rationaleLimits } from './rationale.ts'
import { withoutUnsetNulls } from './unset-nulls.ts'
import { takeDryRun } from './take-dry-run.ts'
import { parseWith } from '../../tools/schemas/tool-schema.ts'

export interface ParsedArguments {
  /** The contract's input, parsed, with defaults. */
  readonly input: unknown
  /** Canonical JSON (RFC 8785) of `input`. */
  readonly canonical: string
  readonly rationale: string
  /** `default`: the caller did not say; the gate decides what it gets to see. */
  readonly intent: 'preview' | 'default' | 'apply'
  readonly ticket: string | undefined
  /** Asked for as a dry run, with the argument that the contract declares for it. */
  readonly dryRun: boolean
}

/** An error names the place, and the place is made of keys. */
const maxKeyLength = 200

/** What is known of a call beside its arguments. */
export interface KnownOfCall {
  /** A grace period covers a missing one. */
  readonly mayLackRationale?: boolean
  /** The reason of the declared intent, which stands in for a rationale and may be longer than one. */
  readonly reason?: unknown
  /** Takes down what the schema of the tool threw. */
  readonly report?: (thrown: unknown, where: string) => void
}

/** Checks and parses the arguments of a call. */
export function parseArguments(
  tool: Tool,
  args: unknown,
  maxBytes: number,
  known: KnownOfCall = {},
): Result<ParsedArguments, Failure> {
  const invalid = (fields: readonly WrongArgument[]): Result<never, Failure> =>
    fail({ kind: 'invalid-arguments', tool: tool.wireName, fields: quietSentences(tool, args, fields) })
  const plain = plainArguments(args, maxBytes)
  if (!plain.ok) return invalid([plain.failure])

  const { own: given, dryRun, wrong } = takeDryRun(tool, withoutReservedNulls(tool, plain.value))
  const { own: asGiven, reserved } = split(tool, given)
  const reservedErrors = [...checkReserved(tool, reserved, known), ...(wrong === undefined ? [] : [wrong])]
  const { own, parsed } = parseOwn(tool, asGiven)
  if ('thrown' in parsed) known.report?.(parsed.thrown, `${tool.wireName} input`)
  const fields = [...(parsed.success ? [] : fieldErrors(parsed.error, own, tool.parameters)), ...reservedErrors]
  if (fields.length > 0 || !parsed.success) return invalid(fields)
  const dropped = findDropped(own, parsed.data, tool.parameters)
  if (dropped !== undefined) return invalid([dropped])
  const stable = checkStable(tool, parsed.data)
  if (!stable.ok) return stable
  return ok({
    input: parsed.data,
    canonical: stable.value,
    rationale: (reserved.rationale as string | undefined) ?? '',
    // Whatever else it says, a dry run is never applied.
    intent: dryRun ? 'preview' : intentOf(tool, reserved.preview as boolean | undefined, parsed.data),
    ticket: reserved.ticket as string | undefined,
    dryRun,
  })
}

/** The tool's own arguments, parsed; where they are refused for a `null` that means "not given", without it. */
function parseOwn(tool: Tool, own: Record<string, unknown>) {
  const parsed = parseWith(tool.contract.input, 'input', own)
  if (parsed.success) return { own, parsed }
  // What its default does, a tool's own dry run says in its place (`take-dry-run.ts`).
  const given = withoutUnsetNulls(own, parsed.error, tool.inputSchema, tool.dryRun?.parameter)
  return given === undefined ? { own, parsed } : { own: given, parsed: parseWith(tool.contract.input, 'input', given) }
}

/** Our own optional arguments, and a dry run that we have added, are never `null`: it means that they are not given. */
function withoutReservedNulls(
  { reserved: { preview, ticket }, dryRun }: Tool,
  args: Record<string, unknown>,
): Record<string, unknown> {
  const optional = [preview, ticket, ...(dryRun?.added === true ? [dryRun.parameter] : [])]
  return Object.fromEntries(Object.entries(args).filter(([name, value]) => value !== null || !optional.includes(name)))
}

/** Arguments that are what they seem: an object of bounded size, of plain JSON all through. */
export function plainArguments(args: unknown, maxBytes: number): Result<Record<string, unknown>, WrongArgument> {
  const given = boundedArguments(args ?? {})
  if (given instanceof UnreadArguments) return fail(given.why)
  if (typeof given !== 'object' || Array.isArray(given))
    return fail({ pointer: '', received: glimpse(given), allowed: 'an object of named arguments' })
  const size = Buffer.byteLength(JSON.stringify(given))
  if (size > maxBytes)
    return fail({ pointer: '', received: `${size} bytes of JSON`, ...within({ is: 'bytes', most: maxBytes }) })
  const unsafe = findUnsafe(given, [])
  return unsafe === undefined ? ok(given as Record<string, unknown>) : fail(unsafe)
}

function intentOf({ contract }: Tool, preview: boolean | undefined, input: unknown): ParsedArguments['intent'] {
  if (preview !== undefined) return preview ? 'preview' : 'apply'
  return contract.operation === 'read' || runsAlone(contract, input) ? 'apply' : 'default'
}

/** Takes our three parameters out of the call, whatever this tool calls them. */
function split(
  tool: Tool,
  args: Record<string, unknown>,
): { own: Record<string, unknown>; reserved: Record<keyof ReservedNames, unknown> } {
  const { rationale, preview, ticket } = tool.reserved
  const reserved = { rationale: args[rationale], preview: args[preview], ticket: args[ticket] }
  const own = { ...args }
  for (const name of [rationale, preview, ticket]) delete own[name]
  return { own, reserved }
}

function checkReserved(
  tool: Tool,
  reserved: Record<keyof ReservedNames, unknown>,
  { mayLackRationale = false, reason }: KnownOfCall,
): WrongArgument[] {
  const errors: WrongArgument[] = []
  const { rationale, preview, ticket } = reserved
  const mayLeaveOut = (mayLackRationale || tool.contract.rationale === 'optional') && rationale === undefined
  const isReason = rationale !== undefined && rationale === reason
  const longest = isReason ? rationaleLimits.longestReason : rationaleLimits.longest
  const wrong = mayLeaveOut ? undefined : rationaleError(tool.reserved.rationale, rationale, longest)
  if (wrong !== undefined) errors.push(wrong)
  const write = tool.contract.operation !== 'read'
  if (!write && preview !== undefined)
    errors.push({
      pointer: `/${tool.reserved.preview}`,
      received: glimpse(preview),
      allowed: 'nothing: a read tool has no preview',
      remedy: { kind: 'leave-out', why: 'a read tool has no preview' },
    })
  if (!write && ticket !== undefined)
    errors.push({
      pointer: `/${tool.reserved.ticket}`,
      received: glimpse(ticket),
      allowed: 'nothing: a read tool takes no ticket',
      remedy: { kind: 'leave-out', why: 'a read tool takes no ticket' },
    })
  if (write && preview !== undefined && typeof preview !== 'boolean')
    errors.push({ pointer: `/${tool.reserved.preview}`, received: glimpse(preview), allowed: 'true or false' })
  if (write && ticket !== undefined && (typeof ticket !== 'string' || ticket.length > 64))
    errors.push({
      pointer: `/${tool.reserved.ticket}`,
      received: glimpse(ticket),
      allowed: 'the ticket from the Apply message, as text',
    })
  return errors
}

/**
 * What JSON text can hold and a confirmation cannot: rounded integers, lone surrogates, special keys. `path` is where the
 * value stands, and is the same again afterwards, unless something was found there.
 */
function findUnsafe(value: unknown, path: PropertyKey[]): WrongArgument | undefined {
  const at = (received: unknown, allowed: string): WrongArgument => ({ pointer: toPointer(path), received, allowed })
  if (typeof value === 'string')
    return value.isWellFormed() ? undefined : at('text with a lone surrogate', 'well-formed Unicode text')
  // 1e400 is JSON, and no number of ours.
  if (typeof value === 'number' && !Number.isFinite(value))
    return at(String(value), 'a number between -1.8e308 and 1.8e308; send larger ones as text')
  if (typeof value === 'number')
    return Number.isInteger(value) && !Number.isSafeInteger(value)
      ? { ...at(String(value), `${limitIn('en', safeInteger)}; send larger ones as text`), limit: safeInteger }
      : undefined
  if (typeof value !== 'object' || value === null) return undefined
  for (const key of Object.keys(value)) {
    const wrong = Array.isArray(value) ? undefined : unsafeKey(key, path)
    if (wrong !== undefined) return wrong
    path.push(key)
    const found = findUnsafe((value as Readonly<Record<string, unknown>>)[key], path)
    if (found !== undefined) return found
    path.pop()
  }
  return undefined
}

function unsafeKey(key: string, path: readonly PropertyKey[]): WrongArgument | undefined {
  const at = (received: unknown, allowed: string): WrongArgument => ({ pointer: toPointer(path), received, allowed })
  if (key === '__proto__')
    return { ...at('a key named __proto__', 'any other key'), pointer: toPointer([...path, key]) }
  if (!key.isWellFormed()) return at('a key with a lone surrogate', 'well-formed Unicode keys')
  if (key.length > maxKeyLength)
    return at(`a key of ${key.length} characters`, `keys of at most ${maxKeyLength} characters`)
  return undefined
}

function firstOf<T>(items: Iterable<T>, find: (item: T) => WrongArgument | undefined): WrongArgument | undefined {
  for (const item of items) {
    const found = find(item)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * A key that the schema let fall. Zod's plain `z.object` does so silently; a confirmed call may not lose a word.
 * `parameters`: what the tool takes.
 */
function findDropped(
  received: unknown,
  parsed: unknown,
  parameters: readonly string[],
  path: readonly PropertyKey[] = [],
): WrongArgument | undefined {
  if (typeof received !== 'object' || received === null || typeof parsed !== 'object' || parsed === null)
    return undefined
  if (Array.isArray(received)) {
    if (!Array.isArray(parsed) || parsed.length !== received.length) return undefined
    return firstOf(received.entries(), ([index, item]) =>
      findDropped(item, parsed[index], parameters, [...path, index]),
    )
  }
  const kept = parsed as Record<string, unknown>
  return firstOf(Object.entries(received), ([key, item]) => {
    if (!Object.hasOwn(kept, key))
      return { pointer: toPointer([...path, key]), received: glimpse(item), ...unknownAt(path, parameters) }
    return findDropped(item, kept[key], parameters, [...path, key])
  })
}

/** What to say of a key that nothing takes: at the top the tool's arguments are known, below only that it is not there. */
const unknownAt = (path: readonly PropertyKey[], parameters: readonly string[]) =>
  path.length === 0 ? unknownArgument(parameters) : unknownMember(toPointer(path))

/** Parsing the canonical arguments again must change nothing. Answers their canonical JSON. */
function checkStable(tool: Tool, input: unknown): Result<string, Failure> {
  const unstable = (problem: string): Result<never, Failure> =>
    fail({ kind: 'unstable-contract', tool: tool.wireName, pointer: '', problem })
  let canonical: string
  try {
    canonical = canonicalJson(input)
  } catch (error) {
    return unstable(`its parsed input is not JSON: ${(error as Error).message}`)
  }
  const again = parseWith(tool.contract.input, 'input', JSON.parse(canonical))
  if (!again.success) return unstable('its input schema refuses what it has itself parsed')
  try {
    if (canonicalJson(again.data) !== canonical) return unstable('its input schema changes what it has itself parsed')
  } catch {
    return unstable('its parsed input is not JSON')
  }
  return ok(canonical)
}

/** Zod's issues as fields with what was received and what is allowed. */
export function fieldErrors(error: z.core.$ZodError, input: unknown, parameters: readonly string[]): WrongArgument[] {
  return error.issues.flatMap((issue): WrongArgument[] => {
    if (issue.code === 'unrecognized_keys') {
      const known = unknownAt(issue.path, parameters)
      return issue.keys.map((key) => ({
        pointer: toPointer([...issue.path, key]),
        received: glimpse(valueAt(input, [...issue.path, key])),
        ...known,
      }))
    }
    const said = issue.code === 'custom' ? readCustomIssue(issue) : limited(issue)
    return [{ pointer: toPointer(issue.path), received: glimpse(valueAt(input, issue.path)), ...said }]
  })
}

/** What is allowed by an issue of Zod's own. */
function limited(issue: z.core.$ZodIssue): Pick<WrongArgument, 'allowed' | 'limit' | 'remedy'> {
  const limit = limitOf(issue)
  return limit === undefined ? { allowed: issue.message, remedy: { kind: 'as-said' } } : within(limit)
}

const safeInteger: Limit = { is: 'safeInteger' }

/** A limit, and what agents read of it. */
const within = (limit: Limit): Required<Pick<WrongArgument, 'allowed' | 'limit'>> => ({
  allowed: limitIn('en', limit),
  limit,
})
