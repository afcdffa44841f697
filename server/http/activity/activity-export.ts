// An export may be larger than any memory, so it leaves in pieces, oldest row first.
import type { ActivityReader, ActivityFilter, CallRecord, Place } from '../../store/store.ts'
import { recordJson } from './activity-wire.ts'
import { csvCell } from './csv-cell.ts'

export type ExportFormat = 'json' | 'csv'
export const exportFormats: readonly ExportFormat[] = ['json', 'csv']

const PAGE = 500

/** The matching rows up to now, as pieces of one document. */
export async function* exportCalls(
  activity: Pick<ActivityReader, 'pageRecords'>,
  filter: ActivityFilter,
  format: ExportFormat,
): AsyncGenerator<string> {
  const csv = format === 'csv'
  let first = true
  yield csv ? `${columns.join(',')}\r\n` : '['
  for await (const calls of pages(activity, filter)) {
    if (calls.length === 0) continue
    if (csv) yield calls.map(csvLine).join('')
    else yield `${first ? '\n' : ',\n'}${calls.map((call) => JSON.stringify(recordJson(call))).join(',\n')}`
    first = false
  }
  if (!csv) yield first ? ']\n' : '\n]\n'
}

async function* pages(
  activity: Pick<ActivityReader, 'pageRecords'>,
  filter: ActivityFilter,
): AsyncGenerator<readonly CallRecord[]> {
  let after: Place | undefined
  do {
    const page = await activity.pageRecords({
      filter,
      order: 'oldest',
      limit: PAGE,
      ...(after === undefined ? {} : { after }),
    })
    yield page.calls
    after = page.next
  } while (after !== undefined)
}

const columns = [
  'id',
  'time',
  'tenant',
  'subject',
  'client',
  'source',
  'tool',
  'variant',
  'intent_type',
  'intent_source',
  'rationale',
  'risk',
  'status',
  'verdict',
  'audit_event',
  'plan_id',
  'approval_id',
  'duration_ms',
  'error_code',
  'error_message',
  'arguments',
  'result',
  'intent',
  'notes',
  'events',
  'erased',
  'tool_variant',
] as const

const csvLine = (call: CallRecord): string => {
  const row = recordJson(call)
  return `${columns.map((column) => csvCell(row[column])).join(',')}\r\n`
}
