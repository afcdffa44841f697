// A rule is data: which error it knows, what that error is called here, what is said of it, and lines that it must and must
// not know. CONTRIBUTING.md says how one is added.
import type { Language } from '../facts.ts'
import type { EditName } from '../edits/edits.ts'

export interface Rule {
  /** `py.key`, `js.null_access`: stays the same while its words change. */
  readonly id: string
  /** Rises when what it matches changes, so that counts of before and after are not mixed. */
  readonly version: number
  readonly language: Language
  /** `error_type` of the guidance. */
  readonly type: string
  /** Names of the errors that it reads; empty for all. */
  readonly raised: readonly string[]
  /** Finds its words in the message, in linear time. Named groups fill `{placeholders}` of `cause` and `steps`. */
  readonly pattern: RegExp
  readonly cause: string
  readonly steps: readonly string[]
  /** Code as it is often written, and as it works: shown where there is no edit of the program itself. */
  readonly example?: readonly [before: string, after: string]
  /** Which mechanical edit of the program may mend it. */
  readonly edit?: EditName
  /** Set where the rule knows the kind of error and nothing nearer. */
  readonly general?: true
  /** Last lines of stderr, as the runtime writes them. */
  readonly matches: readonly string[]
  readonly others: readonly string[]
}

type Row = Omit<Rule, 'language' | 'version'> & { readonly version?: number }

/** Rules of one language; a row without a version is in its first. */
export const rulesOf = (language: Language, rows: readonly Row[]): readonly Rule[] =>
  rows.map((row) => ({ version: 1, ...row, language }))

/** The words of a rule with what was found in the message; a group that took no part is called `this`. */
export function filled(words: string, groups: Readonly<Record<string, string | undefined>>): string {
  return words.replace(/\{([a-z]{1,20})\}/g, (whole, name: string) =>
    Object.hasOwn(groups, name) ? shortened(groups[name] ?? 'this') : whole,
  )
}

const shortened = (text: string): string => (text.length > 100 ? `${text.slice(0, 97)}…` : text)
