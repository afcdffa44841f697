// What a call showed of guidance at work: for the record, the log and the figures of operators, never for callers.
import type { Unexplained } from '../errors/unexplained.ts'

/** The error that a call ended with, or that a program ended with which it ran. */
export interface Finding {
  /** What kind of error it is, as `error_type` says it. */
  readonly errorType: string
  /** The rule that explains it. */
  readonly rule: string
  /** Where no rule explains it nearer than that something went wrong. */
  readonly unexplained?: Unexplained
}

/** What a session's answers say beside their results. `with` and `without`: its half, where operators compare the two. */
export type GuidanceGiven = 'all' | 'none' | 'with' | 'without'

/** How work ended that a call did for its caller, where the call itself is no failure. */
export interface Conclusion {
  /** In one word, of few: `finished`, `out_of_fuel`. */
  readonly ended: string
  /** The error that it ended with. */
  readonly error?: {
    readonly type: string
    /** The rule that explains it. */
    readonly rule: string
    /** What it said, where no rule explains it nearer than that. */
    readonly unexplained?: string
  }
}
