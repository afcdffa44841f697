// What the tests of the activity log share: calls to write down, and a second hand on the file that changes it behind
// the log's back.
import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { Client } from 'pg'
import type { ActivityCompletion, ActivityEntry } from '../../../../server/model/activity.ts'
import type { Store } from '../../../../server/store/store.ts'
import { locate, present } from '../../../postgres.ts'

export const entry = (change: Partial<ActivityEntry> = {}): ActivityEntry => ({
  principal: { tenant: 'default', subject: 'ada' },
  client: 'Test chat',
  source: 'mcp',
  tool: 'orders_create',
  variant: undefined,
  operation: 'write',
  operationSource: 'derived',
  intent: undefined,
  rationale: 'The customer asked for it by phone.',
  risk: 'medium',
  auditEvent: 'orders.create',
  args: '{"customer":"ACME"}',
  notes: [],
  ...change,
})

export const completion = (change: Partial<ActivityCompletion> = {}): ActivityCompletion => ({
  outcome: 'ok',
  verdict: 'allow:low',
  risk: 'medium',
  planId: undefined,
  approvalId: undefined,
  durationMs: 12,
  result: '{"id":"SO-1"}',
  error: undefined,
  ...change,
})

/** One whole call; answers its id. */
export const record = async (
  { activityLog }: Pick<Store, 'activityLog'>,
  begin: Partial<ActivityEntry> = {},
  end: Partial<ActivityCompletion> = {},
): Promise<string> => {
  const id = await activityLog.begin(entry(begin))
  await activityLog.complete(id, completion(end))
  return id
}

/** Changes the database as its owner could, without the key. */
export const meddle = async (file: string, sql: string, ...values: readonly SQLInputValue[]): Promise<number> =>
  present === 'sqlite' ? meddleInFile(file, sql, values) : await meddleInPostgres(await locate(file), sql, values)

const meddleInPostgres = async (url: string, sql: string, values: readonly SQLInputValue[]): Promise<number> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    let at = 0
    return (
      (
        await client.query(
          sql.replaceAll('?', () => `$${++at}`),
          [...values],
        )
      ).rowCount ?? 0
    )
  } finally {
    await client.end()
  }
}

const meddleInFile = (file: string, sql: string, values: readonly SQLInputValue[]): number => {
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    return Number(database.prepare(sql).run(...values).changes)
  } finally {
    database.close()
  }
}

/** What is wrong with the log, or nothing. */
export const verdictOf = async (store: Store, anchors: Parameters<Store['activity']['verify']>[0] = []) =>
  (await store.activity.verify(anchors)).find((report) => report.problem !== undefined)?.problem
