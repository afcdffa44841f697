// An operator as the one who decides: with their own second factor, what others have delegated to them, and the record in which
// it is written down. The same at the web door and at a terminal.
import type { SecondFactorCheck } from '../../model/second-factor.ts'
import { adminTokenPerson } from '../../operators/approval-factor.ts'
import { approverFrom } from '../../rail/authorize/approver-of.ts'
import type { DelegatedRight } from '../../operators/approval-rights.ts'
import type { ApproverParts, Decider } from '../../operators/decide-approval.ts'
import type { Account, Operators, Store } from '../../store/store.ts'
import type { Operator } from './operator.ts'

export type ApproverStore = Pick<Store, 'approvals' | 'secondFactor' | 'operators' | 'activityLog'>

/** What a decision by this person rests on. */
export const approverParts = (store: ApproverStore, { id }: Pick<Operator, 'id'>): ApproverParts => ({
  approvals: store.approvals,
  secondFactor: factorOf(store, id),
  delegatedTo: (person) => rightsDelegatedTo(store.operators, person),
  activityLog: store.activityLog,
})

/** The person's own second factor; that of the admin token is everybody's who holds it. */
export const factorOf = (
  { secondFactor, operators }: Pick<Store, 'secondFactor' | 'operators'>,
  id: string,
): SecondFactorCheck => (id === adminTokenPerson ? secondFactor : operators.accounts.factor(id))

/** The operator as the decision knows them. */
export const deciderOf = ({ id, ...operator }: Operator, via: Decider['via'] = operator.via): Decider => ({
  ...operator,
  person: id,
  via,
})

/** The operator that an account is. */
export const operatorOf = (account: Account, via: Operator['via']): Operator => ({
  id: account.id,
  name: account.name,
  via,
  tenant: account.tenant,
  roles: account.roles,
  subjects: account.subjects,
})

async function rightsDelegatedTo(
  { delegations, accounts }: Operators,
  person: string,
): Promise<readonly DelegatedRight[]> {
  if (person === adminTokenPerson) return []
  const held = await delegations.held(person)
  const approverOf = approverFrom(accounts)
  const delegated = await Promise.all(
    held.map(async ({ id, tools, from }): Promise<DelegatedRight | undefined> => {
      const delegator = await approverOf(from.id)
      return delegator && { delegation: id, tools, from: delegator }
    }),
  )
  return delegated.filter((each) => each !== undefined)
}
