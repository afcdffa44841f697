// One spelling of a row for REST, exports, events and the terminal's JSON, so that a script written for one reads all.
import { sentenceOf, type FindTool } from '../../operators/sentence.ts'
import type { CallBrief, CallLine, CallRecord, Asked, Decision, Histogram } from '../../store/store.ts'
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

/** What stands beside rows of a list: who decided about them, and the calls of which their plans were made. */
export interface Beside {
  readonly decisions: readonly Decision[]
  readonly asked: readonly Asked[]
}

/** A row of a list over the web: with its sentence, the beginning of its error's message, and who decided about it. */
export const listedJson = (call: CallBrief, find: FindTool, { decisions, asked }: Beside) => ({
  ...lineJson(call),
  /** Made of what is stored, in the words of the tool's contract; not stored itself. */
  sentence: sentenceOf({ ...call, asked: askedOf(call, asked) }, find),
  error_message: call.errorMessage ?? null,
  decisions: decisions
    .filter(({ approvalId }) => approvalId === call.approvalId && call.source !== 'operator')
    .map(({ by, decision }) => ({ by, decision })),
})

/** The arguments of which the plan of a row was made; nothing where an erasure has taken the row's own. */
const askedOf = ({ planId, tool, erased }: CallLine, asked: readonly Asked[]): string | undefined =>
  erased ? undefined : asked.find((each) => each.planId === planId && each.tool === tool)?.args

/** Rows by time and outcome. */
export const barsJson = ({ since, until, barsFrom, step, bars, countedFrom }: Histogram) => ({
  since: isoTime(since),
  until: isoTime(until),
  /** Where the first bar begins. */
  bars_from: isoTime(barsFrom),
  /** How long each bar is, in milliseconds. */
  step_ms: step,
  /** Those with rows, by when they begin. */
  bars: [...Map.groupBy(bars, ({ at }) => at)].map(([at, each]) => ({
    time: isoTime(at),
    outcomes: Object.fromEntries(each.map(({ outcome, rows }) => [outcome, rows])),
  })),
  /** Rows before this time were not counted; `null` where all were. */
  counted_from: countedFrom === undefined ? null : isoTime(countedFrom),
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

/** A row with everything and its sentence, as a story over the web has it. */
export const toldJson = (call: CallRecord, find: FindTool, story: readonly CallRecord[]) => {
  const asked = story.flatMap(({ planId, tool, status, args }) =>
    planId === undefined || args === undefined || !(status === 'previewed' || status === 'awaiting_approval')
      ? []
      : [{ planId, tool, args }],
  )
  return { ...recordJson(call), sentence: sentenceOf({ ...call, asked: askedOf(call, asked) }, find) }
}

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
