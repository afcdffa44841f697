// What an agent tells the operators when it is stuck. `server/store/feedback` keeps it.
import type { Principal } from './principal.ts'

/** From a remark to "cannot do what the user asked". */
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
  /** Keeps an item. One with the same id is kept once. */
  add(draft: FeedbackDraft): Promise<void>
  find(id: string): Promise<unknown>
}
