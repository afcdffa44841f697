/** The connection to the database was lost, or there is none to be had. The store throws it. */
export interface StoreAwayError extends Error {
  readonly kind: 'store-away'
  /** `none`: what was asked has certainly not happened. `unknown`: it may have. */
  readonly effect: 'none' | 'unknown'
}

/** A lost connection, whatever copy of the store threw it. */
export const isStoreAway = (error: unknown): error is StoreAwayError =>
  error instanceof Error && 'kind' in error && error.kind === 'store-away'
