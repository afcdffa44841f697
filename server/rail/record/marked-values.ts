// What only the contract knows to be a secret has no look of its own: a PIN is a number like any other. So the values of the
// arguments that it marks are sought in whatever is written down of a call, in each form in which they get into a text.
import { fromPointer, valuesAt } from '../../errors/pointer.ts'
import { boundedArguments } from '../../errors/unread-arguments.ts'
import { redacted } from '../../policy/redact.ts'
import type { CallContext, ParsedCall, ToolCall } from '../call-context.ts'

/** Shorter values stand in other words by chance; they are hidden where they are the whole of what is said. */
const shortestPart = 4
/** So many short values are sought by one pattern: V8 refuses those that are too large. */
const mostInPattern = 200

/** Hides the marked values of a call. */
export interface Hider {
  /** Whether this is a marked value as a whole. */
  readonly isMarked: (text: string) => boolean
  /** The text without them. */
  readonly hide: (text: string) => string
}

export const hidesNothing: Hider = { isMarked: () => false, hide: (text) => text }

/** Notes what stands in the arguments that the contract marks, as they were sent and as the tool gets them. */
export function noteMarked(call: ParsedCall): void {
  if (marksOf(call).length > 0) note(call, [JSON.parse(call.canonical), call.input])
}

/** Notes what stands there in arguments that nobody has checked, whatever they are. Those past a limit come to no schema. */
export function noteGiven(call: ToolCall, args: unknown): void {
  if (marksOf(call).length > 0) note(call, [boundedArguments(args)])
}

const marksOf = ({ tool }: ToolCall): readonly string[] => tool.contract.secrets?.arguments ?? []

function note(call: ToolCall, given: readonly unknown[]): void {
  for (const path of marksOf(call).map(fromPointer))
    for (const leaf of given.flatMap((args) => valuesAt(args, path)).flatMap(leaves)) call.noticed.marked.add(leaf)
}

/** By the values that they hide, and how many of them there were. */
const made = new WeakMap<ReadonlySet<string>, { readonly of: number; readonly hider: Hider }>()

/** Hides the marked arguments of a call in what is written down of it; of a bundle those of all its steps. */
export function hiderOf({ noticed: { marked } }: Pick<CallContext, 'noticed'>): Hider {
  if (marked.size === 0) return hidesNothing
  const known = made.get(marked)
  if (known?.of === marked.size) return known.hider
  const hider = hiding(new Set(marked))
  made.set(marked, { of: marked.size, hider })
  return hider
}

function hiding(values: ReadonlySet<string>): Hider {
  const long = [...values].filter(({ length }) => length >= shortestPart).map(soughtAs)
  const patterns = wholeInJson([...values].filter(({ length }) => length < shortestPart))
  const isMarked = (text: string): boolean => values.has(text)
  return {
    isMarked,
    hide(text) {
      if (isMarked(text)) return redacted
      const forms = long.flatMap((formsIn) => formsIn(text))
      // The longest first: another may stand within it. What is hidden of one is not searched for another.
      const parts = [...forms.toSorted((a, b) => b.length - a.length), ...patterns]
      return parts.reduce<string[]>((left, part) => left.flatMap((each) => each.split(part)), [text]).join(redacted)
    },
  }
}

/** In which forms a value stands in a text. Those of a long one take time to make, and most lines are shorter than any of them. */
function soughtAs(value: string): (text: string) => readonly string[] {
  // An address leaves out some that are not seen.
  const least = value.replace(/[\0- ]/g, '').length
  let forms: readonly string[] | undefined
  return (text) => (text.length < least ? [] : (forms ??= formsOf(value)).filter((form) => text.includes(form)))
}

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')

/** Short values where they are the whole of a text, or of a member, of JSON that a tool has written itself. */
function wholeInJson(values: readonly string[]): readonly RegExp[] {
  const texts = values.map((value) => literally(escaped(value)))
  return Array.from({ length: Math.ceil(texts.length / mostInPattern) }, (_, at) => {
    const any = texts.slice(at * mostInPattern, (at + 1) * mostInPattern).join('|')
    return new RegExp(`(?<=")(?:${any})(?=\\\\*")|(?<="\\s?:\\s?)(?:${any})(?=\\s*[,}])`)
  })
}

/** A value as it may stand in a line: as it is, in JSON, in JSON inside of JSON, and in an address or a form. */
function formsOf(value: string): readonly string[] {
  const once = escaped(value)
  const encoded = [encodeURIComponent, encodeURI, inForm, inAddress].map((encode) => attempt(encode, value))
  const lower = encoded.map((text) => text.replace(/(?:%[\dA-F]{2})+/g, (each) => each.toLowerCase()))
  const forms = new Set([value, once, escaped(once), ...encoded, ...lower])
  return [...forms].filter(({ length }) => length >= shortestPart)
}

const escaped = (text: string): string => JSON.stringify(text).slice(1, -1)

const inForm = (text: string): string => new URLSearchParams({ _: text }).toString().slice(2)

const inAddress = (text: string): string => new URL(`https://x/?${text}`).href.slice('https://x/?'.length)

/** Half a surrogate pair cannot be encoded. */
function attempt(encode: (text: string) => string, text: string): string {
  try {
    return encode(text)
  } catch {
    return text
  }
}

/** Whether something is switched on, or how often it was 0, is no secret, and would hide every other such word. */
function leaves(value: unknown): readonly string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(leaves)
  if (value === 0 || value === 0n || value === '') return []
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? [String(value)] : []
}
