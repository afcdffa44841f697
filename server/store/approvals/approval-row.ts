// The boundary between a row and an approval, as `plan-row.ts` is for plans: parsed before anything is believed of it.
import type { Insertable } from 'kysely'
import { z } from 'zod'
import { fromRow } from '../from-row.ts'
import { bytes, epoch } from '../plan-row.ts'
import type { Sealer } from '../seal.ts'
import type { Approval, ApprovalDraft, Vote } from '../../model/approvals.ts'
import { operations, risks } from '../../model/risk.ts'

const columns = z.object({
  id: z.string(),
  plan_id: z.string(),
  digest: z.string(),
  tenant: z.string(),
  subject: z.string(),
  client: z.string(),
  tool: z.string(),
  risk: z.enum(risks),
  step_up: z.union([z.literal(0), z.literal(1)]),
  /** Summary, rationale, card and what was declared, sealed as one. */
  content: bytes,
  /** Expiry is read from the times and from the plan. */
  state: z.enum(['pending', 'approved', 'rejected']),
  created_at: epoch,
  expires_at: epoch,
  decided_at: epoch.nullable(),
  decided_by: z.string().nullable(),
  /** Sealed. */
  reason: bytes.nullable(),
  /** When the plan of an approved one expires: past it, nobody looks for it any more. */
  run_by: epoch.nullable(),
  /** How many people must agree. */
  approvers: z.int(),
  four_eyes: z.union([z.literal(0), z.literal(1)]),
})

export type ApprovalTable = z.infer<typeof columns>

/** With the plan that it rests on; null where that has been swept. */
const approvalRow = columns.extend({ plan_state: z.string().nullable(), plan_expires_at: epoch.nullable() })

const approvalContent = z.object({
  summary: z.string(),
  rationale: z.string(),
  card: z.string(),
  /** Absent where nothing was declared, and in older rows. */
  declared: z
    .object({
      variant: z.string(),
      operation: z.enum(operations),
      operationSource: z.enum(['declared', 'derived']),
      intent: z.object({
        operation_type: z.unknown().optional(),
        data_sensitivity: z.unknown().optional(),
        reason: z.unknown().optional(),
      }),
      rationale: z.string().optional(),
    })
    .transform(({ rationale, ...same }) => ({ ...same, rationale }))
    .optional(),
})

/** A new approval, as a row. */
export const toApprovalRow = (draft: ApprovalDraft, sealer: Sealer, now: number): Insertable<ApprovalTable> => ({
  id: draft.id,
  plan_id: draft.planId,
  digest: draft.digest,
  tenant: draft.principal.tenant,
  subject: draft.principal.subject,
  client: draft.client,
  tool: draft.tool,
  risk: draft.risk,
  step_up: draft.stepUp ? 1 : 0,
  content: sealer.seal(
    draft.id,
    'approval',
    JSON.stringify({
      summary: draft.summary,
      rationale: draft.rationale,
      card: draft.card,
      declared: draft.declared,
    }),
  ),
  state: 'pending',
  created_at: now,
  expires_at: now + draft.ttlMs,
  approvers: draft.approvers,
  four_eyes: draft.fourEyes ? 1 : 0,
})

export const sealReason = (sealer: Sealer, id: string, reason: string | undefined): Uint8Array | null =>
  reason === undefined ? null : sealer.seal(id, 'reason', reason)

/** The approval as it reads at `now`. It waits only as long as the plan that it rests on does. */
export const toApproval = (raw: unknown, sealer: Sealer, now: number, votes: readonly Vote[]): Approval => {
  const {
    tenant,
    subject,
    content,
    reason,
    runBy: _,
    planState,
    planExpiresAt,
    ...same
  } = fromRow(approvalRow.parse(raw))
  const waits = same.expiresAt > now && planState === 'open' && (planExpiresAt ?? 0) > now
  return {
    ...same,
    principal: { tenant, subject },
    ...approvalContent.parse(JSON.parse(sealer.open(same.id, 'approval', content))),
    stepUp: same.stepUp === 1,
    state: same.state === 'pending' && !waits ? 'expired' : same.state,
    fourEyes: same.fourEyes === 1,
    reason: reason === undefined ? undefined : sealer.open(same.id, 'reason', reason),
    votes,
  }
}
