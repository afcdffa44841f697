// The boundary between a row and a call. Operators may touch this table with other tools, so a row is parsed before
// anything is said of it.
import { z } from 'zod'
import { epoch } from '../plan-row.ts'
import type { Outcome } from '../../model/outcome.ts'
import type { CallEvent, CallLine, CallRecord, Status } from './entry.ts'
import { operations } from '../../model/risk.ts'

const optional = z
  .string()
  .nullable()
  .transform((text) => text ?? undefined)

/** Columns of a line, in the order that a person would ask for them. */
export const lineColumns = [
  'id',
  'change',
  'at',
  'position',
  'tenant',
  'subject',
  'client',
  'source',
  'tool',
  'variant',
  'operation',
  'operation_source',
  'rationale',
  'risk',
  'outcome',
  'verdict',
  'audit_event',
  'plan_id',
  'approval_id',
  'duration_ms',
  'error_code',
  'erased_at',
] as const

export const recordColumns = [...lineColumns, 'intent', 'args', 'notes', 'result', 'error_message'] as const

const lineRow = z.object({
  id: z.string(),
  change: epoch,
  at: epoch,
  tenant: z.string(),
  subject: z.string(),
  client: z.string(),
  source: z.string(),
  tool: z.string(),
  variant: optional,
  operation: optional,
  operation_source: optional,
  rationale: optional,
  risk: optional,
  outcome: z.string(),
  verdict: optional,
  audit_event: optional,
  plan_id: optional,
  approval_id: optional,
  duration_ms: epoch.nullable(),
  error_code: optional,
  erased_at: epoch.nullable(),
})

const recordRow = lineRow.extend({
  intent: optional,
  args: optional,
  notes: optional,
  result: optional,
  error_message: optional,
})

/** A row that has been open for this long reads as `unknown`: no call runs that long, its process must be gone. */
export const LONGEST_CALL_MS = 10 * 60 * 1000

/** A row, read at `now`. */
export const toLine = (row: unknown, now: number): CallLine => lineOf(lineRow.parse(row), now)

/** A row with everything, read at `now`. */
export const toRecord = (row: unknown, events: readonly CallEvent[], now: number): CallRecord => {
  const parsed = recordRow.parse(row)
  return {
    ...lineOf(parsed, now),
    intent: readJson(parsed.intent, intentJson),
    args: parsed.args,
    notes: readJson(parsed.notes, notesJson) ?? [],
    result: parsed.result,
    errorMessage: parsed.error_message,
    events,
  }
}

const lineOf = (row: z.infer<typeof lineRow>, now: number): CallLine => ({
  id: row.id,
  change: row.change,
  at: row.at,
  tenant: row.tenant,
  subject: row.subject,
  client: row.client,
  source: row.source,
  tool: row.tool,
  variant: row.variant,
  operation: row.operation,
  operationSource: row.operation_source,
  rationale: row.rationale,
  risk: row.risk,
  status: statusOf(row.outcome, row.at, now),
  verdict: row.verdict,
  auditEvent: row.audit_event,
  planId: row.plan_id,
  approvalId: row.approval_id,
  durationMs: row.duration_ms ?? undefined,
  errorCode: row.error_code,
  erased: row.erased_at !== null,
})

const statusOf = (outcome: string, at: number, now: number): Status =>
  outcome !== 'open' ? (outcome as Outcome) : at + LONGEST_CALL_MS > now ? 'open' : 'unknown'

const intentJson = z
  .object({
    operation_type: z.enum(operations),
    data_sensitivity: z.string().optional(),
    reason: z.string().optional(),
  })
  .transform(({ operation_type, data_sensitivity, reason }) => ({
    operation_type,
    ...(data_sensitivity === undefined ? {} : { data_sensitivity }),
    ...(reason === undefined ? {} : { reason }),
  }))
const notesJson = z.array(z.string())

/** What somebody has edited may not parse; the row is still worth showing. */
const readJson = <T>(text: string | undefined, schema: z.ZodType<T>): T | undefined => {
  if (text === undefined) return undefined
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
