// Callers' tokens, for admins. A token is in one answer and in no other; what is listed is who has one, what it may do
// and when it was used last, so that somebody notices those that nobody uses.
import { Hono } from 'hono'
import type { Store, TokenRecord } from '../../store/store.ts'
import { beginBy, body } from '../operators/operator-input.ts'
import { requireRole, sees, visibleTenant, type OperatorEnv } from '../operators/operator.ts'
import { refuseApi } from '../refusal.ts'
import { tokenSchema } from './token-input.ts'
import { isoTimeOrNull } from '../iso-time.ts'

export type TokensStore = Pick<Store, 'access' | 'activityLog' | 'now'>

type TokenDraft = Parameters<Store['access']['tokens']['create']>[0]

/** The app at `/api/v1/tokens`. */
export function createTokensApi({ access, activityLog, now }: TokensStore) {
  const { tokens } = access
  return new Hono<OperatorEnv>()
    .use(requireRole('admin'))
    .get('/', async (c) => {
      const records = await tokens.list(visibleTenant(c, c.req.query('tenant')))
      return c.json({ tokens: records.map(tokenView) })
    })
    .post('/', body(tokenSchema(now)), async (c) => {
      const { operator } = c.var
      const { tenant = operator.tenant ?? 'default', subject, permissions, label, expires } = c.req.valid('json')
      if (!sees(operator, tenant)) return otherTenant()
      const draft = { tenant, subject, permissions, label, expiresAt: expires, by: operator.name }
      const end = await beginBy(c, activityLog, 'operator.token_created', tenant, draftView(draft))
      const made = await tokens.create(draft)
      await end({ done: true, result: { id: made.record.id } })
      return c.json({ token: made.token, ...tokenView(made.record) }, 201)
    })
    .delete('/:id', async (c) => {
      const { operator } = c.var
      const found = await tokens.find(c.req.param('id'))
      if (found === undefined || !sees(operator, found.tenant)) return unknownToken()
      const { id, subject, tenant } = found
      const end = await beginBy(c, activityLog, 'operator.token_revoked', tenant, { id, subject })
      const revoked = await tokens.revoke(found.id, operator.name)
      await end({ done: revoked })
      return revoked ? c.json({ revoked }) : unknownToken()
    })
}

/** What a token is to be, as the record says it before there is one. */
export const draftView = ({ tenant, subject, permissions, label, expiresAt }: TokenDraft) => ({
  tenant,
  subject,
  permissions: permissions === 'all' ? ['*'] : permissions,
  label: label ?? null,
  expires_at: isoTimeOrNull(expiresAt),
})

/** A token as every door shows it. Never the token itself. */
export const tokenView = (record: TokenRecord) => ({
  id: record.id,
  tenant: record.tenant,
  subject: record.subject,
  permissions: record.permissions === 'all' ? ['*'] : record.permissions,
  label: record.label ?? null,
  state: record.state,
  created_at: isoTimeOrNull(record.createdAt),
  created_by: record.createdBy,
  expires_at: isoTimeOrNull(record.expiresAt),
  revoked_at: isoTimeOrNull(record.revokedAt),
  used_at: isoTimeOrNull(record.usedAt),
})

const unknownToken = () =>
  refuseApi(404, {
    code: 'unknown-token',
    message: 'There is no such token that can be used.',
    next: 'GET /api/v1/tokens lists those that there are.',
  })

const otherTenant = () =>
  refuseApi(403, {
    code: 'other-tenant',
    message: 'You are an admin of one tenant, and this token would belong to another.',
    next: 'Leave out `tenant`, or ask an admin of every tenant.',
  })
