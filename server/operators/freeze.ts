// Why changes were stopped is told to agents and stands on cards, and an operator writes it in a hurry.
import { redactText } from '../policy/redact.ts'

interface FreezeDraft {
  /** All tenants when absent. */
  readonly tenant: string | undefined
  readonly reason: string
  readonly by: string
}

/** Stops changes by agents with a reason that holds no secret; answers that reason and how many previews ended with it. */
export async function freezeChanges(
  switches: { freeze(draft: FreezeDraft): Promise<{ readonly revoked: number }> },
  draft: FreezeDraft,
): Promise<{ readonly revoked: number; readonly reason: string }> {
  const reason = redactText(draft.reason)
  return { ...(await switches.freeze({ ...draft, reason })), reason }
}
