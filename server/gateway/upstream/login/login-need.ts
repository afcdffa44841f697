// A server wants a login, or a better one, and only a person can give it: so whoever reads of it, agent or operator, reads
// the command that does. What a server says of itself stands in none of these sentences.

/** Why a server cannot be used without a person, or not now. */
export interface LoginNeed {
  /**
   * `none`: nobody has logged in. `over`: the authorization server has ended the login. `refused`: the server does not
   * take its token. `client`: the authorization server does not take us for the client of the login. `scope`: the login
   * permits too little. `renewed`: the token was too old, and there is a new one now. `away`: the authorization server does
   * not answer.
   */
  readonly kind: 'none' | 'over' | 'refused' | 'client' | 'scope' | 'renewed' | 'away'
  readonly server: string
  /** One sentence. */
  readonly why: string
  /** What a person runs; absent where nobody has to do anything. */
  readonly command?: string
  /** Variables that it needs in that terminal. */
  readonly variables?: readonly string[]
  /** The login that is not enough, by its time; absent where there is none. */
  readonly at?: number | undefined
}

/** Thrown in place of an answer. Nothing was run: the request was not sent, or its token was refused. */
export class LoginNeeded extends Error {
  readonly need: LoginNeed
  constructor(need: LoginNeed, options?: ErrorOptions) {
    super(needText(need), options)
    this.need = need
  }
}

/** What is needed, and what a person runs for it. */
export const needText = ({ why, command, variables = [] }: LoginNeed): string =>
  command === undefined
    ? why
    : `${why} A person runs this in a terminal${variables.length === 0 ? '' : ` that has ${variables.join(' and ')} of this server`}: \`${command}\``

/** The need that an error speaks of, however deep. */
export function needOf(error: unknown): LoginNeed | undefined {
  for (let held = error, depth = 0; held instanceof Error && depth < 4; held = held.cause, depth++)
    if (held instanceof LoginNeeded) return held.need
  return undefined
}

/**
 * Scopes that may stand in a command which a person pastes into a shell: a server chooses them, and RFC 6749 (section 3.3)
 * lets them hold `$(…)`. `undefined` where one of them is not plain.
 */
export const plainScopes = (scope: string): string | undefined =>
  /^[\w.:/-]{1,100}(?: [\w.:/-]{1,100}){0,19}$/.test(scope) ? scope : undefined
