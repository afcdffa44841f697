// A definition comes from outside and is walked again and again. What would make a walk endless is refused when it is
// listed, with the reason that `doctor` shows; what honest servers list is not.
import { createServer } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, onTestFinished, test } from 'vitest'
import { listening } from '../../../kit/listening.ts'
import { readDefinition } from '../../../../server/gateway/upstream/definitions/definition.ts'
import { officialServer, startOne } from '../servers.ts'

const why = (inputSchema: unknown): string => {
  const read = readDefinition({ name: 'x', inputSchema })
  return read.ok ? 'is read' : read.failure
}

const ref = (name: string | number) => ({ $ref: `#/$defs/${name}` })
const doubling = (keyword: string, levels: number) => ({
  type: 'object',
  properties: { a: ref(0) },
  $defs: Object.fromEntries(
    Array.from({ length: levels }, (_, at) => [at, { [keyword]: [ref(at + 1), ref(at + 1)] }]).concat([
      [levels, { type: 'string' }],
    ] as never),
  ),
})
const nested = (levels: number): unknown =>
  Array.from({ length: levels }).reduce<unknown>((inner) => ({ items: inner }), {})

test.each<readonly [string, unknown, RegExp | 'is read']>([
  ['references that double thirty times', doubling('allOf', 30), /^"x": its definition has references that make more/],
  ['choices that double thirty times', doubling('anyOf', 30), /more than 1000 schemas of one/],
  ['references that double five times', doubling('allOf', 5), 'is read'],
  ['a reference to itself', { type: 'object', properties: { a: ref('a') }, $defs: { a: ref('a') } }, /without end/],
  ['a root that refers to itself', { type: 'object', allOf: [{ $ref: '#' }] }, /without end/],
  ['a tree of its own kind', { type: 'object', properties: { left: { $ref: '#' }, right: { $ref: '#' } } }, 'is read'],
  ['a nest of 100 levels', { type: 'object', properties: { a: nested(100) } }, /nested deeper than 64 levels/],
  ['a nest that no stack holds', { type: 'object', properties: { a: nested(15_000) } }, /nested deeper/],
  [
    'an enum of 30,000 values',
    { type: 'object', properties: { a: { enum: Array.from(Array(30_000).keys()) } } },
    /20000/,
  ],
  ['a description of 2 MB', { type: 'object', description: 'a '.repeat(1_000_000) }, /1000000 characters/],
  [
    'a hundred arguments',
    {
      type: 'object',
      properties: Object.fromEntries(
        Array.from({ length: 100 }, (_, at) => [`p${at}`, { type: 'string', description: 'Text. '.repeat(50) }]),
      ),
    },
    'is read',
  ],
])('%s', (_, schema, expected) => {
  if (expected === 'is read') expect(why(schema)).toBe(expected)
  else expect(why(schema)).toMatch(expected)
})

test('no tool of an official server is too large', async () => {
  const upstream = await startOne(officialServer('everything'))
  expect(upstream.tools().problems).toEqual([])
})

test('a tool whose definition is nested thousands of levels deep takes no other one down', async () => {
  const deep = `${'{"items":'.repeat(15_000)}{}${'}'.repeat(15_000)}`
  const tool = (name: string, schema: string): string =>
    `{"name":"${name}","inputSchema":{"type":"object","properties":{"a":${schema}}}}`
  const capabilities = { tools: {} }
  const serverInfo = { name: 'by hand', version: '1' }
  const results: Readonly<Record<string, string>> = {
    initialize: JSON.stringify({ protocolVersion: '2025-11-25', capabilities, serverInfo }),
    'tools/list': `{"tools":[${tool('deep', deep)},${tool('flat', '{}')}]}`,
  }
  const server = createServer((request, response) => {
    void text(request).then((body) => {
      if (request.method !== 'POST') return response.writeHead(405).end()
      const { id, method } = JSON.parse(body) as { readonly id?: number | string; readonly method: string }
      const result = results[method]
      if (result === undefined) return response.writeHead(id === undefined ? 202 : 400).end()
      response.writeHead(200, { 'content-type': 'application/json' })
      return response.end(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${result}}`)
    })
  })
  const origin = await listening(server)
  onTestFinished(() => void server.close())
  const upstream = await startOne({ url: `${origin}/mcp`, headers: { authorization: 'Bearer hidden-in-every-answer' } })
  for (let times = 0; times < 2; times++) {
    expect(upstream.tools().tools.map(({ name }) => name)).toEqual(['flat'])
    expect(upstream.tools().problems).toEqual(['"deep": its definition is nested deeper than 64 levels'])
    expect(await upstream.relist()).toMatchObject({ ok: true })
  }
})
