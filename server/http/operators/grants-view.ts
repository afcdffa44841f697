// A grant as operators read it, at every door.
import { longestGrantMs } from '../../operators/give-grant.ts'
import { argumentsOf, type GrantProposal } from '../../operators/propose-grant.ts'
import type { GrantStateNow } from '../../operators/grant-state.ts'
import type { Grant, GrantUse, GrantableTool } from '../../model/grants.ts'
import type { Approval } from '../../model/approvals.ts'
import { isoTime, isoTimeOrNull } from '../iso-time.ts'

/** What a list says of a permission. */
export const grantView = (grant: Grant, { state, title, because }: GrantStateNow) => ({
  id: grant.id,
  state,
  ...(because === undefined ? {} : { suspended_because: because }),
  tool: grant.tool,
  tool_title: title ?? null,
  tenant: grant.tenant,
  subject: grant.subject ?? null,
  condition: grant.condition,
  risk_up_to: grant.risk,
  times: grant.times,
  per: grant.per,
  used: grant.used,
  left: Math.max(0, grant.times - grant.used),
  used_in_all: grant.usedInAll,
  last_used_at: isoTimeOrNull(grant.lastUsedAt),
  until: isoTime(grant.until),
  note: grant.note ?? null,
  given_by: grant.createdBy,
  given_at: isoTime(grant.createdAt),
  approval_id: grant.approvalId ?? null,
  renewed: marked(grant.renewed),
  revoked: marked(grant.revoked),
})

export type GrantView = ReturnType<typeof grantView>

const marked = (mark: { readonly at: number; readonly by: string } | undefined) =>
  mark === undefined ? null : { at: isoTime(mark.at), by: mark.by }

/** One use of it. */
export const useView = ({ planId, subject, at, returnedAt }: GrantUse) => ({
  plan_id: planId,
  subject,
  at: isoTime(at),
  given_back_at: isoTimeOrNull(returnedAt),
})

const dayMs = 24 * 3_600_000
const day = (at: number): string => isoTime(at).slice(0, 10)

/** What a form starts with that is opened at an approval. */
export const proposalView = (approval: Approval, { tool, risk, condition, free }: GrantProposal, now: number) => ({
  approval_id: approval.id,
  tool: tool.name,
  tool_title: tool.title,
  tenant: approval.principal.tenant,
  subject: approval.principal.subject,
  condition,
  free,
  arguments: argumentsOf(tool),
  risk_up_to: risk,
  times: 20,
  per: 'total' as const,
  until: day(now + 30 * dayMs),
  latest_until: day(now + longestGrantMs),
})

/** A tool that a permission can be given for. */
export const grantableView = (tool: GrantableTool) => ({
  name: tool.name,
  title: tool.title,
  risk: tool.risk,
  arguments: argumentsOf(tool),
})
