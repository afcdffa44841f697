// The input of insights as plain data: whoever has the store reads it, so that everything said about it can be computed,
// and tested, without one.
import type { Severity } from '../../model/feedback.ts'
import type { Figures } from '../../store/store.ts'

/** Calls of one slice of time that have tool, verdict, outcome and error code in common. */
export type CallSum = Awaited<ReturnType<Figures['calls']>>[number]

/** An error that a session has met, and what it did next. */
export type MetError = Awaited<ReturnType<Figures['errors']>>[number]

/** Errors of one kind that no rule explains. */
export type UnexplainedSum = Awaited<ReturnType<Figures['unexplained']>>[number]

/** A recorded rationale. */
export type RecordedRationale = Awaited<ReturnType<Figures['rationales']>>[number]

export type ApprovalSum = Awaited<ReturnType<Figures['approvals']>>[number]

/** One piece of feedback. */
export interface FeedbackText {
  readonly id: string
  readonly at: number
  readonly severity: Severity
  readonly tool: string | undefined
  /** What was tried and what came of it, as one text. */
  readonly text: string
  /** What stands for it in a list. */
  readonly sentence: string
}

/** Everything of one tenant. Times are epoch milliseconds. */
export interface Facts {
  readonly tenant: string
  readonly since: number
  readonly until: number
  readonly grain: 'hour' | 'day' | 'week'
  readonly slices: readonly { readonly since: number; readonly until: number; readonly sums: readonly CallSum[] }[]
  /** Rationales of the time asked for, and of the last 30 days; samples where there are more. */
  readonly rationales: readonly RecordedRationale[]
  readonly recentRationales: readonly RecordedRationale[]
  readonly approvals: readonly ApprovalSum[]
  /** The newest, at most `mostMet`. */
  readonly met: readonly MetError[]
  readonly mostMet: number
  /** The most frequent first. */
  readonly unexplained: readonly UnexplainedSum[]
  /** Of the time asked for and of the last 90 days, whichever is longer; newest first. */
  readonly feedback: readonly FeedbackText[]
  /** When the tenant's first recorded call was. */
  readonly firstCallAt: number | undefined
  /** What to do about a failure, where the tool's contract or the server knows it. */
  readonly guidance: (tool: string | undefined, code: string) => string | undefined
}

/** How many days back the share of meaningful rationales and the rate of feedback are counted. */
export const rationaleDays = 30
export const feedbackDays = 90
