// The arguments of an upstream tool travel as JSON text, because many models cannot fill a free-form object. What is no
// JSON object is refused here, with the place of the mistake, and never reaches the upstream.
import { fail, ok, type Result } from '../../errors/result.ts'
import { boundedArguments, parseArguments, UnreadArguments } from '../../errors/unread-arguments.ts'
import { parseJsonText } from '../upstream/settings/json-text.ts'

/** In characters. Arguments are at most 1 MB as JSON; as they are written, escapes may make twice as much of them. */
const longestText = 2 * 1024 * 1024

interface ArgumentsFailure {
  readonly message: string
  readonly guidance: string
  readonly received: unknown
}

/** Reads `args_json`: absent means no arguments; an object that came as an object is taken as one. */
export function readArguments(given: unknown): Result<Readonly<Record<string, unknown>>, ArgumentsFailure> {
  if (given === undefined || given === null || given === '') return ok({})
  const guidance = 'Send args_json as the text of one JSON object, like {"path": "notes.txt"}.'
  if (typeof given === 'string' && given.length > longestText)
    return fail({
      message: `args_json has ${given.length} characters; at most ${longestText} are read`,
      guidance: 'Send less at once: name things by id instead of by value.',
      received: given.slice(0, 200),
    })
  const parsed = typeof given === 'string' ? parseJsonText(given, parseArguments) : ok(boundedArguments(given))
  const received = typeof given === 'string' ? given.slice(0, 200) : given
  if (!parsed.ok) return fail({ message: `args_json is not JSON: ${parsed.failure}`, guidance, received })
  const { value } = parsed
  if (value instanceof UnreadArguments) {
    const { pointer, received: found, allowed } = value.why
    const place = pointer === '' ? '' : ` at ${pointer}`
    return fail({ message: `args_json holds ${String(found)}${place}`, guidance: `Send ${allowed}.`, received: found })
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return fail({ message: `args_json is ${nameOf(value)}, not a JSON object`, guidance, received })
  return ok(value as Record<string, unknown>)
}

const nameOf = (value: unknown): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : `a ${typeof value}`
