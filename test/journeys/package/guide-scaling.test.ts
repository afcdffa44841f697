// A guide is followed to the letter, by somebody who is in a hurry. So its settings are read, its commands are run, its
// three servers are started on one PostgreSQL behind a proxy, and its sample checks what really arrives.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parse } from 'jsonc-parser'
import { parse as parseYaml } from 'yaml'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { eventually } from '../../eventually.ts'
import { main } from '../../../server/cli/main.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { confirm, connect, type Agent } from '../agent.ts'
import { atEnd, place } from '../at-end.ts'
import { runCommand } from '../terminal.ts'
import { binary, fixture, start, startWeb, type Ended, type Running } from '../processes.ts'
import { rawRequest } from '../raw-http.ts'
import { roundRobin } from '../round-robin.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const page = readFileSync(join(root, 'docs/guides/scaling.md'), 'utf8')

/** The block of the guide that stands behind this mark. */
function block(mark: string): string {
  const found = new RegExp(`<!-- test: ${mark} -->\\s*\`\`\`\\w+\\n([\\s\\S]*?)\`\`\``).exec(page)?.[1]
  if (found === undefined) throw new Error(`The guide has no block ${mark} any more.`)
  return found
}

/** A line as a shell would split it, where nothing is quoted but by single quotes. */
const words = (line: string): readonly string[] =>
  [...line.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '')

const commands = (mark: string): readonly (readonly string[])[] =>
  block(mark)
    .split('\n')
    .filter((line) => line.startsWith('countersign '))
    .map((line) => words(line).slice(1))

type Env = Record<string, string>

/** What the guide exports, with values that work here. */
function exported(values: Env): Env {
  const names = [...block('environment').matchAll(/^export (\w+)=/gm)].map(([, name = '']) => name)
  expect(names.toSorted()).toStrictEqual(Object.keys(values).toSorted())
  return values
}

let env: Env
let settings: string
let ran: readonly Ended[]
let receiver: Running
let proxy: URL
let servers: readonly (Running & { readonly mcp: URL })[]
let agent: Agent

beforeAll(async () => {
  const folder = place()
  const database = await testDatabase()
  atEnd(() => database.drop())

  const hookSecret = `whsec_${Buffer.from('a secret of at least 24 bytes!!').toString('base64')}`
  writeFileSync(join(folder, 'receiver.mjs'), block('receiver'))
  receiver = start([join(folder, 'receiver.mjs')], { env: { PORT: '0', HOOK_SECRET: hookSecret } })
  const hookUrl = await eventually(() => {
    const found = /http:\S+/.exec(receiver.stdout())?.[0]
    if (found === undefined) throw new Error(`It does not listen: ${receiver.stderr()}`)
    return found
  })

  env = exported({
    DATABASE_URL: database.url,
    COUNTERSIGN_SECRET: testSecret,
    COUNTERSIGN_ADMIN_TOKEN: 'the-admin-token-of-this-guide',
    COUNTERSIGN_METRICS_TOKEN: 'the-metrics-token-of-this-guide',
    HOOK_URL: hookUrl,
    HOOK_SECRET: hookSecret,
  })
  // The guide's own settings, but for what only its reader has: a network, a receiver and a server to stand in front of.
  const own = parse(block('settings')) as { http: object; webhooks: readonly object[] }
  const upstream = [...fixture('held-upstream'), join(folder, 'marks'), 'nothing']
  settings = join(folder, 'countersign.json')
  writeFileSync(
    settings,
    JSON.stringify({
      ...own,
      http: { ...own.http, host: '127.0.0.1', public_url: 'http://127.0.0.1:3323' },
      webhooks: own.webhooks.map((webhook) => ({ ...webhook, private_network: true })),
      mcpServers: { orders: { command: process.execPath, args: upstream } },
    }),
  )
  const mine = (command: readonly string[]): readonly string[] =>
    command.map((word) => (word === 'countersign.json' ? settings : word === '3323' ? '0' : word))
  const each: Ended[] = []
  for (const command of commands('commands')) each.push(await runCommand(mine(command), { env }))
  ran = each

  const [serve = []] = commands('serve')
  servers = await Promise.all([1, 2, 3].map(() => startWeb([...binary, ...mine(serve)], { env })))
  proxy = await roundRobin(servers.map(listening))
  const token = /cst_[\w-]+/.exec(ran.map(({ stdout }) => stdout).join('\n'))?.[0] ?? ''
  agent = await connect(
    new StreamableHTTPClientTransport(proxy, { requestInit: { headers: { authorization: `Bearer ${token}` } } }),
  )
})

/** Where a server listens: what people are told is the address of the proxy. */
function listening({ stderr }: Pick<Running, 'stderr'>): URL {
  const address = /"listens":"([^"]+)"/.exec(stderr())?.[1]
  if (address === undefined) throw new Error(`It does not say where it listens: ${stderr()}`)
  return new URL('/mcp', address)
}

describe('the guide to several servers', () => {
  test('has settings and commands that work', () => {
    expect(ran.map(({ code, stderr }) => [code, code === 0 ? '' : stderr])).toStrictEqual(ran.map(() => [0, '']))
    expect(ran).toHaveLength(3)
  })

  test('leads to servers that act as one', async () => {
    const answered = await agent.call('call_tool_write', {
      name: 'orders:add_line',
      args_json: JSON.stringify({ text: 'one' }),
      intent: { operation_type: 'write' },
    })
    expect(answered).toMatchObject({ status: 'previewed' })
    const applied = await confirm(agent, answered)
    expect([applied.status, applied.text]).toStrictEqual(['applied', expect.stringContaining('added one')])
    expect((await confirm(agent, answered)).status).toBe('replayed')
  })

  test('leads to a receiver that takes what is genuine and refuses the rest', async () => {
    const headers = { authorization: `Bearer ${env['COUNTERSIGN_ADMIN_TOKEN'] ?? ''}` }
    const api = (path: string, method = 'GET') => fetch(new URL(`/api/v1${path}`, proxy), { method, headers })
    const { webhooks } = (await (await api('/webhooks')).json()) as { webhooks: readonly { id: string }[] }
    const tested = await api(`/webhooks/${webhooks[0]?.id ?? ''}/test`, 'POST')
    expect(await tested.json()).toMatchObject({ delivered: true, status: 204 })
    await eventually(() => expect(receiver.stdout()).toContain('webhook.test'))
    const forged = await fetch(env['HOOK_URL'] ?? '', {
      method: 'POST',
      body: '{"type":"approval.waiting"}',
      headers: {
        'webhook-id': 'msg_1',
        'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
        'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')}`,
      },
    })
    expect(forged.status).toBe(401)
    expect(receiver.stdout()).not.toContain('approval.waiting')
  })

  test('lets Prometheus ask each server by its own address', async () => {
    const { scrape_configs: jobs } = parseYaml(block('scrape')) as {
      scrape_configs: readonly { static_configs: readonly { targets: readonly string[] }[] }[]
    }
    const targets = jobs.flatMap((job) => job.static_configs.flatMap((each) => each.targets))
    expect(targets).toHaveLength(servers.length)
    for (const [at, host] of targets.entries()) {
      const server = servers[at]
      if (server === undefined) throw new Error('There are more targets than servers.')
      const ask = async (path: string, headers: Readonly<Record<string, string>>): Promise<number> =>
        (await rawRequest(new URL(path, listening(server)), { method: 'GET', headers: { host, ...headers } })).status
      const right = { authorization: `Bearer ${env['COUNTERSIGN_METRICS_TOKEN'] ?? ''}` }
      expect(await ask('/metrics', right)).toBe(200)
      expect(await ask('/metrics', {})).toBe(401)
      expect(await ask('/metrics', { authorization: 'Bearer another' })).toBe(401)
      // Nothing else is told under a name that is not ours.
      expect(await ask('/api/v1/webhooks', right)).toBe(403)
    }
  })

  test('alerts on figures that there are', async () => {
    const response = await fetch(new URL('/metrics', proxy), {
      headers: { authorization: `Bearer ${env['COUNTERSIGN_METRICS_TOKEN'] ?? ''}` },
    })
    const text = await response.text()
    const named = new Set([...block('metrics').matchAll(/countersign_\w+/g)].map(([name]) => name))
    expect(named.size).toBeGreaterThan(6)
    for (const name of named)
      expect([name, text.includes(`# TYPE ${name.replace(/_bucket$/, '')} `)]).toStrictEqual([name, true])
    expect((await fetch(new URL('/metrics', proxy))).status).toBe(401)
  })

  test('names no command that there is not', async () => {
    const named = new Set([...page.matchAll(/`countersign ((?:[a-z]+ ?)+)/g)].map(([, command = '']) => command.trim()))
    expect(named.size).toBeGreaterThan(3)
    const printed: string[] = []
    const stdout = vi.spyOn(process.stdout, 'write').mockImplementation((text) => printed.push(String(text)) > 0)
    onTestFinished(() => stdout.mockRestore())
    for (const command of named) {
      await main(['node', 'countersign', ...command.split(' '), '--help'])
      // For a command that there is not, the help is that of its parent.
      expect(printed.splice(0).join('')).toContain(`Usage: countersign ${command} `)
    }
  })

  test('ends servers one by one without losing a call', async () => {
    for (const server of servers.slice(1)) {
      server.child.kill('SIGTERM')
      expect((await server.ended).code).toBe(0)
    }
    for (const server of servers.slice(0, 1))
      expect((await fetch(new URL('/readyz', listening(server)))).status).toBe(200)
  })
})
