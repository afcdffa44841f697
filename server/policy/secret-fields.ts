// Which fields of a JSON value hold a secret by their name: `password`, `api_key`. Settings, schemas and lists of messages have
// such names as well, and hold none.
import { remembered } from './remembered.ts'
import { couldBeSecret, isLabel, isSecretName, mayBeSecret } from './secret-names.ts'
import { isValue, looksTyped } from './secret-shapes.ts'

/** Of which what was found is remembered. */
export const shortNames = { longest: 40, most: 500 } as const

/** Values of `RequestInit.credentials` (WHATWG Fetch). */
const fetchModes: ReadonlySet<unknown> = new Set(['include', 'omit', 'same-origin'])

const schemaWords =
  /^(?:type|title|description|format|(?:min|max)Length|pattern|writeOnly|readOnly|nullable|deprecated)$/

/** Whether it is the JSON Schema of a secret, without a value such as a `default`. */
const isSchema = (value: object | null): boolean =>
  value !== null &&
  'type' in value &&
  /^(?:string|number|integer|boolean)$/.test(String(value.type)) &&
  Object.keys(value).every((key) => schemaWords.test(key))

/** Whether it is a position, as of a pin on a map. */
const isPlace = (value: object | null): boolean =>
  value !== null && 'x' in value && typeof value.x === 'number' && !('value' in value)

/** Whether it contains no value: a list of messages, or a setting with its description. */
const holdsNothing = (value: object | null): boolean =>
  Array.isArray(value)
    ? value.length > 0 && value.length <= 100 && value.every((item) => typeof item === 'string' && !isValue(item))
    : value !== null &&
      'value' in value &&
      typeof value.value === 'string' &&
      !isValue(value.value) &&
      Object.keys(value).length <= 20 &&
      Object.values(value).every(
        (item) => typeof item === 'boolean' || (typeof item === 'string' && !(isValue(item) && looksTyped(item))),
      )

/** Whether a field of this name with this value is a secret. */
export function isSecretField(name: string, value: unknown): boolean {
  const said = wordOf(name)
  if (said === 'nothing') return false
  if (typeof value === 'boolean' || value === '') return false
  if (name === 'credentials' && fetchModes.has(value)) return false
  if (typeof value === 'object' && (isPlace(value) || isSchema(value) || holdsNothing(value))) return false
  if (typeof value === 'number' && value < 1000 && value > -1 && !/cv[vc]|security_?code/i.test(name)) return false
  if (typeof value === 'string' && (!isValue(value) || isLabel(value))) return false
  if (said === 'secret') return !(typeof value === 'number' && /tokens?$/i.test(name))
  return typeof value === 'string' && mayBeSecret(name, value)
}

/** Words with their beginnings in capitals or signs between them: no key of a service is one. */
export const isPlainName = (name: string): boolean => /^[A-Z]?[a-z]{1,20}(?:[-_ ]?[A-Z]?[a-z]{1,20}){0,5}$/.test(name)

/** What the name of a field says of its value. A field's name may be a secret itself, and such are not to be kept in memory. */
const wordOf = remembered((name) => (isSecretName(name) ? 'secret' : couldBeSecret(name) ? 'perhaps' : 'nothing'), {
  ...shortNames,
  keeps: (_, name) => isPlainName(name),
})
