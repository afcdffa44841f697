// What those who run a server hear when its database is in trouble: a disk that is full, files that were taken away under
// it, a file with two names, a clock that is wrong by years.
import { copyFileSync, linkSync, renameSync, rmSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { confirm, overHttp } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { createDesk } from '../fixture-server.ts'
import { demoHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'

const readiness = async (mcp: URL) => {
  const response = await fetch(new URL('/readyz', mcp))
  return { status: response.status, body: (await response.json()) as Readonly<Record<string, unknown>> }
}

const notWritable = { status: 503, body: { status: 'not-ready', store: 'not-writable' } }

test('a full disk: not ready, nothing runs, and what was applied is still told', async () => {
  // No file of this process grows past two megabytes.
  const desk = createDesk()
  const { agent, mcp } = await desk.limited(2 * 1024 * 1024)
  const first = await agent.call('marks_add', { text: 'one' })
  expect((await confirm(agent, first)).status).toBe('applied')
  const second = await agent.call('marks_add', { text: 'two' })
  expect(await readiness(mcp)).toMatchObject({ status: 200 })
  // The large ones until they no longer fit, then the small ones.
  for (const text of ['x'.repeat(150_000), 'x'])
    for (let at = 0, fits = true; fits && at < 500; at++)
      fits = (await agent.call('marks_add', { text: `${at} ${text}` })).guidance === undefined
  await eventually(async () => expect(await readiness(mcp)).toMatchObject(notWritable))
  expect(await confirm(agent, second)).toMatchObject({
    status: 'failed',
    guidance: { error_type: 'store_unavailable' },
  })
  expect(await confirm(agent, first)).toMatchObject({ status: 'replayed', data: { result: { text: 'one' } } })
  expect(desk.runs()).toStrictEqual([first.planId])
})

test.each<[string, (file: string) => void]>([
  ['was replaced by a copy', (file) => [copyFileSync(file, `${file}.copy`), renameSync(`${file}.copy`, file)]],
  ['has lost its log', (file) => rmSync(`${file}-wal`)],
])('a database that %s under a server: not ready, and nothing is written', async (_, harm) => {
  const file = freshDatabase()
  const web = await demoHere(file)
  expect(await readiness(web.mcp)).toMatchObject({ status: 200 })
  harm(file)
  expect(await readiness(web.mcp)).toMatchObject(notWritable)
  await eventually(() => expect(web.stderr()).toContain('while this process had it open'))
  const agent = await overHttp(web.mcp).catch(() => undefined)
  expect((await agent?.call('orders_list'))?.isError).not.toBe(false)
})

test('a database with a second name: no server starts on it, and `doctor` says why', async () => {
  const file = freshDatabase()
  const web = await demoHere(file)
  await web.end()
  linkSync(file, `${file}.second`)
  for (const command of [
    ['demo', '--port', '0', '--db', file],
    ['doctor', '--db', file],
  ]) {
    const { code, stderr } = await runCommand(command)
    expect(code).not.toBe(0)
    expect(stderr).toContain('has 2 names')
    expect(stderr).toContain('-samefile')
  }
})

test('a clock far ahead is said in the log, in /readyz, by `doctor` and by `activity retain`', async () => {
  const file = freshDatabase()
  const first = await demoHere(file)
  await first.end()
  // Ten days and a half later, as far as the database can tell; its time catches up while servers run.
  const database = new DatabaseSync(file)
  const at = Date.now() - 252 * 60 * 60 * 1000
  const { changes } = database
    .prepare("update countersign_meta set value = ? where name = 'kept_time'")
    .run(JSON.stringify({ at, looked: at }))
  database.close()
  expect(changes).toBe(1)
  const said = '10 days ahead of the time that this database has seen pass'
  const web = await demoHere(file)
  await eventually(async () =>
    expect(await readiness(web.mcp)).toMatchObject({ status: 200, body: { status: 'ready', clock: 'ahead' } }),
  )
  expect(web.stderr()).toContain(said)
  expect((await runCommand(['doctor', '--db', file])).stdout).toContain(said)
  const held = await runCommand(['activity', 'retain', '--days', '5', '--db', file])
  expect(held).toMatchObject({ code: 1, stderr: expect.stringContaining(said) as string })
  const confirmed = await runCommand(['activity', 'retain', '--days', '5', '--yes', '--by', 'Ada', '--db', file])
  expect(confirmed.code).toBe(0)
  expect(confirmed.stdout).toMatch(/^Age was counted as of .+ it is .+, 10 days later\.\n[^]*Calls removed: /)
  const acts = await runCommand(['activity', 'list', '--tool', 'operator.confirmed_clock', '-o', 'json', '--db', file])
  expect(acts.stdout).toContain('Ada')
  // The clock agrees now: there is nothing to confirm, and nothing to record.
  const again = await runCommand(['activity', 'retain', '--yes', '--by', 'Eve', '--db', file])
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining('needs no confirmation') as string })
  const later = await runCommand(['activity', 'list', '--tool', 'operator.confirmed_clock', '-o', 'json', '--db', file])
  expect(later.stdout).toBe(acts.stdout)
})
