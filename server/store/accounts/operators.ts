// Everything that the store knows of the people who decide, as one thing to hand on.
import { createAccounts, type Accounts, type AccountsParts } from './accounts.ts'
import { createDelegations, type Delegations } from './delegations.ts'
import { createGuesses, type Guesses } from './guesses.ts'
import { createSessions, type Sessions } from './sessions.ts'
import { createSignInLinks, type SignInLinks } from './sign-in-links.ts'

export interface Operators {
  readonly accounts: Accounts
  readonly sessions: Sessions
  /** Links that sign in once. */
  readonly signInLinks: SignInLinks
  /** Sign-ins that failed. */
  readonly guesses: Guesses
  readonly delegations: Delegations
  /** Seals what a browser keeps for us between two requests; only this database's processes can read it. */
  readonly sealer: AccountsParts['sealer']
}

/** The people who decide, on one database. */
export const createOperators = (parts: AccountsParts): Operators => ({
  accounts: createAccounts(parts),
  sessions: createSessions(parts.db, parts.now),
  signInLinks: createSignInLinks(parts.db, parts.now),
  guesses: createGuesses(parts.db, parts.sealer, parts.now),
  delegations: createDelegations(parts.db, parts.now),
  sealer: parts.sealer,
})
