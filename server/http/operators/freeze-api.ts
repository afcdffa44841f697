// Stopping every change by agents, and letting them go on. An admin of one tenant stops that one; what holds for all
// tenants, who is in charge of all has said.
import { Hono, type Context } from 'hono'
import { z } from 'zod'
import { freezeChanges } from '../../operators/freeze.ts'
import { staysFrozen, type Doubt } from '../../rail/record/record-doubt.ts'
import type { Freeze } from '../../model/switches.ts'
import type { Store } from '../../store/store.ts'
import { refuseApi } from '../refusal.ts'
import { approverOf, beginBy, body, nameSchema } from './operator-input.ts'
import { requireRole, sees, type OperatorEnv } from './operator.ts'
import { isoTime } from '../iso-time.ts'

const tenant = z.string().min(1, 'the name of a tenant').optional()
const sentence = 'a sentence of 3 to 500 characters: agents and cards show it'
const freezeBody = z.strictObject({
  tenant,
  reason: z.string(sentence).trim().min(3, sentence).max(500, sentence),
  by: nameSchema.optional(),
})
const unfreezeBody = z.strictObject({ tenant, by: nameSchema.optional() })

export interface FreezeApiOptions {
  readonly store: Pick<Store, 'switches' | 'activityLog'>
  /** What speaks against the database: what holds for all tenants is not lifted then. */
  readonly doubt: (() => Promise<Doubt | undefined>) | undefined
}

/** The apps at `/api/v1/freeze` and `/api/v1/unfreeze`. */
export function createFreezeApi({ store: { switches, activityLog }, doubt }: FreezeApiOptions) {
  return new Hono<OperatorEnv>()
    .get('/freeze', async (c) => {
      const { operator } = c.var
      const all = await switches.list()
      return c.json({
        freezes: all.filter((each) => each.tenant === undefined || sees(operator, each.tenant)).map(freezeView),
      })
    })
    .post('/freeze', requireRole('admin'), body(freezeBody), async (c) => {
      const { by, reason: said, tenant: asked } = c.req.valid('json')
      const tenant = meant(c, asked)
      if (tenant === undefined) return otherTenant()
      const { of } = tenant
      const details = { tenant: of ?? null, reason: said }
      const end = await beginBy(c, activityLog, 'operator.froze', of, details, by)
      const draft = { tenant: of, reason: said, by: approverOf(c, by) }
      const { revoked, reason } = await freezeChanges(switches, draft)
      await end({ done: true, result: { revoked_plans: revoked } })
      return c.json({ frozen: true, tenant: of ?? null, reason, revoked_plans: revoked })
    })
    .post('/unfreeze', requireRole('admin'), body(unfreezeBody), async (c) => {
      const { by, tenant: asked } = c.req.valid('json')
      const tenant = meant(c, asked)
      if (tenant === undefined) return otherTenant()
      const { of } = tenant
      const end = await beginBy(c, activityLog, 'operator.unfroze', of, { tenant: of ?? null }, by)
      const found = of === undefined ? await doubt?.() : undefined
      if (found !== undefined) {
        const refusal = staysFrozen(found)
        await end({ done: false, error: refusal })
        return refuseApi(409, refusal)
      }
      const lifted = await switches.unfreeze(of)
      await end({ done: lifted })
      if (!lifted)
        return refuseApi(409, {
          code: 'not-frozen',
          message: `There is no freeze of ${of ?? 'all tenants'}.`,
          next: 'GET /api/v1/freeze lists those that hold.',
        })
      return c.json({ frozen: false, tenant: of ?? null })
    })
}

/** The tenant that is meant; `undefined` where it is not theirs. An operator of one tenant means that one. */
function meant(c: Context<OperatorEnv>, asked: string | undefined): { readonly of: string | undefined } | undefined {
  const { tenant: own } = c.var.operator
  if (own === undefined) return { of: asked }
  return asked === undefined || asked === own ? { of: own } : undefined
}

/** The same whether there is such a tenant or not. */
const otherTenant = () =>
  refuseApi(403, {
    code: 'forbidden',
    message: 'You are in charge of your own tenant only.',
    next: 'Leave out `tenant`.',
  })

const freezeView = ({ tenant: of, reason, by, at }: Freeze) => ({
  tenant: of ?? null,
  reason,
  by,
  at: isoTime(at),
})
