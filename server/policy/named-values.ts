// Whether what follows the name of a secret is its value: prose may say something else about a password, code may pass it on,
// and a number may count it.
import { isPasswordWord, isSecretName, looksMade } from './secret-names.ts'
import { isValue, looksTyped } from './secret-shapes.ts'
import { after, spanTo, type Span } from './secret-values.ts'

/** Whether a value follows its name without a sign between them: `password x`, `requirepass x`, `set … x`. */
export function isBeside(name: string, value: string, first: string, before: string, isLast: boolean): boolean {
  const isSetting = /^(?:requirepass|masterauth)$/i.test(name) && /(?:^|\n|\bset )[ \t]{0,8}$/i.test(before)
  if (isSetting || (/\bconfig(?:ure)?\s[^\n]{0,60}$/i.test(before) && /[_:-]|[a-z][A-Z]/.test(name))) return true
  if (/(?:^|\n)[ \t]{0,8}(?:user(?:name)?|login)[ \t]{1,8}\S{1,80}[ \t]{0,8}\n[ \t]{0,8}$/i.test(before)) return true
  if (/^\d{4,8}[#*]?$/.test(value)) return /code|otp|pin|puk/i.test(name)
  if (/["'`]/.test(first)) return isPasswordWord(name) && !isSecretName(value)
  if (!looksTyped(value) || /^[\w.-]{1,40}=/.test(value)) return false
  // The whole line is a name and its value.
  if (isLast && /(?:^|\n)[ \t]{0,8}$/.test(before)) return true
  if (!/\d/.test(value)) return false
  return isPasswordWord(name) || /[_-]|[a-z][A-Z]/.test(name) || (looksMade(value) && value.length >= 12)
}

/** Whether an unquoted word behind a colon begins a sentence about the secret. */
export function isProse(shown: string, name: string, end: number, { start, end: close }: Span): boolean {
  const value = shown.slice(start, close)
  if (/["'`]/.test(shown[start - 1] ?? '') || !/^[:：]/.test(shown.slice(end).trimStart()) || start - end < 2)
    return false
  if (!/^[\p{L}'’-]{1,20}[,;.]?$/u.test(value) || /_/.test(name)) return false
  return /^[ \t]{1,2}(?:\p{L}[\p{L}'’-]{0,20}|\d{1,4})(?=[\s.,;!?)]|$)(?![ \t]{0,2}[:=])/u.test(
    shown.slice(close, close + 40),
  )
}

/** Whether the value is a variable of a program: `password=pw`, `this.password = password`. */
export function isReference(name: string, value: string, before: string, joint = ''): boolean {
  // A cache key: `token:ttl:config`.
  if (joint === ':' && /^[a-z_]{1,30}(?::[a-z_*]{1,30}){1,5}$/.test(value)) return true
  const word = value.replace(/^[!&*$]+|(?<![;,!?])[;,!?]+$/g, '')
  if (!/^[\p{L}_$][\p{L}\p{M}\w$-]*(?:(?:\??\.|->|::)[\p{L}_$][\w$]*)*$/u.test(word) || /\d/.test(word)) return false
  // `DB_PASSWORD=secret` is one that somebody chose.
  if (/^[A-Z][A-Z0-9_]*$/.test(name) && !/[.>:]/.test(word) && /(?:^|\s)$/.test(before)) return false
  return word.split(/\??\.|->|::/).some((part) => isSecretName(part))
}

/** Whether the name is part of another one: "password policy", "token type". */
export const isSaidOf = (next: string): boolean =>
  /^[ \t]{1,3}(?:polic(?:y|ies)|fields?|resets?|types?|length|strength|fingerprint|hash(?:es)?|managers?|rotation|usage|count|limit|name|file|path|format|prompt|service|expir\w*|lifetime|ttl|rules?|hint|attempts?)\b/i.test(
    next,
  )

/** Whether no value can follow here: a variable, a custom property of CSS, a file of source code, a bus pass. */
export function isElsewhere(name: string, before: string, next: string): boolean {
  // The scope of a commit: `fix(password): …`; the path of a request: `POST /oauth/token HTTP/1.1`.
  if (
    /\b(?:feat|fix|chore|docs|test|refactor|perf|style|build|ci|revert)\($/.test(before) &&
    /^[\w, -]{0,20}\)!?:/.test(next)
  )
    return true
  if (/[\w)}]\/$/.test(before) && /^[ ]HTTP\//.test(next)) return true
  if (/\$\{$|\$\{\{\s{0,2}\w{0,20}\.?$|%$/.test(before) && /^[}:?%]/.test(next)) return true
  if (/^no_?pass/i.test(name) || /\{\{[^{}\n]{1,90}:$/.test(before)) return true
  if (/\bpublic[ _-]?key[ _-]?$/i.test(before) && /^token$/i.test(name)) return true
  if (name.startsWith('--') && next.startsWith(':')) return true
  if (/\b(?:arn|urn):[\w:-]{0,90}:$/.test(before)) return true
  if (/\.(?:java|kt|py|ts|tsx|js|go|rb|php|cs|rs)$/.test(name)) return true
  return /^pass$/i.test(name) && otherPass.test(before.slice(-12))
}

/** Whether the value is a count: "tokens: 4096", "passwords: 3 changed", "Pass: 12", "password: 24 bytes". */
export const isCount = (name: string, value: string, next: string): boolean =>
  (value.length < 4 && /^[a-z]{1,3}$/i.test(value) && /token|key|secret/i.test(name)) ||
  (/^tokens$/i.test(name) && /^[a-z]{2,20}-\d{1,3}$/.test(value)) ||
  (/^\s{1,2}(?:bytes?|chars?|characters|items|entries|digits|Zeichen|of|\/)\b/i.test(next) && /^\d+$/.test(value)
    ? true
    : /^\d{1,3}$/.test(value)
      ? !/cv[vc]|security[ _-]?code/i.test(name)
      : /^\d[\d.,]*$/.test(value) &&
        (/pass$/i.test(name) ? value.length < 4 : /s$|token|[a-z]keys?$/i.test(name)) &&
        value.length < 10)

/** Words before "pass" that make it no password. */
const otherPass = /(?:boarding|mountain|bus|rail|ski|day|season|press|first|second|single|render|compiler) $/i

/** Whether it is the shell's variable for the working directory. */
export const isFolder = (name: string, value: string): boolean => /^(?:old)?pwd$/i.test(name) && value.startsWith('/')

/** Whether a string literal is a value, neither a name nor a prompt. */
export const isLiteral = (value: string): boolean =>
  looksTyped(value) && !/^[A-Z][A-Z\d_]*$|[:?]\s{0,2}$|\s/.test(value)

/** Whether three or more words in small letters follow, up to the end of the line. */
export const saysWords = (shown: string, at: number): boolean =>
  /:[ \t]{1,3}$/.test(shown.slice(at - 4, at)) &&
  /^(?:[a-z]{2,15}[ -]){2,23}[a-z]{2,15}[.!]?(?:\n|$)/.test(shown.slice(at, at + 400))

/**
 * The passphrase that begins here: four or more words up to the end of the line, a comma, a semicolon or "and", none of which
 * is about secrets. "correct" is allowed, for `correct horse battery staple`.
 */
export function passphraseAt(shown: string, name: string, at: number): Span | undefined {
  if (!/phrase$|^(?:wi-?fi[ _-]?)?(?:passw(?:or[dt])|pwd)$/i.test(name)) return undefined
  const words = /^(?:[a-z]{3,12}[ -]){3,11}?[a-z]{3,12}(?=[.!]?\s{0,3}(?:\n|$)|[,;]| and )/i.exec(
    shown.slice(at, at + 200),
  )?.[0]
  return words === undefined ||
    words
      .toLowerCase()
      .split(/[ -]/)
      .some((word) => (!isValue(word) && word !== 'correct') || isSecretName(word))
    ? undefined
    : { start: at, end: at + words.length }
}

/** The value in a script without blanks between words. */
export function asianValue(shown: string, at: number): Span | undefined {
  return spanTo(at, after(/[\w!#$%&*+=?@^~<>|./-]+/y, shown, at))
}

/** A list or an object of secrets, up to its closing bracket; without quotes something in it must look typed. */
export function bracket(shown: string, at: number): readonly Span[] {
  const close = shown.slice(at, at + 4000).search(/[\]}]/)
  const end = close < 0 ? Math.min(shown.length, at + 4000) : at + close + 1
  const inside = shown.slice(at, end)
  if (/^\{\s{0,20}["']?type["']?\s{0,4}:\s{0,4}["'](?:string|number|integer|boolean|oidc|oauth2?)["']/.test(inside))
    return []
  // A reference to where the secret is.
  if (/^\{\s{0,20}["']?(?:\$?ref|Fn::\w+|valueFrom|secretKeyRef|from_secret)["']?\s{0,4}:/i.test(inside)) return []
  // Rules of a form: `['', [Validators.required]]`, `['required', Password::min(12)]`.
  if (
    /\b(?:Validators?|Joi|yup|z)\.|['"](?:required|nullable|confirmed|string|min:\d+|sometimes)['"]|^\[\s{0,40}(['"])\1\s{0,4}[,\]]/.test(
      inside,
    )
  )
    return []
  const holds =
    /:[ \t]{0,8}["']|^\[\s{0,40}["']/.test(inside) ||
    inside.split(/[\s,[\]{}"']+/, 200).some((each) => looksTyped(each) || /^\d{4,}$/.test(each))
  return holds && !inside.includes('[redacted') ? [{ start: at, end }] : []
}
