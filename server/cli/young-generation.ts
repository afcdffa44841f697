// V8 doubles the space for new objects whenever much of it survives, up to 64 MB twice, and a start is nothing but objects
// that survive: half of what the process takes afterwards would be space that it needs no more (ADR 49).
import { setFlagsFromString } from 'node:v8'

const grow = (factor: 1 | 2): void => setFlagsFromString(`--semi-space-growth-factor=${factor}`)

let growsLater: NodeJS.Timeout | undefined

/**
 * Keeps the space for new objects from growing in the first minute, or `milliseconds`. Whoever has given Node a size for it
 * has decided. Comes before anything is compiled: V8 takes what was kept of an earlier start only under the same flags.
 */
export function startSmall(milliseconds = 60_000): void {
  const given = [...process.execArgv, process.env['NODE_OPTIONS'] ?? '']
  if (given.some((option) => /semi[-_]space/.test(option))) return
  grow(1)
  growsLater = setTimeout(() => grow(2), milliseconds).unref()
}

/** The minute begins anew: something has just come up. */
export const putOffGrowth = (): void => void growsLater?.refresh()
