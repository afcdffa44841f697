// A process that is stopped, as a paused machine or a suspended laptop is, for longer than its lease: the others take its
// run for lost and conclude what became of it. When it wakes up, it must not run what they have called not run, and what
// it does all the same must be what the record says.
import { DatabaseSync } from 'node:sqlite'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { casesOf } from '../../full.ts'
import { freshDatabase, databases, testSecret } from '../../postgres.ts'
import { confirm } from '../agent.ts'
import { createDesk } from '../fixture-server.ts'
import { longest } from '../../longest.ts'

const patience = { timeout: longest, interval: 200 }
const settings = { leaseMs: 1500 }

/** A process that is stopped within a transaction keeps its locks, and everybody else waiting, for as long as it sleeps. */
async function stopBetweenTransactions(pid: number, idle: () => Promise<boolean>): Promise<void> {
  process.kill(pid, 'SIGSTOP')
  while (!(await idle())) {
    process.kill(pid, 'SIGCONT')
    await setTimeout(20)
    process.kill(pid, 'SIGSTOP')
  }
}

/** Whether no process is within a transaction that holds others up. */
const isIdle = {
  sqlite: (path: string): Promise<boolean> => {
    const file = new DatabaseSync(path)
    try {
      file.exec('begin immediate; rollback')
      return Promise.resolve(true)
    } catch {
      return Promise.resolve(false)
    } finally {
      file.close()
    }
  },
  postgres: async (url: string): Promise<boolean> => {
    const client = new Client({ connectionString: url })
    await client.connect()
    const { rowCount } = await client.query(
      `select 1 from pg_stat_activity
        where datname = current_database() and xact_start is not null and pid <> pg_backend_pid()`,
    )
    await client.end()
    return rowCount === 0
  },
}

/** An apply whose process is stopped once it has claimed its plan; by then another one has concluded that it failed. */
async function asleep(database: (typeof databases)[number], tool: string) {
  const fresh = await freshDatabase(database)
  onTestFinished(() => fresh.drop())
  const desk = createDesk(fresh.url, { COUNTERSIGN_SECRET: testSecret })
  const [sleeper, other] = [await desk.stdio(settings), await desk.stdio(settings)]
  const preview = await sleeper.call(tool, { text: 'one' })
  desk.hold()
  const applying = confirm(sleeper, preview)
  await vi.waitFor(() => expect(desk.reached()).toBe(true), patience)
  onTestFinished(() => void process.kill(sleeper.pid, 'SIGCONT'))
  await stopBetweenTransactions(sleeper.pid, () => isIdle[database](fresh.url))
  await vi.waitFor(
    async () => expect((await confirm(other, preview)).text).toContain('failed without effect'),
    patience,
  )
  const wake = (): typeof applying => {
    desk.release()
    process.kill(sleeper.pid, 'SIGCONT')
    return applying
  }
  return { desk, other, preview, wake }
}

/** Each on one database, and on both in full runs; what the two differ in is asked of the store. */
test.each(casesOf(databases, String, ['sqlite']))(
  'on %s, before its run: it wakes up and does not start it',
  async (database) => {
    const { desk, other, preview, wake } = await asleep(database, 'sleepers_before')
    expect((await wake()).text).toContain('Nothing was run')
    expect(desk.runs()).toStrictEqual([])
    expect((await confirm(other, preview)).text).toContain('failed without effect')
  },
)

test.each(casesOf(databases, String, ['postgres']))(
  'on %s, within its run: what it does when it wakes up is what everybody hears from then on',
  async (database) => {
    const { desk, other, preview, wake } = await asleep(database, 'sleepers_within')
    expect((await wake()).status).toBe('applied')
    expect(desk.runs()).toStrictEqual([preview.planId])
    expect(await confirm(other, preview)).toMatchObject({ status: 'replayed', data: { result: { text: 'one' } } })
  },
)
