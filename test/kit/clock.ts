// A clock that only the test moves, and the spans it is moved by, in milliseconds.
export const MINUTE = 60_000
export const HOUR = 60 * MINUTE
export const DAY = 24 * HOUR

export interface Clock {
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly pass: (ms: number) => void
}

/** Starts at noon of 1 January 2026, where nothing else is said. */
export const createClock = (start = Date.UTC(2026, 0, 1, 12)): Clock => {
  let at = start
  return {
    now: () => at,
    pass: (ms) => {
      at += ms
    },
  }
}
