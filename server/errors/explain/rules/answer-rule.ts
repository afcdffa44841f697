// A rule about the text of another server's error. Texts are long and rules are many, so each names words of which one must be
// there: only then its pattern is tried, and only around that word.
import type { UpstreamErrorType } from '../classes.ts'
import type { ErrorRule } from '../rule.ts'

export interface AnswerRule extends ErrorRule {
  readonly type: UpstreamErrorType
  /** Small letters, digits and `_`; the pattern is tried around each text's first of them. */
  readonly words: readonly string[]
  /** Goes before the sentence of its type, where there is more to say. */
  readonly cause?: string
  /** Where its examples are from: a server of test/errors/recorded, or the page that documents them. */
  readonly from: readonly string[]
}

type Row = Omit<AnswerRule, 'version' | 'others'> & { readonly version?: number; readonly others?: readonly string[] }

/** Rules as they are written; one without a version is in its first. */
export const answerRules = (rows: readonly Row[]): readonly AnswerRule[] =>
  rows.map((row) => ({ version: 1, others: [], ...row }))
