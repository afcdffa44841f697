// What is wrong before any tool is reached: the body, the headers, the session, the method. A client shows its user the
// message of such an error and nothing else, so it says what was wrong and what to send instead.
import { beforeAll, describe, expect, test } from 'vitest'
import { overHttp } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { demoHere } from '../in-process.ts'
import { rawCall, rawRequest, type RawAnswer, type RawRequest } from '../raw-http.ts'

let mcp: URL
let session: string

beforeAll(async () => {
  mcp = (await demoHere(freshDatabase())).mcp
  const agent = await overHttp(mcp)
  session = (agent.client.transport as { readonly sessionId?: string }).sessionId ?? ''
  expect(session).toMatch(/^[\w-]+\.[\w-]+$/)
})

const ping = '{"jsonrpc":"2.0","id":1,"method":"ping"}'
const message = (method: string, params?: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":${JSON.stringify(method)}${params === undefined ? '' : `,"params":${params}`}}`

const errorOf = (answer: RawAnswer) =>
  (JSON.parse(answer.text) as { readonly error: { readonly code: number; readonly message: string } }).error

type Row = readonly [sentence: string, request: RawRequest, status: number, says: RegExp]

const bodies: readonly Row[] = [
  ['no body', { body: '' }, 400, /not JSON. Send one JSON-RPC message/],
  ['a body that is no JSON', { body: 'hello' }, 400, /not JSON/],
  ['JSON that was cut off', { body: ping.slice(0, -3) }, 400, /not JSON/],
  ['JSON with a comma too many', { body: '{"jsonrpc":"2.0",}' }, 400, /not JSON/],
  ['a text', { body: '"ping"' }, 400, /not a JSON-RPC 2.0 message. Send one like/],
  ['null', { body: 'null' }, 400, /not a JSON-RPC 2.0 message/],
  ['an empty object', { body: '{}' }, 400, /not a JSON-RPC 2.0 message/],
  ['an empty batch', { body: '[]' }, 400, /not a JSON-RPC 2.0 message/],
  ['a batch with a stranger in it', { body: `[${ping},7]` }, 400, /not a JSON-RPC 2.0 message/],
  [
    'a batch of a thousand',
    { body: `[${Array(1000).fill(ping).join(',')}]` },
    400,
    /A batch holds at most 50 messages/,
  ],
  [
    'a batch of three hundred kilobytes',
    { body: `[${rawCall('orders_list', `{"id":"${'x'.repeat(300_000)}"}`)}]` },
    400,
    /at most 262144 characters long. Send its messages one by one/,
  ],
  [
    'thirty thousand values outside the arguments of a call',
    { body: message('resources/read', `{"uri":[${'{},'.repeat(30_000)}{}]}`) },
    400,
    /Outside the arguments of a tool's call, a body holds at most 10101 values/,
  ],
  [
    'a hundred thousand levels outside the arguments of a call',
    { body: message('tools/call', `{"name":"orders_list","_meta":${'['.repeat(100_000)}${']'.repeat(100_000)}}`) },
    400,
    /in at most 74 levels. Send less at once/,
  ],
  [
    'thirty thousand values in the arguments of a prompt',
    { body: message('prompts/get', `{"name":"x","arguments":{"a":[${'0,'.repeat(30_000)}0]}}`) },
    400,
    /Outside the arguments of a tool's call, a body holds at most 10101 values/,
  ],
  [
    'a batch of one call with twelve thousand values',
    { body: `[${rawCall('orders_list', `{"a":[${'0,'.repeat(12_000)}0]}`)}]` },
    400,
    /A batch holds at most 10101 values in at most 74 levels, the arguments of its calls included. Send its messages one by one/,
  ],
  ['JSON-RPC 1.0', { body: '{"id":1,"method":"ping","params":[]}' }, 400, /not a JSON-RPC 2.0 message/],
  ['parameters in a list', { body: message('tools/call', '["orders_list"]') }, 400, /not a JSON-RPC 2.0 message/],
  ['an id that is an object', { body: '{"jsonrpc":"2.0","id":{},"method":"ping"}' }, 400, /not a JSON-RPC 2.0 message/],
  [
    'a body of more than two megabytes',
    { body: rawCall('orders_list', `"${'x'.repeat(2_200_000)}"`) },
    413,
    /larger than 2097152 bytes. Send less/,
  ],
]

const headers: readonly Row[] = [
  [
    'another content type',
    { body: ping, headers: { 'content-type': 'text/plain' } },
    415,
    /Content-Type must be application\/json/,
  ],
  ['an Accept without event streams', { body: ping, headers: { accept: 'application/json' } }, 406, /must accept both/],
  [
    'a protocol of nowhere',
    { body: ping, headers: { 'mcp-protocol-version': '1999-01-01' } },
    400,
    /Unsupported protocol version/,
  ],
  [
    'a session of nobody',
    { body: ping, headers: { 'mcp-session-id': 'made-up' } },
    404,
    /not known here. Initialize a new one/,
  ],
  [
    'a session id of five thousand characters',
    { body: ping, headers: { 'mcp-session-id': 'a'.repeat(5000) } },
    404,
    /not known here/,
  ],
  [
    'the host name of a page',
    { body: ping, headers: { host: 'evil.example' } },
    403,
    /does not answer to the host name "evil.example". Use one of 127.0.0.1/,
  ],
  [
    'the origin of a page',
    { body: ping, headers: { origin: 'https://evil.example' } },
    403,
    /Pages from "https:\/\/evil.example" may not talk to this server/,
  ],
  ['an opaque origin', { body: ping, headers: { origin: 'null' } }, 403, /Pages from "null"/],
  [
    'a page secret of an earlier start',
    { body: ping, headers: { 'x-countersign-page': 'old' } },
    403,
    /Reload the page/,
  ],
  ['PUT', { method: 'PUT', body: ping }, 405, /Streamable HTTP uses POST, GET and DELETE/],
]

describe('a request with', () => {
  test.each([...bodies, ...headers])('%s is refused, with what to do instead', async (_, request, status, says) => {
    const answer = await rawRequest(mcp, request)
    expect(answer.status).toBe(status)
    expect(errorOf(answer).message).toMatch(says)
    expect(answer.text.length).toBeLessThan(1_000)
  })

  test('a session id of which one character was changed is refused like one of nobody', async () => {
    const [body = '', mac = ''] = session.split('.')
    const other = (text: string, at: number) => text.slice(0, at) + (text[at] === 'A' ? 'B' : 'A') + text.slice(at + 1)
    const forged = [`${other(body, 9)}.${mac}`, `${body}.${other(mac, 9)}`, `${body}.`, body, `${session}.x`, `.${mac}`]
    for (const id of forged) {
      const answer = await rawRequest(mcp, { body: ping, headers: { 'mcp-session-id': id } })
      expect([id, answer.status]).toStrictEqual([id, 404])
    }
    expect((await rawRequest(mcp, { body: ping, headers: { 'mcp-session-id': session } })).status).toBe(200)
  })

  test('a path that is nothing is refused with the one that is something', async () => {
    const answer = await rawRequest(new URL('/sse', mcp), { body: ping })
    expect(answer.status).toBe(404)
    expect(errorOf(answer).message).toContain('MCP clients connect to /mcp')
  })
})

describe('a message with', () => {
  test.each<readonly [string, string, number, RegExp]>([
    [
      'a method of nowhere',
      message('tools/destroy'),
      -32601,
      /no method "tools\/destroy". It serves tools and resources/,
    ],
    ['a method that other servers have', message('prompts/list'), -32601, /no method "prompts\/list"/],
    ['a method of a megabyte', message('m'.repeat(1_000_000)), -32601, /no method "m+"/],
    ['no parameters of a tool call', message('tools/call'), -32602, /name of a tool in params.name/],
    ['no name of a tool', message('tools/call', '{"arguments":{}}'), -32602, /name of a tool in params.name/],
    ['a name that is a number', message('tools/call', '{"name":7}'), -32602, /name of a tool in params.name/],
    ['a name that is null', message('tools/call', '{"name":null}'), -32602, /name of a tool in params.name/],
    ['no address of a resource', message('resources/read', '{}'), -32602, /URI in params.uri/],
    ['an address that is a number', message('resources/read', '{"uri":1}'), -32602, /URI in params.uri/],
    [
      'an address of nothing',
      message('resources/read', '{"uri":"file:///etc/passwd"}'),
      -32002,
      /no resource "file:\/\/\/etc\/passwd". resources\/list names/,
    ],
    [
      'the contract of no tool',
      message('resources/read', '{"uri":"countersign://contracts/nothing"}'),
      -32002,
      /no resource "countersign:\/\/contracts\/nothing". What stands for \{tool\}/,
    ],
  ])('%s is a protocol error of its own code, in one sentence', async (_, body, code, says) => {
    const answer = await rawRequest(mcp, { body })
    expect(answer.status).toBe(200)
    expect(errorOf(answer)).toMatchObject({ code, message: expect.stringMatching(says) })
    expect(answer.text.length).toBeLessThan(1_000)
  })

  test('two calls in one batch, as an older protocol allows, are both answered', async () => {
    const answer = await rawRequest(mcp, { body: `[${ping},{"jsonrpc":"2.0","id":2,"method":"ping"}]` })
    expect((JSON.parse(answer.text) as { id: number }[]).map(({ id }) => id).toSorted((a, b) => a - b)).toStrictEqual([
      1, 2,
    ])
  })
})
