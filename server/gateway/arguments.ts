// The arguments of an upstream tool travel as JSON text, because many models cannot fill a free-form object. What is no
// JSON object is refused here, with the place of the mistake, and never reaches the upstream.
import { fail, ok, type Result } from '../errors/result.ts'
import { parseJsonText } from './json-text.ts'

export interface ArgumentsFailure {
  readonly message: string
  readonly guidance: string
  readonly received: unknown
}

/** Reads `args_json`: absent means no arguments; an object that came as an object is taken as one. */
export function readArguments(given: unknown): Result<Readonly<Record<string, unknown>>, ArgumentsFailure> {
  if (given === undefined || given === null || given === '') return ok({})
  const parsed = typeof given === 'string' ? parseJsonText(given) : ok(given)
  const received = typeof given === 'string' ? given.slice(0, 200) : given
  const guidance = 'Send args_json as the text of one JSON object, like {"path": "notes.txt"}.'
  if (!parsed.ok) return fail({ message: `args_json is not JSON: ${parsed.failure}`, guidance, received })
  const { value } = parsed
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail({ message: `args_json is ${nameOf(value)}, not a JSON object`, guidance, received })
  return ok(value as Record<string, unknown>)
}

const nameOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
