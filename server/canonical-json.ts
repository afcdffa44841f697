// Two texts of the same value must have one fingerprint: who reorders an object, or writes 3.0 for 3, has not changed what was
// confirmed. RFC 8785 (JSON Canonicalization Scheme) gives that one text.
import { createHash } from 'node:crypto'

/**
 * Canonical JSON of a value (RFC 8785): keys sorted by UTF-16 units, numbers as ECMAScript writes them, no blanks.
 * Throws a TypeError on what JSON cannot carry (`undefined` inside an array, functions, NaN, a lone surrogate); keys
 * with the value `undefined` are left out, as `JSON.stringify` does.
 */
export function canonicalJson(value: unknown): string {
  switch (typeof value) {
    case 'string':
      if (!value.isWellFormed()) throw new TypeError('A lone surrogate has no canonical JSON.')
      return JSON.stringify(value)
    case 'number':
      if (!Number.isFinite(value)) throw new TypeError(`${value} has no canonical JSON.`)
      return JSON.stringify(value)
    case 'boolean':
      return value ? 'true' : 'false'
    case 'object':
      return value === null ? 'null' : Array.isArray(value) ? canonicalArray(value) : canonicalObject(value)
    default:
      throw new TypeError(`A ${typeof value} has no canonical JSON.`)
  }
}

const canonicalArray = (values: readonly unknown[]): string => `[${values.map(canonicalJson).join(',')}]`

function canonicalObject(value: object): string {
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null)
    throw new TypeError(`A ${value.constructor.name} has no canonical JSON; make it a string or a plain object.`)
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${canonicalJson(key)}:${canonicalJson(member)}`)
  return `{${members.join(',')}}`
}

/** SHA-256 of a text in UTF-8, in hexadecimal. */
export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
