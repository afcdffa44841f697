// Secrets that follow their name: `password: …`, `"api_key":"…"`, `--token …`, `the PIN is …`. The names are found first, and
// the text around each is matched with patterns of bounded length, so that any text costs one pass. How much a value
// must look like a secret depends on what stands between it and its name.
import { nameAround, unspaced, wordsAfter, wordsBefore } from './name-in-text.ts'
import { couldBeSecret, holdsCookie, isLabel, isSecretName, mayBeSecret } from './secret-names.ts'
import * as form from './named-forms.ts'
import {
  isBeside,
  isCount,
  isElsewhere,
  isFolder,
  isLiteral,
  isProse,
  isReference,
  isSaidOf,
  passphraseAt,
  saysWords,
  asianValue,
  bracket,
} from './named-values.ts'
import { isValue, looksTyped } from './secret-shapes.ts'
import { after, spanTo, valueAt, type SearchedText, type Span } from './secret-values.ts'

/** A part that every name of a secret contains. */
const stems =
  /pass|pwd|pw(?![a-z])|psw|saml|assertion|psk|pin(?![a-z])|puk(?![a-z])|secret|segret|token|key|auth|cred|cookie|sign|session|bearer|card|cod[eo]|codice|código|code|connection[ _-]?string|phrase|mdp(?![a-z])|mnemonic|community(?:[ _-]string)?|otp|cv[vc]|ssn|iban|jwt|dsn|data(?![a-z])|answer|salt(?![a-z])|tan(?![a-z])|sid(?![a-z])|pat(?![a-z])|contrase|clave|cl[ée](?![a-zé])|chiave|chave|jeton|kennwort|losungs|geheim|schlüssel|zugangs|senha|parol[aăeiy]|kod(?![a-z])|wachtw|sleutel|has[lł][oaeu]|парол|токен|секрет|ключ|код(?![а-я])|l[oö]senord|nyckel|adgangs|kodeord|nøgle|lykilorð|mật[ _-]?khẩu|kata[ _-]?sandi|lozink|gesl[oau](?![a-z])|slaptažodis|parool|wagwoord|पासवर्ड|κωδικός|salasana|hesl[oaeu]|jelsz|şifre|パスワード|トークン|キー|コード|秘密鍵|暗証番号|密[码碼钥鑰]|私钥|令牌|验证码|口令|비밀번호|비밀키|토큰|인증번호|암호|كلمة|סיסמה|รหัสผ่าน/giu

/** Characters of a value that are looked at. */
const mostJudged = 400

/** Prose contains one of these where it tells a secret. */
const tells = /: |[\d#$%&*+=?@^~<>|!"'`]|lautet/

/** The secrets of a text that follow their name. */
export function namedSecrets(looked: SearchedText): readonly Span[] {
  const { shown } = looked
  const found: Span[] = []
  stems.lastIndex = 0
  for (let hit = stems.exec(shown); hit !== null; hit = stems.exec(shown)) {
    const [start, end] = nameAround(shown, hit.index, hit.index + hit[0].length)
    const spans = secretsAfter(looked, start, end)
    found.push(...spans)
    stems.lastIndex = Math.max(end, spans.at(-1)?.end ?? 0)
  }
  return found
}

/** What a value must look like, beside being no placeholder; it depends on the form in which it was found. */
type Holds = (value: string) => boolean
const anything: Holds = () => true

function secretsAfter(looked: SearchedText, start: number, nameEnd: number): readonly Span[] {
  const { shown } = looked
  const name = shown.slice(start, nameEnd)
  const end = wordsAfter(shown, nameEnd, name)
  const sure =
    isSecretName(name) ||
    end > nameEnd ||
    (/^(?:codes?|keys?|number|string|phrase|passe|answer|ключ|schlüssel)$/i.test(name) &&
      isSecretName(wordsBefore(shown, start, name)))
  if (!sure && !couldBeSecret(name)) return []
  const before = shown.slice(Math.max(0, start - 96), start)
  const past = (pattern: RegExp): number | undefined => {
    const at = after(pattern, shown, end)
    return at > end ? at : undefined
  }
  const otherwise = past(form.standard)
  if (otherwise !== undefined && sure && before.endsWith('${')) {
    const close = shown.slice(otherwise, otherwise + 100).indexOf('}')
    const value = shown.slice(otherwise, otherwise + close)
    return close > 0 && looksTyped(value) && isValue(value) ? [{ start: otherwise, end: otherwise + close }] : []
  }
  if (isElsewhere(name, before, shown.slice(end, end + 24))) return []
  const isTan = /^[a-z]{0,5}tan$/i.test(name)

  const accept = (span: Span | undefined, holds: Holds = anything): readonly Span[] => {
    if (span === undefined) return []
    const value = shown.slice(span.start, Math.min(span.end, span.start + mostJudged))
    // Redacted before: it is the value, and no other form is tried.
    if (value.includes('[redacted')) return [span]
    const isQuoted = /["'`]/.test(shown[span.start - 1] ?? '')
    return isValue(value) &&
      !isCount(name, value, shown.slice(span.end, span.end + 16)) &&
      !isFolder(name, value) &&
      (isQuoted ? !isLabel(value) : !isReference(name, value, before, shown[span.start - 1])) &&
      holds(value) &&
      (sure || mayBeSecret(name, value))
      ? [span]
      : []
  }
  /** In prose: digits for a PIN and the like, something typed for all others. */
  const isTold: Holds = (value) =>
    (looksTyped(value) && !/^[\w.-]{1,40}[=:]/.test(value)) ||
    (/^\d[\d -]{2,10}[#*]?$/.test(value) && /code|codice|c[oó]d|pin|puk|otp|tan$|код|cv[vc]/i.test(name))
  const says: readonly (readonly [pattern: RegExp, holds: (value: string, at: number) => boolean])[] = [
    [form.toldForSure, anything],
    [form.told, isTold],
    [form.column, looksTyped],
    [form.changedTo, looksTyped],
    [
      form.besides,
      (value, from) =>
        isBeside(
          name,
          value,
          shown[from] ?? '',
          before,
          /^[ \t]{0,8}(?:\n|$)/.test(shown.slice(from + value.length, from + value.length + 16)),
        ),
    ],
    [form.toldOf, isTold],
  ]
  const isQuoted = after(form.closingQuote, shown, end) > end
  const at = past(form.assigned)
  if (at !== undefined) {
    const found = assignedSecrets(at)
    if (found.length > 0 || !sure) return found
  }
  const beside = past(form.valueBeside) ?? past(form.valueBelow)
  if (beside !== undefined && form.nameBefore.test(before)) return accept(valueAt(looked, beside))
  const inAttribute = isQuoted && /=["']$/.test(before) ? past(form.attributeBeside) : undefined
  if (inAttribute !== undefined) return accept(valueAt(looked, inAttribute))
  if (!sure && !isTan) return []
  return formedSecrets(at !== undefined)

  function assignedSecrets(from: number): readonly Span[] {
    const made = form.conversion.exec(shown.slice(from, from + 60))?.[0]
    if (made !== undefined) return accept(valueAt(looked, from + made.length), isLiteral)
    if (/[[{]/.test(shown[from] ?? '') && !shown.startsWith('{{', from))
      return sure && (isQuoted || shown[from] === '[') ? bracket(shown, from) : []
    // `password=` in backticks is only mentioned.
    if (before.endsWith('`') && /[:=][ \t]{0,4}`\s/.test(shown.slice(end, from + 1))) return []
    const value = after(form.typed, shown, from)
    const isCookie = /cookies?$/i.test(name)
    if (!isQuoted && isCookie) return accept(valueAt(looked, from, true), holdsCookie)
    if (!isQuoted && /authorization$/i.test(name))
      return accept(valueAt(looked, from, true), (each) => /\d|\S{20}/.test(each.slice(0, 80)))
    if (/(?:string|answer|codes)$/i.test(name)) return accept(valueAt(looked, from, true))
    const words = isQuoted ? undefined : passphraseAt(shown, name, after(/[ \t]{0,4}/y, shown, from))
    if (words !== undefined) return [words]
    const span = valueAt(looked, value)
    if (span !== undefined && value === from && isProse(shown, name, end, span)) return []
    return accept(span)
  }

  function formedSecrets(wasAssigned: boolean): readonly Span[] {
    const inBlock = past(form.blockDefault)
    if (inBlock !== undefined) return accept(valueAt(looked, inBlock))
    const beforeIt = form.attributeBefore.exec(before)?.indices?.[1]
    if (beforeIt !== undefined) {
      const offset = start - before.length
      return accept({ start: beforeIt[0] + offset, end: beforeIt[1] + offset })
    }
    const inComparison = past(form.compared)
    if (inComparison !== undefined) return accept(valueAt(looked, inComparison), looksTyped)
    if (/^--?[a-z]/i.test(name)) {
      const value = past(form.optionValue)
      return value === undefined ? [] : accept(valueAt(looked, value))
    }
    if (/[[(][ \t]{0,20}["']$/.test(before)) {
      const value = past(form.pairValue)
      if (value !== undefined)
        return accept(
          valueAt(looked, value),
          /\[/.test(before.slice(-22)) || form.setsPair.test(before) ? anything : looksTyped,
        )
    }
    const part = past(form.formPart)
    if (part !== undefined && /name=["']$/i.test(before)) return accept(valueAt(looked, part, true))
    if (/<\/?(?:[\w-]{1,30}:)?$/.test(before)) return elementText(past(form.nestedElement) ?? past(form.element))
    if (form.elementOfName.test(before)) return elementText(past(form.elementEnd), (value) => !isSecretName(value))
    const next = />[^<>\n]{0,40}$/.test(before) || name.includes('>') ? past(form.nextElement) : undefined
    if (next !== undefined)
      return accept(
        spanTo(next, after(form.text, shown, next)),
        (value) =>
          !/\s/.test(value.trim()) &&
          (looksTyped(value.trim()) ||
            /<(?:string|value|dd|td|code|kbd|samp|strong|b)\b[^<>]{0,120}>\s{0,20}$/i.test(
              shown.slice(Math.max(0, next - 160), next),
            )),
      )
    if (wasAssigned) return belowSecrets(past(form.nothingLeft))
    return toldSecrets()
  }

  function elementText(inside: number | undefined, holds: Holds = anything): readonly Span[] {
    if (inside === undefined || shown[inside - 2] === '/') return []
    const close = after(form.text, shown, inside)
    return close > inside && after(form.elementClose, shown, close) > close
      ? accept({ start: inside, end: close }, holds)
      : []
  }

  /** The value in prose, by the first pattern that finds one. */
  function toldSecrets(): readonly Span[] {
    const inAsian = unspaced.test(name) ? past(form.saidInAsian) : undefined
    if (inAsian !== undefined) return accept(asianValue(shown, inAsian), (value) => /\d/.test(value))
    if (
      !tells.test(shown.slice(end, end + 240)) &&
      !/\b(?:set|add|user|login|username)\b/i.test(before) &&
      !/^(?:require|master)/.test(name)
    )
      return []
    const inSql = past(form.sql)
    if (inSql !== undefined) return accept(valueAt(looked, inSql), (value) => !isSecretName(value))
    const of = /[ \t]{1,3}(\p{L}{2,20})/uy
    of.lastIndex = end
    const isOther = !isSecretName(`${name} ${of.exec(shown)?.[1] ?? ''}`) && isSaidOf(shown.slice(end, end + 24))
    for (const [pattern, holds] of isOther ? [] : says) {
      const value = past(pattern)
      const found =
        value === undefined
          ? []
          : accept(
              sentence(
                valueAt(looked, value, pattern !== form.besides && /phrase$/i.test(name) && saysWords(shown, value)),
              ),
              (each) =>
                holds(each, value ?? 0) ||
                (pattern === form.told && /["'“»]/.test(shown[value ?? 0] ?? '')) ||
                (/:[ \t]{1,3}$/.test(shown.slice((value ?? 0) - 4, value)) && /\p{L}-\p{L}|\s/u.test(each)),
            )
      if (found[0] === undefined) continue
      // "from … to …"
      const to = pattern === form.changedTo ? after(form.changedTo, shown, found[0].end) : found[0].end
      return to > found[0].end ? [...found, ...accept(sentence(valueAt(looked, to)), looksTyped)] : found
    }
    return belowSecrets(past(form.lineBelow))
  }

  /** Values alone on the next lines that look made by a machine. */
  function belowSecrets(from: number | undefined): readonly Span[] {
    const found: Span[] = []
    if (from !== undefined && /values?:[ \t]/y.test(shown.slice(from, from + 8)))
      return accept(valueAt(looked, shown.indexOf(':', from) + 1))
    for (let at = from; at !== undefined && found.length < 20;) {
      form.aloneOnLine.lastIndex = at
      const line = form.aloneOnLine.exec(shown)?.[1]
      if (
        line === undefined ||
        !(looksTyped(line) || /^[A-Za-z\d+/]{20,}={1,2}$/.test(line) || /^\d{4,8}(?:-\d{4,8}){0,8}$/.test(line)) ||
        (/[=:]\S{0,2}$|^[\w.-]{1,60}[=:]|^[/<{[(]/.test(line) && !/^[A-Za-z\d+/]{20,}={1,2}$/.test(line))
      )
        break
      const span = accept({ start: at, end: at + line.length })
      if (span.length === 0) break
      found.push(...span)
      const next = after(/[ \t]{0,8}\n[ \t>|*-]{0,12}(?:\d{1,2}[.)] )?(?=\S)/y, shown, at + line.length)
      at = next > at + line.length ? next : undefined
    }
    return found
  }

  /** Without the punctuation that ends the sentence. */
  function sentence(span: Span | undefined): Span | undefined {
    if (span === undefined) return undefined
    const value = shown.slice(span.start, span.end)
    return { start: span.start, end: span.end - (/[.!?,;:)]{1,3}$/.exec(value)?.[0].length ?? 0) }
  }
}
