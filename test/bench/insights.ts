// The page that people look at while agents wait must not read a million rows for each look. One record is asked for the
// same page twice: as it is after an upgrade, when every row is read, and once its hours are summed up. Rows are written
// by one statement for many, because here only reading is measured; no chain vouches for them.
import { join } from 'node:path'
import { sql, type RawBuilder } from 'kysely'
import { gatherInsights } from '../../server/http/operators/insight-facts.ts'
import { openStore, type Store } from '../../server/store/store.ts'
import { createDatabase, startPostgres } from '../postgres-server.ts'
import { median, ms, table, times } from './figures.ts'
import { withFolder } from './processes.ts'

const secret = 'a secret for benchmarks and nothing else'
const DAY = 86_400_000
const days = 30
const perStatement = 50_000
const looks = 3

const asked = process.argv.find((argument) => argument.startsWith('--rows='))
const sizes = asked === undefined ? [100_000, 1_000_000] : [Number(asked.slice('--rows='.length))]

/** Measures and prints, on a file and on PostgreSQL (COUNTERSIGN_TEST_POSTGRES, or one that is started here). */
export async function insights(): Promise<void> {
  console.log(`insights: the page of one tenant over ${days} days, median of ${looks} looks`)
  for (const rows of sizes)
    await withFolder(async (folder) => await measureOn('one SQLite file', join(folder, 'insights.db'), rows))
  const named = process.env['COUNTERSIGN_TEST_POSTGRES']
  const server = named === undefined ? await startPostgres({ durable: true }) : undefined
  try {
    for (const rows of sizes) {
      const database = await createDatabase(named ?? server?.url ?? '')
      await measureOn('PostgreSQL on this machine', database.url, rows)
      await database.drop()
    }
  } finally {
    await server?.stop()
  }
}

interface Taken {
  readonly wall: number
  /** Of this process, which is not all of it on PostgreSQL. */
  readonly processor: number
}

async function measureOn(name: string, file: string, rows: number): Promise<void> {
  const opened = await openStore({ file, secret })
  if (!opened.ok) throw new Error(opened.failure.message)
  const store = opened.value
  try {
    await fill(store, rows)
    // Of one time: while it is summed up, calls would fall out of the month.
    const now = store.now()
    const before = await look(store, now)
    const steps = [await taken(() => store.activity.sumUp())]
    while (steps.at(-1)?.answer === true) steps.push(await taken(() => store.activity.sumUp()))
    const after = await look(store, now)
    if (before.counted !== after.counted) throw new Error(`${before.counted} calls are counted as ${after.counted}.`)
    console.log()
    console.log(`  ${rows.toLocaleString('en')} rows, ${name}`)
    console.log(
      table([
        ['', 'every row is read', 'by kept sums', 'of it'],
        ...(['calls', 'page'] as const).flatMap((what) =>
          (['wall', 'processor'] as const).map((kind) => [
            `${what === 'calls' ? 'sums of calls' : 'the whole page'}, ${kind === 'wall' ? 'until it is there' : 'processor time here'}`,
            ms(before[what][kind]),
            ms(after[what][kind]),
            times(after[what][kind] / before[what][kind]),
          ]),
        ),
      ]),
    )
    const spent = steps.reduce((sum, { processor }) => sum + processor, 0)
    console.log(
      `  summing up: ${steps.length} steps, the longest ${ms(Math.max(...steps.map(({ wall }) => wall)))}; ${((spent * 1000) / rows).toFixed(1)} µs of processor time here for each call`,
    )
  } finally {
    await store.close()
  }
}

async function taken<T>(work: () => Promise<T>): Promise<Taken & { readonly answer: T }> {
  const [begun, used] = [performance.now(), process.cpuUsage()]
  const answer = await work()
  const { user, system } = process.cpuUsage(used)
  return { wall: performance.now() - begun, processor: (user + system) / 1000, answer }
}

/** What a look takes, of which the sums of calls; `counted`: how many calls the page says. */
async function look(
  store: Store,
  now: number,
): Promise<{ readonly page: Taken; readonly calls: Taken; readonly counted: number }> {
  const pages: Taken[] = []
  const sums: Taken[] = []
  let counted = 0
  for (let turn = 0; turn < looks; turn++) {
    const slice = { tenant: 'default', since: now - days * DAY, until: now }
    const page = await taken(() => gatherInsights(store, { ...slice, now, guidance: () => undefined }))
    counted = page.answer.calls.total
    pages.push(page)
    sums.push(await taken(() => store.activity.figures.calls(slice)))
  }
  const middle = (of: readonly Taken[]): Taken => ({
    wall: median(of.map(({ wall }) => wall)),
    processor: median(of.map(({ processor }) => processor)),
  })
  return { page: middle(pages), calls: middle(sums), counted }
}

/** As SQL: one of these names by the number. */
const oneOf = (number: string, names: readonly string[]): RawBuilder<string> =>
  sql.raw(`case ${number} ${names.map((name, at) => `when ${at} then '${name}'`).join(' ')} end`)

const tools =
  'orders_list orders_get mail_list mail_read files_list files_read crm:find git:log git:diff sql:query list_sessions search_tools orders_create orders_modify orders_delete mail_send files_write files_delete crm:update crm:create git:push sql:execute execute_code help'.split(
    ' ',
  )
const errors = Array.from({ length: 12 }, (_, at) => `error_${at}`)

async function fill(store: Store, rows: number): Promise<void> {
  const since = store.now() - days * DAY + 60_000
  for (let from = 1; from <= rows; from += perStatement)
    await sql`insert into countersign_activity (position, id, change, at, tenant, subject, pseudonym, client, source, tool,
        operation, operation_source, declared_risk, risk, audit_event, outcome, verdict, plan_id, ended_at, duration_ms,
        error_code, begin_format, begin_seq, begin_digest, begin_link, end_format, end_seq, end_digest, end_link, salt,
        rationale, args, result, session, told, ended, error_type, error_rule, fingerprint, error_sample)
      with recursive numbers(n) as (
          select cast(${sql.lit(from)} as bigint)
          union all select n + 1 from numbers where n < ${sql.lit(Math.min(rows, from + perStatement - 1))}),
        calls as (
          select n, (n * 7919) % 24 as kind, (n * 104729) % 1000 as luck,
            cast(${sql.lit(since)} as bigint) + n * ${sql.lit(days * DAY - 120_000)} / ${sql.lit(rows)} as at
          from numbers)
      select n, 'ac_000000000000' || n, n, at, case when n % 20 = 0 then 'other' else 'default' end, 'agent-' || (n % 40),
        'ps_of_a_subject_of_the_usual_length' || (n % 40), 'Bench', case when luck % 50 = 7 then 'approval' else 'mcp' end,
        ${oneOf('kind', tools)}, case when kind < 12 then 'read' else 'write' end, 'derived',
        case when kind < 12 then 'low' else 'high' end, case when kind < 12 then 'low' else 'high' end,
        case when luck = 3 then null else 'event' end,
        case when luck < 40 then 'refused' when luck < 60 then 'failed' when kind < 12 then 'ok'
          when luck < 530 then 'previewed' else 'applied' end,
        case when luck < 30 then 'deny:schema' when kind < 12 then 'allow:low' when luck < 530 then 'ask:high'
          else 'allow:proof' end,
        case when kind < 12 then null else 'pl_' || (n / 2) end, at + 20, n % 300,
        case when luck < 60 then ${oneOf('(luck % 12)', errors)} end,
        2, n * 2 - 1, 'a digest of the usual length, of entry ' || n, 'a link of the usual length, of entry ' || n,
        2, n * 2, 'a digest of the usual length, of end ' || n, 'a link of the usual length, of end ' || n,
        'a salt of its own size', case when luck % 10 < 8 then 'The customer asked for number ' || n || ' by phone.' end,
        '{"customer":"ACME","lines":[{"sku":"DESK-' || n || '","quantity":2}]}', '{"id":"SO-' || n || '","total":"1299.00"}',
        'se_' || (n / 320) || '_' || (n % 40), 'all', case when kind = 22 then 'ok' end,
        case when luck < 60 then ${oneOf('(luck % 12)', errors)} end, case when luck < 60 then 'some.rule' end,
        case when luck < 10 then 'fp_' || (n % 300) end, case when luck < 10 then 'no shelf for <id>' end
      from calls`.execute(store.db)
  for (const tenant of ['default', 'other'])
    await sql`insert into countersign_activity_heads (tenant, seq, link, calls, bytes)
      values (${tenant}, ${sql.lit(rows * 2)}, 'a link', ${sql.lit(rows)}, 0)`.execute(store.db)
  if (store.file.startsWith('postgres')) await sql`analyze countersign_activity`.execute(store.db)
}
