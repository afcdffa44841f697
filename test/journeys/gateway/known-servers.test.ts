// The servers that people already use, as npm publishes them, behind `wrap` with their profiles: what reads runs, what
// writes shows what it would do, and once a person has confirmed it is done.
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { packagedChromium } from '../../hosts/packaged-chromium.ts'
import { testDatabase } from '../../postgres.ts'
import { confirm, type Agent, type Reply } from '../agent.ts'
import { atEnd, freshDatabase } from '../at-end.ts'
import { realPlace } from './reach.ts'
import { agentHere } from '../in-process.ts'
import { fixture } from '../processes.ts'

const module = (path: string): string => fileURLToPath(new URL(`../../../node_modules/${path}`, import.meta.url))

/** A server of this command line of Node, as `countersign wrap -- node …` has it. */
const wrapped = (line: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Agent> =>
  agentHere(['wrap', '--db', freshDatabase(), '--', process.execPath, ...line], { env })

const git = (folder: string, ...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=Ada', '-c', 'user.email=ada@example.com', ...args], {
    cwd: folder,
    encoding: 'utf8',
  })

/** Makes the call that the guidance on an error proposes, as it stands there. */
async function helped(agent: Agent, { isError, guidance }: Reply): Promise<Reply> {
  expect(isError).toBe(true)
  const fix = guidance?.fix.find(({ kind }) => kind === 'call_tool')
  if (fix?.kind !== 'call_tool') throw new Error(`It proposes no call: ${JSON.stringify(guidance)}`)
  return agent.call(fix.tool, fix.arguments)
}

test('SQLite: tables are listed unasked, and a deletion says which rows and how many', async () => {
  const file = join(realPlace(), 'shop.db')
  const db = new DatabaseSync(file)
  atEnd(() => db.close())
  db.exec("create table orders (id integer, status text); insert into orders values (1,'paid'),(2,'open'),(3,'paid')")
  const [shim] = fixture('sqlite3-on-node').slice(-1)
  const agent = await wrapped([
    '--no-warnings',
    '--import',
    String(shim),
    module('mcp-server-sqlite-npx/dist/index.js'),
    file,
  ])
  expect((await agent.call('list_tables')).text).toContain('orders')
  const mistaken = await agent.call('read_query', { query: 'SELECT * FROM orderz' })
  expect((await helped(agent, mistaken)).text).toContain('orders')
  const preview = await agent.call('write_query', { query: "DELETE FROM orders WHERE status = 'paid'" })
  expect(preview.text).toContain('Delete 2 of 3 rows of orders')
  expect(db.prepare('select count(*) as n from orders').get()).toEqual({ n: 3 })
  expect((await confirm(agent, preview)).status).toBe('applied')
  expect(db.prepare('select id from orders').all()).toEqual([{ id: 2 }])
})

test('PostgreSQL: a question runs unasked, and a text that ends the transaction to write asks', async () => {
  const database = await testDatabase()
  atEnd(() => database.drop())
  const agent = await wrapped([module('@modelcontextprotocol/server-postgres/dist/index.js'), database.url])
  expect((await agent.call('query', { sql: 'select 40 + 2 as answer' })).text).toContain('42')
  const mistaken = await agent.call('query', { sql: 'select * from nowhere' })
  expect(mistaken.guidance?.error_type).toBe('upstream_sql_no_table')
  expect((await helped(agent, mistaken)).isError).toBe(false)
  const preview = await agent.call('query', { sql: 'COMMIT; CREATE TABLE made (id int)' })
  expect(preview.status).toBe('previewed')
  expect((await agent.call('query', { sql: "select count(*) from pg_tables where tablename = 'made'" })).text).toMatch(
    /"0"/,
  )
})

test('Files behind a gateway: what an error proposes can be called as it stands there', async () => {
  const place = realPlace()
  const file = join(place, 'gateway.json')
  const args = [module('@modelcontextprotocol/server-filesystem/dist/index.js'), place]
  writeFileSync(file, JSON.stringify({ mcpServers: { files: { command: process.execPath, args } } }))
  const agent = await agentHere(['gateway', '--config', file, '--db', freshDatabase()])
  const refused = await agent.call('call_tool_read', {
    name: 'files:read_text_file',
    args_json: JSON.stringify({ path: '/elsewhere' }),
    intent: { operation_type: 'read' },
  })
  expect((await helped(agent, refused)).text).toContain(place)
})

test('Git: a commit shows the file that nobody meant to commit', async () => {
  const folder = realPlace()
  git(folder, 'init', '--quiet')
  writeFileSync(join(folder, 'readme.md'), 'Hello\n')
  writeFileSync(join(folder, 'secret.env'), 'KEY=1\n')
  git(folder, 'add', '.')
  const agent = await wrapped([module('@cyanheads/git-mcp-server/dist/index.js')], {
    GIT_BASE_DIR: folder,
    GIT_USERNAME: 'Ada',
    GIT_EMAIL: 'ada@example.com',
    MCP_TRANSPORT_TYPE: 'stdio',
  })
  expect((await agent.call('git_status', { path: folder })).text).toContain('secret.env')
  const preview = await agent.call('git_commit', { path: folder, message: 'Add the readme' })
  expect(preview.status).toBe('previewed')
  expect(preview.text).toContain('secret.env')
  expect((await confirm(agent, preview)).status).toBe('applied')
  expect(git(folder, 'log', '--format=%s')).toBe('Add the readme\n')
})

test('Obsidian: a note that is replaced shows what changes in it', async () => {
  const vault = join(realPlace(), 'vault')
  mkdirSync(join(vault, '.obsidian'), { recursive: true })
  writeFileSync(join(vault, 'plan.md'), 'Buy oak\nBuy pine\n')
  const agent = await wrapped([module('obsidian-mcp/dist/main.js'), vault])
  expect((await agent.call('obsidian_read_note', { vault: 'vault', path: 'plan.md' })).text).toContain('Buy oak')
  const preview = await agent.call('obsidian_edit_note', {
    vault: 'vault',
    path: 'plan.md',
    operation: 'replace',
    content: 'Buy oak\nBuy ash\n',
  })
  expect(preview.text).toContain('-Buy pine\n+Buy ash')
  expect((await confirm(agent, preview)).status).toBe('applied')
  expect(readFileSync(join(vault, 'plan.md'), 'utf8')).toBe('Buy oak\nBuy ash\n')
})

test('Memory: entities are added once a person has confirmed them', async () => {
  const file = join(realPlace(), 'memory.json')
  const agent = await wrapped([module('@modelcontextprotocol/server-memory/dist/index.js')], { MEMORY_FILE_PATH: file })
  expect((await agent.call('read_graph')).isError).toBe(false)
  const preview = await agent.call('create_entities', {
    entities: [{ name: 'ACME', entityType: 'customer', observations: ['likes oak'] }],
  })
  expect(preview.status).toBe('previewed')
  expect(existsSync(file)).toBe(false)
  expect((await confirm(agent, preview)).status).toBe('applied')
  expect(readFileSync(file, 'utf8')).toContain('likes oak')
})

test('Memory: several calls are confirmed as one, and a relation that is not there stops them', async () => {
  const file = join(realPlace(), 'memory.json')
  const agent = await wrapped([module('@modelcontextprotocol/server-memory/dist/index.js')], { MEMORY_FILE_PATH: file })
  const entity = (name: string) => ({
    tool: 'create_entities',
    arguments: { entities: [{ name, entityType: 'customer', observations: ['likes oak'] }] },
  })
  const observe = {
    tool: 'add_observations',
    arguments: { observations: [{ entityName: 'Nobody', contents: ['likes ash'] }] },
  }
  const preview = await agent.call('plan_bundle', {
    plans: [entity('ACME'), observe, entity('Globex')],
    title: 'What the customers like',
  })
  expect(preview.status).toBe('previewed')
  expect(existsSync(file)).toBe(false)
  const applied = await confirm(agent, preview)
  expect(applied.status).toBe('applied')
  expect(applied.raw.structuredContent).toMatchObject({
    result: {
      applied: 1,
      steps: [
        { state: 'applied' },
        { state: expect.stringMatching(/^(?:failed|not_known)$/) as string },
        { state: 'not_run' },
      ],
    },
  })
  expect(readFileSync(file, 'utf8')).toContain('ACME')
  expect(readFileSync(file, 'utf8')).not.toContain('Globex')
})

test('Desktop Commander: a folder is listed unasked, and a command that deletes says so', async () => {
  const folder = realPlace()
  mkdirSync(join(folder, 'build'))
  writeFileSync(join(folder, 'build', 'out.js'), '')
  const home = realPlace()
  mkdirSync(join(home, '.claude-server-commander'))
  writeFileSync(
    join(home, '.claude-server-commander', 'config.json'),
    JSON.stringify({ telemetryEnabled: false, allowedDirectories: [folder] }),
  )
  const agent = await wrapped([module('@wonderwhy-er/desktop-commander/dist/index.js'), '--no-onboarding'], {
    HOME: home,
  })
  expect((await agent.call('list_directory', { path: folder })).text).toContain('build')
  const preview = await agent.call('start_process', { command: `rm -rf ${join(folder, 'build')}`, timeout_ms: 5000 })
  expect(preview.status).toBe('previewed')
  expect(preview.text).toContain(`rm -rf ${join(folder, 'build')}`)
  expect(existsSync(join(folder, 'build', 'out.js'))).toBe(true)
})

test('Playwright: a page is opened and read unasked, and a click shows what is clicked', async () => {
  const clicks: string[] = []
  const site = createServer((request, response) => {
    clicks.push(request.url ?? '')
    response
      .setHeader('content-type', 'text/html')
      .end('<title>Shop</title><form action="/paid"><button>Pay 420 EUR</button></form>')
  }).listen(0, '127.0.0.1')
  atEnd(() => void site.close())
  await new Promise((resolve) => site.once('listening', resolve))
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/`
  const { path, env } = await packagedChromium()
  const agent = await wrapped(
    [
      module('@playwright/mcp/cli.js'),
      '--headless',
      '--no-sandbox',
      '--isolated',
      '--output-dir',
      realPlace(),
      '--executable-path',
      path,
    ],
    { ...env },
  )
  expect((await agent.call('browser_navigate', { url })).isError).toBe(false)
  const snapshot = await agent.call('browser_snapshot')
  const target = /button "Pay 420 EUR" \[ref=(\w+)\]/.exec(snapshot.text)?.[1]
  const preview = await agent.call('browser_click', { target, element: 'Continue' })
  expect(preview.status).toBe('previewed')
  expect(preview.text).toContain('Pay 420 EUR')
  expect(clicks).not.toContainEqual(expect.stringContaining('/paid'))
  expect((await confirm(agent, preview)).status).toBe('applied')
  expect(clicks).toContainEqual(expect.stringContaining('/paid'))
})
