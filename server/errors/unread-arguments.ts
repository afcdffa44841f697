// A model sends more than anybody can look at. To check it, hide its secrets and write it down would keep all other
// callers waiting, so of such arguments only the beginning is read, and nothing can take that for the arguments: it is a
// value of its own kind, which every check of arguments refuses with the place and the limit.
import { cutJson, type JsonLimits } from './cut-json.ts'
import type { FieldError } from './guidance.ts'
import { toPointer } from './pointer.ts'

/** How much the arguments of one call may hold, within the object that they are. Measured: docs/adr/0032. */
export const argumentLimits: JsonLimits = { values: 10_000, levels: 64 }

/** Arguments that hold more than is read, in the place of the arguments. */
export class UnreadArguments {
  readonly why: FieldError
  /** Their beginning, for the record. */
  readonly begins: unknown

  constructor(why: FieldError, begins: unknown) {
    this.why = why
    this.begins = begins
  }
}

/** Of a key in a pointer. */
const longestKey = 200

/** Values of the beginning that are kept for the record. */
const mostKept = 20

/**
 * Of their text: the object around them is a value, too. Deeper by a little, so that what goes past the limit itself is
 * still there to be pointed at.
 */
const parsed: JsonLimits = { values: argumentLimits.values + 1, levels: argumentLimits.levels + 6 }

/**
 * Parses the JSON text of arguments as far as it is within the limits.
 * @throws {SyntaxError} where what is read of it is no JSON.
 */
export function parseArguments(text: string): unknown {
  const cut = cutJson(text, parsed)
  if (cut === undefined) return JSON.parse(text)
  const begins = JSON.parse(cutJson(cut.text, { values: mostKept, levels: 4 })?.text ?? cut.text) as unknown
  const wrong = cut.over === 'values' ? tooMany : placeBeyond(JSON.parse(cut.text))
  return new UnreadArguments(notAnObject(begins) ?? wrong ?? tooMany, begins)
}

/** The same for arguments that somebody else has parsed: they themselves where they are within the limits. */
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

/** Arguments are an object; what is none is wrong for that before it is for its size. */
const notAnObject = (args: unknown): FieldError | undefined =>
  typeof args === 'object' && args !== null && !Array.isArray(args)
    ? undefined
    : {
        pointer: '',
        received: Array.isArray(args) ? 'a long list' : 'no object',
        allowed: 'an object of named arguments',
      }

/** The first place that goes past a limit; nothing is looked at after it. */
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
