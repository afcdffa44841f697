// A server behind that is still starting has not said yet which tools it has. Whoever names one of them waits for that
// under the rules of every other call: counted, permitted, recorded, and only as long as they want to.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { toReply, type Arguments, type Reply } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { ledgerOf, until } from './ledger.ts'
import { gatewayFile, misbehavingServer } from './reach.ts'
import { stdioHere, webHere } from '../in-process.ts'
import { readsOnly } from '../../server/gateway/rating/reads-only.ts'
import { runCommand } from '../terminal.ts'
import { recordsIn } from '../records-in.ts'

const because = { operation_type: 'read', reason: 'To see whether it answers.' }

/** One tool's call as it stands in the log. */
async function recorded(db: string, tool: string) {
  const calls = await recordsIn(db, { filter: { tools: [tool] }, limit: 20 })
  return calls
}

async function connected(transport: Transport): Promise<Client> {
  const client = new Client({ name: 'journey', version: '1.0.0' })
  atEnd(() => client.close())
  await client.connect(transport)
  return client
}

const ask = async (client: Client, name: string, args: Arguments): Promise<Reply> =>
  toReply((await client.callTool({ name, arguments: args })) as CallToolResult)

describe('a server behind a gateway that nobody has started yet', () => {
  const open = async (limits = {}) => {
    const [ledger, db] = [join(place(), 'ledger'), freshDatabase()]
    const gh = misbehavingServer('polite', ledger, { start: 'lazy', permissions: ['gh.use'], ...readsOnly('echo') })
    const config = gatewayFile({ gh }, { db, access: { mode: 'tokens' }, limits })
    const { mcp } = await webHere(['gateway', '--config', config, '--http', '0'])
    const clientWith = async (permissions: string, subject = permissions): Promise<Client> => {
      const line = ['token', 'create', '--subject', subject, '--permissions', permissions, '--config', config]
      const headers = { authorization: `Bearer ${(await runCommand(line)).stdout.trim()}` }
      return connected(new StreamableHTTPClientTransport(mcp, { requestInit: { headers } }))
    }
    return { clientWith, ledger, db }
  }

  test('is not started by a call that is refused anyway, and is started once by many that are not', async () => {
    const { clientWith, ledger, db } = await open()
    const [stranger, owner] = [await clientWith('other.use'), await clientWith('gh.use')]
    const call = (client: Client, more: Arguments) =>
      ask(client, 'call_tool_read', { name: 'gh:echo', args_json: '{"n":1}', intent: because, ...more })
    expect((await call(stranger, {})).guidance).toMatchObject({ error_type: 'permission_denied' })
    expect((await call(owner, { intent: undefined })).guidance).toMatchObject({ error_type: 'intent_required' })
    expect((await call(owner, { intent: { operation_type: 'read' } })).guidance).toMatchObject({
      field_errors: [{ pointer: '/rationale' }],
    })
    expect((await call(owner, { args_json: 'n=1' })).guidance).toMatchObject({
      field_errors: [{ pointer: '/args_json' }],
    })
    expect(ledgerOf(ledger)).toEqual([])

    const answers = await Promise.all(Array.from({ length: 20 }, () => call(owner, {})))
    expect(answers.map(({ text }) => text)).toEqual(answers.map(() => '{"n":1}'))
    expect(ledgerOf(ledger).filter((deed) => deed === 'started')).toEqual(['started'])
    const outcomes = (await recorded(db, 'gh:echo')).map(({ status }) => status)
    expect(outcomes).toEqual([...Array.from({ length: 16 }, () => 'ok'), ...outcomes.slice(16)])
    // What it has not is said once it is there.
    const missing = await call(owner, { name: 'gh:eco' })
    expect(missing.guidance).toMatchObject({ error_type: 'unknown_tool' })
    expect(missing.text).toContain('gh:echo')
  })

  describe('for a tool that the operator forbids', () => {
    const echoes = {
      gh: { risk: 'low', operation: 'read' },
      ruled: { risk: 'forbidden', when: [{ if: { n: { equals: 1 } }, risk: 'low', operation: 'read' }] },
    }
    const ledgers = { gh: join(place(), 'ledger'), ruled: join(place(), 'ledger') }
    const lazy = (name: keyof typeof echoes) => {
      const hang = { risk: 'forbidden', when: [{ if: { n: { equals: 2 } }, risk: 'forbidden' }] }
      return misbehavingServer('polite', ledgers[name], { start: 'lazy', tools: { echo: echoes[name], hang } })
    }
    let mcp: URL
    beforeAll(async () => {
      const config = gatewayFile({ gh: lazy('gh'), ruled: lazy('ruled') }, { db: freshDatabase() })
      mcp = (await webHere(['gateway', '--config', config, '--http', '0'])).mcp
    })

    test.each([
      ['waited for over REST, too', 'gh'],
      ['waited for where a rule allows such calls', 'ruled'],
    ] as const)('is not started, and is %s', async (_, server) => {
      const ask = async (tool: string) => {
        const body = JSON.stringify({ n: 1, rationale: 'To see whether it answers.' })
        const url = new URL(`/api/v1/tools/${server}:${tool}${mcp.search}`, mcp)
        const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
        return { status: answer.status, text: await answer.text() }
      }
      expect((await ask('hang')).status).toBe(404)
      expect(ledgerOf(ledgers[server])).toEqual([])
      expect(await ask('echo')).toMatchObject({ status: 200, text: expect.stringContaining('{\\"n\\":1}') as string })
    })
  })

  test('is not started by who has called too often; one that waits is counted once', async () => {
    const { clientWith, ledger } = await open({ calls_per_minute: 2 })
    const owner = await clientWith('gh.use')
    const call = (more: Arguments) =>
      ask(owner, 'call_tool_read', { name: 'gh:echo', args_json: '{"n":1}', intent: because, ...more })
    await call({ intent: undefined })
    await call({ intent: undefined })
    expect((await call({})).guidance).toMatchObject({ error_type: 'too_many_calls' })
    expect(ledgerOf(ledger)).toEqual([])

    const patient = await clientWith('gh.use', 'patient')
    const twice = async () =>
      (await ask(patient, 'call_tool_read', { name: 'gh:echo', args_json: '{"n":1}', intent: because })).text
    expect([await twice(), await twice()]).toEqual(['{"n":1}', '{"n":1}'])
    expect(await twice()).toContain('more than 2 calls')
  })
})

test.each(['gateway', 'wrap'] as const)(
  'a look at the tools behind a %s that our own database has spoiled is repeated by the call that needs it',
  async (way) => {
    const [db, goAhead] = [freshDatabase(), join(place(), 'go-ahead')]
    const { command, args } = misbehavingServer('polite')
    const [, module = ''] = args as readonly string[]
    const slowly = `const { existsSync } = require('node:fs')
      while (!existsSync(${JSON.stringify(goAhead)})) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50)
      import(${JSON.stringify(module)})`
    const gh = { command, args: ['--no-warnings', '-e', slowly], ...readsOnly('echo') }
    const line = [way, '--config', gatewayFile({ gh }), '--db', db]
    const running = stdioHere(line)
    const client = await connected(running.transport)
    const other = new DatabaseSync(db)
    other.exec('BEGIN IMMEDIATE')
    writeFileSync(goAhead, '')
    await until(() => /the tools of gh|look at the tools/.test(running.stderr()))
    other.exec('COMMIT')
    other.close()
    const reply =
      way === 'gateway'
        ? await ask(client, 'call_tool_read', { name: 'gh:echo', args_json: '{"n":1}', intent: because })
        : await ask(client, 'echo', { n: 1, rationale: because.reason })
    expect(reply.text).toBe('{"n":1}')
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain(
      way === 'gateway' ? 'call_tool_read' : 'echo',
    )
  },
)

describe('a name without its server, behind a gateway of which one server is down', () => {
  let mcp: URL
  beforeAll(async () => {
    const servers = { gh: misbehavingServer('die-at-once'), here: misbehavingServer('polite', '', readsOnly('echo')) }
    mcp = (await webHere(['gateway', '--config', gatewayFile(servers), '--db', freshDatabase(), '--http', '0'])).mcp
  })
  const post = async (tool: string) => {
    const url = new URL(`/api/v1/tools/${tool}${mcp.search}`, mcp)
    const body = JSON.stringify({ rationale: because.reason })
    const answer = await fetch(url, { method: 'POST', body, headers: { 'content-type': 'application/json' } })
    return { status: answer.status, retry: answer.headers.get('retry-after'), text: await answer.text() }
  }

  test('is not called unknown over REST, where the server that is down may have it', async () => {
    const answer = await post('publish')
    expect(answer).toMatchObject({ status: 503, retry: expect.stringMatching(/^\d+$/) as string })
    expect(answer.text).toMatch(/gh is down since .*: it ended at once/)
    expect(answer.text).toContain('gh:publish')
    expect(answer.text).not.toContain('no tool named')
  })

  test('leads over REST to the tool that has it on a server which is there', async () => {
    expect((await post('echo')).text).toContain('Did you mean here:echo?')
  })

  test('that is called as a tool of ours is not called unknown either, and leads to its door', async () => {
    const client = await connected(new StreamableHTTPClientTransport(mcp))
    const missing = await ask(client, 'publish', { rationale: because.reason })
    expect(missing.text).toMatch(/gh is down since .*: it ended at once/)
    expect(missing.text).not.toContain('no tool named')
    const known = await ask(client, 'echo', { rationale: because.reason })
    expect(known.text).toMatch(/For example: `call_tool_read\(name="here:echo", /)
  })

  test('of a server that is down is answered over REST with how it stands', async () => {
    const answer = await post('gh:publish')
    expect(answer).toMatchObject({ status: 503, retry: expect.stringMatching(/^\d+$/) as string })
    expect(answer.text).toMatch(/gh is down since .*: it ended at once/)
  })
})

/** The agent hears it in the same words through both. */
const ways = casesOf(['gateway', 'wrap'] as const, String, ['gateway'])

describe.each(ways)('a server behind a %s that is not there', (way) => {
  const open = async (server: ReturnType<typeof misbehavingServer>) => {
    const db = freshDatabase()
    const line = [way, '--config', gatewayFile({ gh: server }), '--db', db]
    const client = await connected(stdioHere(line).transport)
    const [name, args] =
      way === 'gateway'
        ? ['call_tool_read', { name: 'gh:echo', args_json: '{"n":1}', intent: because }]
        : ['echo', { n: 1, rationale: because.reason }]
    return { client, name, args, rows: () => recorded(db, way === 'gateway' ? 'gh:echo' : 'echo') }
  }

  test('is said to be away, and why, and that waiting helps; not that there is no such tool', async () => {
    const { client, name, args, rows } = await open(misbehavingServer('die-at-once'))
    const reply = await ask(client, name, args)
    expect(reply).toMatchObject({
      isError: true,
      guidance: { error_type: 'upstream_unavailable', category: 'upstream', retryable: 'after_wait' },
    })
    expect(reply.guidance?.fix).toMatchObject([{ kind: 'wait' }])
    expect(reply.text).toMatch(
      /is down since .*: it ended at once \(exit code 3\); it is (?:started again in|being started again)/,
    )
    expect(reply.text).toContain('a confirmation that the call brings stays valid')
    expect(reply.text).not.toMatch(/no tool named|no API key/)
    // How a read ended is written behind its answer.
    await expect.poll(rows).toMatchObject([{ status: 'refused', errorCode: 'upstream_unavailable' }])
  })

  test('is named for a tool that nobody knows, which may be one of its', async () => {
    const { client } = await open(misbehavingServer('die-at-once'))
    const reply =
      way === 'gateway'
        ? await ask(client, 'call_tool_read', { name: 'echo', args_json: '{"n":1}', intent: because })
        : await ask(client, 'no_such_tool', { rationale: because.reason })
    expect(reply.guidance).toMatchObject({ retryable: 'after_wait' })
    expect(reply.text).toMatch(/gh is down since .*: it ended at once/)
    expect(reply.text).not.toMatch(/no tool named|no API key/)
  })

  test('is not waited for longer than the caller wants to, and that is on record', async () => {
    const silent = { command: process.execPath, args: ['-e', 'setInterval(() => undefined, 1000)'], start: 'lazy' }
    const { client, name, args, rows } = await open(silent)
    const leaving = new AbortController()
    const left = client.callTool({ name, arguments: args }, undefined, { signal: leaving.signal })
    leaving.abort('changed my mind')
    await expect(left).rejects.toThrow('changed my mind')
    let found = await rows()
    while (found[0]?.status !== 'refused') found = await rows()
    expect(found).toMatchObject([{ errorCode: 'upstream_unavailable' }])
  })
})
