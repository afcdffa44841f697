// The record must say what happened without becoming the place where secrets leak from. Redaction happens before
// anything is stored, shown or logged: by the contract's marking, by the name of a field, and by the look of a value.

export const redacted = '[redacted]'

/** Field names that hold secrets, compared without case and separators. */
const secretNames =
  /(pass(word|wd|phrase|code)?$|^pwd$|^pin$|secret|token|api_?key|access_?key|private_?key|credential|authorization|^auth$|cookie|session_?id|bearer|signature|^otp$|^totp$|^cvv$|^cvc$|^ssn$|card_?number|^iban$|^pan$|mfa_?code)/i

/** Names that only sound like it: counts and ids of pages, not secrets. */
const harmlessNames = /^(max_?tokens|total_?tokens|token_?count|tokens_?used|(next|prev|previous)_?page_?token)$/i

const patterns: readonly RegExp[] = [
  /-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(-----END [A-Z ]*PRIVATE KEY-----|$)/g,
  /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]*/g,
  /\b(sk|pk|rk)[-_](live|test|proj|ant|or)?[-_]?[A-Za-z0-9_-]{16,}/g,
  /\bgh[pousr]_[A-Za-z0-9]{20,}/g,
  /\bgithub_pat_[A-Za-z0-9_]{20,}/g,
  /\bglpat-[A-Za-z0-9_-]{16,}/g,
  /\bxox[abeoprs]-[A-Za-z0-9-]{10,}/g,
  /\b(AKIA|ASIA)[A-Z0-9]{16}\b/g,
  /\bAIza[A-Za-z0-9_-]{30,}/g,
  /\bya29\.[A-Za-z0-9_-]{20,}/g,
  /\bnpm_[A-Za-z0-9]{30,}/g,
  /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g,
  /\bcs1_[0-9a-z]{26}\b/g,
  /\b(bearer|basic)\s+[A-Za-z0-9+/_.=-]{12,}/gi,
  /([a-z][a-z0-9+.-]*:\/\/[^\s/:@]+:)[^\s/@]+(?=@)/gi,
  /\b(password|passwd|secret|token|api[_-]?key)\s*[:=]\s*[^\s,;'"]{4,}/gi,
]

/** 13 to 19 digits with blanks or dashes between them: a payment card, if its check digit says so. */
const cardLike = /\b\d(?:[ -]?\d){12,18}\b/g

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
  const byPattern = patterns.reduce(
    (held, pattern) =>
      held.replace(pattern, (_, kept: unknown) =>
        typeof kept === 'string' && kept.includes('://') ? `${kept}${redacted}` : redacted,
      ),
    text,
  )
  return byPattern.replace(cardLike, (found) => (isCardNumber(found.replace(/\D/g, '')) ? redacted : found))
}

/**
 * A copy of a JSON value with its secrets hidden. `marked` are the contract's own fields, as JSON Pointers in which `*`
 * stands for any one key or index.
 */
export function redact(value: unknown, marked: readonly string[] = []): unknown {
  return walk(
    value,
    [],
    marked.map((pointer) => pointer.split('/').slice(1)),
  )
}

const covers = (mark: readonly string[], path: readonly string[]): boolean =>
  mark.length === path.length && mark.every((part, i) => part === '*' || part === path[i])

function walk(value: unknown, path: readonly string[], marked: readonly (readonly string[])[]): unknown {
  if (value === null || value === undefined) return value
  if (path.length > 0 && marked.some((mark) => covers(mark, path))) return redacted
  const name = path.at(-1)
  if (name !== undefined && typeof value !== 'boolean' && secretNames.test(name) && !harmlessNames.test(name))
    return redacted
  if (typeof value === 'string') return redactText(value)
  if (typeof value === 'number') return redactText(String(value)) === String(value) ? value : redacted
  if (typeof value !== 'object') return value
  if (Array.isArray(value)) return value.map((item, i) => walk(item, [...path, String(i)], marked))
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      redactText(key),
      walk(item, [...path, key.replaceAll('-', '_')], marked),
    ]),
  )
}
