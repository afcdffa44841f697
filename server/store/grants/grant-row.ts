// The boundary between a row and a grant: parsed before anything is believed of it.
import { z } from 'zod'
import { fromRow, marked } from '../from-row.ts'
import { bytes, epoch } from '../plan-row.ts'
import type { Sealer } from '../seal.ts'
import type { Grant, GrantableTool, GrantDraft, GrantUse } from '../../model/grants.ts'
import { operations, risks } from '../../model/risk.ts'

const risk = z.enum(risks)

export const grantRow = z.object({
  id: z.string(),
  tenant: z.string(),
  /** Null: everyone of the tenant. */
  subject: z.string().nullable(),
  tool: z.string(),
  definition: z.string(),
  risk,
  times: epoch,
  per: z.enum(['hour', 'day', 'total']),
  until_at: epoch,
  /** Condition and note, sealed as one: they quote arguments. */
  content: bytes,
  approval_id: z.string().nullable(),
  created_at: epoch,
  created_by: z.string(),
  /** The person who gave or last renewed it: an account's id, or that of the admin token; null in rows of old. */
  giver: z.string().nullable(),
  renewed_at: epoch.nullable(),
  renewed_by: z.string().nullable(),
  revoked_at: epoch.nullable(),
  revoked_by: z.string().nullable(),
})

/** The columns of a grant. */
export interface GrantTable extends z.infer<typeof grantRow> {
  /** Written by every use before it counts the others: whoever writes it holds the row until the use is there. */
  readonly touched_at: number
}

const grantContent = z.object({ condition: z.string(), note: z.string().optional(), schema: z.string().optional() })

/** What is counted beside the row. */
export interface Counted {
  readonly used: number
  readonly usedInAll: number
  readonly lastUsedAt: number | undefined
}

export const toGrantRow = (draft: GrantDraft, sealer: Sealer, now: number): GrantTable => ({
  id: draft.id,
  tenant: draft.tenant,
  subject: draft.subject ?? null,
  tool: draft.tool,
  definition: draft.definition,
  risk: draft.risk,
  times: draft.times,
  per: draft.per,
  until_at: draft.until,
  content: sealer.seal(
    draft.id,
    'grant',
    JSON.stringify({ condition: draft.condition, note: draft.note, schema: draft.schema }),
  ),
  approval_id: draft.approvalId ?? null,
  created_at: now,
  created_by: draft.createdBy,
  giver: draft.giver ?? null,
  renewed_at: null,
  renewed_by: null,
  revoked_at: null,
  revoked_by: null,
  touched_at: now,
})

export const toGrant = (raw: unknown, sealer: Sealer, counted: Counted): Grant => {
  const { content, untilAt, renewedAt, renewedBy, revokedAt, revokedBy, ...same } = fromRow(grantRow.parse(raw))
  const { condition, note, schema } = grantContent.parse(JSON.parse(sealer.open(same.id, 'grant', content)))
  return {
    ...same,
    ...(schema === undefined ? {} : { schema }),
    condition,
    note,
    until: untilAt,
    renewed: marked(renewedAt, renewedBy),
    revoked: marked(revokedAt, revokedBy),
    ...counted,
  }
}

const useRow = z.object({ plan_id: z.string(), subject: z.string(), at: epoch, returned_at: epoch.nullable() })

/** The columns of a use of a grant: one for each plan. */
export interface GrantUseTable extends z.infer<typeof useRow> {
  readonly grant_id: string
}

export const toUse = (raw: unknown): GrantUse => fromRow(useRow.parse(raw))

const toolRow = z.object({
  name: z.string(),
  title: z.string(),
  operation: z.enum(operations),
  risk,
  risk_depends: z.union([z.literal(0), z.literal(1)]),
  step_up: z.enum(['never', 'always', 'depends_on_input']),
  definition: z.string(),
  schema: z.string(),
})

/** The columns of a tool that a grant can be given for. */
export interface GrantToolTable extends z.infer<typeof toolRow> {
  readonly seen_at: number
}

export const toTool = (raw: unknown): GrantableTool => {
  const { risk_depends: depends, step_up: stepUp, ...row } = toolRow.parse(raw)
  return { ...row, riskDependsOnInput: depends === 1, stepUp }
}

export const toToolRow = (tool: GrantableTool, now: number): GrantToolTable => ({
  name: tool.name,
  title: tool.title,
  operation: tool.operation,
  risk: tool.risk,
  risk_depends: tool.riskDependsOnInput ? 1 : 0,
  step_up: tool.stepUp,
  definition: tool.definition,
  schema: tool.schema,
  seen_at: now,
})
