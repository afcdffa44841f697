// A session is a random value that only the browser has; the database keeps its hash, so that who reads the database
// cannot sign in with it, and every process knows of it at once. It ends by itself twice: some time after the sign-in,
// and earlier when nobody has been there for an hour.
import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { epoch } from '../plan-row.ts'
import type { Tables } from '../tables.ts'
import type { Account } from './account.ts'
import { toAccount } from './account-row.ts'

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

export interface Session {
  readonly account: Account
  readonly via: 'session' | 'oidc'
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** How long a session may lie unused. */
const IDLE_MS = 60 * 60 * 1000
/** How exactly its last use is known: a page that asks every second shall not write every second. */
const TOUCH_MS = 60 * 1000

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex')

export type Sessions = ReturnType<typeof createSessions>

/** Operators' sessions on one database. */
export const createSessions = (db: Kysely<Tables>, now: () => number) => ({
  /** A new session; answers the value for the cookie, which exists nowhere else. */
  open: async (account: string, via: Session['via'], lastsMs: number) => {
    const value = randomBytes(32).toString('base64url')
    const at = now()
    await db
      .insertInto('countersign_sessions')
      .values({
        hash: hashOf(value),
        account_id: account,
        via,
        created_at: at,
        seen_at: at,
        expires_at: at + lastsMs,
      })
      .execute()
    return { value, expiresAt: at + lastsMs }
  },
  /** Whose it is, while it holds and the account is active. */
  find: async (value: string): Promise<Session | undefined> => {
    const at = now()
    const row = await db
      .selectFrom('countersign_sessions')
      .innerJoin('countersign_accounts', 'countersign_accounts.id', 'countersign_sessions.account_id')
      .selectAll('countersign_accounts')
      .select(['hash', 'via', 'expires_at', 'countersign_sessions.seen_at as used_at'])
      .where('hash', '=', hashOf(value))
      .where('expires_at', '>', at)
      .where('countersign_sessions.seen_at', '>', at - IDLE_MS)
      .where('state', '=', 'active')
      .executeTakeFirst()
    if (row === undefined) return undefined
    if (epoch.parse(row.used_at) <= at - TOUCH_MS)
      await db.updateTable('countersign_sessions').set({ seen_at: at }).where('hash', '=', row.hash).execute()
    return {
      account: toAccount(row),
      via: row.via === 'oidc' ? 'oidc' : 'session',
      expiresAt: epoch.parse(row.expires_at),
    }
  },
  end: async (value: string): Promise<void> => {
    await db.deleteFrom('countersign_sessions').where('hash', '=', hashOf(value)).execute()
  },
  /** Ends all of an account's; answers how many. */
  endAll: async (account: string): Promise<number> => {
    const { numDeletedRows } = await db
      .deleteFrom('countersign_sessions')
      .where('account_id', '=', account)
      .executeTakeFirst()
    return Number(numDeletedRows)
  },
})

/** Removes what has ended, at most `limit` of each. */
export const sweepSessions = async (db: Kysely<Tables>, at: number, limit: number): Promise<void> => {
  await db
    .deleteFrom('countersign_sessions')
    .where('hash', 'in', (of) =>
      of
        .selectFrom('countersign_sessions')
        .select('hash')
        .where((is) => is.or([is('expires_at', '<=', at), is('seen_at', '<=', at - IDLE_MS)]))
        .limit(limit),
    )
    .execute()
  await db
    .deleteFrom('countersign_guesses')
    .where('key', 'in', (of) =>
      of.selectFrom('countersign_guesses').select('key').where('until', '<=', at).limit(limit),
    )
    .execute()
}
