// From the `ticket` argument to the plan it names, if that is the caller's own. Someone else's looks like none.
import { readCredential, ticketHash, type Credential } from '../../confirm/secret.ts'
import type { FieldMismatch } from '../../errors/failure.ts'
import type { Principal } from '../../model/principal.ts'
import type { Approval } from '../../model/approvals.ts'
import { compareArguments } from './argument-differences.ts'
import type { Plan } from '../../model/plan-store.ts'
import type { CallContext, ParsedCall } from '../call-context.ts'
import type { Engine } from '../engine.ts'

type FoundPlan =
  | {
      readonly kind: 'found'
      readonly plan: Plan
      readonly credential: 'plan' | 'ticket' | 'approval'
      readonly approval?: Approval | undefined
    }
  | { readonly kind: 'refused'; readonly reason: 'unknown' | 'malformed' }

/** Finds the plan that the caller names. */
export async function findOwnPlan({ engine, request }: CallContext, ticket: string): Promise<FoundPlan> {
  const credential = readCredential(ticket)
  if (credential.kind === 'malformed') return { kind: 'refused', reason: 'malformed' }
  const { plan, approval } = await lookUp(engine, credential)
  if (plan === undefined || !isOwn(plan.principal, request.caller.principal))
    return { kind: 'refused', reason: 'unknown' }
  return { kind: 'found', plan, credential: credential.kind, approval }
}

/** Whether a plan is this caller's own. */
export const isOwn = (owner: Principal, caller: Principal): boolean =>
  owner.tenant === caller.tenant && owner.subject === caller.subject

async function lookUp(
  { plans, approvals }: Engine,
  credential: Exclude<Credential, { kind: 'malformed' }>,
): Promise<{ readonly plan?: Plan | undefined; readonly approval?: Approval | undefined }> {
  switch (credential.kind) {
    case 'ticket':
      return { plan: await plans.find({ by: 'ticket', ticketHash: ticketHash(credential.ticket) }) }
    case 'plan':
      return { plan: await plans.find({ by: 'id', id: credential.id }) }
    case 'approval': {
      const approval = await approvals?.find(credential.id)
      if (approval === undefined) return {}
      return { approval, plan: await plans.find({ by: 'id', id: approval.planId }) }
    }
    default:
      return credential satisfies never
  }
}

/** Why a plan that has not run never will; nothing where it may yet, is running, or has run. */
export const whyUnusable = ({ state }: Plan): 'cancelled' | 'superseded' | 'expired' | 'stale' | undefined =>
  state === 'cancelled' || state === 'superseded' || state === 'expired' || state === 'stale' ? state : undefined

/** Where the call differs from what was confirmed; empty when it is the same. */
export function callDifferences(plan: Plan, { tool, canonical }: ParsedCall): readonly FieldMismatch[] {
  if (plan.tool !== tool.wireName)
    return [{ pointer: '', confirmed: `a call of ${plan.tool}`, received: `a call of ${tool.wireName}` }]
  if (plan.definition !== tool.definition)
    return [{ pointer: '', confirmed: 'an earlier definition of this tool', received: 'its present definition' }]
  return plan.args === canonical ? [] : compareArguments(JSON.parse(plan.args), JSON.parse(canonical))
}
