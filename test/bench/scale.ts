// Several machines on one database are worth having only if they get through more than people and agents ask of them,
// and only if each plan still runs once. Plans made in one process are applied in the other; then both are told to apply
// the same ones at the same time, and the rows that this left are counted.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { Client } from 'pg'
import { createDatabase, startPostgres } from '../postgres-server.ts'
import type { Aim } from './aims.ts'
import { ms, quantile, table } from './figures.ts'

const each = 1000
const same = 500
const levels = [1, 8, 32, 64] as const

interface Process {
  ask<T>(command: Readonly<Record<string, unknown>>): Promise<T>
  stop(): Promise<void>
}

interface Applied {
  readonly took: readonly number[]
  readonly outcomes: Readonly<Record<string, number>>
  /** Milliseconds of processor time. */
  readonly cpu: number
}

/** Measures and prints. COUNTERSIGN_TEST_POSTGRES names a server; otherwise one is started here, with durable commits. */
export async function scale(): Promise<readonly Aim[]> {
  const named = process.env['COUNTERSIGN_TEST_POSTGRES']
  const server = named === undefined ? await startPostgres({ durable: true }) : undefined
  const database = await createDatabase(named ?? server?.url ?? '')
  // The first one makes the tables.
  const processes = [await startProcess(database.url, 'one'), await startProcess(database.url, 'two')]
  try {
    console.log('scale: two server processes on one PostgreSQL, commits wait for the disk')
    console.log('  the engine called from inside: recorded, gated, claimed, run (one row of its own), finished')
    console.log('  commits by hand: the three durable commits of an apply by the driver alone, of one row each')
    console.log(
      '  with record: the same with the rows that an apply leaves of its plan and its call, one statement a commit',
    )
    console.log('  all of them a second; processor time of one of them, in both processes')
    console.log()
    const rows: string[][] = [
      [
        '',
        'applies a second',
        'p50',
        'p99',
        'processor time',
        'commits by hand',
        'processor time',
        'with record',
        'processor time',
      ],
    ]
    let made = 0
    let fastest = 0
    let fastestByHand = 0
    for (const atOnce of levels) {
      const count = Math.min(each, atOnce * 150)
      const messages = await Promise.all(
        processes.map((one, at) => one.ask<string[]>({ verb: 'preview', from: made + at * count, count, atOnce: 32 })),
      )
      made += count * processes.length
      const from = made
      const byHand = await together(processes, (at) => ({ verb: 'byHand', from: from + at * count, count, atOnce }))
      const plans = await Promise.all(processes.map((one) => one.ask<string[]>({ verb: 'plans', count })))
      const recorded = await together(processes, (at) => ({ verb: 'recorded', messages: plans[at], atOnce }))
      const applied = await together(processes, (at) => ({ verb: 'apply', messages: messages[1 - at], atOnce }))
      const { took } = applied
      const wrong = applied.outcomes.filter((name) => name !== 'applied')
      if (wrong.length > 0) throw new Error(`Not every plan was applied: ${[...new Set(wrong)].join(', ')}`)
      fastest = Math.max(fastest, applied.aSecond)
      fastestByHand = Math.max(fastestByHand, recorded.aSecond)
      rows.push([
        `${atOnce} at once in each`,
        Math.round(applied.aSecond).toLocaleString('en'),
        ms(quantile(took, 0.5)),
        ms(quantile(took, 0.99)),
        ms(applied.cpu),
        Math.round(byHand.aSecond).toLocaleString('en'),
        ms(byHand.cpu),
        Math.round(recorded.aSecond).toLocaleString('en'),
        ms(recorded.cpu),
      ])
    }
    console.log(table(rows))
    console.log()
    const [both = []] = await Promise.all(
      processes.slice(0, 1).map((one) => one.ask<string[]>({ verb: 'preview', from: made, count: same, atOnce: 32 })),
    )
    made += same
    const told = await Promise.all(
      processes.map((one) => one.ask<Applied>({ verb: 'apply', messages: both, atOnce: 32 })),
    )
    const counted = (name: string) => told.reduce((sum, { outcomes }) => sum + (outcomes[name] ?? 0), 0)
    const effects = await effectsOf(database.url)
    console.log(
      `  ${same} plans that both were told to apply at once: ${counted('applied')} applied, ${counted('replayed') + counted('running')} told so`,
    )
    console.log(
      `  ${made} plans, ${effects.rows} effects, ${effects.keys} different ones: ${made === effects.rows && made === effects.keys ? 'each exactly once' : 'NOT each exactly once'}`,
    )
    return [
      {
        what: 'applies of two processes on one PostgreSQL',
        aim: 2000,
        atLeast: true,
        unit: 'a second',
        measured: fastest,
        peer: fastestByHand,
        note: 'peer: the rows that an apply leaves, by hand with `pg`, in its three durable commits, and nothing else',
      },
    ]
  } finally {
    for (const one of processes) await one.stop()
    await database.drop()
    await server?.stop()
  }
}

/** Has both processes do something of equal length at the same time; `cpu` in milliseconds for each. */
async function together(processes: readonly Process[], command: (at: number) => Readonly<Record<string, unknown>>) {
  const begun = performance.now()
  const done = await Promise.all(processes.map((one, at) => one.ask<Applied>(command(at))))
  const seconds = (performance.now() - begun) / 1000
  const took = done.flatMap((one) => one.took)
  return {
    took,
    outcomes: done.flatMap(({ outcomes }) => Object.keys(outcomes)),
    aSecond: took.length / seconds,
    cpu: done.reduce((sum, { cpu }) => sum + cpu, 0) / took.length,
  }
}

const effectsOf = async (url: string): Promise<{ readonly rows: number; readonly keys: number }> => {
  const client = new Client({ connectionString: url })
  await client.connect()
  try {
    const { rows } = await client.query<{ rows: number; keys: number }>(
      'select count(*)::int as rows, count(distinct key)::int as keys from bench_effects',
    )
    return rows[0] ?? { rows: 0, keys: 0 }
  } finally {
    await client.end()
  }
}

const startProcess = async (url: string, name: string): Promise<Process> => {
  const program = fileURLToPath(new URL('serve-scale.ts', import.meta.url))
  const child = spawn(process.execPath, [...process.execArgv, '--no-warnings', program, url, name], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  const next = async <T>(): Promise<T> => {
    const line = await lines.next()
    if (line.done === true) throw new Error(`The process "${name}" ended.`)
    return JSON.parse(line.value) as T
  }
  await next()
  return {
    ask: <T>(command: Readonly<Record<string, unknown>>) => {
      child.stdin.write(`${JSON.stringify(command)}\n`)
      return next<T>()
    },
    stop: async () => {
      child.stdin.end()
      const late = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(late)
    },
  }
}
