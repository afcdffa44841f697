// The host's half of MCP: one client on Streamable HTTP that says it can draw views, and the rule that a view may only
// call what the server opened to views.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import {
  CallToolResultSchema,
  ListToolsResultSchema,
  ReadResourceResultSchema,
  type CallToolRequest,
  type Progress,
  type ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import { capabilitiesOf, clientInfo, viewType, withEarlyAnswers } from './asked-early.ts'
import { relayed } from './relayed.ts'
import { troubleOf, type Trouble } from '../chat/trouble.ts'
import type { ToolFacts } from '../tools/tool-facts.ts'
import { toolFacts } from './tool-of-server.ts'
import { mountView } from './view-bridge.ts'
import type { WireLog } from './wire.ts'

/** The HTML of a view and what it asked for: `_meta.ui` of the resource, which only the sandbox reads closely. */
export interface ViewResource {
  readonly html: string
  readonly csp: object | undefined
  readonly permissions: object | undefined
}

export type Connection = Awaited<ReturnType<typeof connect>>

export interface ConnectOptions {
  /** Our own `/mcp`, or anybody's, which is reached through this server: this page may talk to nobody else. */
  readonly endpoint: URL
  /** Whether the host announces that it draws views. */
  readonly apps: boolean
  readonly pageSecret: string
  readonly wire: WireLog
  /** The reader's locale, as it is at each request. */
  readonly locale: () => string
}

/** An hour, in milliseconds. */
const longestCall = 3_600_000

/** Connects and lists the tools. Throws what the SDK throws; `troubleOf` explains it. */
export async function connect(options: ConnectOptions) {
  const client = new Client(clientInfo, {
    capabilities: capabilitiesOf(options.apps),
    // The SDK's default compiles schemas with `new Function`, which this page forbids; results are shown as they are.
    jsonSchemaValidator: {
      getValidator: () => (input) => ({ valid: true, data: input as never, errorMessage: undefined }),
    },
  })
  const proof = options.pageSecret === '' ? {} : { 'x-countersign-page': options.pageSecret }
  const own = options.endpoint.origin === location.origin
  const early = withEarlyAnswers(fetch)
  const send = own ? early : relayed(options.pageSecret)
  const http = new StreamableHTTPClientTransport(options.endpoint, {
    requestInit: own ? { headers: proof } : {},
    fetch: spoken(options.locale, withoutStream(send)),
  })
  await client.connect(options.wire.tap('server', http))

  const tools = await listTools(client)
  const views = new Map<string, Promise<ViewResource>>()
  const read = (uri: string) => client.request({ method: 'resources/read', params: { uri } }, ReadResourceResultSchema)
  const call = (params: CallToolRequest['params']) =>
    client.request({ method: 'tools/call', params }, CallToolResultSchema)
  const info = client.getServerVersion()
  return {
    /** Name and version as the server gave them. */
    server: `${info?.title ?? info?.name ?? 'server'} ${info?.version ?? ''}`.trim(),
    tools,
    /** A call of the agent's. It has the time that it takes; whoever waits sees that it runs, and can end it. */
    call: (
      name: string,
      args: Readonly<Record<string, unknown>>,
      watched?: { readonly signal: AbortSignal; readonly onProgress: (step: Progress) => void },
    ) =>
      client.request({ method: 'tools/call', params: { name, arguments: { ...args } } }, CallToolResultSchema, {
        ...(watched === undefined ? {} : { signal: watched.signal, onprogress: watched.onProgress }),
        timeout: longestCall,
      }),
    /** A call of a view's; throws where the tool is not open to views. */
    callFromView: async (params: CallToolRequest['params']) => {
      if (tools.find((tool) => tool.name === params.name)?.forApp !== true)
        throw new Error(`The tool ${params.name} is not open to views.`)
      return call(params)
    },
    read,
    /** The HTML of a view; asked for once, because it is static. */
    view: (uri: string) => {
      const known = views.get(uri) ?? read(uri).then(toView)
      views.set(uri, known)
      known.catch(() => views.delete(uri))
      return known
    },
    /** Why the server does not answer now, where it does not; never rejects. */
    away: () => whyAway(own, send, options, http.sessionId),
    /** Draws a view. It comes with the connection, so that no card waits for it, or misses it. */
    mountView,
    close: () => client.close(),
  }
}

/**
 * Beside the protocol, so that the wire shows what agent and cards do and nothing else. Any answer of its own counts;
 * where there is a session, its server must still know it: behind this address may stand a command that has ended.
 */
const whyAway = (
  own: boolean,
  send: typeof fetch,
  { endpoint, pageSecret }: ConnectOptions,
  session: string | undefined,
): Promise<Trouble | undefined> => {
  const headers = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    ...(own && pageSecret !== '' ? { 'x-countersign-page': pageSecret } : {}),
    ...(session === undefined ? {} : { 'mcp-session-id': session }),
  }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'alive', method: 'ping' })
  const asked = own && session === undefined ? fetch('/healthz') : send(endpoint, { method: 'POST', headers, body })
  return asked.then(async (response) => {
    // What the relay says where nobody is behind it; and by MCP, what a server says to a session that it has not.
    const isAway = response.status === 503 || (session !== undefined && response.status === 404)
    if (isAway) return troubleOf(Object.assign(new Error(await response.text()), { code: response.status }))
    await response.body?.cancel()
    return undefined
  }, troubleOf)
}

/** Says which language is read here, so that a server whose cards speak several writes the right one. */
const spoken =
  (locale: () => string, send: typeof fetch): typeof fetch =>
  (input, init) => {
    const headers = new Headers(init?.headers)
    headers.set('accept-language', locale())
    return send(input, { ...init, headers })
  }

/**
 * The server keeps no state per session and so never speaks first, but a stream to hear it on would be held open by
 * each tab, and a browser grants six connections to an address: the seventh tab would wait for ever. 405 is the
 * protocol's own way to say that there is no such stream.
 */
const withoutStream =
  (send: typeof fetch): typeof fetch =>
  (input, init) =>
    init?.method === 'GET' ? Promise.resolve(new Response(null, { status: 405 })) : send(input, init)

async function listTools(client: Client): Promise<readonly ToolFacts[]> {
  const tools: ToolFacts[] = []
  let cursor: string | undefined
  do {
    const page = await client.request(
      { method: 'tools/list', params: cursor === undefined ? {} : { cursor } },
      ListToolsResultSchema,
    )
    tools.push(...page.tools.map(toolFacts))
    cursor = page.nextCursor
  } while (cursor !== undefined)
  return tools
}

function toView(result: ReadResourceResult): ViewResource {
  const content = result.contents.find((one) => one.mimeType === viewType)
  if (content === undefined) throw new Error('The server has no view of the type that MCP Apps prescribes.')
  const html = 'text' in content ? content.text : new TextDecoder().decode(bytes(content.blob))
  const ui = content._meta?.['ui'] as { csp?: object; permissions?: object } | undefined
  return { html, csp: ui?.csp, permissions: ui?.permissions }
}

const bytes = (base64: string): Uint8Array => Uint8Array.from(atob(base64), (char) => char.charCodeAt(0))
