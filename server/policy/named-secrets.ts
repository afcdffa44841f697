// Secrets that are known by the word before them: `password: …`, `"api_key":"…"`, `--token …`, `the PIN is …`. The words
// are found first, and what stands around each is looked at with patterns of bounded length from there on, so that a
// text costs one pass whatever it says. How much a value must look like a secret depends on what joins it to its name.
import { nameAround, unspaced, wordsAfter, wordsBefore } from './name-in-text.ts'
import { couldBeSecret, holdsCookie, isLabel, isSecretName, mayBeSecret } from './secret-names.ts'
import {
  assigned,
  typed,
  compared,
  closingQuote,
  conversion,
  optionValue,
  pairValue,
  setsPair,
  told,
  toldForSure,
  toldOf,
  saidInAsian,
  changedTo,
  sql,
  standard,
  besides,
  column,
  element,
  nestedElement,
  text,
  elementClose,
  nextElement,
  attributeBeside,
  attributeBefore,
  valueBeside,
  valueBelow,
  nameBefore,
  elementOfName,
  elementEnd,
  blockDefault,
  formPart,
  lineBelow,
  nothingLeft,
  aloneOnLine,
} from './named-forms.ts'
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
  spanTo,
} from './named-values.ts'
import { isValue, looksTyped } from './secret-shapes.ts'
import { after, valueAt, type Looked, type Span } from './secret-values.ts'

/** What every name of a secret has in it. */
const stems =
  /pass|pwd|pw(?![a-z])|psw|saml|assertion|psk|pin(?![a-z])|puk(?![a-z])|secret|segret|token|key|auth|cred|cookie|sign|session|bearer|card|cod[eo]|codice|código|code|connection[ _-]?string|phrase|mdp(?![a-z])|mnemonic|community(?:[ _-]string)?|otp|cv[vc]|ssn|iban|jwt|dsn|data(?![a-z])|answer|salt(?![a-z])|tan(?![a-z])|sid(?![a-z])|pat(?![a-z])|contrase|clave|cl[ée](?![a-zé])|chiave|chave|jeton|kennwort|losungs|geheim|schlüssel|zugangs|senha|parol[aăeiy]|kod(?![a-z])|wachtw|sleutel|has[lł][oaeu]|парол|токен|секрет|ключ|код(?![а-я])|l[oö]senord|nyckel|adgangs|kodeord|nøgle|lykilorð|mật[ _-]?khẩu|kata[ _-]?sandi|lozink|gesl[oau](?![a-z])|slaptažodis|parool|wagwoord|पासवर्ड|κωδικός|salasana|hesl[oaeu]|jelsz|şifre|パスワード|トークン|キー|コード|秘密鍵|暗証番号|密[码碼钥鑰]|私钥|令牌|验证码|口令|비밀번호|비밀키|토큰|인증번호|암호|كلمة|סיסמה|รหัสผ่าน/giu

/** So much of a value says whether it is one. */
const mostJudged = 400

/** Prose without one of these behind the name tells no secret. */
const tells = /: |[\d#$%&*+=?@^~<>|!"'`]|lautet/

/** Everything that stands behind the name of a secret. */
export function namedSecrets(looked: Looked): readonly Span[] {
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

/** What a name is followed by must be: anything that is no stand-in, something typed, or what the form asks for. */
type Holds = (value: string) => boolean
const anything: Holds = () => true

function secretsAfter(looked: Looked, start: number, nameEnd: number): readonly Span[] {
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
  const otherwise = past(standard)
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
    // Hidden before: it is its value still, and no other form is asked for one.
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
  /** A figure is told of a PIN and its like, something typed of all others. */
  const isTold: Holds = (value) =>
    (looksTyped(value) && !/^[\w.-]{1,40}[=:]/.test(value)) ||
    (/^\d[\d -]{2,10}[#*]?$/.test(value) && /code|codice|c[oó]d|pin|puk|otp|tan$|код|cv[vc]/i.test(name))
  const says: readonly (readonly [form: RegExp, holds: (value: string, at: number) => boolean])[] = [
    [toldForSure, anything],
    [told, isTold],
    [column, looksTyped],
    [changedTo, looksTyped],
    [
      besides,
      (value, from) =>
        isBeside(
          name,
          value,
          shown[from] ?? '',
          before,
          /^[ \t]{0,8}(?:\n|$)/.test(shown.slice(from + value.length, from + value.length + 16)),
        ),
    ],
    [toldOf, isTold],
  ]
  const isQuoted = after(closingQuote, shown, end) > end
  const at = past(assigned)
  if (at !== undefined) {
    const found = assignedSecrets(at)
    if (found.length > 0 || !sure) return found
  }
  const beside = past(valueBeside) ?? past(valueBelow)
  if (beside !== undefined && nameBefore.test(before)) return accept(valueAt(looked, beside))
  const inAttribute = isQuoted && /=["']$/.test(before) ? past(attributeBeside) : undefined
  if (inAttribute !== undefined) return accept(valueAt(looked, inAttribute))
  if (!sure && !isTan) return []
  return formedSecrets(at !== undefined)

  function assignedSecrets(from: number): readonly Span[] {
    const made = conversion.exec(shown.slice(from, from + 60))?.[0]
    if (made !== undefined) return accept(valueAt(looked, from + made.length), isLiteral)
    if (/[[{]/.test(shown[from] ?? '') && !shown.startsWith('{{', from))
      return sure && (isQuoted || shown[from] === '[') ? bracket(shown, from) : []
    // `password=` in backticks has none.
    if (before.endsWith('`') && /[:=][ \t]{0,4}`\s/.test(shown.slice(end, from + 1))) return []
    const value = after(typed, shown, from)
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
    const inBlock = past(blockDefault)
    if (inBlock !== undefined) return accept(valueAt(looked, inBlock))
    const beforeIt = attributeBefore.exec(before)?.indices?.[1]
    if (beforeIt !== undefined) {
      const offset = start - before.length
      return accept({ start: beforeIt[0] + offset, end: beforeIt[1] + offset })
    }
    const inComparison = past(compared)
    if (inComparison !== undefined) return accept(valueAt(looked, inComparison), looksTyped)
    if (/^--?[a-z]/i.test(name)) {
      const value = past(optionValue)
      return value === undefined ? [] : accept(valueAt(looked, value))
    }
    if (/[[(][ \t]{0,20}["']$/.test(before)) {
      const value = past(pairValue)
      if (value !== undefined)
        return accept(
          valueAt(looked, value),
          /\[/.test(before.slice(-22)) || setsPair.test(before) ? anything : looksTyped,
        )
    }
    const form = past(formPart)
    if (form !== undefined && /name=["']$/i.test(before)) return accept(valueAt(looked, form, true))
    if (/<\/?(?:[\w-]{1,30}:)?$/.test(before)) return elementText(past(nestedElement) ?? past(element))
    if (elementOfName.test(before)) return elementText(past(elementEnd), (value) => !isSecretName(value))
    const next = />[^<>\n]{0,40}$/.test(before) || name.includes('>') ? past(nextElement) : undefined
    if (next !== undefined)
      return accept(
        spanTo(next, after(text, shown, next)),
        (value) =>
          !/\s/.test(value.trim()) &&
          (looksTyped(value.trim()) ||
            /<(?:string|value|dd|td|code|kbd|samp|strong|b)\b[^<>]{0,120}>\s{0,20}$/i.test(
              shown.slice(Math.max(0, next - 160), next),
            )),
      )
    if (wasAssigned) return belowSecrets(past(nothingLeft))
    return toldSecrets()
  }

  function elementText(inside: number | undefined, holds: Holds = anything): readonly Span[] {
    if (inside === undefined || shown[inside - 2] === '/') return []
    const close = after(text, shown, inside)
    return close > inside && after(elementClose, shown, close) > close
      ? accept({ start: inside, end: close }, holds)
      : []
  }

  /** What prose says of it; the first that says a value. */
  function toldSecrets(): readonly Span[] {
    const inAsian = unspaced.test(name) ? past(saidInAsian) : undefined
    if (inAsian !== undefined) return accept(asianValue(shown, inAsian), (value) => /\d/.test(value))
    if (
      !tells.test(shown.slice(end, end + 240)) &&
      !/\b(?:set|add|user|login|username)\b/i.test(before) &&
      !/^(?:require|master)/.test(name)
    )
      return []
    const inSql = past(sql)
    if (inSql !== undefined) return accept(valueAt(looked, inSql), (value) => !isSecretName(value))
    const of = /[ \t]{1,3}(\p{L}{2,20})/uy
    of.lastIndex = end
    const isOther = !isSecretName(`${name} ${of.exec(shown)?.[1] ?? ''}`) && isSaidOf(shown.slice(end, end + 24))
    for (const [form, holds] of isOther ? [] : says) {
      const value = past(form)
      const found =
        value === undefined
          ? []
          : accept(
              sentence(valueAt(looked, value, form !== besides && /phrase$/i.test(name) && saysWords(shown, value))),
              (each) =>
                holds(each, value ?? 0) ||
                (form === told && /["'“»]/.test(shown[value ?? 0] ?? '')) ||
                (/:[ \t]{1,3}$/.test(shown.slice((value ?? 0) - 4, value)) && /\p{L}-\p{L}|\s/u.test(each)),
            )
      if (found[0] === undefined) continue
      // "from … to …"
      const to = form === changedTo ? after(changedTo, shown, found[0].end) : found[0].end
      return to > found[0].end ? [...found, ...accept(sentence(valueAt(looked, to)), looksTyped)] : found
    }
    return belowSecrets(past(lineBelow))
  }

  /** What stands alone on the next lines, as only machines write it. */
  function belowSecrets(from: number | undefined): readonly Span[] {
    const found: Span[] = []
    if (from !== undefined && /values?:[ \t]/y.test(shown.slice(from, from + 8)))
      return accept(valueAt(looked, shown.indexOf(':', from) + 1))
    for (let at = from; at !== undefined && found.length < 20;) {
      aloneOnLine.lastIndex = at
      const line = aloneOnLine.exec(shown)?.[1]
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

  /** Without the sign that ends the sentence. */
  function sentence(span: Span | undefined): Span | undefined {
    if (span === undefined) return undefined
    const value = shown.slice(span.start, span.end)
    return { start: span.start, end: span.end - (/[.!?,;:)]{1,3}$/.exec(value)?.[0].length ?? 0) }
  }
}
