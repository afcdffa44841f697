// Feedback as it is kept: an agent quotes what it has sent and read.
import type { FeedbackBox } from '../model/feedback.ts'
import { redactText } from '../policy/redact.ts'

/** What an agent quotes may hold a secret; nothing is kept of it. */
export const redactedBox = (box: FeedbackBox): FeedbackBox => ({
  add: (draft) =>
    box.add({
      ...draft,
      attemptedAction: redactText(draft.attemptedAction),
      expectedOutcome: redactText(draft.expectedOutcome),
      actualOutcome: redactText(draft.actualOutcome),
      toolCalled: draft.toolCalled === undefined ? undefined : redactText(draft.toolCalled),
      errorSeen: draft.errorSeen === undefined ? undefined : redactText(draft.errorSeen),
      rationale: redactText(draft.rationale),
    }),
  find: (id) => box.find(id),
})
