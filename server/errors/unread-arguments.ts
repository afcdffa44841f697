// Arguments beyond a limit of size, which are not read: validating, redacting and storing them would keep all other callers
// waiting. Only their beginning is kept, for the activity log, in an object of a class of its own, which every check of
// arguments refuses with the place and the limit.
import { cutJson, type JsonLimits } from './cut-json.ts'
import type { FieldError } from './guidance.ts'
import { toPointer } from './pointer.ts'

/** How much the arguments object of one call may hold. Measured: docs/adr/0032. */
export const argumentLimits: JsonLimits = { values: 10_000, levels: 64 }

/** Stands in for arguments that are past a limit. */
export class UnreadArguments {
  readonly why: FieldError
  /** Their beginning, for the activity log. */
  readonly begins: unknown

  constructor(why: FieldError, begins: unknown) {
    this.why = why
    this.begins = begins
  }
}

/** Of one key in a pointer, in characters. */
const longestKey = 200

/** Values of the beginning that are kept for the activity log. */
const mostKept = 20

/**
 * Limits of the text. One value more, because the object itself is counted; a few levels more, so that the place past the
 * limit is still there to be named.
 */
const parsed: JsonLimits = { values: argumentLimits.values + 1, levels: argumentLimits.levels + 6 }

/**
 * Parses the JSON text of arguments; `UnreadArguments` where it is past a limit.
 * @throws {SyntaxError} where the part that is read is not JSON.
 */
export function parseArguments(text: string): unknown {
  const cut = cutJson(text, parsed)
  if (cut === undefined) return JSON.parse(text)
  const begins = JSON.parse(cutJson(cut.text, { values: mostKept, levels: 4 })?.text ?? cut.text) as unknown
  const wrong = cut.over === 'values' ? tooMany : placeBeyond(JSON.parse(cut.text))
  return new UnreadArguments(notAnObject(begins) ?? wrong ?? tooMany, begins)
}

/** The same for arguments that are parsed already, as by the SDK. */
export function boundedArguments(args: unknown): unknown {
  if (args instanceof UnreadArguments) return args
  const wrong = placeBeyond(args)
  return wrong === undefined ? args : new UnreadArguments(notAnObject(args) ?? wrong, shallow(args))
}

const tooMany: FieldError = {
  pointer: '',
  received: `more than ${argumentLimits.values} values`,
  allowed: `at most ${argumentLimits.values} values in all; send fewer at once, or name things by id instead of by value`,
}

/** Refuses arguments that are no object, which is said before anything about their size. */
const notAnObject = (args: unknown): FieldError | undefined =>
  typeof args === 'object' && args !== null && !Array.isArray(args)
    ? undefined
    : {
        pointer: '',
        received: Array.isArray(args) ? 'a long list' : 'no object',
        allowed: 'an object of named arguments',
      }

/** The first place that is past a limit. */
function placeBeyond(args: unknown): FieldError | undefined {
  const path: PropertyKey[] = []
  let values = 0
  const beyond = (value: unknown): FieldError | undefined => {
    if (++values > parsed.values) return tooMany
    if (path.length > argumentLimits.levels)
      return {
        pointer: toPointer(path.map((key) => String(key).slice(0, longestKey))),
        received: 'a deeper nest',
        allowed: `at most ${argumentLimits.levels} levels of objects and lists`,
      }
    if (typeof value !== 'object' || value === null) return undefined
    if (Array.isArray(value)) {
      for (let at = 0; at < value.length; at++) {
        const found = below(at, value[at])
        if (found !== undefined) return found
      }
      return undefined
    }
    for (const key in value) {
      const found = below(key, (value as Readonly<Record<string, unknown>>)[key])
      if (found !== undefined) return found
    }
    return undefined
  }
  const below = (key: PropertyKey, value: unknown): FieldError | undefined => {
    path.push(key)
    const found = beyond(value)
    path.pop()
    return found
  }
  return beyond(args)
}

const shallow = (args: unknown): unknown => {
  const kept: Record<string, unknown> = {}
  let left = mostKept
  for (const key in args as object) {
    if (left-- === 0) break
    const value = (args as Readonly<Record<string, unknown>>)[key]
    kept[key] = typeof value === 'object' && value !== null ? (Array.isArray(value) ? [] : {}) : value
  }
  return kept
}
