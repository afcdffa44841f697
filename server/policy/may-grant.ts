// Who gives a grant lets calls happen that nobody has seen yet. So it takes at least the right to approve
// each of them: the tool at any amount; and where approving takes two people or somebody else, an admin, and not for their
// own calls: else one person alone would have asked and agreed.
import { isSamePerson, mayApprove, showsNobody, type Approver, type Asked, type May } from './may-approve.ts'

export interface GrantAsked extends Pick<Asked, 'tool' | 'tenant' | 'fourEyes'> {
  /** Whose calls it would cover; everyone's of the tenant when absent. */
  readonly subject: string | undefined
  /** How many people an approval of such a call takes. */
  readonly approvers: number
}

export type MayGrant = May | 'needs-admin' | 'needs-subject' | 'needs-no-limit'

/** Whether this person may give a grant for that. */
export function mayGrant(person: Approver, { tool, tenant, subject, fourEyes, approvers }: GrantAsked): MayGrant {
  // Whose calls they are is looked at below: here nobody asks for anything yet.
  const may = mayApprove(person, { tool, tenant, subject: '', amount: undefined, fourEyes: false })
  if (may === 'amount-unknown') return 'needs-no-limit'
  if (may !== 'yes') return may
  const admin = person.roles.some(({ kind }) => kind === 'admin')
  if (!fourEyes && approvers <= 1) return 'yes'
  if (!admin) return 'needs-admin'
  if (showsNobody(person)) return 'no-person'
  // "Everyone" would include whoever gives it.
  if (subject === undefined) return 'needs-subject'
  return isSamePerson(person, subject) ? 'own-request' : 'yes'
}
