// The people who decide, for those who manage them: who there is, with which roles, and who stands in for whom. Accounts
// are made and changed at a terminal, where a shell's owner is; lending one's own right is everybody's own matter.
import { Hono } from 'hono'
import { z } from 'zod'
import { recordAct } from '../call/operator-record.ts'
import type { Account, Delegation, Store } from '../store/store.ts'
import { lendingTrouble, readUntil, untilWords } from './delegating.ts'
import { nameSchema, readBody, refuseOperator } from './operator-input.ts'
import { isAdmin, requireRole, sees, type Operator, type OperatorEnv } from './operator.ts'

export type AccountsStore = Pick<Store, 'operators' | 'journal'>

const lending = z.strictObject({
  to: nameSchema,
  until: z.string(untilWords).transform((text, ctx) => {
    const at = readUntil(text)
    if (at !== undefined) return at
    ctx.addIssue({ code: 'custom', message: untilWords })
    return z.NEVER
  }),
  tools: z.array(z.string().min(1).max(200)).min(1).max(50).optional(),
  from: nameSchema.optional(),
})

/** The app at `/api/v1/accounts`. */
export const createAccountsApi = ({ operators }: AccountsStore): Hono<OperatorEnv> =>
  new Hono<OperatorEnv>().get('/', requireRole('admin'), async (c) => {
    const accounts = (await operators.accounts.list()).filter((account) => managed(c.var.operator, account))
    const views = accounts.map(async (account) => ({
      ...accountView(account),
      totp: await operators.accounts.factor(account.id).enrolled(),
    }))
    return c.json({ accounts: await Promise.all(views) })
  })

/** The app at `/api/v1/delegations`. */
export function createDelegationsApi({ operators, journal }: AccountsStore): Hono<OperatorEnv> {
  const { accounts, delegations } = operators
  return new Hono<OperatorEnv>()
    .get('/', async (c) => {
      const { operator } = c.var
      const all = await delegations.list()
      const shown = await Promise.all(
        all.map(async (each) => ((await isTheirs(operators, operator, each)) ? each : [])),
      )
      return c.json({ delegations: shown.flat().map(delegationView) })
    })
    .post('/', async (c) => {
      const read = await readBody(c, lending)
      if (!read.ok) return read.response
      const { operator } = c.var
      const { to, until, tools = ['*'], from = operator.name } = read.value
      const [giver, taker] = [await accounts.find(from), await accounts.find(to)]
      const mayLend =
        giver !== undefined && (giver.id === operator.id || (isAdmin(operator) && managed(operator, giver)))
      // Somebody of another tenant is not there.
      const reached = taker !== undefined && (operator.tenant === undefined || taker.tenant === operator.tenant)
      const trouble = lendingTrouble(mayLend ? giver : undefined, reached ? taker : undefined, {
        until,
        now: Date.now(),
      })
      if (trouble !== undefined || giver === undefined || taker === undefined)
        return refuseOperator(409, { code: 'cannot-delegate', ...(trouble ?? { message: '', next: '' }) })
      const made = await delegations.add({ from: giver.id, to: taker.id, tools, until, by: operator.name })
      await noteLending(journal, operator, made, giver.tenant, 'operator.delegated')
      return c.json(delegationView(made), 201)
    })
    .delete('/:id', async (c) => {
      const { operator } = c.var
      const found = await delegations.find(c.req.param('id'))
      if (found === undefined || !(await isTheirs(operators, operator, found))) return unknownDelegation()
      if (!(await delegations.revoke(found.id, operator.name))) return unknownDelegation()
      await noteLending(journal, operator, found, (await accounts.byId(found.from.id))?.tenant, 'operator.undelegated')
      return c.json({ revoked: true })
    })
}

/** Whether an admin is in charge of this account: one of a single tenant not of those who see every tenant. */
const managed = (operator: Operator, { tenant }: Account): boolean =>
  operator.tenant === undefined || (tenant !== undefined && sees(operator, tenant))

async function isTheirs(
  { accounts }: Store['operators'],
  operator: Operator,
  delegation: Delegation,
): Promise<boolean> {
  if ([delegation.from.id, delegation.to.id].includes(operator.id)) return true
  const giver = await accounts.byId(delegation.from.id)
  return isAdmin(operator) && giver !== undefined && managed(operator, giver)
}

const noteLending = (
  journal: Store['journal'],
  operator: Operator,
  { id, from, to, tools, until }: Delegation,
  tenant: string | undefined,
  act: string,
): Promise<void> =>
  recordAct(journal, {
    who: operator.name,
    tenant,
    via: operator.via,
    act,
    done: true,
    details: { delegation: id, from: from.name, to: to.name, tools, until: new Date(until).toISOString() },
  })

const unknownDelegation = (): Response =>
  refuseOperator(404, {
    code: 'unknown-delegation',
    message: 'There is no such delegation that holds.',
    next: 'GET /api/v1/delegations lists those that there are.',
  })

const iso = (at: number): string => new Date(at).toISOString()

/** An account as admins read it. */
export const accountView = (account: Account) => ({
  id: account.id,
  name: account.name,
  tenant: account.tenant ?? null,
  roles: account.roles,
  subjects: account.subjects,
  state: account.state,
  sign_in: account.signIn,
  created_at: iso(account.createdAt),
  ...(account.seenAt === undefined ? {} : { seen_at: iso(account.seenAt) }),
})

/** A delegation as operators read it. */
export const delegationView = ({ id, from, to, tools, until, createdAt, createdBy, revoked }: Delegation) => ({
  id,
  from: from.name,
  to: to.name,
  tools,
  until: iso(until),
  created_at: iso(createdAt),
  created_by: createdBy,
  ...(revoked === undefined ? {} : { revoked_at: iso(revoked.at), revoked_by: revoked.by }),
})
