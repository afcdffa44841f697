// What a call became. One word for every door and for the record.

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

export type Outcome = (typeof outcomes)[number]

const errors: ReadonlySet<string> = new Set(['mismatch', 'stale', 'refused', 'failed', 'outcome_unknown'])

/** Outcomes that carry `isError: true` in an MCP tool result. */
export const isErrorOutcome = (outcome: string): boolean => errors.has(outcome)
