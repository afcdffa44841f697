// The boundary between a row and a call. Operators may touch this table with other tools, so a row is parsed before
// anything is said of it.
import { sql } from 'kysely'
import { z } from 'zod'
import { epoch } from '../../plan-row.ts'
import type { Outcome } from '../../../model/outcome.ts'
import type { CallEvent, CallRecord, Status } from './entry.ts'
import { fromRow } from '../../from-row.ts'
import type { DeclaredIntent } from '../../../model/activity.ts'

const lineRow = z.object({
  id: z.string(),
  /** Grows with every change of any row; where a watcher goes on. */
  change: epoch,
  at: epoch,
  tenant: z.string(),
  subject: z.string(),
  client: z.string(),
  source: z.string(),
  tool: z.string(),
  variant: z.string().nullable(),
  operation: z.string().nullable(),
  operation_source: z.string().nullable(),
  intent: z.string().nullable(),
  rationale: z.string().nullable(),
  risk: z.string().nullable(),
  outcome: z.string(),
  verdict: z.string().nullable(),
  audit_event: z.string().nullable(),
  plan_id: z.string().nullable(),
  approval_id: z.string().nullable(),
  duration_ms: epoch.nullable(),
  error_code: z.string().nullable(),
  erased_at: epoch.nullable(),
})

const briefRow = lineRow.extend({
  args: z.string().nullable(),
  result: z.string().nullable(),
  error_message: z.string().nullable(),
})

const recordRow = lineRow.extend({
  args: z.string().nullable(),
  notes: z.string().nullable(),
  result: z.string().nullable(),
  error_message: z.string().nullable(),
})

export const lineColumns = [...lineRow.keyof().options, 'position'] as const

export const recordColumns = [...recordRow.keyof().options, 'position'] as const

/** Bytes of arguments and of a result that a list reads along. */
const LONGEST_BRIEF = 16_000

/** Characters of an error's message in a list. */
const LONGEST_MESSAGE = 400

const short = (column: 'args' | 'result') =>
  sql<
    string | null
  >`case when octet_length(${sql.ref(column)}) <= ${sql.lit(LONGEST_BRIEF)} then ${sql.ref(column)} end`.as(column)

/** Columns of a line, with the texts of it that a list has room for. */
export const briefColumns = () =>
  [
    ...lineColumns,
    short('args'),
    short('result'),
    sql<string | null>`substr(error_message, 1, ${sql.lit(LONGEST_MESSAGE)})`.as('error_message'),
  ] as const

/** A row that has been open for this long reads as `unknown`: no call runs that long, its process must be gone. */
export const LONGEST_CALL_MS = 10 * 60 * 1000

/** A row, read at `now`. */
export const toLine = (row: unknown, now: number) => lineOf(lineRow.parse(row), now)

/** A row with its short texts, read at `now`. */
export const toBrief = (row: unknown, now: number) => lineOf(briefRow.parse(row), now)

/** A row with everything, read at `now`. */
export const toRecord = (row: unknown, events: readonly CallEvent[], now: number): CallRecord => {
  const { notes, ...parsed } = recordRow.parse(row)
  return {
    ...lineOf(parsed, now),
    notes: readJson(notes, notesJson) ?? [],
    events,
  }
}

function lineOf<Row extends z.infer<typeof lineRow>>(row: Row, now: number) {
  const { outcome, erased_at, intent, ...same } = row
  return {
    ...fromRow(same),
    intent: readJson(intent, intentJson),
    status: statusOf(outcome, row.at, now),
    erased: erased_at !== null,
  }
}

const statusOf = (outcome: string, at: number, now: number): Status =>
  outcome !== 'open' ? (outcome as Outcome) : at + LONGEST_CALL_MS > now ? 'open' : 'unknown'

const intentJson: z.ZodType<DeclaredIntent> = z
  .object({
    operation_type: z.string().optional(),
    data_sensitivity: z.string().optional(),
    reason: z.string().optional(),
  })
  .transform(({ operation_type, data_sensitivity, reason }) => ({
    ...(operation_type === undefined ? {} : { operation_type }),
    ...(data_sensitivity === undefined ? {} : { data_sensitivity }),
    ...(reason === undefined ? {} : { reason }),
  }))
const notesJson = z.array(z.string())

/** What somebody has edited may not parse; the row is still worth showing. */
const readJson = <T>(text: string | null, schema: z.ZodType<T>): T | undefined => {
  if (text === null) return undefined
  try {
    const parsed = schema.safeParse(JSON.parse(text))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
