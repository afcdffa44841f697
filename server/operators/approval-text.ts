// Who reads at a terminal reads the same card as who reads on a page, as text without marks that nobody renders there.
import { cardPlain } from '../cards/card-plain.ts'
import type { Card } from '../model/card.ts'
import type { Approval } from '../model/approvals.ts'
import type { Answer } from '../rail/answers/outcome.ts'

/** The card of an answer as a person reads it at a terminal; nothing where it has none. */
export const plainCardOf = ({ card }: Answer): string | undefined => (card === undefined ? undefined : cardPlain(card))

/** An approval as one text: who asks for what, what would change, and how it stands. */
export function approvalText(approval: Approval): string {
  const { principal } = approval
  const facts = [
    `${approval.id}  ${approval.state}  risk ${approval.risk}${approval.stepUp ? ', second factor asked for' : ''}`,
    `Asked for by ${principal.subject} (tenant ${principal.tenant}) through ${approval.client}, tool ${approval.tool}`,
    `Asked at ${new Date(approval.createdAt).toISOString()}, waits until ${new Date(approval.expiresAt).toISOString()}`,
    ...(approval.approvers > 1 || approval.fourEyes ? [needs(approval)] : []),
    ...(approval.decidedAt === undefined
      ? []
      : [`Decided at ${new Date(approval.decidedAt).toISOString()} by ${approval.decidedBy ?? 'unknown'}`]),
    ...(approval.reason === undefined ? [] : [`Reason: ${approval.reason}`]),
  ].join('\n')
  return `${facts}\n\n${cardPlain(JSON.parse(approval.card) as Card)}`
}

/** What is typed to approve it at a terminal: what its card asks for on a page, "yes" where it asks for nothing. */
export const approvalWord = (approval: Pick<Approval, 'card'>): string =>
  (JSON.parse(approval.card) as Card).confirm_phrase ?? 'yes'

function needs({ approvers, fourEyes, votes }: Approval): string {
  const agreed = votes.filter(({ decision }) => decision === 'approved')
  const who = agreed.map(({ name, onBehalfOf }) => (onBehalfOf === undefined ? name : `${name} for ${onBehalfOf}`))
  const so = who.length === 0 ? 'nobody has agreed yet' : `agreed so far: ${who.join(', ')}`
  return `Takes ${approvers === 1 ? 'one person' : `${approvers} people`}${fourEyes ? ', never who asks' : ''}; ${so}`
}
