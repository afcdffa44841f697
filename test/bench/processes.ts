// A benchmark that leaves servers or databases behind spoils the next one. Each server is a child that ends with its
// stdin, and each database lives in a folder that is removed with the run.
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createDatabase, startPostgres } from '../postgres-server.ts'

export interface Served {
  readonly url: string
  readonly pid: number
  /**
   * Numbers that the program knows of itself. `serve-gateway.ts` answers to `memory`, what it uses, in bytes, and to
   * `processor`, how long its main thread has worked so far, in microseconds; `send-mails.ts` to `pool 1000`.
   */
  ask(word: string): Promise<readonly number[]>
  stop(): Promise<void>
}

/** Starts one of the programs beside this file and waits for the address that it prints. */
export async function start(
  program:
    | 'serve-bare.ts'
    | 'serve-countersign.ts'
    | 'serve-gateway.ts'
    | 'serve-playground.ts'
    | 'serve-relay.ts'
    | 'serve-smtp.ts'
    | 'send-mails.ts',
  ...args: readonly [first: string, ...more: string[]]
): Promise<Served> {
  // A whole run can be profiled. Not all options: with `--eval` the child would start this program again, and so on.
  const profiling = process.execArgv.filter((option) => option.startsWith('--cpu-prof'))
  const child = spawn(process.execPath, [...profiling, fileURLToPath(new URL(program, import.meta.url)), ...args], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'exit')
  const lines = createInterface({ input: child.stdout })
  const first = await Promise.race([once(lines, 'line'), ended.then(() => undefined)])
  if (first === undefined) throw new Error(`${program} ended before it served anything (exit code ${child.exitCode}).`)
  const { url } = JSON.parse(String(first[0])) as { url: string }
  return {
    url,
    pid: child.pid ?? 0,
    ask: async (word) => {
      const answer = once(lines, 'line')
      child.stdin.write(`${word}\n`)
      return JSON.parse(String((await answer)[0])) as number[]
    },
    stop: async () => {
      child.stdin.end()
      const late = setTimeout(() => child.kill('SIGKILL'), 5000)
      await ended
      clearTimeout(late)
    },
  }
}

/** Runs with a folder of its own, which is gone afterwards. */
export async function withFolder<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-bench-'))
  try {
    return await use(folder)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Runs with databases of their own, as many as are asked for, which are gone afterwards. COUNTERSIGN_TEST_POSTGRES names a
 * server; otherwise one is started here, with durable commits.
 */
export async function withPostgres<T>(use: (database: () => Promise<string>) => Promise<T>): Promise<T> {
  const named = process.env['COUNTERSIGN_TEST_POSTGRES']
  const server = named === undefined ? await startPostgres({ durable: true }) : undefined
  const made: Awaited<ReturnType<typeof createDatabase>>[] = []
  try {
    return await use(async () => {
      const database = await createDatabase(named ?? server?.url ?? '')
      made.push(database)
      return database.url
    })
  } finally {
    for (const database of made) await database.drop()
    await server?.stop()
  }
}

/** Ends a process: asks it to, and three seconds later makes it. */
export async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = once(child, 'exit')
  child.kill('SIGTERM')
  const late = setTimeout(() => child.kill('SIGKILL'), 3000)
  await gone
  clearTimeout(late)
}

/** One line of a file in /proc, which counts in kB. */
export function megabytes(pid: number, file: string, line: string): number {
  const [, kb] = new RegExp(`^${line}:\\s+(\\d+) kB`, 'm').exec(readFileSync(`/proc/${pid}/${file}`, 'utf8')) ?? []
  return Number(kb) / 1024
}

/** User and system time (proc(5), stat, fields 14 and 15), which Linux tells programs in hundredths of a second. */
export function processorSeconds(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[11]) + Number(fields[12])) / 100
}
