// A person who signs a value must be able to tell which one it is. `path` inside the key "" and `path` at the top are two
// places, and a key may hold a dot, a bracket or a direction mark of its own. A place therefore has its everyday name
// (`lines[2].sku`) only where no key on the way could be mistaken for anything else; elsewhere it is named by its JSON
// Pointer (RFC 6901), which never looks like an everyday name, with whatever could deceive the eye escaped as in JSON.
import { invisible } from './invisible-characters.ts'

/** From the root: keys of objects as strings, indexes of lists as numbers. */
export type Place = readonly (string | number)[]

const plain = /^[\p{L}\p{N}_$@-]+(?:[ :][\p{L}\p{N}_$@-]+)*$/u

/** True for a key that cannot pass for a separator, for several keys, or for another spelling of itself. */
const isPlainKey = (key: string): boolean => plain.test(key) && !invisible.test(key) && key.normalize('NFKC') === key

const codeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** Backslashes, spaces and what is not ASCII, so that no two keys look alike. */
const escaped = (key: string): string => key.replace(/[^!-~]|\\/g, codeUnit)

/** The name of a place in a JSON value; two different places of one value never have one name. */
export function pathLabel(place: Place): string {
  if (place.every((step) => typeof step === 'number' || isPlainKey(step)) && typeof place[0] === 'string')
    return place.map((step, at) => (typeof step === 'number' ? `[${step + 1}]` : at === 0 ? step : `.${step}`)).join('')
  return place
    .map((step) =>
      typeof step === 'number' ? `/${step}` : `/${escaped(step).replaceAll('~', '~0').replaceAll('/', '~1')}`,
    )
    .join('')
}

/** A key as the name of a member beside others: itself, or quoted as in JSON where it could be read as more than a name. */
export const keyName = (key: string): string => (isPlainKey(key) ? key : `"${escaped(key).replaceAll('"', '\\"')}"`)
