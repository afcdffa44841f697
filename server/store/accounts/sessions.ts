// A session is a random value that only the browser has; the database keeps its hash, so that who reads the database
// cannot sign in with it, and every process knows of it at once. It ends by itself twice: some time after the sign-in,
// and earlier when nobody has been there for an hour.
import { createHash, randomBytes } from 'node:crypto'
import type { Kysely } from 'kysely'
import { z } from 'zod'
import { epoch } from '../plan-row.ts'
import type { Tables } from '../tables.ts'
import type { Account } from './account.ts'
import { toAccount } from './account-row.ts'

export interface SessionTable {
  /** SHA-256 of the cookie's value. */
  readonly hash: string
  /** Of one with the admin token `admin-token`: there is no account. */
  readonly account_id: string
  /** `session`, `oidc` or `admin-token`. */
  readonly via: string
  readonly created_at: number
  readonly seen_at: number
  readonly expires_at: number
  /** The admin token that it was opened with, as a keyed hash, and the name that its holder said. */
  readonly credential: string | null
  readonly name: string | null
}

/** Whose session it is: somebody's with an account, or that of whoever holds the admin token. */
export type Session = (
  | { readonly via: 'session' | 'oidc'; readonly account: Account }
  | { readonly via: 'admin-token'; readonly name: string; readonly credential: string }
) & {
  /** Epoch milliseconds. */
  readonly expiresAt: number
}

/** How long a session may lie unused. */
const IDLE_MS = 60 * 60 * 1000
/** How exactly its last use is known: a page that asks every second shall not write every second. */
const TOUCH_MS = 60 * 1000

type TokenSession = Extract<Session, { via: 'admin-token' }>
const tokenVia = 'admin-token'
const ofToken = z.object({ said: z.string(), credential: z.string() })

type NewSession = Pick<SessionTable, 'account_id' | 'via'> &
  Partial<Pick<SessionTable, 'name' | 'credential'>> & { readonly lastsMs: number }

const openSession = async (db: Kysely<Tables>, at: number, { lastsMs, ...of }: NewSession) => {
  const value = randomBytes(32).toString('base64url')
  const expiresAt = at + lastsMs
  await db
    .insertInto('countersign_sessions')
    .values({ hash: hashOf(value), ...of, created_at: at, seen_at: at, expires_at: expiresAt })
    .execute()
  return { value, expiresAt }
}

const hashOf = (value: string): string => createHash('sha256').update(value).digest('hex')

export type Sessions = ReturnType<typeof createSessions>

/** Operators' sessions on one database. */
export const createSessions = (db: Kysely<Tables>, now: () => number) => ({
  /** A new session of an account; answers the value for the cookie, which exists nowhere else. */
  open: (account: string, via: 'session' | 'oidc', lastsMs: number) =>
    openSession(db, now(), { account_id: account, via, lastsMs }),
  /** The same for whoever holds the admin token. */
  openWithToken: (holder: Pick<TokenSession, 'name' | 'credential'>, lastsMs: number) =>
    openSession(db, now(), { account_id: tokenVia, via: tokenVia, ...holder, lastsMs }),
  /** Whose it is, while it holds and the account, where it is of one, is active. */
  find: async (value: string): Promise<Session | undefined> => {
    const at = now()
    const row = await db
      .selectFrom('countersign_sessions')
      .leftJoin('countersign_accounts', 'countersign_accounts.id', 'countersign_sessions.account_id')
      .selectAll('countersign_accounts')
      .select([
        'hash',
        'via',
        'expires_at',
        'credential',
        'countersign_sessions.name as said',
        'countersign_sessions.seen_at as used_at',
      ])
      .where('hash', '=', hashOf(value))
      .where('expires_at', '>', at)
      .where('countersign_sessions.seen_at', '>', at - IDLE_MS)
      .where((is) => is.or([is('state', '=', 'active'), is('via', '=', tokenVia)]))
      .executeTakeFirst()
    if (row === undefined) return undefined
    if (epoch.parse(row.used_at) <= at - TOUCH_MS)
      await db.updateTable('countersign_sessions').set({ seen_at: at }).where('hash', '=', row.hash).execute()
    const expiresAt = epoch.parse(row.expires_at)
    if (row.via !== tokenVia)
      return { account: toAccount(row), via: row.via === 'oidc' ? 'oidc' : 'session', expiresAt }
    const { said, credential } = ofToken.parse(row)
    return { via: tokenVia, name: said, credential, expiresAt }
  },
  end: async (value: string): Promise<void> => {
    await db.deleteFrom('countersign_sessions').where('hash', '=', hashOf(value)).execute()
  },
  /** Ends those with the admin token but this one; answers how many. */
  endOtherTokenSessions: async (value: string): Promise<number> => {
    const { numDeletedRows } = await db
      .deleteFrom('countersign_sessions')
      .where('account_id', '=', tokenVia)
      .where('hash', '!=', hashOf(value))
      .executeTakeFirst()
    return Number(numDeletedRows)
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
