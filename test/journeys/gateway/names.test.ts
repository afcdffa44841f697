// What others have named is theirs to name: parameters that are no plain names, or that are called like ours, and tools that
// come and go while a client looks.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { beforeAll, describe, expect, test } from 'vitest'
import { applyCall, rationale, toReply } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { gatewayFile, officialServer, openReach, realPlace, misbehavingServer, type Reach } from './reach.ts'
import { agentHere } from '../in-process.ts'

const odd = {
  'file-path': '/tmp/ä b',
  'a.b': '1',
  '@type': 'T',
  'mit Leerzeichen': 'ja',
  '1st': '1',
  preview: 'mine',
  ticket: 'mine, too',
  größe: 'XL',
  'a"b': '"',
  'x=y': ', preview=False)',
}

describe('parameters that are no plain names, or are called like ours', () => {
  let wrapped: Reach
  beforeAll(async () => {
    wrapped = await openReach('wrap over stdio', { odd: misbehavingServer('named-oddly') })
  })

  test.each(['wrap over stdio', 'gateway over stdio'] as const)(
    'reach the server as they were confirmed: %s',
    async (kind) => {
      const reach =
        kind === 'wrap over stdio' ? wrapped : await openReach(kind, { odd: misbehavingServer('named-oddly') })
      const { client } = reach.agent('odd')
      const ask = async (name: string, args: object) =>
        toReply((await client.callTool({ name, arguments: { ...args } })) as CallToolResult)
      const preview =
        kind === 'wrap over stdio'
          ? await ask('echo', { ...odd, countersign_rationale: rationale })
          : await ask('call_tool_write', {
              name: 'odd:echo',
              args_json: JSON.stringify(odd),
              intent: { operation_type: 'write', reason: rationale },
            })
      expect(preview.status, preview.text).toBe('previewed')
      const { tool, args } = applyCall(preview)
      const applied = await ask(tool, args)
      expect(applied.status, applied.text).toBe('applied')
      const [, said] = applied.raw.content as { text: string }[]
      expect(JSON.parse(said?.text ?? '')).toEqual(odd)
    },
  )

  test('the wrapped schema keeps its names and its dialect, and ours are told apart from it', async () => {
    const schema = wrapped.agent('odd').tools.find(({ name }) => name === 'echo')?.inputSchema as {
      $schema?: string
      properties: Record<string, { maxLength?: number }>
    }
    expect(schema.$schema).toBe('http://json-schema.org/draft-07/schema#')
    expect(Object.keys(schema.properties)).toEqual([
      ...Object.keys(odd),
      'countersign_rationale',
      'countersign_preview',
      'countersign_ticket',
    ])
    expect(schema.properties['countersign_rationale']?.maxLength).toBe(500)
  })
})

describe('contracts as resources', () => {
  test('are one template, which crowds no list, and follow the tools', async () => {
    const servers = { rude: misbehavingServer('polite', '', { tools: { rename: { risk: 'low' } } }) }
    const { client } = (await openReach('wrap over stdio', servers)).agent('rude')
    const listed = (await client.listResources()).resources.map(({ uri }) => uri)
    expect(listed.filter((uri) => uri.startsWith('countersign:'))).toEqual([])
    const { resourceTemplates } = await client.listResourceTemplates()
    expect(resourceTemplates.map(({ uriTemplate }) => uriTemplate)).toContain('countersign://contracts/{tool}')
    const late = { uri: 'countersign://contracts/brand_new' }
    await expect(client.readResource(late)).rejects.toThrow('There is no resource')
    await client.callTool({ name: 'rename', arguments: { preview: false, rationale } })
    await expect.poll(() => client.readResource(late).catch(() => undefined)).toMatchObject({ contents: [late] })
  })

  test('are there for tools behind a gateway, too, and not for forbidden ones', async () => {
    const file = gatewayFile({
      files: officialServer('filesystem', [realPlace()], { tools: { move_file: { risk: 'forbidden' } } }),
    })
    const agent = await agentHere(['gateway', '--config', file, '--db', freshDatabase()])
    const { contents } = await agent.client.readResource({ uri: 'countersign://contracts/files:edit_file' })
    const contract = JSON.parse((contents[0] as { text: string }).text) as Record<string, { code: string }[]>
    expect(contract).toMatchObject({
      name: 'files:edit_file',
      operation: 'destructive',
      description: expect.stringContaining('Make line-based edits'),
      confirmation: { required: true, by: 'rail' },
      input_schema: { properties: { path: { type: 'string' }, rationale: {} } },
      output_schema: { properties: { status: {}, result: { properties: { content: { type: 'string' } } } } },
      audit_event: 'files:edit_file',
      failures: { upstream_lost: { effect: 'unknown' } },
    })
    expect(contract['server_failures']?.map(({ code }) => code)).toEqual(
      expect.arrayContaining([
        'plan_stale',
        'confirmation_refused',
        'intent_mismatch',
        'annotation_mismatch',
        'frozen',
      ]),
    )
    const complete = async (value: string) => {
      const ref = { type: 'ref/resource', uri: 'countersign://contracts/{tool}' } as const
      return (await agent.client.complete({ ref, argument: { name: 'tool', value } })).completion.values
    }
    expect(await complete('files:edit')).toEqual(['files:edit_file'])
    expect(await complete('files:move')).toEqual([])
    expect(await complete('retrieve')).toEqual(['retrieve_tools'])
    const argument = { name: 'topic', value: '' }
    await expect(agent.client.complete({ ref: { type: 'ref/prompt', name: 'none' }, argument })).rejects.toMatchObject({
      code: -32602,
    })
    // As a client writes the name into the template (RFC 6570).
    const uri = new UriTemplate('countersign://contracts/{tool}').expand({ tool: 'files:edit_file' })
    expect((await agent.client.readResource({ uri })).contents).toMatchObject([{ ...contents[0], uri }])
    await expect(agent.client.readResource({ uri: 'countersign://contracts/files:move_file' })).rejects.toThrow(
      'There is no resource',
    )
  })
})

test('a wrapped read promises what its own server promises, and keeps it', async () => {
  const reach = await openReach('wrap over stdio', { everything: officialServer('everything') })
  const agent = reach.agent('everything')
  const tool = agent.tools.find(({ name }) => name === 'get-structured-content')
  expect(tool?.outputSchema).toMatchObject({ type: 'object', properties: { temperature: { type: 'number' } } })
  expect((await agent.call('get-structured-content', { location: 'Chicago' })).data).toHaveProperty('temperature')
})

test('the line of the README for the server that you already use does what it says', async () => {
  const readme = readFileSync(join(import.meta.dirname, '..', '..', '..', 'README.md'), 'utf8')
  const block = /```json\n(\{ "command": "countersign".*\})\n```/.exec(readme)?.[1] ?? ''
  const { command, args } = JSON.parse(block) as { command: string; args: string[] }
  expect([command, args.slice(0, 4)]).toEqual(['countersign', ['wrap', '--', 'npx', '-y']])
  const server = officialServer('filesystem')
  // What npx would start, without the network; the folder that it may see is one of the test's.
  const line = args.flatMap((word): readonly string[] => {
    if (word === 'npx') return [String(server['command'])]
    if (word === '-y') return []
    if (word === '@modelcontextprotocol/server-filesystem') return server['args'] as string[]
    return [word === '/data' ? realPlace() : word]
  })
  const [first = '', ...rest] = line
  const agent = await agentHere([first, '--db', freshDatabase(), ...rest])
  const preview = await agent.call('create_directory', { path: join(line.at(-1) ?? '', 'new') })
  expect(preview.status).toBe('previewed')
})
