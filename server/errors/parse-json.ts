// A megabyte of JSON text can hold half a million values, and parsing, checking and recording them takes long enough to
// keep everybody else waiting. So the values are counted in the text before anything is made of it.
import { fail, ok, type Result } from './result.ts'

/** Values that one text from outside may hold: no person reads as many on a card. */
export const mostJsonValues = 20_000

const quote = 0x22
const backslash = 0x5c
/** `,`, `[` and `{`: each value but the first stands behind one of them. */
const opening: ReadonlySet<number> = new Set([0x2c, 0x5b, 0x7b])

/** Whether a JSON text may hold more values than `most`, in one pass over its characters. */
export function holdsMoreValues(text: string, most: number): boolean {
  let values = 1
  let quoted = false
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at)
    if (quoted && unit === backslash) at++
    else if (unit === quote) quoted = !quoted
    else if (!quoted && opening.has(unit) && ++values > most) return true
  }
  return false
}

/** Parses JSON from outside (RFC 8259), or says what keeps it from being looked at. */
export function parseJson(text: string): Result<unknown, 'not-json' | 'too-many-values'> {
  if (holdsMoreValues(text, mostJsonValues)) return fail('too-many-values')
  try {
    return ok(JSON.parse(text) as unknown)
  } catch {
    return fail('not-json')
  }
}
