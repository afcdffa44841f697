// JSON Pointer (RFC 6901), by which errors and diffs name a place.

/** Writes a path of keys and indexes as a JSON Pointer; the empty path is "". */
export const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

/** Reads a JSON Pointer as keys. */
export const fromPointer = (pointer: string): string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The value at a path of own keys; `undefined` where there is none. */
export const valueAt = (value: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce<unknown>(
    (held, key) =>
      typeof held === 'object' && held !== null && Object.hasOwn(held, key)
        ? (held as Record<PropertyKey, unknown>)[key]
        : undefined,
    value,
  )

/** Whether a path lies at a place in which `*` is any one key or index. */
export const covers = (place: readonly string[], path: readonly string[]): boolean =>
  place.length === path.length && place.every((part, at) => part === '*' || part === path[at])

/** All that stands at a place in which `*` is any one key or index. */
export function valuesAt(value: unknown, [key, ...rest]: readonly string[]): readonly unknown[] {
  if (key === undefined) return [value]
  if (typeof value !== 'object' || value === null) return []
  const inside =
    key === '*' ? Object.values(value) : Object.hasOwn(value, key) ? [Reflect.get(value, key) as unknown] : []
  return inside.flatMap((each) => valuesAt(each, rest))
}
