// What only the contract knows to be a secret has no look of its own: a PIN is a number like any other. So the values of the
// arguments that it marks are sought in whatever a tool writes, in each form in which they get into a line.
import { fromPointer } from '../../errors/pointer.ts'
import { redacted } from '../../policy/redact.ts'
import type { ParsedCall } from '../call-context.ts'

/** Shorter values stand in other words by chance; they are hidden where they are the whole of what is said. */
const shortestPart = 4

/** Hides the marked values of a call. */
export interface Hider {
  /** Whether this is a marked value as a whole. */
  readonly isMarked: (text: string) => boolean
  /** The text without them. */
  readonly hide: (text: string) => string
}

export const hidesNothing: Hider = { isMarked: () => false, hide: (text) => text }

/** Hides what stands in the arguments that the contract marks, as they were sent and as the tool got them. */
export function hiderOf({ tool, canonical, input }: ParsedCall): Hider {
  const pointers = tool.contract.secrets?.arguments ?? []
  if (pointers.length === 0) return hidesNothing
  const given = [JSON.parse(canonical) as unknown, input]
  const values = new Set(
    pointers.flatMap((pointer) => given.flatMap((args) => valuesAt(args, fromPointer(pointer)).flatMap(leaves))),
  )
  const forms = new Set([...values].filter(({ length }) => length >= shortestPart).flatMap(formsOf))
  const long = [...forms].toSorted((a, b) => b.length - a.length).map(literally)
  const parts = [...long, ...[...values].filter(({ length }) => length < shortestPart).map(wholeInJson)]
  // All at once: what was hidden of one is not searched for another.
  const anyOf = parts.length === 0 ? undefined : new RegExp(parts.join('|'), 'g')
  const isMarked = (text: string): boolean => values.has(text)
  return {
    isMarked,
    hide: (text) => (isMarked(text) ? redacted : anyOf === undefined ? text : text.replace(anyOf, redacted)),
  }
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** A short value where it is the whole of a text, or of a member, of JSON that a tool has written itself. */
const wholeInJson = (value: string): string => {
  const text = literally(escaped(value))
  return `(?<=")${text}(?=\\\\*")|(?<="\\s?:\\s?)${text}(?=\\s*[,}])`
}

/** A value as it may stand in a line: as it is, in JSON, in JSON inside of JSON, and in an address or a form. */
function formsOf(value: string): readonly string[] {
  const once = escaped(value)
  const encoded = [encodeURIComponent, encodeURI, inForm, inAddress].map((encode) => attempt(encode, value))
  const lower = encoded.map((text) => text.replace(/%[\dA-F]{2}/g, (each) => each.toLowerCase()))
  return [value, once, escaped(once), ...encoded, ...lower]
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

const inForm = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2)

const inAddress = (text: string): string => new URL(`https://x/?${text}`).search.slice(1)

/** Half a surrogate pair cannot be encoded. */
function attempt(encode: (text: string) => string, text: string): string {
  try {
    return encode(text)
  } catch {
    return text
  }
}

/** What stands at a path in which `*` is any key or index. */
function valuesAt(value: unknown, [key, ...rest]: readonly string[]): readonly unknown[] {
  if (key === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  const inside =
    key === '*' ? Object.values(value) : Object.hasOwn(value, key) ? [Reflect.get(value, key) as unknown] : []
  return inside.flatMap((each) => valuesAt(each, rest))
}

function leaves(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves)
  const text = ['string', 'number', 'bigint', 'boolean'].includes(typeof value) ? String(value) : ''
  return text === '' ? [] : [text]
}
