// A call may run hours after it was asked for, in a process that its caller never spoke to. What the caller may do then
// has to be known without the caller: from the tokens that are still good, or from what an authorization server vouched
// for last (docs/adr/0015).
import { z } from 'zod'
import { epoch } from '../plan-row.ts'
import type { StoreParts } from '../tables.ts'
import { createLimiter } from './limiter.ts'
import { createTokens } from './tokens.ts'
import type { Principal } from '../../model/principal.ts'

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

export type Access = ReturnType<typeof createAccess>

/** Who may call, on one database. */
export const createAccess = ({ db, now }: Pick<StoreParts, 'db' | 'now'>) => {
  const tokens = createTokens({ db, now })

  /** Remembers what a verified token of this principal said, until then (epoch milliseconds). */
  const note = async ({ tenant, subject }: Principal, permissions: readonly string[], expiresAt: number) => {
    const said = { permissions: JSON.stringify(permissions), expires_at: expiresAt, seen_at: now() }
    await db
      .insertInto('countersign_verified')
      .values({ tenant, subject, ...said })
      .onConflict((conflict) => conflict.columns(['tenant', 'subject']).doUpdateSet(said))
      .execute()
  }

  /**
   * What a principal may do now: everything for one who never came with a credential of ours or of an authorization
   * server; `undefined` where they did, and none of it is valid any more.
   */
  const permissionsOf = async (principal: Principal): Promise<'all' | readonly string[] | undefined> => {
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

  return {
    tokens,
    note,
    permissionsOf,
    limiter: (name: string, perMinute: number) => createLimiter(db, name, perMinute),
  }
}
