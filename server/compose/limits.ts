// From `limits` in the settings to what the engine counts.
import type { CallLimits } from '../rail/engine.ts'
import type { Store } from '../store/store.ts'

export interface LimitOptions {
  readonly calls_per_minute?: number | undefined
  readonly writes_per_minute?: number | undefined
}

/** Counts calls, and of those that can change something once more. `undefined` where nothing is limited. */
export function composeLimits({ access }: Pick<Store, 'access'>, limits: LimitOptions): CallLimits | undefined {
  const { calls_per_minute: calls, writes_per_minute: writes } = limits
  if (calls === undefined && writes === undefined) return undefined
  const kinds = [
    { counted: 'calls', of: ['read', 'write'], perMinute: calls },
    { counted: 'writes', of: ['write'], perMinute: writes },
  ] as const
  const counters = kinds.flatMap(({ counted, of, perMinute }) =>
    perMinute === undefined ? [] : [{ counted, of, perMinute, limiter: access.limiter(counted, perMinute) }],
  )
  return {
    take: async (principal, kind) => {
      for (const { counted, of, perMinute, limiter } of counters) {
        if (!of.some((one) => one === kind)) continue
        const retryAfterSeconds = await limiter.take(principal)
        if (retryAfterSeconds !== undefined) return { counted, perMinute, retryAfterSeconds }
      }
      return undefined
    },
  }
}
