// How long a tool usually takes is told on each of its previews and changes slowly, but its answer is looked for among
// hundreds of rows. So it is kept for a minute.
import type { Engine } from '../../rail/engine.ts'

type TypicalDuration = NonNullable<Engine['typicalDuration']>

const keptMs = 60_000
/** That there is none yet: a tool's fifth run should show soon. */
const keptNoneMs = 5_000
const mostKept = 1000

/** The same answers, at most a minute old by `now` (epoch milliseconds); that there is none yet, five seconds. */
export function keepTypicalDurations(ask: TypicalDuration, now: () => number): TypicalDuration {
  const kept = new Map<string, { readonly duration: number | undefined; readonly at: number }>()
  return async (of) => {
    const key = JSON.stringify([of.tenant, of.tool])
    const known = kept.get(key)
    const longest = known?.duration === undefined ? keptNoneMs : keptMs
    if (known !== undefined && Math.abs(now() - known.at) < longest) return known.duration
    const duration = await ask(of)
    if (kept.size >= mostKept) kept.clear()
    kept.set(key, { duration, at: now() })
    return duration
  }
}
