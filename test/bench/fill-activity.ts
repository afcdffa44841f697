// A log of millions of rows, written by one statement for many: for benchmarks that only read it, or add a few calls to it.
// No chain vouches for these rows.
import { sql, type RawBuilder } from 'kysely'
import { headTable } from '../../server/store/activity/call-tables.ts'
import type { Store } from '../../server/store/store.ts'
import type { Tables } from '../../server/store/tables.ts'

const DAY = 86_400_000
const perStatement = 50_000

/** As SQL: one of these names by the number. */
const oneOf = (number: string, names: readonly string[]): RawBuilder<string> =>
  sql.raw(`case ${number} ${names.map((name, at) => `when ${at} then '${name}'`).join(' ')} end`)

const tools =
  'orders_list orders_get mail_list mail_read files_list files_read crm:find git:log git:diff sql:query list_sessions search_tools orders_create orders_modify orders_delete mail_send files_write files_delete crm:update crm:create git:push sql:execute execute_code help'.split(
    ' ',
  )
const errors = Array.from({ length: 12 }, (_, at) => `error_${at}`)

/** Writes so many rows, spread evenly over the last `days` days; nineteen of twenty are of the tenant `default`. */
export async function fillActivity(store: Store, rows: number, days: number): Promise<void> {
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
  await sql`insert into ${sql.table(headTable(store.db.$extendTables<Tables>()))} (tenant, seq, link, calls, bytes)
    select tenant, max(end_seq), 'a link of the usual length, of end ' || (max(end_seq) / 2), count(*), 0
    from countersign_activity group by tenant`.execute(store.db)
  if (store.file.startsWith('postgres')) await sql`analyze countersign_activity`.execute(store.db)
}
