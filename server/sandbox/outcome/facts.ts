// What is read of a run before anything is said about it, and what is known of the place where programs run.
import type { Language, PackageInfo, RunResult, SandboxLimits } from '../sandbox.ts'

export type { Ended, ImportFact, Language } from '../sandbox.ts'

/** The part of a result that is read here. */
export type RunFacts = Pick<
  RunResult,
  'stderr' | 'exitCode' | 'ended' | 'imports' | 'sessionId' | 'sessionFuel' | 'sessionReset'
> & {
  readonly fuel: Pick<RunResult['fuel'], 'consumed' | 'budget'>
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

/** What a sandbox says of itself, as it is used here. */
export const surroundingsOf = (
  { largestBudget }: Pick<SandboxLimits, 'largestBudget'>,
  packages: readonly Pick<PackageInfo, 'modules' | 'firstImport'>[],
): Required<Surroundings> => ({
  largestBudget,
  packages: new Map(packages.flatMap(({ modules, firstImport }) => modules.map((name) => [name, firstImport.fuel]))),
})
