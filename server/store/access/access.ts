// A call may run hours after it was asked for, in a process that its caller never spoke to. What the caller may do then
// has to be known without the caller: from the tokens that are still good, or from what an authorization server vouched
// for last (docs/adr/0015).
import { z } from 'zod'
import { epoch } from '../plan-row.ts'
import type { StoreParts } from '../tables.ts'
import { createLimiter, type Limiter } from './limiter.ts'
import { createTokens, type Tokens } from './tokens.ts'
import type { Principal } from '../../model/principal.ts'

export interface Access {
  readonly tokens: Tokens
  /** Counts calls by the minute, for each principal. `name` keeps two limits apart. */
  limiter(name: string, perMinute: number): Limiter
  /** Remembers what a verified token of this principal said, until then (epoch milliseconds). */
  note(principal: Principal, permissions: readonly string[], expiresAt: number): Promise<void>
  /**
   * What a principal may do now: everything for one who never came with a credential of ours or of an authorization
   * server; `undefined` where they did, and none of it is valid any more.
   */
  permissionsOf(principal: Principal): Promise<'all' | readonly string[] | undefined>
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

const verifiedRow = z.object({ permissions: z.string(), expires_at: epoch })
const names = z.array(z.string())

/** Who may call, on one database. */
export const createAccess = ({ db, now }: Pick<StoreParts, 'db' | 'now'>): Access => {
  const tokens = createTokens({ db, now })

  const note: Access['note'] = async ({ tenant, subject }, permissions, expiresAt) => {
    const said = { permissions: JSON.stringify(permissions), expires_at: expiresAt, seen_at: now() }
    await db
      .insertInto('countersign_verified')
      .values({ tenant, subject, ...said })
      .onConflict((conflict) => conflict.columns(['tenant', 'subject']).doUpdateSet(said))
      .execute()
  }

  const permissionsOf: Access['permissionsOf'] = async (principal) => {
    const at = now()
    const row = await db
      .selectFrom('countersign_verified')
      .select(['permissions', 'expires_at'])
      .where('tenant', '=', principal.tenant)
      .where('subject', '=', principal.subject)
      .executeTakeFirst()
    const verified = row === undefined ? undefined : verifiedRow.parse(row)
    const own = await tokens.ofPrincipal(principal)
    if (verified === undefined && own.length === 0) return 'all'
    const live = own.filter((token) => token.state === 'active')
    const lists = live.map((token) => token.permissions)
    if (verified !== undefined && verified.expires_at > at) lists.push(names.parse(JSON.parse(verified.permissions)))
    if (lists.length === 0) return undefined
    return lists.some((list) => list === 'all') ? 'all' : [...new Set(lists.flat())]
  }

  return { tokens, note, permissionsOf, limiter: (name, perMinute) => createLimiter(db, name, perMinute) }
}
