// The tutorial, followed: its files are taken from the page and written into a project as it says, compiled, served, and tested.
import { execFile } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { buttonText, confirm, overStdio, type Agent } from '../agent.ts'
import { environment } from '../processes.ts'
import { compilers, installed, linked, root } from './installed.ts'

const page = readFileSync(join(root, 'docs', 'guides', 'tutorial.md'), 'utf8')
/** A file that comes twice is written anew, further on. */
const files = [...page.matchAll(/<!-- file: (\S+) -->\s*```(?:ts|json)\n([\s\S]*?)```/g)].map(
  ([, name = '', text = '']) => ({ name, text }),
)
const again = files.findLastIndex(({ name }) => name === 'tools.ts')

/** A project as it is after the first of these files. */
function project(count: number): string {
  const folder = installed('newest')
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  for (const { name, text } of files.slice(0, count)) writeFileSync(join(folder, name), text)
  return folder
}

const served = (folder: string): Promise<Agent> =>
  overStdio([...linked, join(folder, 'server.ts')], { env: { COUNTERSIGN_DB: ':memory:' } })

const run = promisify(execFile)

test('every program of the tutorial is a file that it names', () => {
  expect([...page.matchAll(/^```ts/gm)]).toHaveLength(files.filter(({ name }) => name.endsWith('.ts')).length)
  expect(again).toBeGreaterThan(files.findIndex(({ name }) => name === 'tools.ts'))
})

describe.each(casesOf(['oldest', 'newest'] as const, (each) => each, ['newest']))(
  'with the %s TypeScript',
  (compiler) => {
    test.each([
      ['the first tools', again],
      ['all of it', files.length],
    ])('%s compiles', async (_, count) => {
      const folder = project(count)
      await run(process.execPath, [compilers[compiler], '-p', folder, '--preserveSymlinks'], { cwd: folder })
    })
  },
)

test('a booking passes to somebody else once it is signed, and not where somebody was faster', async () => {
  const agent = await served(project(again))
  const asked = { room: 'Library', day: '2026-12-01' }
  const [late, first] = [
    await agent.call('rooms_book', { ...asked, name: 'Grace' }),
    await agent.call('rooms_book', { ...asked, name: 'Edsger' }),
  ]
  expect(first.data).toMatchObject({ status: 'previewed', changes: [{ pointer: '/name' }] })
  expect((await agent.call('rooms_list')).data).toMatchObject({ bookings: [{ name: 'Ada' }] })
  expect((await confirm(agent, first)).data).toMatchObject({ status: 'applied' })
  expect((await confirm(agent, late)).status).toBe('stale')
  expect((await agent.call('rooms_list')).data).toMatchObject({ bookings: [{ name: 'Edsger' }] })
})

test('a room that is taken is refused with a way out, and what was booked can be taken back', async () => {
  const agent = await served(project(files.length))
  const taken = await agent.call('rooms_book', { room: 'Library', day: '2026-12-01', name: 'Grace' })
  expect(taken.data).toMatchObject({ status: 'failed', error: { code: 'taken' } })
  expect(taken.text).toContain('Take the other room')
  const booked = await confirm(
    agent,
    await agent.call('rooms_book', { room: 'Studio', day: '2026-12-03', name: 'Ada' }),
  )
  expect(buttonText(booked, 'other')).toContain('rooms_release(room="Studio", day="2026-12-03"')
  const released = await agent.call('rooms_release', { room: 'Studio', day: '2026-12-03' })
  expect((await confirm(agent, released)).data).toMatchObject({ status: 'applied' })
})

test('its test passes', async () => {
  const folder = project(files.length)
  const { stdout } = await run(
    process.execPath,
    [...linked, '--test', '--test-reporter', 'tap', '--test-isolation=none', join(folder, 'tools.test.ts')],
    { cwd: folder, env: environment() },
  )
  expect(stdout).toMatch(/^# pass 1$/m)
})
