// One of the server processes that `scale.ts` measures: a whole server, composed like every other, with its engine called from
// inside. What a call costs on the way in (HTTP, the protocol) is `rail`'s business; here it is the shared database's.
// Reads commands line by line and answers each with one line of JSON.
import { createInterface } from 'node:readline'
import { sql, type CompiledQuery } from 'kysely'
import { Pool } from 'pg'
import { z } from 'zod'
import { call } from '../../server/rail/call.ts'
import type { Answer } from '../../server/rail/answers/outcome.ts'
import type { Engine } from '../../server/rail/engine.ts'
import { compose } from '../../server/compose/compose.ts'
import { parseApply } from '../../server/confirm/message.ts'
import { type Contract } from '../../server/index.ts'
import type { Tables } from '../../server/store/tables.ts'
import { requestOf } from '../kit/calls.ts'
import { writeTool } from '../kit/tools.ts'
import { openRecords } from './record-by-hand.ts'

const [url = '', name = 'one'] = process.argv.slice(2)
const secret = 'a secret for benchmarks and nothing else'

// A type, not an interface: Kysely wants an index signature.
type Effects = { readonly bench_effects: { readonly key: string; readonly by: string } }

const composed = await compose({
  file: url,
  secret,
  toolsets: [
    async ({ db }) => {
      const effects = db.$extendTables<Effects>()
      await effects.schema
        .createTable('bench_effects')
        .ifNotExists()
        .addColumn('key', 'text', (column) => column.notNull())
        .addColumn('by', 'text', (column) => column.notNull())
        .execute()
      await sql`create table if not exists bench_claims (key text primary key, ended boolean not null)`.execute(db)
      await sql`create table if not exists bench_by_hand (key text not null, by text not null)`.execute(db)
      const tools: readonly Contract[] = [
        writeTool({
          name: 'effects.add',
          input: z.strictObject({ number: z.int() }),
          output: z.strictObject({ number: z.int() }),
          preview: ({ number }) => ({ title: `Effect ${number}`, summary: 'One row.', confirmLabel: 'Do it' }),
          run: async ({ number }, ctx) => {
            await effects.insertInto('bench_effects').values({ key: ctx.idempotencyKey, by: name }).execute()
            return { number }
          },
        }),
      ]
      return { tools }
    },
  ],
})
if (!composed.ok) throw new Error(composed.failure.message)
const server = composed.value
const engine: Engine = server.parts.engine

const applyOf = (answer: Answer): string => {
  const confirm = answer.card?.actions.find(({ role }) => role === 'confirm')
  const text = confirm?.steps.flatMap((step) => (step.do === 'SendMessage' ? [step.text] : []))[0]
  if (text === undefined) throw new Error(`No Confirm: ${answer.text}`)
  return text
}

/** Does all of it, so much at once; answers how long each one took, in milliseconds, and what came of it. */
const all = async <T, R>(given: readonly T[], atOnce: number, work: (one: T) => Promise<R>) => {
  const [took, results]: [number[], R[]] = [[], []]
  let next = 0
  const worker = async (): Promise<void> => {
    for (let one = given[next++]; one !== undefined; one = given[next++]) {
      const begun = performance.now()
      results.push(await work(one))
      took.push(performance.now() - begun)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return { took, results }
}

const pool = new Pool({ connectionString: url, max: 10 })

/** What an apply promises, written by hand and nothing else: that it has begun, its effect, that it has ended. */
const byHand = async (key: string): Promise<void> => {
  await pool.query({ name: 'begin', text: 'insert into bench_claims values ($1, false)', values: [key] })
  await pool.query({ name: 'effect', text: 'insert into bench_by_hand values ($1, $2)', values: [key, name] })
  await pool.query({ name: 'end', text: 'update bench_claims set ended = true where key = $1', values: [key] })
}

const records = await openRecords(server.store.db.$extendTables<Tables>(), `by-hand-${name}`)

/** Both writes as one statement, so that each commit is one round trip. */
const atOnce = (label: string, [first, second]: readonly [CompiledQuery, CompiledQuery]) => ({
  name: label,
  text: `with first as (${first.sql}) ${second.sql.replace(/\$(\d+)/g, (_, at: string) => `$${Number(at) + first.parameters.length}`)}`,
  values: [...first.parameters, ...second.parameters],
})

/** The same with the rows that an apply leaves of its plan and its call. */
const recorded = async (plan: string): Promise<void> => {
  const { row, writes } = records.begin(plan)
  await pool.query(atOnce('begin recorded', writes))
  await pool.query({ name: 'effect', text: 'insert into bench_by_hand values ($1, $2)', values: [plan, name] })
  await pool.query(atOnce('end recorded', records.end(plan, row)))
}

const commands: Readonly<
  Record<string, (given: { from: number; count: number; atOnce: number; messages: string[] }) => Promise<unknown>>
> = {
  preview: async ({ from, count, atOnce }) => {
    const numbers = Array.from({ length: count }, (_, at) => from + at)
    const { results } = await all(numbers, atOnce, (number) =>
      call(engine, requestOf('effects_add', { number, rationale: 'The benchmark asks for it.' })),
    )
    return results.map(applyOf)
  },
  byHand: async ({ from, count, atOnce }) => {
    const keys = Array.from({ length: count }, (_, at) => String(from + at))
    const before = process.cpuUsage()
    const { took } = await all(keys, atOnce, byHand)
    return { took, outcomes: {}, cpu: usedSince(before) }
  },
  plans: ({ count }) => records.plans(count),
  recorded: async ({ messages: plans, atOnce: many }) => {
    const before = process.cpuUsage()
    const { took } = await all(plans, many, recorded)
    return { took, outcomes: {}, cpu: usedSince(before) }
  },
  apply: async ({ messages, atOnce }) => {
    const before = process.cpuUsage()
    const { took, results } = await all(messages, atOnce, (message) => {
      const parsed = parseApply(message)
      if (!parsed.ok || parsed.value.kind !== 'apply') throw new Error(message)
      return call(engine, requestOf(parsed.value.tool, parsed.value.args))
    })
    const outcomes: Record<string, number> = {}
    for (const { outcome } of results) outcomes[outcome] = (outcomes[outcome] ?? 0) + 1
    return { took, outcomes, cpu: usedSince(before) }
  },
}

/** Milliseconds. */
function usedSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

process.stdout.write(`${JSON.stringify('ready')}\n`)
for await (const line of createInterface({ input: process.stdin })) {
  const { verb, ...given } = JSON.parse(line) as {
    verb: string
    from: number
    count: number
    atOnce: number
    messages: string[]
  }
  process.stdout.write(`${JSON.stringify(await commands[verb]?.(given))}\n`)
}
await pool.end()
await server.close()
