// How long people took to decide against what came of it: what is approved in seconds and then fails, or is rejected after
// hours, says more than a median does.
import type { ApprovalSum } from './facts.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** Where each stretch of time ends, in milliseconds; the last one has no end. */
const ends = [10_000, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 8 * HOUR, Infinity]

/** How an approval ended, the call that was approved included. */
export const approvalEnds = ['applied', 'failed', 'not_run', 'rejected', 'expired'] as const
export type ApprovalEnd = (typeof approvalEnds)[number]

/** So many ids are named of each count: who looks at a bar wants examples, and an address has a length. */
const MOST_IDS = 40

/** What approvals of one stretch of time came to, with the newest of each by their ids. */
type Counts = Readonly<Record<ApprovalEnd, { readonly count: number; readonly ids: readonly string[] }>>

export interface Delay extends Counts {
  /** `null` on both: of these nobody decided. */
  readonly from_seconds: number | null
  /** Exclusive; `null`: there is no end. */
  readonly to_seconds: number | null
}

/** Decided approvals by how long the decision took, and those that expired; the ones that wait are left out. */
export function approvalDelays(approvals: readonly ApprovalSum[]): readonly Delay[] {
  const decided = ends.map((end, at): Delay => {
    const from = ends[at - 1] ?? 0
    const within = approvals.filter(({ decidedAfterMs: took }) => took !== undefined && took >= from && took < end)
    const to = Number.isFinite(end) ? end / 1000 : null
    return { from_seconds: from / 1000, to_seconds: to, ...countsOf(within) }
  })
  const undecided = approvals.filter(({ decidedAfterMs }) => decidedAfterMs === undefined)
  return [...decided, { from_seconds: null, to_seconds: null, ...countsOf(undecided) }]
}

const countsOf = (approvals: readonly ApprovalSum[]): Counts => {
  const of = (end: ApprovalEnd) => {
    const ended = approvals.filter((approval) => endOf(approval) === end)
    return { count: ended.length, ids: ended.slice(0, MOST_IDS).map(({ id }) => id) }
  }
  return {
    applied: of('applied'),
    failed: of('failed'),
    not_run: of('not_run'),
    rejected: of('rejected'),
    expired: of('expired'),
  }
}

function endOf({ state, call }: ApprovalSum): ApprovalEnd | undefined {
  if (state === 'waiting') return undefined
  return state === 'approved' ? call : state
}
