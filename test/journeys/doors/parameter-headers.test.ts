// Arguments that a tool wants in headers as well (`x-mcp-header`): a server over HTTP holds the headers against the arguments, and
// a gateway does not hand on what a server behind wants of its own clients.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createCountersign, defineTool } from '../../../server/index.ts'
import { postModern } from '../../kit/modern-request.ts'
import type { ReadResponse } from '../../kit/read-response.ts'
import { rationale } from '../agent.ts'
import { atEnd, freshDatabase } from '../at-end.ts'
import { webHere } from '../in-process.ts'
import { notesOverHttp, wrapLine } from '../gateway/modern-notes.ts'

const where = defineTool({
  name: 'where.read',
  title: 'Says which region was asked for',
  description: 'Says which region was asked for.',
  operation: 'read',
  risk: 'low',
  input: z.strictObject({ region: z.string().meta({ 'x-mcp-header': 'Region' }).optional() }),
  output: z.object({ region: z.string() }),
  failures: {},
  run: ({ region = 'none' }) => ({ region }),
})

let mcp: string

beforeAll(async () => {
  const web = await createCountersign({
    store: freshDatabase(),
    principalOf: () => ({ tenant: 'default', subject: 'ada' }),
    tools: [where],
  }).http({ port: 0 })
  atEnd(() => web.close())
  mcp = web.mcpUrl
})

async function modern(url: string): Promise<Client> {
  const client = new Client({ name: 'modern', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  await client.connect(new StreamableHTTPClientTransport(new URL(url)))
  atEnd(() => client.close())
  return client
}

const callBy = (headers: Readonly<Record<string, string>>, args: object): Promise<ReadResponse> =>
  postModern(
    mcp,
    'tools/call',
    { name: 'where_read', arguments: { rationale, ...args } },
    { 'mcp-name': 'where_read', ...headers },
  )

test('a client that says its arguments in headers is answered', async () => {
  const client = await modern(mcp)
  const { tools } = await client.listTools()
  expect(JSON.stringify(tools)).toContain('"x-mcp-header":"Region"')
  const answer = await client.callTool({ name: 'where_read', arguments: { rationale, region: 'Zürich' } })
  expect(answer.structuredContent).toMatchObject({ region: 'Zürich' })
})

test.each<readonly [string, Record<string, string>]>([
  ['leaves the header out', {}],
  ['says something else there', { 'mcp-param-region': 'eu-west1' }],
  ['writes there what cannot be read', { 'mcp-param-region': '=?base64?!?=' }],
])('a call that %s is refused and not run', async (_, headers) => {
  const { status, body } = await callBy(headers, { region: 'us-west1' })
  expect(status).toBe(400)
  expect(body).toMatchObject({ id: 7, error: { code: -32020, message: expect.stringContaining('Mcp-Param-Region') } })
})

test('a call without the argument needs no header, and one that nobody asked for is ignored', async () => {
  expect(await callBy({ 'mcp-param-other': 'x' }, {})).toMatchObject({
    status: 200,
    body: { result: { resultType: 'complete' } },
  })
  const { status } = await callBy({ 'mcp-param-region': 'us-west1' }, { region: 'us-west1' })
  expect(status).toBe(200)
})

test('a gateway lists tools without the headers that their server wants, and sends them to it', async () => {
  const { entry } = await notesOverHttp()
  const client = await modern((await webHere([...wrapLine(entry), '--http', '0'])).mcp.href)
  const { tools } = await client.listTools()
  expect(tools.map(({ name }) => name)).toContain('get_region')
  expect(JSON.stringify(tools)).not.toContain('x-mcp-header')
  const answer = await client.callTool({ name: 'get_region', arguments: { rationale, region: 'us-west1' } })
  expect(JSON.stringify(answer.content)).toContain('us-west1, in the header us-west1')
})
