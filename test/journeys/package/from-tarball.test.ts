// The package as somebody gets it who has only npm: packed, installed into an empty folder, and followed as README and tutorial
// say, with each TypeScript that is supported. It needs a registry, so it is part of full runs alone.
import { execFile, spawn } from 'node:child_process'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, test } from 'vitest'
import { confirm, overStdio, type Agent } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { accessSecret, letIn } from '../processes.ts'
import { codeBlocks } from './code-blocks.ts'
import { omitted, root } from './installed.ts'
import { fileOf, passesBookings, refusesTakenRooms, tutorialBlocks } from './tutorial-steps.ts'

/** As whoever runs the tests has npm set up, with the Node that runs them, and without what is set for tests. */
const env = Object.fromEntries(
  Object.entries({
    ...process.env,
    PATH: `${dirname(process.execPath)}${delimiter}${process.env['PATH'] ?? ''}`,
    COUNTERSIGN_DB: ':memory:',
    COUNTERSIGN_ACCESS_SECRET: accessSecret,
    npm_config_audit: 'false',
    npm_config_fund: 'false',
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  }).filter(([name]) => !/^(?:COUNTERSIGN_TEST|NODE_COMPILE_CACHE|NODE_OPTIONS|VITEST.*|npm_package_.*)$/.test(name)),
)

const sh = (line: string, cwd: string) => promisify(execFile)('bash', ['-e', '-c', line], { cwd, env })

let tarball: string
beforeAll(async () => {
  const folder = place()
  const { stdout } = await sh(`npm pack --ignore-scripts --silent --pack-destination '${folder}'`, root)
  tarball = join(folder, stdout.trim())
}, 120_000)

const versions = JSON.parse(readFileSync(join(root, 'test', 'types', 'oldest', 'package.json'), 'utf8')) as {
  readonly dependencies: { readonly typescript: string }
}

const served = (folder: string): Promise<Agent> =>
  overStdio(['--no-warnings', join(folder, 'server.ts')], { env: { COUNTERSIGN_DB: ':memory:' } })

/** Starts a line that serves until it is ended, looks at the page that it names, and ends it and what it has started. */
async function opens(line: string, cwd: string): Promise<void> {
  const child = spawn('bash', ['-c', line], { cwd, env, detached: true, stdio: ['ignore', 'ignore', 'pipe'] })
  const gone = new Promise((resolve) => child.once('close', resolve))
  const end = async (): Promise<void> => {
    if (child.pid !== undefined && child.exitCode === null && child.signalCode === null) process.kill(-child.pid)
    await gone
  }
  atEnd(end)
  let said = ''
  const page = await new Promise<string>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      said += chunk.toString()
      const found = /http:\/\/[\d.:]+\/playground/.exec(said)?.[0]
      if (found !== undefined) resolve(found)
    })
    void gone.then(() => reject(new Error(`It ended: ${said}`)))
  })
  // The secret in the address becomes a cookie of the browser.
  const entered = await fetch(letIn(page), { redirect: 'manual' })
  const cookie = entered.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')
  const response = await fetch(new URL(entered.headers.get('location') ?? '', page), { headers: { cookie } })
  expect([response.status, await response.text()]).toStrictEqual([200, expect.stringContaining('<div id="app"')])
  await end()
}

/** A line of the tutorial with what is installed by it: the package that is here, and this TypeScript. */
const installing = (text: string, typescript: string): string =>
  text.replace(/\bcountersign zod\b/, `'${tarball}' zod`).replace(/\btypescript\b/, `typescript@${typescript}`)

describe.each([
  ['5.9', versions.dependencies.typescript],
  ['7', '7'],
])('with TypeScript %s', (name, typescript) => {
  let rooms: string

  test('the tutorial is followed to its end', async () => {
    const above = place()
    rooms = join(above, 'rooms')
    for (const [at, block] of tutorialBlocks.entries()) {
      const file = fileOf(block)
      if (file !== undefined) writeFileSync(join(rooms, file), block.text)
      if (block.language !== 'sh') continue
      const line = installing(block.text, typescript)
      if (line.includes(' playground ')) {
        await opens(line.replace(' playground ', ' playground --port 0 '), rooms)
        await passesBookings(await served(rooms))
      } else await sh(line, at === 0 ? above : rooms)
    }
    await sh('npx tsc', rooms)
    await refusesTakenRooms(await served(rooms))
    expect((await sh('npx tsc --version', rooms)).stdout).toContain(`Version ${name}`)
  })

  test('the README’s program compiles and serves there', async () => {
    const program = (await codeBlocks()).find(({ page, mark }) => page === 'README.md' && mark?.[1] === 'program')
    writeFileSync(join(rooms, 'server.ts'), program?.text ?? '')
    await sh('npx tsc', rooms)
    const agent = await served(rooms)
    const preview = await agent.call('notes_write', { name: 'plan', text: 'Launch on 5 December' })
    expect((await confirm(agent, preview)).status).toBe('applied')
  })
})

test('the demo starts, its page answers, and it ends when it is told to', async () => {
  const folder = place()
  await sh(`npm init --yes && npm install '${tarball}'`, folder)
  await opens('npx countersign demo --port 0', folder)
})

test('without what only some need, the README’s program is served', async () => {
  const folder = place()
  await sh(`npm init --yes && npm pkg set type=module && npm install --omit=optional '${tarball}' zod`, folder)
  const program = (await codeBlocks()).find(({ page, mark }) => page === 'README.md' && mark?.[1] === 'program')
  writeFileSync(join(folder, 'server.ts'), program?.text ?? '')
  // What others need, too, is there.
  const there = omitted.filter((name) => existsSync(join(folder, 'node_modules', name)))
  expect(there).toStrictEqual(['jose'])
  const agent = await served(folder)
  const preview = await agent.call('notes_write', { name: 'plan', text: 'Launch on 5 December' })
  expect((await confirm(agent, preview)).status).toBe('applied')
})

test('what is published is no larger than it has to be', () => {
  expect(statSync(tarball).size).toBeLessThan(16_000_000)
})
