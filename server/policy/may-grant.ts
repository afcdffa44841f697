// Who may give a grant: whoever may approve each call that it covers, of any amount. Where a rule of approval demands two people
// or somebody else, only an admin, and not for their own calls, because otherwise one person would have asked and agreed.
import { isSamePerson, mayApprove, provesNobody, type Approver, type Asked, type May } from './may-approve.ts'

export interface GrantAsked extends Pick<Asked, 'tool' | 'tenant' | 'fourEyes'> {
  /** Whose calls it would cover; everyone's of the tenant when absent. */
  readonly subject: string | undefined
  /** How many people must approve such a call. */
  readonly approvers: number
}

export type MayGrant = May | 'needs-admin' | 'needs-subject' | 'needs-no-limit'

/** Whether this person may give the grant, or why not. */
export function mayGrant(person: Approver, { tool, tenant, subject, fourEyes, approvers }: GrantAsked): MayGrant {
  // Whose calls they are is checked below.
  const may = mayApprove(person, { tool, tenant, subject: '', amount: undefined, fourEyes: false })
  if (may === 'amount-unknown') return 'needs-no-limit'
  if (may !== 'yes') return may
  const admin = person.roles.some(({ kind }) => kind === 'admin')
  if (!fourEyes && approvers <= 1) return 'yes'
  if (!admin) return 'needs-admin'
  if (provesNobody(person)) return 'no-person'
  // "Everyone" would include whoever gives it.
  if (subject === undefined) return 'needs-subject'
  return isSamePerson(person, subject) ? 'own-request' : 'yes'
}
