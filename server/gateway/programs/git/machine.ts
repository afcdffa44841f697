// The machine on which the lines of a server run, where that is this one: what they find there decides what some of them do.
import type { RepositoryLook } from './look.ts'

/** What is known of the place in which a line of a shell begins. */
export interface Machine {
  /** The folder in which each line begins; nothing where nobody knows. */
  readonly folder: string | undefined
  /** What `~` stands for. */
  readonly home: string | undefined
  /** What git would do in a folder, as it is now, as far as that can be found out by then (`performance.now()`). */
  readonly look: (folder: string, until?: number) => RepositoryLook
}

/** Milliseconds for all folders of one call: a file of a configuration may be one that never ends. */
export const longestLook = 2000
