// Waiting for something that others wait for as well: who has had enough leaves it to them.
import { setTimeout as wait } from 'node:timers/promises'

/** Waits for the work, the caller's patience or its signal, whichever ends first. */
export async function patient(work: Promise<void>, signal: AbortSignal, patienceMs: number): Promise<void> {
  const over = new AbortController()
  const enough = wait(patienceMs, undefined, { signal: AbortSignal.any([signal, over.signal]) }).catch(() => undefined)
  await Promise.race([work, enough])
  over.abort()
}
