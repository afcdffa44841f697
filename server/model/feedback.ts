// Feedback: what an agent tells the operators when it is stuck. Implemented by `server/store/feedback`.
import type { Principal } from './principal.ts'

/** `low`: a remark; `high`: the agent cannot do what the user asked. */
export const severities = ['low', 'med', 'high'] as const
export type Severity = (typeof severities)[number]

export interface FeedbackDraft {
  readonly id: string
  readonly principal: Principal
  readonly severity: Severity
  readonly attemptedAction: string
  readonly expectedOutcome: string
  readonly actualOutcome: string
  readonly toolCalled: string | undefined
  readonly errorSeen: string | undefined
  /** The agent's claim why it says so. */
  readonly rationale: string
}

/** Where feedback goes. */
export interface FeedbackBox {
  /** Stores an item; one with the same id only once. */
  add(draft: FeedbackDraft): Promise<void>
  find(id: string): Promise<unknown>
}
