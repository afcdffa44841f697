// What the store's tests share: a place that is gone afterwards, and processes of their own.
import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { openStore } from '../../../server/store/store.ts'
import { locate, present, testSecret } from '../../postgres.ts'
import { beginning } from '../../kit/blank-database.ts'
import { MINUTE, createClock, type Clock } from '../../kit/clock.ts'
import { inMemory } from '../../kit/in-memory.ts'
import type { PlanDraft } from '../../../server/model/plan-store.ts'
import type { Store, StoreFailure, StoreOptions } from '../../../server/store/store.ts'

/** A directory for one test. */
export const place = (): string => {
  const directory = mkdtempSync(join(inMemory(), 'countersign-store-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  return directory
}

/** The same options for the database that this project is about. */
const here = async (options: StoreOptions): Promise<StoreOptions> =>
  present === 'sqlite' ? options : { secret: testSecret, ...options, file: await locate(options.file) }

/** A hash that is sound takes a quarter of a second; tests of something else than its strength take the cheapest. */
export const passwordCost = { n: 4, r: 8, p: 1 }

/** A store that closes with its test. */
export const opened = async (options: StoreOptions): Promise<Store> => {
  const asked = await here(options)
  const result = await openStore({ passwordCost, ...(await beginning(asked.file)), ...asked })
  if (!result.ok) throw new Error(`${result.failure.kind}: ${result.failure.message}`)
  onTestFinished(() => result.value.close())
  return result.value
}

/** A store in memory, and the clock that it goes by. */
export const openedWithClock = async (): Promise<{ readonly clock: Clock; readonly store: Store }> => {
  const clock = createClock()
  return { clock, store: await opened({ file: ':memory:', now: clock.now }) }
}

/** Why a store does not open. */
export const failed = async (options: StoreOptions): Promise<StoreFailure> => {
  const result = await openStore(await here(options))
  if (!result.ok) return result.failure
  await result.value.close()
  throw new Error('The store opened.')
}

export const draft = (change: Partial<PlanDraft> = {}): PlanDraft => ({
  id: 'pl_1',
  ticketHash: `hash of the ticket of ${change.id ?? 'pl_1'}`,
  digest: 'digest of the call',
  tool: 'orders_create',
  definition: 'digest of the definition',
  principal: { tenant: 'default', subject: 'ada' },
  basis: '7',
  args: '{"customer":"ACME"}',
  rationale: 'The customer asked for it.',
  shown: '[]',
  ttlMs: 15 * MINUTE,
  ...change,
})

export interface Job {
  readonly child: ChildProcess
  /** The next line that it prints. */
  line(): Promise<string>
  say(text: string): void
  kill(signal: NodeJS.Signals): Promise<void>
}

/** A process of its own that runs `worker.ts`. */
export const startJob = async (file: string, ...argv: readonly string[]): Promise<Job> => {
  const worker = join(import.meta.dirname, 'worker.ts')
  const child = spawn(process.execPath, ['--no-warnings', worker, await locate(file), ...argv], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, ...(present === 'sqlite' ? {} : { COUNTERSIGN_SECRET: testSecret }) },
  })
  const lines: string[] = []
  const waiting: ((line: string) => void)[] = []
  let rest = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (rest + chunk).split('\n')
    rest = parts.pop() ?? ''
    for (const part of parts) {
      const next = waiting.shift()
      if (next) next(part)
      else lines.push(part)
    }
  })
  const gone = new Promise<void>((resolve) => child.once('exit', () => resolve()))
  const kill = async (signal: NodeJS.Signals): Promise<void> => {
    child.kill(signal)
    await gone
  }
  onTestFinished(() => kill('SIGKILL'))
  return {
    child,
    kill,
    say: (text) => void child.stdin.write(`${text}\n`),
    line: () =>
      new Promise((resolve) => {
        const line = lines.shift()
        if (line === undefined) waiting.push(resolve)
        else resolve(line)
      }),
  }
}
