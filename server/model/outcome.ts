// Outcomes: what a call became, by one word at every door and in the activity log.

/** How a call can end. */
export const outcomes = [
  'ok',
  'previewed',
  'applied',
  'replayed',
  'running',
  'mismatch',
  'stale',
  'refused',
  'awaiting_approval',
  'failed',
  'outcome_unknown',
] as const

/** How a call ended: `status` of its answer. */
export type Outcome = (typeof outcomes)[number]

const errors: ReadonlySet<string> = new Set(['mismatch', 'stale', 'refused', 'failed', 'outcome_unknown'])

/** Outcomes that carry `isError: true` in an MCP tool result. */
export const isErrorOutcome = (outcome: string): boolean => errors.has(outcome)
