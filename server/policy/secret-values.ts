// Where a value ends that stands behind a name, and whether it is one at all: `password: required` and `token =
// getToken()` name no secret.

/** A part of a text: from `start` up to, not including, `end`. */
export interface Span {
  readonly start: number
  readonly end: number
}

/** A text to look through: as it is, and as it reads (`readable`), of one length. */
export interface Looked {
  readonly text: string
  readonly shown: string
}

/** Longer ones are hidden up to here, and with what follows on the line. */
const longestValue = 8000

const blanks = /[ \t]*/y
const scheme = /(?:bearer|basic|token|digest|negotiate|apikey)[ \t]+/iy
const bare = /[^\s,;'"`&)}\]<>|]+/y
const line = /digest [^\r\n]{1,400}|[^\r\n"'`<>]{1,400}/iy
const block = /[|>][+-]?[ \t]*\n[ \t]+/y

/** Where a sticky pattern ends that begins here; `at` where it does not match. */
export function after(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : at
}

/**
 * Where the first group that took part stands, in every match of a pattern with the flags `d` and `g`. Not by `matchAll`,
 * which copies the pattern each time: most texts are short and match nothing.
 */
export function groupSpans(text: string, pattern: RegExp): readonly Span[] {
  const spans: Span[] = []
  pattern.lastIndex = 0
  for (let hit = pattern.exec(text); hit !== null; hit = pattern.exec(text)) {
    const at = (hit.indices ?? []).slice(1).find((each) => each !== undefined)
    if (at !== undefined) spans.push({ start: at[0], end: at[1] })
  }
  return spans
}

/** How many backslashes stand before a place: a quote ends with the quote that is escaped as it is. */
function level(text: string, at: number): number {
  let count = 0
  while (count < 20 && text[at - 1 - count] === '\\') count++
  return count
}

/** The value that begins here, without its quotes. `whole`: it may have blanks and goes to the end of its line. */
export function valueAt({ text, shown }: Looked, from: number, whole = false): Span | undefined {
  let at = after(blanks, shown, from)
  at = after(block, shown, at)
  if (/[NEx@]/.test(shown[at] ?? '') && /['"]/.test(shown[at + 1] ?? '')) at++
  const quote = shown[at] ?? ''
  if (/["'`]/.test(quote)) return quoted({ text, shown }, at, quote)
  if (whole) return spanOf(at, after(line, shown, at))
  at = after(scheme, shown, at)
  return spanOf(at, after(bare, shown, at))
}

const spanOf = (start: number, end: number): Span | undefined => (end > start ? { start, end } : undefined)

/** What stands between this quote and the one that closes it; up to the end of the line where none does. */
function quoted({ text, shown }: Looked, at: number, quote: string): Span | undefined {
  const depth = level(text, at)
  const start = after(scheme, shown, at + 1)
  for (let end = shown.indexOf(quote, at + 1); end >= 0 && end - at < longestValue; end = shown.indexOf(quote, end + 1))
    if (level(text, end) <= depth) return spanOf(start, end - level(text, end))
  const broken = shown.slice(at + 1, at + 1 + longestValue).search(/[\r\n]/)
  return spanOf(start, broken < 0 ? Math.min(shown.length, at + longestValue) : at + 1 + broken)
}

const placeholder =
  /^(?:\$[\w{(]|\{\{|%[sd(]|%\w+%$|<|\*{3,}|\.{3}|[xX_•-]{3,}$|\[(?:redacted|hidden)|!secret\b|(?:env|file|fd):|(?:random_password|random_string|module|(?:aws|google|azurerm|vault|kubernetes|tls)_\w{1,60})\.[a-z_]\w{0,60}\.|(?:process\.env|os|env|var|vars|local|data|secrets|self|this|config|settings|req|ctx)\.[a-zA-Z_]|[A-Za-z_$][\w$.]{0,60}[([])/

/** Words that say something of a secret and are none. */
const saying = new Set(
  'null none nil undefined true false yes no on off required optional missing string text number boolean bool int varchar empty blank invalid valid expired wrong incorrect correct changed unchanged reset set unset not ok bad weak strong hidden redacted masked expire expires unknown default inherit inherited bearer basic digest oidc oauth ldap saml oauth2 disabled enabled sent entered forgotten read write str bytes float any object dict wie include omit same-origin plain ed25519 your the a an and or is was has must should may can please enter type vergessen falsch erforderlich incorrecta incorrecto olvidada incorrect oublié oubliée incorreta await new return const let function'.split(
    ' ',
  ),
)

/** Whether what was found behind a name is a value that somebody could use. */
export function isValue(value: string): boolean {
  const bareValue = value.trim()
  return (
    bareValue !== '' &&
    !bareValue.includes('[redacted') &&
    !placeholder.test(bareValue) &&
    !saying.has(bareValue.toLowerCase().replace(/[.!?]+$/, ''))
  )
}
