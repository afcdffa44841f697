// What a call, and a look at the record, cost by how much the database holds already; called from inside, as in `scale`.
import { sql } from 'kysely'
import { z } from 'zod'
import { call } from '../../server/rail/call.ts'
import { compose, type Composed } from '../../server/compose/compose.ts'
import { gatherInsights } from '../../server/http/operators/insight-facts.ts'
import { openStore, type ActivityFilter, type Store } from '../../server/store/store.ts'
import { requestOf } from '../kit/calls.ts'
import { readTool, writeTool } from '../kit/tools.ts'
import type { Aim } from './aims.ts'
import { curves, decades, flat, timed, type AtSize } from './curve.ts'
import { fillActivity } from './fill-activity.ts'

const secret = 'a secret for benchmarks and nothing else'
const rationale = 'The benchmark asks for it.'
const DAY = 86_400_000
const days = 30
const perStatement = 50_000

const input = z.strictObject({ number: z.int() })
const change = writeTool({ name: 'things.change', input, output: input, run: (given) => given })
const look = readTool({ name: 'things.look', input, output: input, run: (given) => given })

async function serve(file: string): Promise<Composed> {
  const composed = await compose({ file, secret, tools: [change, look] })
  if (!composed.ok) throw new Error(composed.failure.message)
  return composed.value
}

/** Milliseconds of a call, and what it left; a fast refusal is not a fast call. */
async function timedCall({ parts }: Composed, tool: string, args: object, outcome: string) {
  const begun = performance.now()
  const answer = await call(parts.engine, requestOf(tool, { rationale, ...args }))
  const ms = performance.now() - begun
  if (answer.outcome !== outcome) throw new Error(`It answered something else: ${answer.text}`)
  return { ms, ticket: answer.card?.plan?.ticket, planId: answer.planId ?? '' }
}

async function previewAndApply(server: Composed, number: number) {
  const preview = await timedCall(server, 'things_change', { number }, 'previewed')
  const { ticket, planId } = preview
  const apply = await timedCall(server, 'things_change', { number, ticket, preview: false }, 'applied')
  return { preview: preview.ms, apply: apply.ms, planId }
}

/** By how many plans there are. `database`: answers a new one each time. */
export const byPlans = (name: string, database: () => Promise<string>, largest: boolean): Promise<readonly Aim[]> =>
  curves({
    title: name,
    unit: 'plans',
    sizes: decades(2, largest ? 6 : 5),
    aims: { preview: flat, apply: flat, find: flat, sweep: flat },
    open: async (plans) => {
      const server = await serve(await database())
      const { store } = server
      await previewAndApply(server, -1)
      await fillPlans(store, plans)
      let planId = ''
      const rail = async (turn: number) => {
        const { planId: id, ...costs } = await previewAndApply(server, turn)
        planId = id
        return costs
      }
      return {
        rounds: [
          rail,
          async () => ({ find: await timed(() => store.plans.find({ by: 'id', id: planId })) }),
          async () => ({ sweep: await timed(() => store.sweep()) }),
        ],
        close: () => server.close(),
      }
    },
  })

/** So many plans of the last month, as they are when they are swept each minute: copies of one, by its columns. */
async function fillPlans(store: Store, plans: number): Promise<void> {
  const now = store.now()
  for (let from = 1; from <= plans; from += perStatement)
    await sql`insert into countersign_plans (id, ticket_hash, digest, tool, definition, tenant, subject, basis, content,
        state, created_at, expires_at, changed_at, held, owner, lease_until, click_at, click_trusted, ending)
      with recursive numbers(n) as (
          select cast(${sql.lit(from)} as bigint)
          union all select n + 1 from numbers where n < ${sql.lit(Math.min(plans, from + perStatement - 1))}),
        aged as (
          select n, cast(${sql.lit(now - days * DAY + 3_600_000)} as bigint) + n * ${sql.lit(days * DAY - 7_200_000)} / ${sql.lit(plans)} as at
          from numbers)
      select 'pl_copy_' || n, 'a hash of the usual length, of a ticket' || n, 'a digest of the usual length, of call ' || n,
        tool, definition, tenant, 'agent-' || (n % 40), basis, content,
        case when n % 10 < 6 then 'applied' when n % 10 < 8 then 'open' when n % 10 = 8 then 'cancelled' else 'superseded' end,
        at, at + 900000, at, 0, case when n % 10 < 6 then owner end, null, null, 0,
        case when n % 10 < 6 and at > ${sql.lit(now - DAY)} then ending end
      from aged, (select * from countersign_plans where ending is not null limit 1) as one`.execute(store.db)
  await analyze(store, 'countersign_plans')
}

/** PostgreSQL does so by itself, a minute later. */
async function analyze({ db, file }: Store, name: string): Promise<void> {
  if (file.startsWith('postgres')) await sql`vacuum analyze ${sql.table(name)}`.execute(db)
}

/** Pages of 50. Where nothing fits, as many rows are looked at as a page may look at. */
const pages: Readonly<Record<string, ActivityFilter>> = {
  'page of all': {},
  'of a tool': { tools: ['orders_create'], statuses: ['applied'] },
  'where nothing fits': { subjects: ['nobody'] },
}

/** Insights read what is kept of hours and a sample of rows: both grow until they are full. */
const summedUp = 0.3

/** By how many calls are on record. */
export const byRows = (name: string, database: () => Promise<string>, largest: boolean): Promise<readonly Aim[]> =>
  curves({
    title: name,
    unit: 'rows',
    sizes: decades(4, largest ? 7 : 6),
    aims: {
      'recorded call': flat,
      preview: flat,
      ...Object.fromEntries(Object.keys(pages).map((page) => [page, flat])),
      insights: summedUp,
    },
    open: async (rows) => {
      const file = await database()
      await fillRows(file, rows)
      const server = await serve(file)
      return { rounds: roundsOn(server), close: () => server.close() }
    },
  })

/** Before there is a server, which would be busy with their sums. */
async function fillRows(file: string, rows: number): Promise<void> {
  const opened = await openStore({ file, secret })
  if (!opened.ok) throw new Error(opened.failure.message)
  const store = opened.value
  await fillActivity(store, rows, days)
  await analyze(store, 'countersign_activity')
  while (await store.activity.sumUp());
  await store.close()
}

const roundsOn = (server: Composed): AtSize['rounds'] => {
  const { store } = server
  const insights = () => {
    const now = store.now()
    return gatherInsights(store, { tenant: 'default', since: now - days * DAY, now, guidance: () => undefined })
  }
  return [
    async (number) => ({
      'recorded call': (await timedCall(server, 'things_look', { number }, 'ok')).ms,
      preview: (await timedCall(server, 'things_change', { number }, 'previewed')).ms,
    }),
    ...Object.entries(pages).map(([page, filter]) => async () => ({
      [page]: await timed(() => store.activity.page({ filter, limit: 50 })),
    })),
    async () => ({ insights: await timed(insights) }),
  ]
}
