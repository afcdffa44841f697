// What a tool hands to its log may be anything, and a line is JSON: an Error would be "{}", a bigint would throw, and so would a
// getter. So it is made into plain data first, of bounded size, with the call's marked values hidden where they stand.
import { redacted } from '../../policy/redact.ts'
import { hidesNothing, type Hider } from './marked-values.ts'

/** Levels and values of one field that are looked into; a line is no dump. */
const deepest = 20
const mostValues = 5000

/** The value as plain data without what is marked. */
export function loggable(value: unknown, hider: Hider): unknown {
  let left = mostValues
  const walk = (each: unknown, around: readonly object[]): unknown => {
    if (left-- <= 0) return '[too much to record]'
    try {
      return walkOne(each, around)
    } catch {
      return '[unreadable]'
    }
  }
  const walkOne = (each: unknown, around: readonly object[]): unknown => {
    switch (typeof each) {
      case 'string':
        return hider.hide(each)
      case 'number':
      case 'boolean':
        return hider.isMarked(String(each)) ? redacted : each
      case 'bigint':
        return hider.hide(String(each))
      case 'object':
        return each === null ? null : walkObject(each, around)
      case 'undefined':
        return undefined
      default:
        return hider.hide(String(each))
    }
  }
  const walkObject = (each: object, around: readonly object[]): unknown => {
    if (around.includes(each)) return '[circular]'
    if (around.length >= deepest) return '[too deep to record]'
    const inside = (inner: unknown): unknown => walk(inner, [...around, each])
    const plain = plainOf(each)
    if (typeof plain !== 'object') return inside(plain)
    if (Array.isArray(plain)) return plain.slice(0, mostValues).map(inside)
    return Object.fromEntries(
      Object.entries(plain)
        .slice(0, mostValues)
        .map(([key, inner]) => [hider.hide(key), inside(inner)]),
    )
  }
  return walk(value, [])
}

/** A value as it is, or without what is marked where anything is. An Error stays one; of its members it keeps those that logs have. */
export function withoutMarked(value: unknown, hider: Hider): unknown {
  if (hider === hidesNothing) return value
  const plain = loggable(value, hider)
  return value instanceof Error ? Object.assign(new Error(), plain) : plain
}

/** What an object says, where JSON would say nothing of it. */
function plainOf(value: object): object | string {
  if (value instanceof Error) {
    const { name, message, stack, cause } = value
    const code = (value as { readonly code?: unknown }).code
    return { name, message, stack, ...(code === undefined ? {} : { code }), ...(cause === undefined ? {} : { cause }) }
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? 'Invalid Date' : value.toISOString()
  if (value instanceof Map || value instanceof Headers)
    return Object.fromEntries([...value].map(([key, inner]) => [String(key), inner]))
  if (value instanceof Set) return [...value]
  if (ArrayBuffer.isView(value)) return `${value.byteLength} bytes`
  const { toJSON } = value as { readonly toJSON?: unknown }
  if (typeof toJSON !== 'function') return value
  const said: unknown = Reflect.apply(toJSON, value, [''])
  return typeof said === 'object' && said !== null ? said : String(said)
}
