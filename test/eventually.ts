// "It must have happened by now" is true of one machine. What other processes do takes as long as it takes; how long a
// test may wait for it is one number for all of them, so long that only what never comes is missed.
import { vi } from 'vitest'
import { longest } from './longest.ts'

/** Tries until it no longer throws, and answers what it answered. `interval`: between two tries, in milliseconds. */
export const eventually = <T>(holds: () => T | Promise<T>, { interval = 50 } = {}): Promise<T> =>
  vi.waitFor(holds, { timeout: longest, interval })
