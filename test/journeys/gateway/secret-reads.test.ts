// Secrets behind the servers that people already use: what a read of one answers goes to the agent, so a person is asked
// first; and nothing that is no secret is hidden.
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { beforeAll, expect, test } from 'vitest'
import { confirm, type Agent } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { realPlace } from './reach.ts'
import { agentHere } from '../in-process.ts'

const module = (path: string): string => fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url))
const secret = 'vK3-quince-harbour-91'

let folder: string
let files: Agent
let desk: Agent

beforeAll(async () => {
  folder = realPlace()
  writeFileSync(join(folder, '.env'), `DB_PASSWORD=${secret}\nMODE=demo\n`)
  writeFileSync(join(folder, 'notes.txt'), 'one two\n')
  const home = join(folder, 'home')
  mkdirSync(join(home, '.claude-server-commander'), { recursive: true })
  writeFileSync(
    join(home, '.claude-server-commander', 'config.json'),
    JSON.stringify({ telemetryEnabled: false, allowedDirectories: [folder], pendingWelcomeOnboarding: false }),
  )
  const start = (line: readonly string[], env: Readonly<Record<string, string>>): Promise<Agent> =>
    agentHere(['wrap', '--db', freshDatabase(), '--', process.execPath, ...line], { env })
  files = await start([module('@modelcontextprotocol/server-filesystem/dist/index.js'), folder], {})
  desk = await start([module('@wonderwhy-er/desktop-commander/dist/index.js'), '--no-onboarding'], {
    HOME: home,
    SHELL: '/bin/bash',
    PWD: folder,
  })
})

test('a file is read unasked, one of secrets only once a person has agreed', async () => {
  expect((await files.call('read_text_file', { path: join(folder, 'notes.txt') })).text).toContain('one two')
  const preview = await files.call('read_text_file', { path: join(folder, '.env') })
  expect(preview.status).toBe('previewed')
  expect(preview.text).toContain('where secrets are kept')
  expect(JSON.stringify(preview.raw)).not.toContain(secret)
  expect(JSON.stringify((await confirm(files, preview)).raw)).toContain(secret)
})

test.each([
  ['write_file', { content: 'MODE=live\n' }],
  ['edit_file', { edits: [{ oldText: 'MODE=demo', newText: 'MODE=live' }] }],
])('what %s would change in a file of secrets is shown without what stands in it', async (name, args) => {
  const preview = await files.call(name, { path: join(folder, '.env'), ...args })
  expect(preview.status).toBe('previewed')
  expect(JSON.stringify(preview.raw)).not.toContain(secret)
})

test.each([
  ['read_file', () => ({ path: join(folder, '.env') })],
  ['start_process', () => ({ command: `cat ${folder}/.env`, timeout_ms: 5000 })],
  ['start_process', () => ({ command: 'env', timeout_ms: 5000 })],
])('%s of Desktop Commander asks before it answers with a secret', async (name, args) => {
  const preview = await desk.call(name, args())
  expect(preview.status).toBe('previewed')
  expect(preview.text).toMatch(/where secrets are kept|secrets among them/)
  expect(JSON.stringify(preview.raw)).not.toContain(secret)
})

test('where a command ran stands in its answer, though a variable that says so is called like a password', async () => {
  let said = ''
  // The server answers with what the line has printed by then, which may be nothing yet, and forgets lines that have ended.
  while (!said.includes(folder)) {
    const answer = await desk.call('start_process', {
      command: `cd ${folder} && grep -c one notes.txt; pwd`,
      timeout_ms: 5000,
    })
    const pid = Number(/PID (\d+)/.exec(answer.text)?.[1])
    const more = await desk.call('read_process_output', { pid, offset: 0, timeout_ms: 5000 })
    said += `${answer.text}\n${more.text}`
  }
  expect(said).not.toContain('[redacted]')
})

test('hosts are told that a tool only reads, which asks only because of what it answers', async () => {
  const { tools } = await files.client.listTools()
  expect(tools.find(({ name }) => name === 'read_text_file')?.annotations).toMatchObject({
    readOnlyHint: true,
    destructiveHint: false,
  })
})
