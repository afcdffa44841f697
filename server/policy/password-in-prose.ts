// Passwords in prose of any language, and in lists without names. A word with letters, a digit and a sign, as rules for
// passwords demand, is hardly ever anything else, so it is enough that its line mentions a password or signing in.
import { speaksOfSecret } from './secret-names.ts'
import { isValue } from './secret-shapes.ts'
import type { SearchedText, Span } from './secret-values.ts'

const word = /(?<![^\s"'`:=>«“„([|,])[\p{L}\d][^\s"'`<>()[\]{},;|=/\\:«»“”]{6,59}/gu
const sign = /[!#$?%^&*~@]/
const noWord =
  /^[\w.+-]{1,60}@|[?!]\.|\.[a-z]{1,5}#|^\w{1,60}[*&%~^]\w|^(?:Issue|Bug|Ticket|Task|Fix(?:e[sd])?|Close[sd]?|[a-z-]{1,60}|[A-Za-z-]{0,40}[A-Z]{2})#\d{1,9}$/

/** Whether a word has letters, a digit and a sign; where the sign may end a sentence, a capital letter as well. */
function isStrong(value: string): boolean {
  const inner = value.replace(/[.!?:]{1,3}$/, '')
  if (!/\d/.test(value) || !/\p{Ll}/u.test(value) || (value.match(/\p{L}/gu)?.length ?? 0) < 4) return false
  if (noWord.test(value)) return false
  return sign.test(inner) || (/[!?]$/.test(value) && /\p{Lu}/u.test(value))
}

/** Words that are judged of one text. */
const most = 200
const context = 100
const signsIn = /log.?in|creds|wi-?fi|wlan|imap|smtp|vpn|admin|zugang|anmeld/i

/** Words that look like passwords, on lines that mention one. */
export function passwordsInProse({ shown }: SearchedText): readonly Span[] {
  if (!sign.test(shown)) return []
  const found: Span[] = []
  let asked = 0
  word.lastIndex = 0
  for (let hit = word.exec(shown); hit !== null && asked < most; hit = word.exec(shown)) {
    const value = hit[0].replace(/(?<=[!?#$]|\w)[.,]$/, '')
    if (!isStrong(value)) continue
    asked += 1
    const end = hit.index + value.length
    const before =
      shown
        .slice(Math.max(0, hit.index - context), hit.index)
        .split('\n')
        .at(-1) ?? ''
    const behind = shown.slice(end, end + context).split('\n')[0] ?? ''
    const said = `${before} ${behind}`
    if ((speaksOfSecret(said) || signsIn.test(said)) && isValue(value)) found.push({ start: hit.index, end })
  }
  return found
}
