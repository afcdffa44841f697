// Retries with exponential backoff and jitter, so that a receiver that is down is not overloaded when it comes back. They end
// after a day: an approval that nobody was told of for so long has expired.

/** How long a notification is tried before it is given up, in milliseconds. */
export const giveUpMs = 24 * 3_600_000
const firstMs = 5000
const longestMs = 3_600_000

/**
 * Milliseconds to wait after so many failed attempts (1 and up): 5 seconds, doubled each time up to an hour, less up to
 * half of it by `chance` (from 0 up to 1). A receiver may ask for more (Retry-After), up to an hour.
 */
export function waitMs(failed: number, chance: number, askedMs = 0): number {
  const full = Math.min(longestMs, firstMs * 2 ** Math.min(20, Math.max(0, failed - 1)))
  return Math.round(Math.max(full * (1 - chance / 2), Math.min(askedMs, longestMs)))
}

/** Milliseconds that a Retry-After header asks for (RFC 9110, section 10.2.3). */
export function readRetryAfter(header: string | undefined, nowMs: number): number {
  if (header === undefined) return 0
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const at = Date.parse(header)
  return Number.isNaN(at) ? 0 : Math.max(0, at - nowMs)
}
