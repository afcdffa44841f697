// Why changes were stopped is told to agents and stands on cards, and an operator writes it in a hurry.
import { redactText } from '../policy/redact.ts'

export interface FreezeDraft {
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

/** What an operator does about a database that is behind its anchors. */
export const behindNext =
  'Stop the server and restore the newer copy of the database; or accept this one with `countersign activity accept --reason "…"`, which is recorded with your name.'

/** Why changes stay stopped for every tenant, whoever stopped them. `behind`: what the database lacks, in sentences. */
export const staysFrozen = (
  behind: string,
): { readonly code: 'database-behind'; readonly message: string; readonly next: string } => ({
  code: 'database-behind',
  message: `Nothing was lifted: the database is older than its anchors, and a change could be made twice. ${behind}`,
  next: behindNext,
})
