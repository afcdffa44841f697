// From `limits` in the settings to what the rail counts.
import type { CallLimits, Counter } from '../rail/engine.ts'
import type { Store } from '../store/store.ts'

export interface LimitOptions {
  readonly calls_per_minute?: number | undefined
  readonly writes_per_minute?: number | undefined
}

/** Counts calls, and of those that can change something once more. `undefined` where nothing is limited. */
export function composeLimits({ access }: Pick<Store, 'access'>, limits: LimitOptions): CallLimits | undefined {
  const { calls_per_minute: calls, writes_per_minute: writes } = limits
  if (calls === undefined && writes === undefined) return undefined
  const counterOf = (counter: Counter, perMinute: number | undefined) =>
    perMinute === undefined ? undefined : { perMinute, limiter: access.limiter(counter, perMinute) }
  const counters = { calls: counterOf('calls', calls), writes: counterOf('writes', writes) }
  return {
    take: async (principal, counter) => {
      const limit = counters[counter]
      const retryAfterSeconds = await limit?.limiter.take(principal)
      if (limit === undefined || retryAfterSeconds === undefined) return undefined
      return { counted: counter, perMinute: limit.perMinute, retryAfterSeconds }
    },
  }
}
