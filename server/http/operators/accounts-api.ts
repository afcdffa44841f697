// The people who decide, for those who manage them: who there is, with which roles, and who stands in for whom. Accounts
// are made and changed at a terminal, where a shell's owner is; delegating one's own right is everybody's own matter.
import { Hono } from 'hono'
import { z } from 'zod'
import { isInCharge, isTheirs, delegate, revokeDelegation } from '../../operators/delegation.ts'
import type { Delegation } from '../../model/operators.ts'
import type { Account, Store } from '../../store/store.ts'
import { deciderOf } from './approver.ts'
import { refuseApi } from '../refusal.ts'
import { body, nameSchema } from './operator-input.ts'
import { requireRole, type OperatorEnv } from './operator.ts'
import { readUntil, untilWords } from '../activity/time-input.ts'
import { isoTime } from '../iso-time.ts'

type AccountsStore = Pick<Store, 'operators' | 'activityLog'>

const delegationInput = z.strictObject({
  to: nameSchema,
  until: z.string(untilWords).transform((text, ctx) => {
    const at = readUntil(text, Date.now())
    if (at !== undefined) return at
    ctx.addIssue({ code: 'custom', message: untilWords })
    return z.NEVER
  }),
  tools: z.array(z.string().min(1).max(200)).min(1).max(50).optional(),
  from: nameSchema.optional(),
})

/** The app at `/api/v1/accounts`. */
export const createAccountsApi = ({ operators }: AccountsStore) =>
  new Hono<OperatorEnv>().get('/', requireRole('admin'), async (c) => {
    const accounts = (await operators.accounts.list()).filter((account) => isInCharge(c.var.operator, account))
    const views = accounts.map(async (account) => ({
      ...accountView(account),
      totp: await operators.accounts.factor(account.id).enrolled(),
    }))
    return c.json({ accounts: await Promise.all(views) })
  })

/** The app at `/api/v1/delegations`. */
export function createDelegationsApi({ operators, activityLog }: AccountsStore) {
  const parts = { ...operators, activityLog, now: Date.now }
  return new Hono<OperatorEnv>()
    .get('/', async (c) => {
      const by = deciderOf(c.var.operator)
      const all = await operators.delegations.list()
      const shown = await Promise.all(
        all.map(async (each) => (isTheirs(by, each, await operators.accounts.byId(each.from.id)) ? each : [])),
      )
      return c.json({ delegations: shown.flat().map(delegationView) })
    })
    .post('/', body(delegationInput), async (c) => {
      const delegated = await delegate(parts, deciderOf(c.var.operator), c.req.valid('json'))
      return delegated.kind === 'done'
        ? c.json(delegationView(delegated.delegation), 201)
        : refuseApi(409, delegated.refusal)
    })
    .delete('/:id', async (c) => {
      const taken = await revokeDelegation(parts, deciderOf(c.var.operator), c.req.param('id'))
      return taken.kind === 'done' ? c.json({ revoked: true }) : refuseApi(404, taken.refusal)
    })
}

/** An account as admins read it. */
export const accountView = (account: Account) => ({
  id: account.id,
  name: account.name,
  tenant: account.tenant ?? null,
  roles: account.roles,
  subjects: account.subjects,
  state: account.state,
  sign_in: account.signIn,
  created_at: isoTime(account.createdAt),
  ...(account.seenAt === undefined ? {} : { seen_at: isoTime(account.seenAt) }),
})

/** A delegation as operators read it. */
export const delegationView = ({ id, from, to, tools, until, createdAt, createdBy, revoked }: Delegation) => ({
  id,
  from: from.name,
  to: to.name,
  tools,
  until: isoTime(until),
  created_at: isoTime(createdAt),
  created_by: createdBy,
  ...(revoked === undefined ? {} : { revoked_at: isoTime(revoked.at), revoked_by: revoked.by }),
})
