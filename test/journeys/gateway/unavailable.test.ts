// A server that is not there is no reason for an agent to believe that its tools do not exist: whoever connects, lists,
// searches or calls hears how it stands, nothing that a person has confirmed is lost, and what was missed is made up for.
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { LoggingMessageNotificationSchema, type CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { expect, test } from 'vitest'
import { readsOnly } from '../../server/gateway/rating/reads-only.ts'
import { casesOf } from '../../full.ts'
import { rationale, toReply, type Arguments, type Reply } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { until } from './ledger.ts'
import { gatewayFile, type Entry } from './reach.ts'
import { stdioHere } from '../in-process.ts'

const rude = fileURLToPath(new URL('../../server/gateway/fixtures/misbehaving-server.ts', import.meta.url))

/** A server that only starts while it may, and dies at once otherwise. */
function gated(more: Entry = {}) {
  const file = join(place(), 'may-start')
  const program = `if (require('node:fs').existsSync(${JSON.stringify(file)})) import(${JSON.stringify(rude)})
    else { console.error('Error: no API key was given'); process.exit(3) }`
  return {
    entry: { command: process.execPath, args: ['--no-warnings', '-e', program], ...more },
    allow: () => writeFileSync(file, ''),
    forbid: () => rmSync(file),
  }
}

async function connected(way: 'gateway' | 'wrap', entry: Entry, db = freshDatabase()) {
  const client = new Client({ name: 'journey', version: '1.0.0' })
  const logged: string[] = []
  client.setNotificationHandler(
    LoggingMessageNotificationSchema,
    ({ params: { level, logger, data } }) => void logged.push(`${level} ${logger ?? ''}: ${String(data)}`),
  )
  atEnd(() => client.close())
  const line = [way, '--config', gatewayFile({ gh: entry }), '--db', db]
  await client.connect(stdioHere(line).transport)
  const call = async (name: string, given: Arguments = {}): Promise<Reply> =>
    toReply((await client.callTool({ name, arguments: { rationale, ...given } })) as CallToolResult)
  const names = async (): Promise<readonly string[]> => (await client.listTools()).tools.map(({ name }) => name)
  return { client, logged, call, names, db }
}

const ofGateway = (operation: 'read' | 'write' | 'destructive', more: Arguments = {}) =>
  [
    `call_tool_${operation}`,
    {
      name: operation === 'read' ? 'gh:echo' : 'gh:meta',
      args_json: operation === 'read' ? '{"n":1}' : '{}',
      intent: { operation_type: operation },
      ...more,
    },
  ] as const

test('wrap of a dead server says so at the start, in a tool and as a log message, and is there when the server is', async () => {
  const { entry, allow } = gated({ env: { TELLS: 'Echo politely.' }, ...readsOnly('echo') })
  const { client, logged, call, names } = await connected('wrap', entry)
  expect(client.getInstructions()).toMatch(/gh is down since .*: it ended at once \(exit code 3\)/)
  expect(client.getServerCapabilities()).toMatchObject({ logging: {}, tools: { listChanged: true } })
  await until(() => logged.some((line) => line.startsWith('warning countersign: gh is down since')))
  expect(await names()).toContain('countersign_status')
  const status = await call('countersign_status')
  expect(status).toMatchObject({ isError: false, data: { is_up: false } })
  expect(status.text).toContain('gh is down since')

  allow()
  await until(() => logged.some((line) => line === 'notice countersign: gh is up.'))
  while (!(await names()).includes('echo')) await call('countersign_status')
  const up = await call('countersign_status')
  expect(up.data).toMatchObject({ is_up: true, instructions: expect.stringContaining('> Echo politely.') as string })
  expect((await call('echo', { n: 1 })).text).toBe('{"n":1}')
  // What it tells a model came too late for the start.
  const { tools } = await client.listTools()
  expect(tools.find(({ name }) => name === 'countersign_status')?.description).toContain('> Echo politely.')
  expect([client.getInstructions(), status.text, ...logged].join()).not.toContain('API key')
})

test('wrap of a server that was there before lists its tools while it is down, and calls none', async () => {
  const { entry, allow, forbid } = gated(readsOnly('echo'))
  allow()
  const before = await connected('wrap', entry)
  const listed = await before.names()
  expect(listed).not.toContain('countersign_status')
  await before.client.close()

  forbid()
  const after = await connected('wrap', entry, before.db)
  expect((await after.names()).toSorted()).toEqual([...listed, 'countersign_status'].toSorted())
  expect(await after.call('echo', { n: 1 })).toMatchObject({
    isError: true,
    guidance: { error_type: 'upstream_unavailable', retryable: 'after_wait' },
  })
  allow()
  let reply = await after.call('echo', { n: 1 })
  while (reply.isError) reply = await after.call('echo', { n: 1 })
  expect(reply.text).toBe('{"n":1}')
})

test('the tools of a server that is down are found as they were last seen, with how it stands', async () => {
  const { entry, allow, forbid } = gated(readsOnly('echo'))
  allow()
  const before = await connected('gateway', entry)
  await before.client.close()
  forbid()
  const { client, call } = await connected('gateway', entry, before.db)
  expect(client.getInstructions()).toContain('gh is down since')
  const found = await call('retrieve_tools', { query: 'echo' })
  expect(found.data).toMatchObject({
    tools: [{ name: 'gh:echo' }],
    servers: { gh: [expect.stringMatching(/^gh is down since .* Its tools are as they were last seen/)] },
  })
  expect((await call(...ofGateway('read'))).guidance).toMatchObject({ error_type: 'upstream_unavailable' })
})

test.each(casesOf(['write', 'destructive'] as const, String, ['destructive']))(
  'a %s call that was confirmed while its server went down is made once the server is back, with the same confirmation',
  async (operation) => {
    const low = readsOnly('crash')['tools'] as Entry
    const { entry, allow, forbid } = gated({ tools: { ...low, meta: { risk: 'medium', operation: 'write' } } })
    allow()
    const { call, logged } = await connected('gateway', entry)
    const plan = await call(...ofGateway(operation))
    expect(plan.status).toBe('previewed')
    forbid()
    await call('call_tool_read', { name: 'gh:crash', intent: { operation_type: 'read' } })
    await until(() => logged.some((line) => line.startsWith('warning countersign: gh is down since')))
    const confirmed = { ticket: plan.planId, preview: false }
    const refused = await call(...ofGateway(operation, confirmed))
    expect(refused.guidance).toMatchObject({ error_type: 'upstream_unavailable', retryable: 'after_wait' })
    expect(refused.text).toContain('a confirmation that the call brings stays valid')
    allow()
    let applied = await call(...ofGateway(operation, confirmed))
    while (applied.guidance?.error_type === 'upstream_unavailable')
      applied = await call(...ofGateway(operation, confirmed))
    expect(applied.status).toBe('applied')
  },
)

test('what a server that came late tells a model stands in the next answer of retrieve_tools, once', async () => {
  const { entry, allow } = gated({ env: { TELLS: 'Echo politely.' }, ...readsOnly('echo') })
  const { client, call } = await connected('gateway', entry)
  expect(client.getInstructions()).not.toContain('Echo politely.')
  allow()
  let reply = await call(...ofGateway('read'))
  while (reply.isError) reply = await call(...ofGateway('read'))
  const told = async () => (await call('retrieve_tools', { query: 'echo' })).data['servers']
  expect(await told()).toEqual({ gh: ['From the server "gh", in its own words:\n> Echo politely.'] })
  expect(await told()).toBeUndefined()
})
