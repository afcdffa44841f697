// From `limits` in the settings to what the rail counts.
import type { CallLimits, Counter } from '../rail/engine.ts'
import type { Store } from '../store/store.ts'

export interface LimitOptions {
  readonly calls_per_minute?: number | undefined
  readonly writes_per_minute?: number | undefined
}

/** Pages and progress for the cards of one principal: ten a second, which no person pages and no card asks. */
const cardReadsPerMinute = 600

/** Counts calls, and of those that can change something once more; what cards read is limited in any case. */
export function composeLimits({ access }: Pick<Store, 'access'>, limits: LimitOptions): CallLimits {
  const { calls_per_minute: calls, writes_per_minute: writes } = limits
  const counterOf = (counter: Counter, perMinute: number | undefined) =>
    perMinute === undefined ? undefined : { perMinute, limiter: access.limiter(counter, perMinute) }
  const counters = {
    calls: counterOf('calls', calls),
    writes: counterOf('writes', writes),
    card_reads: counterOf('card_reads', cardReadsPerMinute),
  }
  return {
    take: async (principal, counter) => {
      const limit = counters[counter]
      const retryAfterSeconds = await limit?.limiter.take(principal)
      if (limit === undefined || retryAfterSeconds === undefined) return undefined
      return { counted: counter, perMinute: limit.perMinute, retryAfterSeconds }
    },
  }
}
