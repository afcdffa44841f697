// The SDK's client would be part of what is measured: it parses every answer with Zod. This one writes a request to a
// connection that stays open and stops the clock at the last byte.
import { Agent, request } from 'node:http'

export interface Answered {
  readonly ms: number
  readonly body: string
}

export interface RawClient {
  call(tool: string, args: Readonly<Record<string, unknown>>): Promise<Answered>
  /** `tools/list`. */
  list(): Promise<Answered>
  close(): void
}

/** Opens a session over at most this many connections. */
export async function openClient(url: string, connections = 1): Promise<RawClient> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const headers: Record<string, string> = {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  }
  let id = 0

  const post = (method: string, params: unknown): Promise<Answered & { readonly session: string | undefined }> => {
    id += 1
    const text = JSON.stringify({ jsonrpc: '2.0', id, method, params })
    return new Promise((resolve, reject) => {
      const begun = performance.now()
      const sent = request(url, {
        agent,
        method: 'POST',
        headers: { ...headers, 'content-length': Buffer.byteLength(text) },
      })
      sent.once('error', reject)
      sent.once('response', (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.push(part))
        response.once('error', reject)
        response.once('end', () => {
          const ms = performance.now() - begun
          const body = Buffer.concat(parts).toString('utf8')
          if (response.statusCode !== 200) return reject(new Error(`HTTP ${response.statusCode}: ${body}`))
          const session = response.headers['mcp-session-id']
          resolve({ ms, body, session: typeof session === 'string' ? session : undefined })
        })
      })
      sent.end(text)
    })
  }

  const { session } = await post('initialize', {
    protocolVersion: '2025-11-25',
    clientInfo: { name: 'bench', version: '1' },
    capabilities: { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } },
  })
  if (session !== undefined) headers['mcp-session-id'] = session
  headers['mcp-protocol-version'] = '2025-11-25'

  return {
    call: (tool, args) => post('tools/call', { name: tool, arguments: args }),
    list: () => post('tools/list', {}),
    close: () => agent.destroy(),
  }
}
