// Logins: what an authorization server gave this gateway after a person agreed in a browser. Implemented by
// `server/store/logins`.

/** Whose login it is: one entry of the settings, at one address. The same name at another address never gets it. */
export interface LoginKey {
  /** Name of the server in the settings. */
  readonly server: string
  /** Address of the server, as the settings have it. */
  readonly address: string
}

/** The tokens of a login. */
export interface LoginTokens {
  readonly access: string
  /** Epoch milliseconds; absent where the authorization server does not say. */
  readonly expiresAt?: number | undefined
  /** When they were given, in epoch milliseconds. */
  readonly since: number
  /** Absent where the login cannot be refreshed. */
  readonly refresh?: string | undefined
}

/** What a person has agreed to, once, in a browser. */
export interface Login extends LoginKey {
  /** When, in epoch milliseconds. Tells one login of a server from the one before it. */
  readonly at: number
  /** The authorization server's own name for itself (RFC 8414, `issuer`). */
  readonly issuer: string
  /** Metadata of the authorization server as it was then (RFC 8414): a refresh asks nobody where to go. */
  readonly metadata: Readonly<Record<string, unknown>>
  /** As whom we are known there: registered by us, or by the operator. */
  readonly client: {
    readonly id: string
    readonly secret?: string | undefined
    /** `token_endpoint_auth_method` of RFC 7591. */
    readonly method?: string | undefined
  }
  /** Whether the operator lets its authorization server lie on this machine or in a private network. */
  readonly privateNetwork: boolean
  /** For which resource the tokens are meant (RFC 8707); absent where the server has no metadata of its own. */
  readonly resource?: string | undefined
  /** The scopes that were granted, divided by blanks. */
  readonly scope?: string | undefined
  /** Absent once the authorization server has ended the login. */
  readonly tokens?: LoginTokens | undefined
}

/** The logins of one database, shared by all processes on it. Everything of a login lies sealed. */
export interface LoginStore {
  find(key: LoginKey): Promise<Login | undefined>
  all(): Promise<readonly Login[]>
  /** Keeps a new login in place of the one before, whoever is refreshing that. */
  put(login: Login): Promise<void>
  /** Takes the turn to refresh a login for so many milliseconds. False where somebody else has it, or there is no login. */
  take(key: LoginKey, owner: string, forMs: number): Promise<boolean>
  /**
   * Gives the turn back, with what the refresh came to where there is something to keep. False where the login is not the
   * owner's to change any more: somebody has logged in or out, or the turn was over. Nothing is kept then.
   */
  giveBack(key: LoginKey, owner: string, login?: Login): Promise<boolean>
  /** False where there was none. */
  remove(key: LoginKey): Promise<boolean>
}
