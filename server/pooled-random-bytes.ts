// Nearly everything that is written down needs a few random bytes, and asking the system for few costs as much as asking for many.
import { randomFillSync } from 'node:crypto'

const pool = Buffer.alloc(4096)
let used = pool.length

/** The most that are asked for at once. */
const most = 64

/** So many random bytes, at most 64. Each is handed out once. */
export function pooledRandomBytes(count: number): Buffer {
  if (count > most) throw new RangeError(`At most ${most} random bytes at a time, not ${count}.`)
  if (used + count > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  const bytes = Buffer.from(pool.subarray(used, used + count))
  pool.fill(0, used, used + count)
  used += count
  return bytes
}
