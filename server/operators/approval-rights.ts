// In whose right somebody decides: their own, where it reaches, else one that was delegated to them. That one is looked at
// with its giver's own roles, so that nothing can be delegated further, and it never serves who asks.
import {
  matchesGlob,
  isSamePerson,
  mayApprove,
  mayReject,
  type Approver,
  type Asked,
  type MayNot,
} from '../policy/may-approve.ts'
import { isBundleTool } from '../rail/bundles/bundle-contract.ts'
import { amountOf } from './approval-amount.ts'
import type { Approval, Voter } from '../model/approvals.ts'
import type { DecisionRequest, Refused } from './decide-approval.ts'

/** A right that somebody has delegated. */
export interface DelegatedRight {
  readonly delegation: string
  /** Globs on wire names: what of the right was delegated. */
  readonly tools: readonly string[]
  readonly from: Approver & { readonly person: string }
}

export type Right =
  | { readonly kind: 'own' }
  | { readonly kind: 'delegated'; readonly behalf: NonNullable<Voter['behalf']> }
  /** To this person there is no such approval. */
  | { readonly kind: 'unseen' }
  | { readonly kind: 'none'; readonly refusal: Refused }

/** A bundle holds calls of any tools: only a right over all tools (`*`) reaches it, which this name stands for. */
const toolAsked = ({ tool }: Approval): string => (isBundleTool({ wireName: tool }) ? '' : tool)

/** What an approval is about, as far as who may decide depends on it. */
const askedOf = (approval: Approval): Asked => ({
  tool: toolAsked(approval),
  tenant: approval.principal.tenant,
  subject: approval.principal.subject,
  amount: amountOf(approval.card),
  fourEyes: approval.fourEyes,
})

/** The right that this decision is made in, or why there is none. */
export function rightTo(
  approval: Approval,
  { decision, by, onBehalfOf }: Pick<DecisionRequest, 'decision' | 'by' | 'onBehalfOf'>,
  delegated: readonly DelegatedRight[] = [],
): Right {
  const asked = askedOf(approval)
  const may = decision === 'approved' ? mayApprove : mayReject
  const own = may(by, asked)
  if (own === 'other-tenant') return { kind: 'unseen' }
  if (own === 'yes' && onBehalfOf === undefined) return { kind: 'own' }
  const offers = delegated.filter(
    ({ from }) => onBehalfOf === undefined || from.name.toLowerCase() === onBehalfOf.toLowerCase(),
  )
  const serves = offers.find(
    ({ tools, from }) => tools.some((glob) => matchesGlob(glob, asked.tool)) && may(from, asked) === 'yes',
  )
  if (serves !== undefined && decision === 'approved' && isSamePerson(by, asked.subject))
    return none(approval, 'own-request', asked)
  if (serves !== undefined) {
    const { delegation, from } = serves
    return { kind: 'delegated', behalf: { name: from.name, person: from.person, delegation } }
  }
  if (onBehalfOf === undefined && own !== 'yes') return none(approval, own, asked)
  return {
    kind: 'none',
    refusal: {
      kind: 'refused',
      code: 'not-yours-to-decide',
      message: `${onBehalfOf} has delegated no right to you that reaches ${approval.id}.`,
      next: 'Leave out whose right it is, or let them delegate: `countersign account delegate`.',
    },
  }
}

const none = (approval: Approval, why: MayNot, asked: Asked): Right => ({
  kind: 'none',
  refusal: { kind: 'refused', code: 'not-yours-to-decide', ...wordsOf(approval, why, asked) },
})

/** The way out for who holds the admin token where a person is asked for. */
export const noPersonNext =
  'Decide with an account (`countersign account add` makes one): sign in with it, or add `--account` at the terminal.'

/** What somebody is told who may not decide. */
function wordsOf({ id, tool }: Approval, why: MayNot, { amount }: Asked): { message: string; next: string } {
  const somebodyElse = 'Somebody with a wider role must decide it.'
  switch (why) {
    case 'own-request':
      return {
        message: `${id} was asked for in your name, and who asks does not approve.`,
        next: 'Another person must decide it.',
      }
    case 'no-person':
      return {
        message: `Who asked for ${id} does not approve it, and the admin token does not show who you are.`,
        next: noPersonNext,
      }
    case 'amount-unknown':
      return {
        message: `You approve up to an amount, and what ${id} moves cannot be told from its card.`,
        next: somebodyElse,
      }
    case 'other-currency':
      return {
        message: `You approve up to an amount in another currency; ${id} is about ${amount?.value ?? ''} ${amount?.currency ?? ''}.`,
        next: somebodyElse,
      }
    case 'amount-too-high':
      return {
        message: `${id} is about ${amount?.value ?? ''} ${amount?.currency ?? ''}, which is more than you approve.`,
        next: somebodyElse,
      }
    case 'other-tools':
      return { message: `You approve other tools than ${tool}.`, next: somebodyElse }
    case 'no-approver':
    case 'other-tenant':
      return {
        message: 'You may look at approvals, not decide them.',
        next: 'An admin can make you an approver: `countersign account role`.',
      }
    default:
      return why satisfies never
  }
}
