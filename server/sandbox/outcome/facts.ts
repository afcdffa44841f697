// What there is to know of a run before anything is said about it. The result of a run has all of it; this names the part
// that is read here, so that words about runs need no runtime.

export type Language = 'python' | 'javascript'

/** How a run ended, as its host saw it: never read from what the program printed. */
export type Ended = 'finished' | 'error' | 'out_of_fuel' | 'out_of_memory' | 'timeout' | 'output_limit' | 'crashed'

export interface ImportFact {
  readonly module: string
  readonly firstInSession: boolean
  /** What the import consumed, where that was measured. */
  readonly fuel?: number | undefined
}

export interface RunFacts {
  readonly stderr: string
  readonly exitCode: number
  readonly ended: Ended
  readonly fuel: { readonly consumed: number; readonly budget: number }
  readonly imports: readonly ImportFact[]
  /** Set where the run belongs to a session that goes on. */
  readonly sessionId?: string | undefined
  readonly sessionReset: boolean
}

export interface Program {
  readonly language: Language
  readonly code: string
}

/** What is known of the place where programs run. */
export interface Surroundings {
  /** The largest `budget` that a call may ask for. */
  readonly largestBudget?: number
  /** Modules that ship beside the standard library, with what their first import costs. */
  readonly packages?: ReadonlyMap<string, number>
}
