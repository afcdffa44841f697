// How long a tool usually takes is told on each of its previews and changes slowly, but its answer is looked for among
// hundreds of rows. So it is kept for a minute.
import type { Engine } from '../../rail/engine.ts'

type TypicalDuration = NonNullable<Engine['typicalDuration']>

const keptMs = 60_000
const mostKept = 1000

/** The same answers, at most a minute old by `now` (epoch milliseconds). That there is none yet is not kept. */
export function keepTypicalDurations(ask: TypicalDuration, now: () => number): TypicalDuration {
  const kept = new Map<string, { readonly duration: number; readonly at: number }>()
  return async (of) => {
    const key = JSON.stringify([of.tenant, of.tool])
    const known = kept.get(key)
    if (known !== undefined && Math.abs(now() - known.at) < keptMs) return known.duration
    const duration = await ask(of)
    if (kept.size >= mostKept) kept.clear()
    if (duration !== undefined) kept.set(key, { duration, at: now() })
    return duration
  }
}
