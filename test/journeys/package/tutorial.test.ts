// The tutorial, followed: its files are taken from the page and written into a project as it says, compiled, served, and tested.
// That npm makes such a project of the package, too, is asked in `from-tarball.test.ts`.
import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { overStdio, type Agent } from '../agent.ts'
import { environment } from '../processes.ts'
import { compilers, installed, linked } from './installed.ts'
import { fileOf, passesBookings, refusesTakenRooms, tutorialBlocks } from './tutorial-steps.ts'

/** A file that comes twice is written anew, further on. */
const files = tutorialBlocks.flatMap((block) => {
  const name = fileOf(block)
  return name === undefined ? [] : [{ name, text: block.text }]
})
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
  const programs = tutorialBlocks.filter(({ language }) => language === 'ts')
  expect(programs).toHaveLength(files.filter(({ name }) => name.endsWith('.ts')).length)
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
  await passesBookings(await served(project(again)))
})

test('a room that is taken is refused with a way out, and what was booked can be taken back', async () => {
  await refusesTakenRooms(await served(project(files.length)))
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
