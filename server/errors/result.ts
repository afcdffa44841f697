// Expected failures are values; unexpected ones are exceptions, which are caught once, at a door.

/** What may fail as expected: a value, or a failure. */
export type Result<T, F> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly failure: F }

export const ok = <T>(value: T): Result<T, never> => ({ ok: true, value })

export const fail = <F>(failure: F): Result<never, F> => ({ ok: false, failure })
