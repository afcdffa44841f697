// A database that cannot be used is expected trouble: a typed path, a copied key, a second process that holds the lock.
// Each kind says what was found, where, and what to do next, and none of them is ever answered by writing to the file.

type StoreFailureKind =
  | 'cannot-open'
  | 'not-a-database'
  | 'corrupt'
  | 'read-only'
  | 'directory-missing'
  | 'secret-too-short'
  | 'key-unreadable'
  | 'key-malformed'
  | 'key-mismatch'
  | 'key-exposed'
  | 'newer-schema'
  | 'busy'
  | 'secret-missing'
  | 'server-unreachable'
  | 'server-too-old'
  | 'login-refused'
  | 'database-missing'
  | 'not-permitted'
  | 'commits-not-kept'
  | 'two-names'

interface Failure<Kind extends StoreFailureKind> {
  readonly kind: Kind
  /** What is to blame: the database's file, its key's, or the address without its password. */
  readonly file: string
  /** What happened, with which value. */
  readonly message: string
  /** What to do about it. */
  readonly next: string
}

/** Why the store did not open; tagged by `kind`. */
export type StoreFailure = { readonly [Kind in StoreFailureKind]: Failure<Kind> }[StoreFailureKind]

/** A value or a failure; the same shape as the rest of the server uses. */
export type StoreResult<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly failure: StoreFailure }

/** A failed result. */
export const refuse = (
  kind: StoreFailureKind,
  file: string,
  message: string,
  next: string,
): { readonly ok: false; readonly failure: StoreFailure } => ({ ok: false, failure: { kind, file, message, next } })

/** The code of a file system error (`ENOENT`), or nothing where it is not one. */
export const errnoOf = (error: unknown): string | undefined =>
  error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string'
    ? error.code
    : undefined
