// The record must say what happened without becoming the place where secrets leak from. Redaction happens before
// anything is stored, shown or logged: by the contract's marking, by the name of a field, and by the look of a value.
import { assignment, fragments, isSecretName, looks } from './secrets.ts'

export const redacted = '[redacted]'
/** Its beginning: a value may be read up to its bracket only. */
const mark = '[redacted'

/** Deeper than any argument that a person could confirm. */
const deepest = 100
const tooDeep = '[too deep to record]'

/** 13 to 19 digits with blanks or dashes between them: a payment card, if its check digit says so. */
const cardLike = /(?<![\d.])\d(?:[ -]?\d){12,18}(?!\d)/g

/** Luhn's check (ISO/IEC 7812-1, annex B). */
function isCardNumber(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** Hides secrets inside a text by how they look. */
export function redactText(text: string): string {
  // Nothing that we look for is shorter.
  if (text.length < 8) return text
  let held = redactDocument(text)
  for (const { pattern, keep } of looks)
    held = held.replace(pattern, (...groups: unknown[]) => `${keep === undefined ? '' : groups[keep]}${redacted}`)
  for (const fragment of fragments)
    held = held.replace(
      fragment,
      (found: string, before: string, escapes: string, name: string, between: string, value: string) =>
        !isSecretName(name) || value.includes(mark)
          ? found
          : `${before}${name}${between}${escapes}"${redacted}${escapes}"`,
    )
  held = held.replace(assignment, (found: string, quote: string, name: string, between: string, value: string) => {
    if (!isSecretName(name) || value.includes(mark)) return found
    const around = /^["'`]/.exec(value)?.[0] ?? ''
    return `${quote}${name}${quote}${between}${around}${redacted}${around}`
  })
  return held.replace(cardLike, (found) => (isCardNumber(found.replace(/\D/g, '')) ? redacted : found))
}

/** Many tools answer JSON as text. Where it is whole it is treated as what it is; its spelling stays if nothing is hidden. */
function redactDocument(text: string): string {
  const start = text.search(/[[{]/)
  const end = Math.max(text.lastIndexOf('}'), text.lastIndexOf(']')) + 1
  if (start < 0 || end <= start) return text
  try {
    const parsed: unknown = JSON.parse(text.slice(start, end))
    const hidden = JSON.stringify(redact(parsed))
    return hidden === JSON.stringify(parsed) ? text : text.slice(0, start) + hidden + text.slice(end)
  } catch {
    return text
  }
}

/**
 * A copy of a JSON value with its secrets hidden. `marked` are the contract's own fields, as JSON Pointers in which `*`
 * stands for any one key or index.
 */
export function redact(value: unknown, marked: readonly string[] = []): unknown {
  return walk(
    value,
    [],
    marked.map((pointer) => pointer.split('/').slice(1).map(unescaped)),
  )
}

/** RFC 6901, section 4. */
const unescaped = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~')

const covers = (mark: readonly string[], path: readonly string[]): boolean =>
  mark.length === path.length && mark.every((part, i) => part === '*' || part === path[i])

function walk(value: unknown, path: readonly string[], marked: readonly (readonly string[])[]): unknown {
  if (value === null || value === undefined) return value
  if (path.length > 0 && marked.some((mark) => covers(mark, path))) return redacted
  const name = path.at(-1)
  if (name !== undefined && typeof value !== 'boolean' && isSecretName(name)) return redacted
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'number') return redactText(String(value)) === String(value) ? value : redacted
  if (typeof value !== 'object') return value
  if (path.length >= deepest) return tooDeep
  if (Array.isArray(value)) {
    // ["Authorization", "…"], as headers often come.
    const pair = value.length === 2 && typeof value[0] === 'string' && isSecretName(value[0])
    return value.map((item, i) => (pair && i === 1 ? redacted : walk(item, [...path, String(i)], marked)))
  }
  const named = isNamedSecret(value as Readonly<Record<string, unknown>>)
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      redactText(key),
      named && isValueKey(key) ? redacted : walk(item, [...path, key], marked),
    ]),
  )
}

/** `{ "name": "Authorization", "value": "…" }`: the field's name is itself a value. */
const isNamedSecret = (entry: Readonly<Record<string, unknown>>): boolean =>
  ['name', 'key', 'header', 'field'].some((key) => typeof entry[key] === 'string' && isSecretName(entry[key]))

const isValueKey = (key: string): boolean => /^(value|values|content|data)$/i.test(key)
