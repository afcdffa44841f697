// People who vote, for tests of what becomes of votes.
import type { Voter } from '../../../server/store/store.ts'

/** A person with a session of their own. */
export const voter = (name: string, more: Partial<Voter> = {}): Voter => ({
  name,
  person: `op_${name.toLowerCase()}`,
  via: 'session',
  ...more,
})
