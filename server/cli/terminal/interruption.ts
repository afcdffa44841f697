// A command that a person may interrupt and that has something to do then: it says so, and not only its process ends.
import { surroundings } from '../../model/surroundings.ts'

/** Aborted at the first of these signals, or when the run is told to end; `off` leaves the signals to the process again. */
export function interruption(...signals: readonly ('SIGINT' | 'SIGTERM')[]): {
  readonly signal: AbortSignal
  readonly off: () => void
} {
  const { ends } = surroundings()
  if (ends !== undefined) return { signal: ends, off: () => undefined }
  const stop = new AbortController()
  const abort = (): void => stop.abort()
  for (const signal of signals) process.once(signal, abort)
  return { signal: stop.signal, off: () => signals.forEach((signal) => process.off(signal, abort)) }
}
