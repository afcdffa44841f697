// Secrets in JSON whose name is in another field: `{ "name": "Authorization", "value": "…" }`, `{ "element": "Password field",
// "text": "…" }`, `{ "question": "PIN?", "answer": "…" }`; and documents whose kind says that they contain secrets.
import { isSecretName, speaksOfSecret } from './secret-names.ts'

type Members = Readonly<Record<string, unknown>>

/** Fields with the name of a setting, which must be one of a secret as a whole. */
const namesSetting =
  /^(?:parameter|param|setting|variable|env|header|option|property|field|secret|attribute|config|metadata|column)?_?(?:name|column|key|header|field|property|variable|setting|option|id|param|parameter|attribute|bezeichnung|libell[eé]|etiqueta|nombre|nome|nom|etichetta|naam|nazwa)$/i
/** Fields that describe where something is typed, or what was asked. */
const saysPlace =
  /^(?:aria_?)?(?:element|selector|label|placeholder|locator|ref|target|xpath|css|title|name|field|input_?name|question|prompt|role|description|hint|test_?id|id|kind|type|input_?type|field_?type)$/i
const holdsValue =
  /^(?:parameter|param|setting|variable|env|header|option|field|attribute|secret)?_?(?:values?|val|content|data|string|wert|valeur|valore?|waarde|wartość)$/i
const holdsTyped =
  /^(?:text|value|input|keys|typed|wert|valeur|valore?|waarde|wartość|eingabe|answer|response|fill|reply|string)$/i

/** Elements into which nothing is typed. */
const isControl =
  /^search\b|\b(?:checkbox|button|link|toggle|icon|switch|tab|menu|heading|image|length|policy|strength|count|budget|generator|hint)s?\b/i

/** Whether it speaks of a secret. A title or a name must be one of a secret or of an input field: "Cookie Monster" is neither. */
const speaks = (key: string, text: string): boolean =>
  /^(?:title|name|description|id)$/i.test(key)
    ? isSecretName(text) || (speaksOfSecret(text) && /field|input|box|eingabe|feld|campo|champ/i.test(text))
    : speaksOfSecret(text)

/** Whether a text is longer than what is typed into a field, as in a mail. */
const isLongText = (value: unknown): boolean =>
  typeof value === 'string' && /\s\S+\s\S+\s\S+\s|\s\S+\s[^]*[.!?]$/.test(value.slice(0, 400))

/** Whether a member of this object is the value of a secret that another member names. */
export function namedMember(entry: Members): (key: string) => boolean {
  const texts = Object.entries(entry)
    .slice(0, 50)
    .filter((each): each is [string, string] => typeof each[1] === 'string' && each[1].length <= 400)
  const named = texts.some(
    ([key, text]) =>
      (namesSetting.test(key) && isSecretName(text)) ||
      (/^type$/i.test(key) && /^SecureString$/i.test(text)) ||
      // The path in a store of secrets.
      (/^(?:id|ur[il]|path|arn|name|key)$/i.test(key) && /[/:]secrets?[/:]/.test(text)),
  )
  const place = texts.find(([key, text]) => saysPlace.test(key) && speaks(key, text) && !isControl.test(text))?.[0]
  if (!named && place === undefined) return () => false
  return (key) => {
    if (key === place || typeof entry[key] === 'boolean' || entry[key] === null) return false
    if (named && (holdsValue.test(key) || holdsTyped.test(key))) return true
    return (
      place !== undefined &&
      holdsTyped.test(key) &&
      !(/^(?:title|description|name|question|prompt|hint)$/i.test(place) && isLongText(entry[key]))
    )
  }
}

/** Whether it is a value of a Kubernetes Secret, or a private part of a JSON Web Key (RFC 7518). */
export function isPrivateMember(entry: Members, key: string): boolean {
  if (/^(?:data|stringData)$/.test(key)) return entry['kind'] === 'Secret'
  return /^(?:d|p|q|dp|dq|qi|k)$/.test(key) && typeof entry['kty'] === 'string' && typeof entry[key] === 'string'
}

/** Rows of a table whose columns another member names, with the cells of secrets hidden by `hide`. */
export function hiddenColumns(entry: Members, key: string, hide: (cell: unknown) => unknown): unknown {
  const rows = entry[key]
  const names = ['columns', 'headers', 'header', 'fields', 'cols'].map((each) => entry[each]).find(Array.isArray) as
    | readonly unknown[]
    | undefined
  if (names === undefined || !/^(?:rows|values|data|records|results?)$/.test(key) || !Array.isArray(rows)) return rows
  const secret = names.map((each) => {
    const name = typeof each === 'object' && each !== null && 'name' in each ? each.name : each
    return typeof name === 'string' && isSecretName(name)
  })
  if (!secret.includes(true)) return rows
  return rows.map((row: unknown) =>
    Array.isArray(row) ? row.map((cell: unknown, at) => (secret[at] === true ? hide(cell) : cell)) : row,
  )
}
