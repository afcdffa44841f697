// An approval and the people who vote on it, for tests of what becomes of votes.
import { DAY } from '../../../kit/clock.ts'
import type { ApprovalDraft, Voter } from '../../../../server/model/approvals.ts'
import type { Store } from '../../../../server/store/store.ts'

/** An approval that takes one person, for the plan of `draft()`. */
export const approval = (change: Partial<ApprovalDraft> = {}): ApprovalDraft => ({
  id: 'ap_1',
  planId: 'pl_1',
  digest: 'digest of the call',
  principal: { tenant: 'default', subject: 'ada' },
  client: 'journey',
  tool: 'orders_delete',
  risk: 'critical',
  summary: 'Deletes order SO-1.',
  rationale: 'The customer asked for it.',
  card: '{"title":"Delete order SO-1"}',
  stepUp: false,
  approvers: 1,
  fourEyes: false,
  ttlMs: DAY,
  ...change,
})

/** The holder of the admin token, under some name: one person, who is always let in. */
export const voter = (name: string, more: Partial<Voter> = {}): Voter => ({
  name,
  person: 'admin-token',
  via: 'terminal',
  ...more,
})

export interface People {
  /** Somebody with an account and a session of their own; in the right of another one where `behalf` names them. */
  readonly voter: (name: string, behalf?: string, more?: Partial<Voter>) => Voter
  readonly delegation: (to: string, from: string) => string
}

/** Accounts of these names, each of which has delegated its right to each other one. */
export async function people({ operators }: Store, names: readonly string[]): Promise<People> {
  const ids = new Map<string, string>()
  for (const name of names) {
    // No password, which would take its time to hash.
    const person = { issuer: 'https://id.example', subject: `sub of ${name}`, name, tenant: undefined, roles: [] }
    const found = await operators.accounts.fromProvider(person)
    if (found.kind === 'account') ids.set(name, found.account.id)
  }
  const idOf = (name: string): string => {
    const id = ids.get(name)
    if (id === undefined) throw new Error(`There is no ${name}.`)
    return id
  }
  const delegation = (to: string, from: string): string => `de_${from}_${to}`
  for (const from of names)
    for (const to of names)
      if (from !== to)
        await operators.delegations.add({
          id: delegation(to, from),
          from: idOf(from),
          to: idOf(to),
          tools: ['*'],
          until: Number.MAX_SAFE_INTEGER,
          by: 'root',
        })
  return {
    delegation,
    voter: (name, behalf, more = {}) => ({
      name,
      person: idOf(name),
      via: 'session',
      ...(behalf === undefined
        ? {}
        : { behalf: { name: behalf, person: idOf(behalf), delegation: delegation(name, behalf) } }),
      ...more,
    }),
  }
}
