// What a plan answers as JSON: what is compared, shown, signed and answered must be one value. What JSON cannot carry would be
// missing in all of them and run all the same, so it is refused by its place.
import { toPointer } from '../../errors/pointer.ts'

/** What JSON would lose or turn into something else, by what a developer calls it. */
function lossOf(value: unknown): string | undefined {
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : String(value)
  if (typeof value !== 'object' || value === null) return undefined
  const isLost =
    value instanceof Map ||
    value instanceof Set ||
    value instanceof WeakMap ||
    value instanceof RegExp ||
    value instanceof Promise ||
    ArrayBuffer.isView(value) ||
    value instanceof ArrayBuffer
  return isLost ? `a ${value.constructor.name}` : undefined
}

/**
 * A copy as JSON: dates as ISO 8601, large integers as digits, what has `toJSON` as it says, and other objects by their own
 * members; members that are `undefined` are left out.
 * @throws {Error} naming the place of what has no JSON.
 */
export const jsonOf = (value: unknown, name: string): unknown => copy(value, [], name, new Set())

function copy(value: unknown, path: readonly string[], name: string, above: ReadonlySet<object>): unknown {
  const refuse = (what: string): never => {
    throw new Error(
      `${name} has ${what} at "${toPointer(path)}", which JSON cannot carry. Answer plain objects and lists.`,
    )
  }
  if (typeof value === 'bigint') return String(value)
  // Half of a pair of UTF-16 units has no JSON either, and is no reason to leave a record as it is.
  if (typeof value === 'string') return value.toWellFormed()
  const loss = lossOf(value)
  if (loss !== undefined) return refuse(loss)
  if (typeof value !== 'object' || value === null) return value
  if (above.has(value)) return refuse('a cycle')
  const inside = new Set([...above, value])
  if ('toJSON' in value && typeof value.toJSON === 'function') return copy(value.toJSON(), path, name, inside)
  if (Array.isArray(value))
    return value.map((entry, at) => (entry === undefined ? null : copy(entry, [...path, String(at)], name, inside)))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => member !== undefined)
      .map(([key, member]) => [key, copy(member, [...path, key], name, inside)]),
  )
}
