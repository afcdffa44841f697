// A tool that reads or writes by an argument, through a real client: a call of it that only reads is a read in all. It
// needs no more words than one, fails in a read's words, goes on in a freeze, and stands in the record as what it was.
import { join } from 'node:path'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { casesOf } from '../../full.ts'
import { rationale, toReply } from '../agent.ts'
import { atEnd, freshDatabase, place } from '../at-end.ts'
import { ledgerOf } from './ledger.ts'
import { actingServer, gatewayFile, openReach, type Reach, type ReachKind } from './reach.ts'
import { webHere } from '../in-process.ts'
import { runCommand } from '../terminal.ts'
import { recordsIn } from '../records-in.ts'

describe.each(casesOf<ReachKind>(['gateway over stdio', 'wrap over stdio'], String, ['gateway over stdio']))(
  'through a %s',
  (kind) => {
    let ledger: string
    let reach: Reach
    const read = (args: Readonly<Record<string, unknown>>) =>
      reach.call('it', 'read', 'kubectl_context', { operation: 'get', ...args })

    beforeAll(async () => {
      ledger = join(place(), 'ledger')
      reach = await openReach(kind, { it: actingServer(ledger) })
    })

    /** The newest row of the record. */
    const newest = async () => (await recordsIn(reach.db, { filter: {}, limit: 1 }))[0]

    /** What of an answer is its server's; the frame of a wrapped tool, which may write, is told that the call only read. */
    const passed = ({ raw, card }: Awaited<ReturnType<typeof read>>) => {
      const { _meta: meta, ...result } = raw
      expect(card?.kind).toBe(kind === 'wrap over stdio' ? 'info' : undefined)
      expect(Object.keys(meta ?? {})).toEqual(kind === 'wrap over stdio' ? ['countersign/card'] : [])
      return result
    }

    test('its result passes as it came, and its row says that it read', async () => {
      expect(passed(await read({}))).toStrictEqual({ content: [{ type: 'text', text: 'kubectl_context done' }] })
      expect(await newest()).toMatchObject({ operation: 'read', risk: 'low', status: 'ok', verdict: 'allow:read' })
    })

    test('what its server says of a failure passes as it came', async () => {
      expect(passed(await read({ name: 'missing' }))).toStrictEqual({
        isError: true,
        content: [{ type: 'text', text: 'there is no context of that name' }],
      })
    })

    test('a server that goes away meanwhile leaves nothing open', async () => {
      const lost = await read({ name: 'crash' })
      expect(lost.isError).toBe(true)
      expect(lost.card?.kind).toBe(kind === 'wrap over stdio' ? 'error' : undefined)
      expect(lost.text).toContain('it only reads')
      expect(lost.text).not.toMatch(/took effect|not known/)
      expect(await newest()).toMatchObject({ operation: 'read', status: 'failed' })
    })

    test('a call that writes is previewed as before', async () => {
      const ask = () => reach.call('it', 'destructive', 'kubectl_context', { operation: 'set', name: 'production' })
      let preview = await ask()
      // It is still being started again: nobody is asked for what could not be done.
      while (preview.guidance?.error_type === 'upstream_unavailable') preview = await ask()
      expect(preview.status).toBe('previewed')
      expect(ledgerOf(ledger).filter((line) => line.includes('set'))).toEqual([])
      expect(await newest()).toMatchObject({ status: 'previewed', risk: 'high' })
    })

    test('a freeze stops the calls that write, and lets it go on', async () => {
      // The server that went away is started again.
      await eventually(async () => expect((await read({})).isError).toBe(false))
      await runCommand(['freeze', '--db', reach.db, '--reason', 'The cluster is being moved.'])
      const before = ledgerOf(ledger).length
      expect((await read({})).isError).toBe(false)
      const stopped = await reach.call('it', 'destructive', 'kubectl_context', { operation: 'set', name: 'production' })
      expect(stopped.text).toContain('The cluster is being moved.')
      expect(ledgerOf(ledger).slice(before)).toEqual(['kubectl_context {"operation":"get"}'])
    })
  },
)

describe('wrap over HTTP', () => {
  test('a refused call is on record with its arguments, and not as a write where nobody looked at them', async () => {
    const [ledger, db] = [join(place(), 'ledger'), freshDatabase()]
    const tools = { kubectl_context: { permissions: ['kube.use'] } }
    const limits = { calls_per_minute: 3, writes_per_minute: 1 }
    const config = gatewayFile({ it: actingServer(ledger, { tools }) }, { db, access: { mode: 'tokens' }, limits })
    const { mcp } = await webHere(['wrap', '--config', config, '--http', '0'])
    const callerWith = async (permissions: string) => {
      const line = ['token', 'create', '--subject', permissions, '--permissions', permissions, '--config', config]
      const headers = { authorization: `Bearer ${(await runCommand(line)).stdout.trim()}` }
      const client = new Client({ name: 'journey', version: '1.0.0' })
      await client.connect(new StreamableHTTPClientTransport(mcp, { requestInit: { headers } }))
      atEnd(() => client.close())
      return async (args: Readonly<Record<string, unknown>>) =>
        toReply(
          (await client.callTool({ name: 'kubectl_context', arguments: { rationale, ...args } })) as CallToolResult,
        )
    }
    const [eve, ada] = [await callerWith('other.use'), await callerWith('kube.use')]
    for (const args of [{ operation: 'get' }, { operation: 5 }])
      expect((await eve(args)).guidance).toMatchObject({ error_type: 'permission_denied' })

    const write = { operation: 'set', name: 'a' }
    expect((await ada(write)).text).toContain('Nothing has happened yet')
    expect((await ada(write)).text).toContain('more than 1')
    // A write counts as one call, so a third call is still let through, and a read is no write.
    expect((await ada({ operation: 'get' })).isError).toBe(false)
    expect((await ada({ operation: 'get' })).text).toContain('more than 3 calls')

    const calls = await recordsIn(db, { filter: { subjects: ['other.use'] }, limit: 5 })
    expect(calls.map(({ operation, status, args }) => [operation, status, args])).toEqual([
      [undefined, 'refused', JSON.stringify({ rationale, operation: 5 })],
      [undefined, 'refused', JSON.stringify({ rationale, operation: 'get' })],
    ])
  })
})

describe('wrap over stdio', () => {
  let ledger: string
  let reach: Reach

  beforeAll(async () => {
    ledger = join(place(), 'ledger')
    reach = await openReach('wrap over stdio', { it: actingServer(ledger, { rationale: 'optional' }) })
  })

  test('a program that knows the server and not us reads without a rationale where the operator relaxes it, and cannot write so', async () => {
    const ask = async (args: Readonly<Record<string, unknown>>) =>
      toReply((await reach.agent('it').client.callTool({ name: 'kubectl_context', arguments: args })) as CallToolResult)
    expect((await ask({ operation: 'get' })).isError).toBe(false)
    expect((await ask({ operation: 'set' })).guidance?.field_errors).toMatchObject([{ pointer: '/rationale' }])
    expect(ledgerOf(ledger)).toEqual(['kubectl_context {"operation":"get"}'])
  })

  test('preview=false is no mistake on a call that only reads, and preview=true shows it first', async () => {
    const before = ledgerOf(ledger).length
    const read = { operation: 'get' }
    expect((await reach.call('it', 'read', 'kubectl_context', { ...read, preview: false })).isError).toBe(false)
    expect((await reach.call('it', 'read', 'kubectl_context', { ...read, preview: true })).status).toBe('previewed')
    expect(ledgerOf(ledger).slice(before)).toEqual(['kubectl_context {"operation":"get"}'])
  })
})
