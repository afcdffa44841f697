// The log must stay cheap to write and quick to ask when it is long. A million rows are written by the engine's own
// functions, many to a transaction, because a million single commits would measure the disk and nothing else; what a
// single recorded call costs is measured by itself, in turns with an unrecorded one.
import { join } from 'node:path'
import { z } from 'zod'
import { call } from '../../server/rail/call.ts'
import type { Engine } from '../../server/rail/engine.ts'
import { compose } from '../../server/compose/compose.ts'
import { exportCalls } from '../../server/http/activity/activity-export.ts'
import { moveRecent } from '../../server/store/activity/write/recent.ts'
import { newRowId, writeBegin, writeEnd } from '../../server/store/activity/write/write-entry.ts'
import { createChain } from '../../server/store/activity/chain/chain.ts'
import { inChainTransaction, type ChainTransaction } from '../../server/store/activity/write/chain-transaction.ts'
import { createStatements } from '../../server/store/activity/write/statements.ts'
import { openStore, type ActivityFilter, type Place, type Store } from '../../server/store/store.ts'
import type { Tables } from '../../server/store/tables.ts'
import type { Aim } from './aims.ts'
import { median, ms, quantile, table } from './figures.ts'
import { requestOf } from '../kit/calls.ts'
import { readTool } from '../kit/tools.ts'
import { withFolder, withPostgres } from './processes.ts'

const perTransaction = 2000
const secret = 'a secret for benchmarks and nothing else'
const limit = 50

const asked = process.argv.find((argument) => argument.startsWith('--rows='))
const rows = asked === undefined ? 1_000_000 : Number(asked.slice('--rows='.length))

/** Measures and prints, on a file and on PostgreSQL (COUNTERSIGN_TEST_POSTGRES, or one that is started here). */
export async function activity(): Promise<readonly Aim[]> {
  const onFile = await withFolder((folder) =>
    measureOn('one SQLite file', join(folder, 'activity.db'), join(folder, 'calls.db')),
  )
  console.log()
  const onPostgres = await withPostgres(async (database) =>
    measureOn('PostgreSQL on this machine', await database(), await database()),
  )
  return [...onFile, ...onPostgres]
}

async function measureOn(name: string, file: string, callsFile: string): Promise<readonly Aim[]> {
  console.log(`activity: ${rows.toLocaleString('en')} rows; ${name}, all indexes in place`)
  console.log()
  const opened = await openStore({ file, secret })
  if (!opened.ok) throw new Error(opened.failure.message)
  const store = opened.value
  let slowestPage: number
  try {
    const inserted = await seconds(() => fill(store))
    const pages = await measurePages(store)
    slowestPage = Math.max(...pages.flatMap(({ taken }) => taken))
    const exported = await seconds(() => drain(exportCalls(store.activity, {}, 'json')))
    const verified = await seconds(async () => {
      const problem = (await store.activity.verify()).find((report) => report.problem !== undefined)
      if (problem !== undefined) throw new Error(problem.problem?.message)
    })
    console.log(
      table([
        ['', 'rows a second', 'all of them'],
        ...(
          [
            [`insert, ${perTransaction} to a transaction`, inserted],
            ['export as JSON', exported],
            ['verify', verified],
          ] as const
        ).map(([what, taken]) => [what, Math.round(rows / taken).toLocaleString('en'), `${taken.toFixed(1)} s`]),
      ]),
    )
    console.log()
    console.log(
      table([
        [`page of ${limit}`, 'first', 'in the middle', 'last'],
        ...pages.map(({ filter, taken }) => [filter, ...taken.map(ms)]),
      ]),
    )
  } finally {
    await store.close()
  }
  console.log()
  return [
    { what: `a page of activity at any depth, ${name}`, aim: 20, unit: 'ms', measured: slowestPage },
    {
      what: `what its record adds to a call, p50, ${name}`,
      aim: 0.15,
      unit: 'ms',
      measured: await measureCalls(callsFile),
    },
  ]
}

const seconds = async (work: () => Promise<unknown>): Promise<number> => {
  const begun = performance.now()
  await work()
  return (performance.now() - begun) / 1000
}

async function drain(pieces: AsyncIterable<string>): Promise<number> {
  let length = 0
  for await (const piece of pieces) length += piece.length
  return length
}

const tools = ['orders_list', 'orders_get', 'orders_create', 'orders_modify', 'orders_delete', 'mail_send'] as const
const outcomes = ['ok', 'previewed', 'applied', 'ok', 'refused', 'failed', 'ok'] as const

async function fill(store: Store): Promise<void> {
  const db = store.db.$extendTables<Tables>()
  const writer = {
    chain: createChain(store.deriveKey('activity chain')),
    statements: createStatements(db),
    lastSeen: { check: () => undefined },
  }
  const started = Date.now() - rows * 100
  for (let from = 0; from < rows; from += perTransaction)
    await db.transaction().execute(async (trx) => {
      await inChainTransaction(trx, writer, async (tx) => {
        for (let at = from; at < Math.min(from + perTransaction, rows); at++) await oneRow(tx, at, started + at * 100)
      })
      await moveRecent(trx)
    })
}

async function oneRow(tx: ChainTransaction, n: number, at: number): Promise<void> {
  const kind = (n * 7919) % tools.length
  const operation = kind < 2 ? 'read' : kind < 4 ? 'write' : 'destructive'
  const rare = n % 100_000 === 0
  const id = newRowId()
  await writeBegin(
    tx,
    id,
    {
      principal: { tenant: 'default', subject: `agent-${n % 20}` },
      client: 'Bench',
      source: 'mcp',
      tool: tools[kind] ?? 'orders_list',
      variant: undefined,
      operation,
      operationSource: 'derived',
      intent: undefined,
      rationale: `The customer asked for number ${n} by phone.`,
      risk: rare ? 'critical' : operation === 'read' ? 'low' : 'high',
      auditEvent: tools[kind],
      args: `{"customer":"ACME","lines":[{"sku":"DESK-${n % 100}","quantity":2}]}`,
      notes: [],
    },
    () => at,
  )
  await writeEnd(
    tx,
    id,
    {
      outcome: outcomes[n % outcomes.length] ?? 'ok',
      verdict: 'allow:low',
      risk: rare ? 'critical' : operation === 'read' ? 'low' : 'high',
      planId: operation === 'read' ? undefined : `pl_${n >> 1}`,
      approvalId: undefined,
      durationMs: n % 300,
      result: `{"id":"SO-${n}","total":"1299.00"}`,
      error: undefined,
    },
    () => at + 20,
  )
}

interface Pages {
  readonly filter: string
  /** Milliseconds of a page at the beginning, in the middle and at the end. */
  readonly taken: readonly number[]
}

async function measurePages({ activity: log }: Store): Promise<readonly Pages[]> {
  const filters: readonly (readonly [string, ActivityFilter])[] = [
    ['no filter', {}],
    ['one tool', { tools: ['orders_create'] }],
    ['one status', { statuses: ['failed'] }],
    ['read calls', { intentTypes: ['read'] }],
    ['a rare risk', { risks: ['critical'] }],
    ['tool and status', { tools: ['mail_send'], statuses: ['refused'] }],
    ['tool and rare risk', { tools: ['orders_create'], risks: ['critical'] }],
  ]
  const first = (await log.page({ limit: 1, order: 'oldest' })).calls[0]?.at ?? 0
  const last = (await log.page({ limit: 1 })).calls[0]?.at ?? 0
  const lines: Pages[] = []
  for (const [name, filter] of filters) {
    const cells: number[] = []
    for (const share of [1, 0.5, 0.001]) {
      const after: Place = { at: first + Math.round((last - first) * share) + 1, position: 0 }
      const taken: number[] = []
      for (let turn = 0; turn < 15; turn++) taken.push((await seconds(() => log.page({ filter, limit, after }))) * 1000)
      cells.push(median(taken))
    }
    lines.push({ filter: name, taken: cells })
  }
  return lines
}

const echo = readTool({
  name: 'bench.echo',
  input: z.strictObject({ text: z.string() }),
  output: z.object({ text: z.string() }),
  run: ({ text }) => ({ text }),
})

/** Milliseconds that the record adds to a call, p50. */
async function measureCalls(file: string): Promise<number> {
  const composed = await compose({ file, secret, tools: [echo] })
  if (!composed.ok) throw new Error(composed.failure.message)
  const { engine } = composed.value.parts
  const { activityLog: _, ...unrecorded } = engine
  const request = requestOf('bench_echo', {
    text: 'A text of the usual length.',
    rationale: 'The benchmark asks for it.',
  })
  const [plain, recorded]: [number[], number[]] = [[], []]
  const once = async (on: Engine, into: number[]): Promise<void> => {
    into.push((await seconds(() => call(on, request))) * 1000)
  }
  for (let turn = 0; turn < 3500; turn++) {
    await once(unrecorded, plain)
    await once(engine, recorded)
  }
  await composed.value.close()
  const warm = (values: readonly number[]): readonly number[] => values.slice(500)
  const line = (name: string, values: readonly number[]): readonly string[] => [
    name,
    ms(median(values)),
    ms(quantile(values, 0.99)),
  ]
  const added = warm(recorded).map((value, at) => value - (warm(plain)[at] ?? 0))
  console.log(
    table([
      ['one call, in turns', 'p50', 'p99'],
      line('unrecorded', warm(plain)),
      line('recorded', warm(recorded)),
      line('added', added),
    ]),
  )
  console.log(
    '  recorded: redaction; a read, so its row begins in a commit that does not wait for the disk, and ends in that of the next',
  )
  return median(added)
}
