// Columns of operators' accounts and of what belongs to them. Times are epoch milliseconds, as everywhere.

export interface AccountTable {
  readonly id: string
  /** As it is shown and recorded. */
  readonly name: string
  /** As it is compared: two names that look alike are one. */
  readonly name_key: string
  /** Null: every tenant. */
  readonly tenant: string | null
  /** JSON. */
  readonly roles: string
  /** JSON: principals that are the same person. */
  readonly subjects: string
  /** scrypt, with its parameters; null where the person signs in elsewhere. */
  readonly password: string | null
  /** Issuer and subject of an OpenID provider, as JSON. */
  readonly provider: string | null
  /** `active` or `disabled`. */
  readonly state: string
  readonly created_at: number
  readonly changed_at: number
  /** Last sign-in. */
  readonly seen_at: number | null
}

export interface SessionTable {
  /** SHA-256 of the cookie's value. */
  readonly hash: string
  readonly account_id: string
  /** `session` or `oidc`. */
  readonly via: string
  readonly created_at: number
  readonly seen_at: number
  readonly expires_at: number
}

export interface GuessTable {
  /** A name, an address or a device, as a keyed hash. */
  readonly key: string
  readonly tries: number
  /** When counting begins anew. */
  readonly until: number
}

export interface DelegationTable {
  readonly id: string
  readonly from_id: string
  readonly to_id: string
  /** JSON: globs. */
  readonly tools: string
  readonly until: number
  readonly created_at: number
  readonly created_by: string
  readonly revoked_at: number | null
  readonly revoked_by: string | null
}

export interface VoteTable {
  readonly approval_id: string
  /** `approved` or `rejected`. */
  readonly decision: string
  /** Whose hand it was: an account's id, or the admin token. One hand votes once. */
  readonly person: string
  /** In whose right: the same, or who delegated it. One right counts once. */
  readonly authority: string
  readonly name: string
  readonly via: string
  readonly for_name: string | null
  readonly delegation: string | null
  readonly at: number
}
