// Two server processes on one PostgreSQL behind a plain round-robin act as one: nobody can tell which of them answered.
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { testDatabase, testSecret } from '../../postgres.ts'
import { confirm, overHttp, waitsForApproval, type Agent } from '../agent.ts'
import { atEnd } from '../at-end.ts'
import { binary, letIn, startWeb } from '../processes.ts'
import { roundRobin } from '../round-robin.ts'
import { runCommand } from '../terminal.ts'

const env = { COUNTERSIGN_SECRET: testSecret, COUNTERSIGN_ADMIN_TOKEN: 'the-token-of-the-operators-of-this-test' }

let url: string
let servers: readonly URL[]
let proxy: URL

beforeAll(async () => {
  const database = await testDatabase()
  atEnd(() => database.drop())
  url = database.url
  const demo = [...binary, 'demo', '--port', '0', '--db', url]
  // At once: both find an empty database.
  const started = await Promise.all([startWeb(demo, { env }), startWeb(demo, { env })])
  for (const server of started) {
    await eventually(() => expect(server.stderr()).toContain('postgres://postgres@'))
    expect(server.stderr()).not.toContain(new URL(url).password)
  }
  servers = started.map(({ mcp }) => mcp)
  proxy = letIn(await roundRobin(servers))
})

const agents = (options: Parameters<typeof overHttp>[1] = {}): Promise<Agent[]> =>
  Promise.all(servers.map((server) => overHttp(server, options)))

const order = (customer: string, sku = 'DESK-01') => ({ customer, lines: [{ sku, quantity: 1 }] })

const ordersOf = async (agent: Agent, customer: string): Promise<readonly unknown[]> => {
  const { orders } = (await agent.call('orders_list', { customer })).data as { readonly orders: readonly unknown[] }
  return orders
}

const operators = async (server: URL | undefined, method: string, path: string): Promise<string> => {
  const response = await fetch(new URL(`/api/v1${path}`, server), {
    method,
    headers: { authorization: `Bearer ${env.COUNTERSIGN_ADMIN_TOKEN}` },
  })
  return `${response.status} ${await response.text()}`
}

const verified = () => runCommand(['activity', 'verify', '--db', url], { env })

describe('two servers on one PostgreSQL', () => {
  test('apply on one what was previewed on the other, exactly once, whoever asks how often', async () => {
    const [one, two] = (await agents()) as [Agent, Agent]
    const before = (await ordersOf(one, 'ACME')).length
    const preview = await one.call('orders_create', order('ACME'))
    expect(preview.status).toBe('previewed')
    const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => confirm(at % 2 === 0 ? two : one, preview)))
    expect(replies.filter((reply) => reply.isError)).toStrictEqual([])
    expect(replies.filter((reply) => reply.status === 'applied')).toHaveLength(1)
    for (const agent of [one, two]) {
      expect((await confirm(agent, preview)).status).toBe('replayed')
      expect(await ordersOf(agent, 'ACME')).toHaveLength(before + 1)
    }
  })

  test('keep a session that is passed from one to the other with every request', async () => {
    const agent = await overHttp(proxy)
    expect(agent.tools.map(({ name }) => name)).toContain('orders_create')
    for (let times = 0; times < 3; times++) {
      const preview = await agent.call('orders_create', order('Globex'))
      expect(preview.card?.kind).toBe('preview')
      expect((await confirm(agent, preview)).status).toBe('applied')
    }
  })

  test('see and execute on one what was approved on the other', async () => {
    const [one, two] = (await agents({ cards: false })) as [Agent, Agent]
    const asked = await one.call('orders_delete', { id: 'SO-1008' })
    expect(asked.data).toStrictEqual(waitsForApproval)
    const id = String(asked.data['approval_id'])
    expect(await operators(servers[1], 'GET', '/approvals?state=pending')).toContain(id)
    expect(await operators(servers[1], 'POST', `/approvals/${id}/approve`)).toMatch(/^200 /)
    for (const agent of [one, two])
      await eventually(async () =>
        expect(await agent.call('orders_delete', { id: 'SO-1008', ticket: id, preview: false })).toMatchObject({
          status: 'replayed',
          data: { result: { deleted: { id: 'SO-1008' } } },
        }),
      )
    expect(await operators(servers[0], 'GET', `/approvals/${id}`)).toContain('"state":"approved"')
    expect(await operators(servers[0], 'POST', `/approvals/${id}/reject`)).not.toMatch(/^200 /)
  })

  test('stop on both what an operator stops on one', async () => {
    const [one, two] = (await agents()) as [Agent, Agent]
    const preview = await one.call('orders_create', order('ACME', 'LAMP-07'))
    expect((await runCommand(['freeze', '--reason', 'Stocktaking.', '--db', url], { env })).code).toBe(0)
    expect((await confirm(two, preview)).text).toContain('Stocktaking.')
    expect((await runCommand(['unfreeze', '--db', url], { env })).code).toBe(0)
    expect((await confirm(one, preview)).status).not.toBe('applied')
  })

  test('write one chain of fifty callers at once, and nobody’s link is missing', async () => {
    const callers = await Promise.all(Array.from({ length: 10 }, () => overHttp(proxy)))
    const replies = await Promise.all(
      callers.flatMap((agent, at) => [
        ...Array.from({ length: 4 }, () => agent.call('orders_list')),
        agent.call('orders_create', order(at % 2 === 0 ? 'ACME' : 'Globex', 'CHAIR-03')),
      ]),
    )
    expect(replies.filter((reply) => reply.isError)).toStrictEqual([])
    const proof = await verified()
    expect(proof.code, proof.stdout + proof.stderr).toBe(0)
  })
})

describe('a start that cannot work', () => {
  test.each([
    ['without a secret', () => url, {}, /COUNTERSIGN_SECRET is not set.*openssl rand -base64 32/s],
    ['with another secret', () => url, { COUNTERSIGN_SECRET: 'quite another secret' }, /sealed with another key/],
    [
      'with a wrong password',
      () => wrong((at) => (at.password = 'guessed')),
      env,
      /refuses the login of postgres:\/\//,
    ],
    [
      'on an unknown database',
      () => wrong((at) => (at.pathname = '/nowhere')),
      env,
      /There is no database postgres:\/\//,
    ],
    ['where nobody listens', () => wrong((at) => (at.port = '1')), env, /does not answer at postgres:\/\//],
  ])('%s is refused in one line that names no password', async (_, address, environment, words) => {
    const ended = await runCommand(['demo', '--port', '0', '--db', address()], { env: environment })
    expect(ended.code).toBe(1)
    expect(ended.stderr).toMatch(words)
    for (const password of [new URL(url).password, 'guessed']) expect(ended.stderr).not.toContain(password)
  })
})

const wrong = (change: (address: URL) => void): string => {
  const address = new URL(url)
  change(address)
  return address.href
}
