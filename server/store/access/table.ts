/** One row for each token that was ever made; a revoked one stays, so that its principal is still known as revoked. */
export interface TokenTable {
  readonly id: string
  /** SHA-256 of the token, hexadecimal. */
  readonly hash: string
  readonly tenant: string
  readonly subject: string
  /** JSON: "all", or a list of names. */
  readonly permissions: string
  readonly label: string | null
  readonly created_at: number
  readonly created_by: string
  /** Null: never. */
  readonly expires_at: number | null
  readonly revoked_at: number | null
  readonly revoked_by: string | null
  readonly used_at: number | null
}

/** How often each caller has called; only on PostgreSQL, whose processes share it. */
export interface LimitTable {
  readonly key: string
  readonly points: number
  readonly expire: number | null
}

/** What an authorization server vouched for last, and until when. */
export interface VerifiedTable {
  readonly tenant: string
  readonly subject: string
  /** JSON: a list of names. */
  readonly permissions: string
  readonly expires_at: number
  readonly seen_at: number
}
