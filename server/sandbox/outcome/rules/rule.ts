// A rule about the error of a program: of its language and, by name, of the errors that it reads. Its examples are last lines
// of stderr, as the runtime writes them.
import type { ErrorRule } from '../../../errors/explain/rule.ts'
import type { ProgramErrorType } from '../../../errors/related-docs.ts'
import type { Language } from '../facts.ts'
import type { EditName } from '../edits/edits.ts'

export interface Rule extends ErrorRule {
  readonly language: Language
  /** `error_type` of the guidance. */
  readonly type: ProgramErrorType
  /** Names of the errors that it reads; empty for all. */
  readonly raised: readonly string[]
  /** What the line that the error shows must be like, too: of some mistakes the message says nothing. In linear time. */
  readonly shown?: RegExp
  readonly cause: string
  /** Named groups of the pattern fill their `{placeholders}`, as those of `cause`. */
  readonly steps: readonly string[]
  /** Code as it is often written, and as it works: shown where there is no edit of the program itself. */
  readonly example?: readonly [before: string, after: string]
  /** Which mechanical edit of the program may mend it. */
  readonly edit?: EditName
  /** Set where the rule knows the kind of error and nothing nearer. */
  readonly general?: true
}

type Row = Omit<Rule, 'language' | 'version'> & { readonly version?: number }

/** Rules of one language; a row without a version is in its first. */
export const rulesOf = (language: Language, rows: readonly Row[]): readonly Rule[] =>
  rows.map((row) => ({ version: 1, ...row, language }))
