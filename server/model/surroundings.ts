// What a process has around it: its streams, its variables, and how it is told to end. A command line may be run beside
// others in one process (tests do it, because a process of its own costs half a second of loading), and then each run has
// its own. Elsewhere it is that of the process.
import { AsyncLocalStorage } from 'node:async_hooks'
import type { Readable, Writable } from 'node:stream'

export interface Surroundings {
  readonly stdin: Readable & { readonly isTTY?: boolean }
  readonly stdout: Writable & { readonly isTTY?: boolean }
  readonly stderr: Writable & { readonly isTTY?: boolean }
  readonly env: Readonly<Record<string, string | undefined>>
  /** Aborted when the run is told to end; the signals of the process where it is absent. */
  readonly ends?: AbortSignal
}

const ofRun = new AsyncLocalStorage<Surroundings>()

/** The surroundings of the run that this is called in; those of the process outside of any. */
export const surroundings = (): Surroundings => ofRun.getStore() ?? process

/** Does work within these surroundings. */
export const within = <T>(own: Surroundings, work: () => T): T => ofRun.run(own, work)
