// What a mail server has answered must not be lost because the database takes nothing for a while: it is tried again until
// it does. Not for ever, though: nothing is sent twice without it, and who runs this server must hear of it.
import { setTimeout as wait } from 'node:timers/promises'
import type { ToolsetParts } from '../../toolset.ts'
import { count } from '../../say.ts'

/** Milliseconds between two tries, at most, and between two reports of it. */
const mostMs = 30_000
const reportMs = 5 * 60_000

export interface RetryOptions extends Pick<ToolsetParts, 'report'> {
  /** Milliseconds for which it is tried. */
  readonly keepMs: number
  /** Aborted when the server ends: there is no time left then. */
  readonly ending: AbortSignal
  /** What is to be written down. */
  readonly what: string
}

/**
 * Tries again while the database fails, less and less often; `attempt` counts from 1.
 * @throws {Error} when that was for too long.
 */
export async function retryWrite<T>(
  { keepMs, ending, report, what }: RetryOptions,
  write: (attempt: number) => Promise<T>,
): Promise<T> {
  const since = performance.now()
  let toldAt = -Infinity
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await write(attempt)
    } catch (error) {
      const lastedMs = performance.now() - since
      if (lastedMs >= keepMs || (ending.aborted && attempt > 3))
        throw new Error(
          `${what} could not be written down within ${count(Math.round(lastedMs / 60_000), 'minute')}: these mails are unknown now, and none of them is sent again by itself. Put the database in order.`,
          { cause: error },
        )
      if (lastedMs - toldAt >= reportMs) {
        report(new Error(`${what} cannot be written down; it is tried again.`, { cause: error }), 'marks of a campaign')
        toldAt = lastedMs
      }
      await wait(Math.min(mostMs, keepMs - lastedMs, 20 * 2 ** attempt), undefined, { ref: false })
    }
  }
}
