// When a server that is not up is tried again: one that dies at once every time is not started a thousand times a minute.
import type { LifecycleOptions } from './lifecycle-options.ts'
import type { UpstreamState } from './upstream-state.ts'

/** The next attempt, as the state of a server tells it. */
type Retry = Required<Pick<UpstreamState, 'kind' | 'failures' | 'retryAt'>>

interface Retries {
  /** It could not be opened, or is gone: arranges the next attempt. */
  readonly next: () => Retry
  readonly isUp: () => void
  /** It was up and is gone. */
  readonly isDown: () => void
  readonly stop: () => void
}

/** Attempts at growing pauses. Whoever stayed up for `stableAfterMs` begins with the shortest again. */
export function createRetries(
  { backoff, giveUpAfter, stableAfterMs, now }: LifecycleOptions,
  tryAgain: () => void,
): Retries {
  let timer: NodeJS.Timeout | undefined
  let failures = 0
  let upSince = 0
  return {
    next: () => {
      failures++
      const isGivenUp = failures >= giveUpAfter
      const pause = isGivenUp ? backoff.maxMs : Math.min(backoff.firstMs * 2 ** (failures - 1), backoff.maxMs)
      clearTimeout(timer)
      timer = setTimeout(tryAgain, pause)
      timer.unref()
      return { kind: isGivenUp ? 'failed' : 'restarting', failures, retryAt: now() + pause }
    },
    isUp: () => {
      upSince = now()
    },
    isDown: () => {
      if (now() - upSince >= stableAfterMs) failures = 0
    },
    stop: () => clearTimeout(timer),
  }
}
