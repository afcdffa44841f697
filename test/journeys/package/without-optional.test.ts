// The small library: a project in which nothing is installed that only some need. What everybody needs works there, and whoever
// asks for the rest reads which package to install.
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { describe, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { modernMeta } from '../../kit/modern-request.ts'
import { confirm, overStdio } from '../agent.ts'
import { atEnd } from '../at-end.ts'
import { start, startWeb, type Ended } from '../processes.ts'
import { compilers, installed, linked, optional, root } from './installed.ts'

const readme =
  /<!-- test: program -->\s*```ts\n([\s\S]*?)```/.exec(readFileSync(join(root, 'README.md'), 'utf8'))?.[1] ?? ''

/** The README's program with another door. */
const opening = (door: string): string => readme.replace('.stdio()', `.${door}`)
const overHttp = opening('http({ port: 0 }).then((web) => void process.stderr.write(web.mcpUrl))')

function project(text: string, without = optional): string {
  const folder = installed('newest', without)
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  writeFileSync(join(folder, 'program.ts'), text)
  return join(folder, 'program.ts')
}

const inMemory = { COUNTERSIGN_DB: ':memory:' }
const note = { name: 'plan', text: 'Launch on 5 December' }

test('the README’s program is listed, previewed and applied', async () => {
  const agent = await overStdio([...linked, project(readme)], { env: inMemory })
  expect(agent.tools.map(({ name }) => name)).toContain('notes_write')
  const preview = await agent.call('notes_write', note)
  expect(preview.status).toBe('previewed')
  expect((await confirm(agent, preview)).data).toMatchObject({ status: 'applied', result: { after: note } })
})

test.each(casesOf(['oldest', 'newest'] as const, (each) => each, ['newest']))(
  'it compiles with the %s TypeScript, which looks into our types, too',
  (compiler) => {
    const file = project(`${readme}\nexport type { TestClient, ViewPage } from 'countersign/testing'\n`)
    const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--noEmit', '--preserveSymlinks']
    const { stdout } = spawnSync(
      process.execPath,
      [compilers[compiler], ...options, '--pretty', 'false', '--types', 'node', 'program.ts'],
      { encoding: 'utf8', cwd: join(file, '..') },
    )
    // Others have mistakes in theirs, which are not ours to mend.
    expect(stdout.split('\n').filter((line) => /^(?:node_modules\/countersign|program)/.test(line))).toStrictEqual([])
  },
)

test('figures are not counted, and whoever asks for them reads what to install', async () => {
  const web = await startWeb([...linked, project(overHttp)], { env: inMemory })
  const response = await fetch(new URL('/metrics', web.mcp))
  expect([response.status, await response.json()]).toMatchObject([
    404,
    { error: { code: 'not-counted', next: 'Run `npm install prom-client@15` beside Countersign.' } },
  ])
})

describe('a client of MCP 2026-07-28 goes on with an older version, and the log says why', () => {
  const why = 'Run `npm install @modelcontextprotocol/server@2` beside Countersign.'

  test('over HTTP', async () => {
    const web = await startWeb([...linked, project(overHttp)], { env: inMemory })
    const client = new Client({ name: 'modern', version: '1' }, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new StreamableHTTPClientTransport(web.mcp))
    atEnd(() => client.close())
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('notes_write')
    expect(web.stderr()).toContain(why)
  })

  test('over stdio', async () => {
    const { child, ended } = start([...linked, project(readme)], { env: inMemory })
    const older = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'by-hand', version: '1' } }
    const messages = [
      { id: 1, method: 'server/discover', params: { _meta: modernMeta } },
      { id: 2, method: 'initialize', params: older },
    ]
    child.stdin?.end(messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''))
    const { stdout, stderr } = await ended
    const answers = stdout
      .trim()
      .split('\n')
      .map((line): unknown => JSON.parse(line))
    expect(answers).toContainEqual(
      expect.objectContaining({ id: 1, error: expect.objectContaining({ code: -32601 }) as unknown }),
    )
    expect(answers).toContainEqual(
      expect.objectContaining({
        id: 2,
        result: expect.objectContaining({ protocolVersion: '2025-11-25' }) as unknown,
      }),
    )
    expect(stderr).toContain(why)
  })
})

test('who means to record traces reads in the log that there are none', async () => {
  const web = await startWeb([...linked, project(overHttp)], { env: { ...inMemory, OTEL_SERVICE_NAME: 'notes' } })
  expect(web.stderr()).toContain('Nothing is traced. The package @opentelemetry/api, which tracing needs,')
})

/** What a program ends with whose settings ask for something. */
async function endOf(
  settings: object,
  text = overHttp,
  more: Readonly<Record<string, string>> = {},
  without = optional,
): Promise<Ended> {
  const file = project(text, without)
  const config = join(file, '..', 'settings.json')
  writeFileSync(config, JSON.stringify(settings))
  return start([...linked, file], { env: { ...inMemory, COUNTERSIGN_CONFIG: config, ...more } }).ended
}

const post = { url: 'smtp://mail.example.org', from: 'us@example.org' }
const issuer = 'https://login.example.org'

describe('a server does not start whose settings ask for', () => {
  test.each<[string, string, object, Readonly<Record<string, string>>?, (readonly string[])?]>([
    [
      'a PostgreSQL database',
      'pg',
      {},
      { COUNTERSIGN_DB: 'postgres://db.example.org/notes', COUNTERSIGN_SECRET: 's'.repeat(40) },
    ],
    ['tokens of an authorization server', 'jose', { access: { mode: 'jwt', jwt: { issuer, tenant: 'us' } } }],
    [
      'sign-in at a provider',
      'openid-client',
      { operators: { oidc: { issuer, client_id: 'us', name_claim: 'name' } } },
    ],
    ['figures for who has a token', 'prom-client', { metrics: { token: '${TOKEN}' } }, { TOKEN: 't'.repeat(40) }],
    [
      'webhooks',
      'standardwebhooks',
      { webhooks: [{ url: 'https://hooks.example.org/x', secret: '${KEY}' }] },
      { KEY: 'k'.repeat(40) },
    ],
    ['mail', 'email-addresses', { mail: post }],
    ['files', 'flydrive', { files: { enabled: true } }],
    ['files', 'file-type', { files: { enabled: true } }, {}, ['file-type']],
    ['mail', 'marked', { mail: post }, {}, ['marked']],
    ['mail', 'liquidjs', { mail: post }, {}, ['liquidjs']],
    [
      'reports on mail',
      'postal-mime',
      { mail: { ...post, bounces: '${BOX}' } },
      { BOX: 'imaps://us:secret@mail.example.org/INBOX' },
      ['postal-mime'],
    ],
  ])('%s, without %s', async (_, name, settings, more, without) => {
    const { code, stderr } = await endOf(settings, overHttp, more, without)
    expect(stderr).toMatch(new RegExp(`CountersignError: The package ${name}, which .* needs, is not installed\\.`))
    expect(stderr).toMatch(new RegExp(`Run \`npm install ${name}@[\\d.]+\` beside Countersign\\.`))
    expect(code).toBe(1)
  })
})

describe('the program', () => {
  const run = (name: string, args: readonly string[], without = optional) => {
    const folder = join(project('', without), '..')
    const { ended, child } = start(
      [...linked, join(folder, 'node_modules', 'countersign', 'dist', name, 'countersign.js'), ...args],
      { env: { COUNTERSIGN_SECRET: 's'.repeat(40) } },
    )
    child.stdin?.end()
    return ended
  }

  test('has most packages in it, and starts', async () => {
    expect(await run('program', ['demo', '--stdio', '--db', ':memory:'])).toMatchObject({ code: 0 })
  })

  test('without the driver of PostgreSQL says so as it says what else is wrong with a database', async () => {
    const missing = await run('program', ['demo', '--db', 'postgres://db.example.org/notes'])
    expect(missing.stderr).toBe(
      'countersign: The package pg, which a PostgreSQL database needs, is not installed. Run `npm install pg@8` beside Countersign.\n',
    )
    const other = await run('program', ['demo', '--db', join(root, 'no', 'such', 'folder.db')])
    expect(missing.code).toBe(other.code)
  })

  test('on the packages as they are installed says which one is missing', async () => {
    const { code, stderr } = await run('library', ['demo'])
    expect(stderr).toBe(
      'countersign: The package commander, which the program at the terminal needs, is not installed. Run `npm install commander@15` beside Countersign.\n',
    )
    expect(code).toBe(1)
  })

  const withCommander = optional.filter((name) => name !== 'commander')

  test.each([
    ['@bomb.sh/tab', ['completion', 'bash']],
    ['toml-eslint-parser', ['import', '--dry-run']],
    ['yaml', ['profile', 'list']],
    ['diff', ['wrap', '--db', ':memory:', '--', process.execPath, '--version']],
  ])('and names %s where only a command needs it', async (name, args) => {
    const { code, stderr } = await run('library', args, withCommander)
    expect(stderr).toMatch(
      new RegExp(`countersign: The packages? .*${name}.* not installed\\. Run \`npm install .*${name}`),
    )
    expect(code).toBe(1)
  })

  test('and does nothing where what it would have done could not be told', async () => {
    const db = join(project(''), '..', 'tokens.db')
    const token = (...args: readonly string[]) => run('library', ['token', ...args, '--db', db], withCommander)
    const made = await token('create', '--subject', 'ada', '--permissions', '*', '-o', 'yaml')
    expect(made).toMatchObject({ code: 1, stdout: '' })
    expect(made.stderr).toContain('The package yaml')
    const listed = await token('list', '--json')
    expect(JSON.parse(listed.stdout)).toStrictEqual([])
  })
})
