// Secrets that are known by the word before them: `password: …`, `"api_key":"…"`, `--token …`, `the PIN is …`. The words
// are found first, and what stands around each is looked at with patterns of bounded length from there on, so that a
// text costs one pass whatever it says.
import { holdsCookie, isSecretName, mayBeSecretName, looksMade } from './secret-names.ts'
import { after, isValue, valueAt, type Looked, type Span } from './secret-values.ts'

/** What every name of a secret has in it. */
const stems =
  /pass|pwd|pw(?![a-z])|pin(?![a-z])|secret|token|key|auth|cred|cookie|sign|session|bearer|card|code|connection[ _-]?string|phrase|mnemonic|community(?:[ _-]string)?|otp|cv[vc]|ssn|iban|jwt|dsn|data(?![a-z])|contrase|kennwort|senha|parola|wachtw|has[lł]o|парол|l[oö]senord|adgangs|kodeord|lykilorð|mật[ _-]?khẩu|kata[ _-]?sandi|lozinka|geslo|slaptažodis|parool|wagwoord|पासवर्ड|κωδικός|salasana|heslo|jelsz|şifre|パスワード|暗証|密[码碼]|口令|비밀번호|암호|كلمة|סיסמה|รหัสผ่าน/giu

const longestName = 80
const inName = /[\p{L}\p{M}\p{N}_.-]/u

// An escaped quote reads as blanks and a quote.
const assigned = /[ \t]{0,20}["'`\])]{0,2}[ \t]{0,60}(?::=|=>|[:：＝](?![:=])|=(?![=>~]))[ \t]{0,60}/y
const closingQuote = /[ \t]{0,20}["']/y
const optionValue = /(?:[ \t]{0,20}["'][ \t]{0,8},[ \t]{0,20}(?=["'])|[ \t]{1,20})(?!-)/y
const pairValue = /[ \t]{0,20}["'][ \t]{0,8},[ \t]{0,20}(?=["'])/y
const told = /[ \t]{1,3}(?:is|ist|es|est|è|é|was|to)\b:?[ \t]{1,3}(?=\S{0,60}\d)/y
/** "lautet" is said of the value only. */
const toldForSure = /[ \t]{1,3}lautet:?[ \t]{1,3}/y
const toldOf =
  /[ \t](?:for|of|to|from|für|von|zum|zur|de|del|du|da|para|pour)(?:[ \t][\p{L}\d.@-]{1,30}){1,4}?[ \t](?:is|ist|es|est|è|é|was)[ \t]{1,3}/uy
const sql = /[ \t]{0,3}(?:=[ \t]{0,3})?N?\(?(?=['"])/y
const besides = /[ \t]{1,3}(?=["']\S|\S{0,40}\d)/y
const element = /[^<>]{0,200}>(?:<!\[CDATA\[)?/y
const text = /[^<\]]+/y
const valueBeside =
  /[ \t]{0,20}["'][ \t]{0,8}[,\n]?\s{0,20}(?:-\s{1,4})?["']?(?:values?|content|data)[ \t]{0,20}["']?[ \t]{0,8}[:=][ \t]{0,20}/iy
const valueBelow = /[ \t]{0,8}\n[ \t]{0,20}values?:[ \t]{1,8}/iy
const nameBefore = /(?:name|key|header|field|property)[ \t]{0,20}["']?[ \t]{0,4}[:=][ \t]{0,20}["']?$/i
/** `<property name="db.` */
const elementOfName =
  /<(?:property|prop|entry|param|parameter|setting|env|variable|option|field|item|data)\b[^<>]{0,60}?(?:name|key|id)=["']$/i
const elementEnd = /["'][^<>]{0,100}>(?:<!\[CDATA\[)?/y
const blockDefault = /["'][ \t]{0,4}\{[^{}]{0,200}?\bdefault[ \t]{0,20}=[ \t]{0,8}/y

/** Everything that stands behind the name of a secret. */
export function namedSecrets(looked: Looked): readonly Span[] {
  const { shown } = looked
  const found: Span[] = []
  stems.lastIndex = 0
  for (let hit = stems.exec(shown); hit !== null; hit = stems.exec(shown)) {
    const [start, end] = nameAround(shown, hit.index, hit.index + hit[0].length)
    const span = secretAfter(looked, start, end)
    if (span !== undefined) found.push(span)
    stems.lastIndex = Math.max(end, span?.end ?? 0)
  }
  return found
}

/** The whole name, of which a stem was found. */
function nameAround(shown: string, from: number, to: number): readonly [number, number] {
  let [start, end] = [from, to]
  while (start > 0 && from - start < longestName && inName.test(shown[start - 1] ?? '')) start--
  while (end < shown.length && end - to < longestName && inName.test(shown[end] ?? '')) end++
  while (end > to && /[.-]/.test(shown[end - 1] ?? '')) end--
  return [start, end]
}

/** A name of several words: "mot de passe", "verification code". */
function wordsBefore(shown: string, start: number, name: string): string {
  const before = /(?:[\p{L}-]{2,20} ){1,2}$/u.exec(shown.slice(Math.max(0, start - 42), start))?.[0] ?? ''
  return `${before}${name}`
}

function secretAfter(looked: Looked, start: number, end: number): Span | undefined {
  const { shown } = looked
  const name = shown.slice(start, end)
  const sure =
    isSecretName(name) ||
    (/^(?:codes?|keys?|number|string|phrase|passe)$/i.test(name) && isSecretName(wordsBefore(shown, start, name)))
  if (!sure && !mayBeSecretName(name)) return undefined
  if (/^pass$/i.test(name) && otherPass.test(shown.slice(Math.max(0, start - 12), start))) return undefined
  const accept = (span: Span | undefined, holds: (value: string) => boolean = () => true): Span | undefined => {
    if (span === undefined) return undefined
    const value = shown.slice(span.start, span.end)
    return isValue(value) &&
      !isCount(name, value) &&
      !isFolder(name, value) &&
      holds(value) &&
      (sure || looksMade(value))
      ? span
      : undefined
  }
  const past = (pattern: RegExp): number | undefined => {
    const at = after(pattern, shown, end)
    return at > end ? at : undefined
  }

  const isQuoted = after(closingQuote, shown, end) > end
  const at = past(assigned)
  if (at !== undefined) {
    if (/[[{]/.test(shown[at] ?? '')) return isQuoted && sure ? bracket(shown, at) : undefined
    if (!isQuoted && /cookie/i.test(name)) return accept(valueAt(looked, at, true), holdsCookie)
    if (!isQuoted && /authorization/i.test(name))
      return accept(valueAt(looked, at, true), (value) => /\d|\S{20}/.test(value.slice(0, 80)))
    if (/string$/i.test(name)) return accept(valueAt(looked, at, true))
    return accept(valueAt(looked, at))
  }
  const beside = past(valueBeside) ?? past(valueBelow)
  if (beside !== undefined && nameBefore.test(shown.slice(Math.max(0, start - 64), start)))
    return accept(valueAt(looked, beside))
  if (!sure) return undefined
  const inBlock = past(blockDefault)
  if (inBlock !== undefined) return accept(valueAt(looked, inBlock))
  if (/^--?[a-z]/i.test(name)) {
    const value = past(optionValue)
    return value === undefined ? undefined : accept(valueAt(looked, value))
  }
  if (/\[[ \t]{0,20}["']$/.test(shown.slice(Math.max(0, start - 24), start))) {
    const value = past(pairValue)
    if (value !== undefined) return accept(valueAt(looked, value))
  }
  if (/<(?:[\w-]{1,30}:)?$/.test(shown.slice(Math.max(0, start - 32), start)) || name.includes(':')) {
    const inside = past(element)
    if (inside === undefined || shown[inside - 2] === '/') return undefined
    const close = after(text, shown, inside)
    return accept(close > inside ? { start: inside, end: close } : undefined)
  }
  const inElement = elementOfName.test(shown.slice(Math.max(0, start - 96), start)) ? past(elementEnd) : undefined
  if (inElement !== undefined) {
    const close = after(text, shown, inElement)
    return accept(close > inElement ? { start: inElement, end: close } : undefined, (value) => !isSecretName(value))
  }
  const surely = past(toldForSure)
  if (surely !== undefined) return accept(valueAt(looked, surely))
  const ofSomething = past(toldOf)
  if (ofSomething !== undefined) return accept(valueAt(looked, ofSomething), looksTyped)
  const said = past(told)
  if (said !== undefined) return accept(valueAt(looked, said), (value) => /\d/.test(value))
  const inSql = past(sql)
  if (inSql !== undefined) return accept(valueAt(looked, inSql))
  const next = past(besides)
  if (next === undefined || !/^(?:pass(?:word|wd|phrase|code)|otp|pin|codes?|(?:community )?string)$/i.test(name))
    return undefined
  return accept(
    valueAt(looked, next),
    (value) =>
      /^["']/.test(shown.slice(next)) || (/^\d{4,8}$/.test(value) ? /code|otp|pin/i.test(name) : looksTyped(value)),
  )
}

/** "tokens: 4096", "passwords: 3 changed", "Pass: 12". */
const isCount = (name: string, value: string): boolean =>
  /^pass$/i.test(name)
    ? /^\d{1,3}$/.test(value)
    : /^[\d.,]+$/.test(value) && /s$|token/i.test(name) && !/pass$/i.test(name)

/** What somebody shows at a door, or goes over or through. */
const otherPass = /(?:boarding|mountain|bus|rail|ski|day|season|press|first|second|single|render|compiler) $/i

/** A shell's own variable. */
const isFolder = (name: string, value: string): boolean => /^(?:old)?pwd$/i.test(name) && value.startsWith('/')

/** Letters and figures mixed, as in a password that stands after its word. */
const looksTyped = (value: string): boolean => value.length >= 6 && /\d/.test(value) && /[A-Za-z]/.test(value)

/** A list or an object of secrets, up to where it closes. */
function bracket(shown: string, at: number): Span | undefined {
  const close = shown.slice(at, at + 4000).search(/[\]}]/)
  const end = close < 0 ? Math.min(shown.length, at + 4000) : at + close + 1
  return /["'\d]/.test(shown.slice(at, end)) && !shown.slice(at, end).includes('[redacted')
    ? { start: at, end }
    : undefined
}
