// Of what a contract's function answers: whether that is the end of the call, and not its value.
import type { ToolFailed, ToolStale } from './contract.ts'

/** Tells a failure or staleness from an answer. */
export const hasEnded = (answer: unknown): answer is ToolFailed | ToolStale =>
  typeof answer === 'object' &&
  answer !== null &&
  'kind' in answer &&
  (answer.kind === 'tool-failed' || answer.kind === 'tool-stale')
