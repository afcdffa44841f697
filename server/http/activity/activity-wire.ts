// One spelling of a row for REST, exports, events and the terminal's JSON, so that a script written for one reads all.
import type { CallLine, CallRecord } from '../../store/store.ts'
import { isoTime } from '../iso-time.ts'

/** A row, in the names of the API. */
export const lineJson = (call: CallLine) => ({
  id: call.id,
  time: isoTime(call.at),
  tenant: call.tenant,
  subject: call.subject,
  client: call.client,
  source: call.source,
  tool: call.tool,
  variant: call.variant ?? null,
  /** The same, by its other name. */
  tool_variant: call.variant ?? null,
  intent: intentOf(call),
  /** What `?intent_type=` finds it by. */
  intent_type: call.operation ?? null,
  /** `declared` by the agent, or `derived`: from its call tool, or from the tool's contract where it declares nothing. */
  intent_source: call.operationSource ?? null,
  /** The agent's claim, not a fact. */
  rationale: call.rationale ?? null,
  risk: call.risk ?? null,
  status: call.status,
  verdict: call.verdict ?? null,
  audit_event: call.auditEvent ?? null,
  plan_id: call.planId ?? null,
  approval_id: call.approvalId ?? null,
  duration_ms: call.durationMs ?? null,
  error_code: call.errorCode ?? null,
  erased: call.erased,
})

/** As declared, also where it was refused; an operation that nobody declared is the derived one. */
const intentOf = ({ intent, operation }: CallLine) => ({
  operation_type: intent?.operation_type ?? operation ?? null,
  data_sensitivity: intent?.data_sensitivity ?? null,
  reason: intent?.reason ?? null,
})

/** A row with arguments, result, error and events. */
export const recordJson = (call: CallRecord) => ({
  ...lineJson(call),
  arguments: fromJson(call.args),
  notes: call.notes,
  result: fromJson(call.result),
  error_message: call.errorMessage ?? null,
  events: call.events.map(({ at, name, data }) => ({
    time: isoTime(at),
    name,
    data: fromJson(data),
  })),
})

export type ActivityLine = ReturnType<typeof lineJson>
export type ActivityRecord = ReturnType<typeof recordJson>

/** What somebody has edited may not parse; then it is shown as the text it is. */
const fromJson = (text: string | undefined): unknown => {
  if (text === undefined) return null
  try {
    return JSON.parse(text) as unknown
  } catch {
    return text
  }
}
