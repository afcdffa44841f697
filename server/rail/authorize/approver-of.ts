// A right is asked about when it is used, not when it was given: so a person is looked up as they are now, whether they
// delegated a right, or gave a grant.
import { adminTokenPerson, type Approver } from '../../policy/may-approve.ts'

/** Looks up who may decide: their roles, tenant and subjects of today; `undefined` where no account of theirs is active. */
export type ApproverOf = (person: string) => Promise<(Approver & { readonly person: string }) | undefined>

/** What an account says of a person, as far as their rights depend on it. */
interface PersonAccount extends Omit<Approver, 'person'> {
  readonly state: 'active' | 'disabled'
}

export interface PeopleAccounts {
  byId(id: string): Promise<PersonAccount | undefined>
}

/** The admin token is no account: whoever holds it may do everything, and it shows nobody. */
const holderOfToken = {
  name: adminTokenPerson,
  person: adminTokenPerson,
  tenant: undefined,
  roles: [{ kind: 'admin' }],
  subjects: [],
} as const

/** By the accounts of this database. */
export const approverFrom =
  (accounts: PeopleAccounts): ApproverOf =>
  async (person) => {
    if (person === adminTokenPerson) return holderOfToken
    const account = await accounts.byId(person)
    if (account === undefined || account.state !== 'active') return undefined
    const { name, tenant, roles, subjects } = account
    return { name, person, tenant, roles, subjects }
  }
