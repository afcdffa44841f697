// A server that stands behind a gateway: somebody else's, with tools of each kind. The little of MCP that the gateway asks of one is
// answered here over HTTP on the loopback, because a program of its own would have to lie beside ours, and the protocol's server
// half belongs to `server/mcp`.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'

const requestSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({ protocolVersion: z.string().optional(), name: z.string().optional() }).optional(),
})

const text = (description: string): object => ({ type: 'string', description })

/** What it lists. */
const tools = [
  {
    name: 'find_pages',
    description: 'Finds pages of the wiki by words.',
    inputSchema: { type: 'object', properties: { query: text('Words to look for.') }, required: ['query'] },
    annotations: { readOnlyHint: true },
  },
  {
    name: 'create_page',
    description: 'Creates a page of the wiki.',
    inputSchema: {
      type: 'object',
      properties: {
        title: text('Title of the page.'),
        body: text('Its text.'),
        labels: { type: 'array', items: { type: 'string' } },
        parent: { type: ['string', 'null'], description: 'The page above it.' },
      },
      required: ['title', 'body'],
    },
    annotations: { readOnlyHint: false, destructiveHint: false },
  },
  {
    name: 'delete_page',
    description: 'Deletes a page of the wiki for good.',
    inputSchema: { type: 'object', properties: { title: text('Title of the page.') }, required: ['title'] },
    annotations: { readOnlyHint: false, destructiveHint: true },
  },
]

const says = (words: string): object => ({ content: [{ type: 'text', text: words }] })

/** A model that looks before it deletes finds what it was told of. */
const answers: Readonly<Record<string, object>> = { find_pages: says('“Returns 2019”, “Returns”') }

function resultOf({ method, params }: z.infer<typeof requestSchema>): object | undefined {
  if (method === 'initialize')
    return {
      protocolVersion: params?.protocolVersion ?? '2025-06-18',
      capabilities: { tools: {} },
      serverInfo: { name: 'wiki', version: '1.0.0' },
    }
  if (method === 'ping') return {}
  if (method === 'tools/list') return { tools }
  return method === 'tools/call' ? (answers[params?.name ?? ''] ?? says('Done.')) : undefined
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  return body
}

/** Starts it on a free port of the loopback. */
export async function startOtherServer(): Promise<{ readonly url: string; close(): Promise<void> }> {
  const server = createServer((request, response) => {
    void (async () => {
      // It sends nothing by itself, and keeps no sessions.
      if (request.method !== 'POST') return response.writeHead(405).end()
      const asked = requestSchema.safeParse(JSON.parse(await bodyOf(request)))
      if (!asked.success) return response.writeHead(400).end()
      const { id } = asked.data
      if (id === undefined) return response.writeHead(202).end()
      const result = resultOf(asked.data)
      const answer =
        result === undefined ? { error: { code: -32601, message: 'There is no such method.' } } : { result }
      return response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
    })().catch(() => response.destroy())
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/mcp`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
