// Unambiguous names for places in a JSON value, so that whoever confirms a value can tell which one it is: a key may contain a
// dot, a bracket or a direction mark of its own. A place has a plain name (`lines[2].sku`) only where no key on the way
// could be mistaken for anything else; elsewhere it is named by its JSON Pointer (RFC 6901), escaped as in JSON.
import { toPointer } from '../errors/pointer.ts'
import { invisible } from './invisible-characters.ts'

/** From the root: keys of objects as strings, indexes of lists as numbers. */
export type Place = readonly (string | number)[]

const plain = /^[\p{L}\p{N}_$@-]+(?:[ :][\p{L}\p{N}_$@-]+)*$/u

/** Whether a key cannot be mistaken for a separator, for several keys, or for another spelling of itself. */
const isPlainKey = (key: string): boolean => plain.test(key) && !invisible.test(key) && key.normalize('NFKC') === key

const codeUnit = (unit: string): string => `\\u${unit.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`

/** Backslashes, spaces and what is not ASCII, so that no two keys look alike. */
const escaped = (key: string): string => key.replace(/[^!-~]|\\/g, codeUnit)

/** The name of a place in a JSON value; two different places of one value never have one name. */
export function pathLabel(place: Place): string {
  if (place.every((step) => typeof step === 'number' || isPlainKey(step)) && typeof place[0] === 'string')
    return place.map((step, at) => (typeof step === 'number' ? `[${step + 1}]` : at === 0 ? step : `.${step}`)).join('')
  return toPointer(place.map((step) => (typeof step === 'number' ? step : escaped(step))))
}

/** A key as a member's name: itself, or quoted as in JSON where it could be mistaken for more than a name. */
export const keyName = (key: string): string => (isPlainKey(key) ? key : `"${escaped(key).replaceAll('"', '\\"')}"`)
