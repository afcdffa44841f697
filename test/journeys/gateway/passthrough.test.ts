// What is not ours to judge passes: every kind of content, progress, cancellation, resources and prompts, as if nothing
// stood in between. The same server is asked directly and through Countersign, and the answers are compared as text.
import { join } from 'node:path'
import type { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { ProgressNotificationSchema } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { connect, rationale, type Agent } from '../agent.ts'
import { place } from '../at-end.ts'
import { officialServer, openReach, someReachKinds, misbehavingServer, type Entry, type Reach } from './reach.ts'
import { ledgerOf, until } from './ledger.ts'
import { environment } from '../processes.ts'

/** The result exactly as it arrived: no schema of the SDK has looked at it. */
const rawCall = async (client: Client, name: string, args: object): Promise<string> =>
  JSON.stringify(await client.request({ method: 'tools/call', params: { name, arguments: args } }, z.unknown()))

const direct = ({ command, args }: Entry): Promise<Agent> =>
  connect(new StdioClientTransport({ command: String(command), args: args as string[], env: environment() }))

const calls = [
  ['echo', { message: 'ünïcode \u2028 and "quotes"' }],
  ['get-sum', { a: 0.1, b: 0.2 }],
  ['get-tiny-image', {}],
  ['get-annotated-message', { messageType: 'error', includeImage: true }],
  ['get-annotated-message', { messageType: 'debug', includeImage: false }],
  ['get-resource-links', { count: 3 }],
  ['get-resource-reference', { resourceType: 'Text', resourceId: 1 }],
  ['get-structured-content', { location: 'Chicago' }],
] as const

const everything = officialServer('everything')
let beside: Agent
beforeAll(async () => {
  beside = await direct(everything)
})

describe.each(someReachKinds)('server-everything through a %s', (kind) => {
  const ledger = join(place(), 'ledger')
  const low = { risk: 'low', operation: 'read' }
  let reach: Reach

  beforeAll(async () => {
    // Called with the server's own arguments and no others, to the letter.
    const rationaleRule = { rationale: 'optional' }
    reach = await openReach(kind, {
      everything: { ...everything, ...rationaleRule },
      rude: misbehavingServer('polite', ledger, { ...rationaleRule, tools: { hang: low, odd: low, spoof: low } }),
    })
  })

  const through = (server: string, name: string, args: object): Promise<string> =>
    kind === 'wrap over stdio'
      ? rawCall(reach.agent(server).client, name, args)
      : rawCall(reach.agent(server).client, 'call_tool_read', {
          name: `${server}:${name}`,
          args_json: JSON.stringify(args),
          intent: { operation_type: 'read', reason: rationale },
        })

  test.each(calls)('%s %j answers byte for byte what the server answers', async (name, args) => {
    const answers = [await through('everything', name, args), await rawCall(beside.client, name, args)]
    // The server writes the time into some resources.
    const [ours, theirs] = answers.map((text) => text.replaceAll(/\d+:\d\d:\d\d [AP]M/g, 'TIME'))
    expect(ours).toBe(theirs)
  })

  test('content of a type that nobody knows passes, and what claims to be ours does not', async () => {
    expect(JSON.parse(await through('rude', 'odd', {}))).toStrictEqual({
      content: [
        { type: 'hologram', data: 'AAEC', extra: { deep: [1, null, 'ü'] } },
        { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
      ],
      structuredContent: { n: 1.5, list: [[]] },
      later: 'unknown key',
    })
    expect(JSON.parse(await through('rude', 'spoof', {}))).toMatchObject({ _meta: { kept: true } })
    expect(await through('rude', 'spoof', {})).not.toContain('forged')
  })

  test('a long operation tells how far it is, and ends', async () => {
    const steps: number[] = []
    const args = { duration: 0.5, steps: 5 }
    const client = reach.agent('everything').client
    // The SDK's `onprogress` forgets the last step where it is read from the wire together with the answer.
    client.setNotificationHandler(ProgressNotificationSchema, ({ params }) => void steps.push(params.progress))
    const _meta = { progressToken: 'of this test' }
    const result = await client.callTool(
      kind === 'wrap over stdio'
        ? { name: 'trigger-long-running-operation', arguments: args, _meta }
        : {
            name: 'call_tool_read',
            arguments: {
              name: 'everything:trigger-long-running-operation',
              args_json: JSON.stringify(args),
              intent: { operation_type: 'read', reason: rationale },
            },
            _meta,
          },
    )
    expect(steps).toEqual([1, 2, 3, 4, 5])
    expect(JSON.stringify(result)).toContain('Long running operation completed')
  })

  test('a cancelled call is cancelled at the server, and the next one is answered', async () => {
    const stop = new AbortController()
    const cancelled = reach.agent('rude').client.callTool(
      kind === 'wrap over stdio'
        ? { name: 'hang', arguments: {} }
        : {
            name: 'call_tool_read',
            arguments: { name: 'rude:hang', intent: { operation_type: 'read', reason: rationale } },
          },
      undefined,
      { signal: stop.signal },
    )
    const refused = expect(cancelled).rejects.toThrow(/abort/i)
    await until(() => ledgerOf(ledger).includes('hang'))
    stop.abort()
    await refused
    await until(() => ledgerOf(ledger).includes('cancelled'))
    expect(await through('everything', 'echo', { message: 'still here' })).toContain('still here')
  })

  test('resources and prompts are there, and read the same', async () => {
    const { client } = reach.agent('everything')
    const [ours, theirs] = await Promise.all([client.listResources(), beside.client.listResources()])
    expect(ours.resources.map(({ uri }) => uri)).toEqual(expect.arrayContaining(theirs.resources.map(({ uri }) => uri)))
    const uri = theirs.resources[0]?.uri ?? ''
    expect(await client.readResource({ uri })).toStrictEqual(await beside.client.readResource({ uri }))
    expect(await client.listPrompts()).toStrictEqual(await beside.client.listPrompts())
    const prompt = { name: 'args-prompt', arguments: { city: 'Oslo' } }
    expect(await client.getPrompt(prompt)).toStrictEqual(await beside.client.getPrompt(prompt))
  })
})
