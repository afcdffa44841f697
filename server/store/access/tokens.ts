// A token is shown once and exists nowhere else: the database keeps its SHA-256, so that who reads the database cannot
// call. Its own 256 random bits make a slow hash pointless. Each use is looked up anew, so that revoking works at once and
// in every process.
import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { fromRow } from '../from-row.ts'
import { epoch } from '../plan-row.ts'
import type { StoreParts } from '../tables.ts'

export interface TokenDraft {
  readonly tenant: string
  readonly subject: string
  readonly permissions: 'all' | readonly string[]
  readonly label?: string | undefined
  /** Epoch milliseconds; never when absent. */
  readonly expiresAt?: number | undefined
  /** Who makes it. */
  readonly by: string
}

const tokenForm = /^cst_[A-Za-z0-9_-]{43}$/

/** How exactly the last use is known: a caller that calls every second shall not write every second. */
const usedEveryMs = 60_000

const hashOf = (token: string): string => createHash('sha256').update(token).digest('hex')

/** One row for each token that was ever made; a revoked one stays, so that its principal is still known as revoked. */
const tokenRow = z.object({
  id: z.string(),
  /** SHA-256 of the token, hexadecimal. */
  hash: z.string(),
  tenant: z.string(),
  subject: z.string(),
  /** JSON: "all", or a list of names. */
  permissions: z.string(),
  label: z.string().nullable(),
  /** Epoch milliseconds by the store's clock, like all times here. */
  created_at: epoch,
  created_by: z.string(),
  /** Null: never. */
  expires_at: epoch.nullable(),
  revoked_at: epoch.nullable(),
  revoked_by: z.string().nullable(),
  /** To the minute. */
  used_at: epoch.nullable(),
})

export type TokenTable = z.infer<typeof tokenRow>

const permissionsSchema = z.union([z.literal('all'), z.array(z.string())])

const toRecord = (row: unknown, at: number) => {
  const { permissions, ...same } = fromRow(tokenRow.parse(row))
  const { revokedAt, expiresAt } = same
  const state: 'active' | 'expired' | 'revoked' =
    revokedAt !== undefined ? 'revoked' : expiresAt !== undefined && expiresAt <= at ? 'expired' : 'active'
  return { ...same, permissions: permissionsSchema.parse(JSON.parse(permissions)), state }
}

/** What is known of a token; never the token. */
export type TokenRecord = Omit<ReturnType<typeof toRecord>, 'hash'>

const withoutHash = ({ hash: _hash, ...record }: ReturnType<typeof toRecord>): TokenRecord => record

/** Callers' tokens on one database. */
export const createTokens = ({ db, now }: Pick<StoreParts, 'db' | 'now'>) => {
  const rows = () => db.selectFrom('countersign_tokens').selectAll()
  const records = (found: readonly unknown[]): readonly TokenRecord[] =>
    found.map((row) => withoutHash(toRecord(row, now())))

  const find = async (id: string): Promise<TokenRecord | undefined> => {
    const row = await rows().where('id', '=', id).executeTakeFirst()
    return row === undefined ? undefined : withoutHash(toRecord(row, now()))
  }

  /** Makes a token; `token` is its only copy. */
  const create = async ({ tenant, subject, permissions, label, expiresAt, by }: TokenDraft) => {
    const token = `cst_${randomBytes(32).toString('base64url')}`
    const row = await db
      .insertInto('countersign_tokens')
      .values({
        id: `tk_${randomBytes(8).toString('hex')}`,
        hash: hashOf(token),
        tenant,
        subject,
        permissions: JSON.stringify(permissions),
        label: label ?? null,
        created_at: now(),
        created_by: by,
        expires_at: expiresAt ?? null,
      })
      .returningAll()
      .executeTakeFirstOrThrow()
    return { token, record: withoutHash(toRecord(row, now())) }
  }

  /** True where it could be used until now. */
  const revoke = async (id: string, by: string): Promise<boolean> => {
    const { numUpdatedRows } = await db
      .updateTable('countersign_tokens')
      .set({ revoked_at: now(), revoked_by: by })
      .where('id', '=', id)
      .where('revoked_at', 'is', null)
      .executeTakeFirst()
    return numUpdatedRows > 0n
  }

  /** The record of a token that somebody brings, and that it was used; `undefined` for one that is not good. */
  const check = async (token: string): Promise<TokenRecord | undefined> => {
    if (!tokenForm.test(token)) return undefined
    const hash = hashOf(token)
    const row = await rows().where('hash', '=', hash).executeTakeFirst()
    if (row === undefined) return undefined
    const at = now()
    const found = toRecord(row, at)
    if (!timingSafeEqual(Buffer.from(found.hash), Buffer.from(hash)) || found.state !== 'active') return undefined
    if (found.usedAt === undefined || found.usedAt + usedEveryMs <= at)
      await db.updateTable('countersign_tokens').set({ used_at: at }).where('id', '=', found.id).execute()
    return withoutHash(found)
  }

  return {
    create,
    find,
    revoke,
    check,
    /** Newest first, revoked and expired ones too. */
    list: async (tenant?: string) => {
      const query = tenant === undefined ? rows() : rows().where('tenant', '=', tenant)
      return records(await query.orderBy('created_at', 'desc').orderBy('id').execute())
    },
    ofPrincipal: async ({ tenant, subject }: Pick<TokenDraft, 'tenant' | 'subject'>) =>
      records(await rows().where('tenant', '=', tenant).where('subject', '=', subject).execute()),
  }
}
