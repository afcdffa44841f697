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

/** Changes the database as its owner could, without the key; all rows lie where the log is read. */
export const meddle = async (file: string, sql: string, ...values: readonly SQLInputValue[]): Promise<number> =>
  present === 'sqlite'
    ? meddleInFile(file, { from: 'countersign_activity_recent', to: 'countersign_activity' }, sql, values)
    : await meddleInPostgres(await locate(file), sql, values)

/** The same on SQLite; no row was moved to where the log is read. */
export const meddleRecent = (file: string, sql: string, ...values: readonly SQLInputValue[]): number =>
  meddleInFile(file, { from: 'countersign_activity', to: 'countersign_activity_recent' }, sql, values)

/** Where the rows of calls may lie, and how to change them there. */
export const places =
  present === 'sqlite'
    ? [
        { table: 'countersign_activity', change: meddle },
        { table: 'countersign_activity_recent', change: meddleRecent },
      ]
    : [{ table: 'countersign_activity', change: meddle }]

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

const meddleInFile = (
  file: string,
  rows: { readonly from: string; readonly to: string },
  sql: string,
  values: readonly SQLInputValue[],
): number => {
  const database = new DatabaseSync(file, { timeout: 5000 })
  try {
    database.exec('begin immediate')
    const tables = database.prepare(`select 1 from sqlite_master where name in (?, ?)`).all(rows.from, rows.to)
    // An older version has one of them.
    const heads = tables.length === 2 ? 'countersign_chain_heads' : 'countersign_activity_heads'
    if (tables.length === 2)
      database.exec(`insert into ${rows.to} select * from ${rows.from} order by position; delete from ${rows.from}`)
    const { changes } = database.prepare(sql.replaceAll('countersign_activity_heads', heads)).run(...values)
    database.exec('commit')
    return Number(changes)
  } finally {
    database.close()
  }
}

/** What is wrong with the log, or nothing. */
export const verdictOf = async (store: Store, anchors: Parameters<Store['activity']['verify']>[0] = []) =>
  (await store.activity.verify(anchors)).find((report) => report.problem !== undefined)?.problem
