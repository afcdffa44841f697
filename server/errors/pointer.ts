// JSON Pointer (RFC 6901), the one way in which errors and diffs name a place.

/** Writes a path of keys and indexes as a JSON Pointer; the empty path is "". */
export const toPointer = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')
