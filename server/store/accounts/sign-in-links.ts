// A link that signs its holder in once. The database keeps the hash of its secret, as of a session's value; which of two
// requests that bring the same one is first is decided by one statement, whichever processes they come to.
import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Tables } from '../tables.ts'
import { epoch } from '../plan-row.ts'

export interface SignInLinkTable {
  /** SHA-256 of the secret. */
  readonly hash: string
  /** Who signs in, as the record shall name them. */
  readonly name: string
  /** The admin token that it was made with, as a keyed hash. */
  readonly credential: string
  readonly created_at: number
  readonly expires_at: number
  readonly used_at: number | null
}

/** What a link turned out to be. */
export type UsedLink =
  | { readonly kind: 'opened'; readonly name: string }
  /** `unknown`: never made here, made with another admin token, or so old that it was removed. */
  | { readonly kind: 'used' | 'expired' | 'unknown' }

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

/** How long one that is over is remembered, so that who opens it late hears why it does not work. */
const REMEMBERED_MS = 24 * 60 * 60 * 1000

export type SignInLinks = ReturnType<typeof createSignInLinks>

/** Links on one database. */
export const createSignInLinks = (db: Kysely<Tables>, now: () => number) => ({
  /** A new one; answers its secret, which exists nowhere else. */
  make: async ({ name, credential }: Pick<SignInLinkTable, 'name' | 'credential'>, lastsMs: number) => {
    const secret = randomBytes(32).toString('base64url')
    const at = now()
    const expiresAt = at + lastsMs
    await db
      .insertInto('countersign_sign_in_links')
      .values({ hash: hashOf(secret), name, credential, created_at: at, expires_at: expiresAt })
      .execute()
    return { secret, expiresAt }
  },
  /** Uses it up, where it still can be and was made with this admin token. */
  use: async (secret: string, credential: string): Promise<UsedLink> => {
    const at = now()
    const hash = hashOf(secret)
    const opened = await db
      .updateTable('countersign_sign_in_links')
      .set({ used_at: at })
      .where('hash', '=', hash)
      .where('credential', '=', credential)
      .where('used_at', 'is', null)
      .where('expires_at', '>', at)
      .returning('name')
      .executeTakeFirst()
    if (opened !== undefined) return { kind: 'opened', name: opened.name }
    const known = await db
      .selectFrom('countersign_sign_in_links')
      .select(['used_at', 'expires_at'])
      .where('hash', '=', hash)
      .where('credential', '=', credential)
      .executeTakeFirst()
    if (known === undefined) return { kind: 'unknown' }
    return { kind: known.used_at !== null || epoch.parse(known.expires_at) > at ? 'used' : 'expired' }
  },
})

/** Removes those that have been over for a day, at most `limit`. */
export const sweepSignInLinks = async (db: Kysely<Tables>, at: number, limit: number): Promise<void> => {
  await db
    .deleteFrom('countersign_sign_in_links')
    .where('hash', 'in', (of) =>
      of
        .selectFrom('countersign_sign_in_links')
        .select('hash')
        .where('expires_at', '<=', at - REMEMBERED_MS)
        .limit(limit),
    )
    .execute()
}
