// A development host in a browser cannot start a process. This puts a server that speaks stdio behind the address at
// which the playground looks for its own: one child for each session, messages passed on as they are.
import { randomUUID } from 'node:crypto'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'

interface Child {
  readonly transport: StdioClientTransport
  /** Those who wait for an answer, by the request's id. */
  readonly waiting: Map<string | number, (answer: JSONRPCMessage) => void>
}

const sessionHeader = 'mcp-session-id'

/** Serves a command over HTTP. */
export function createStdioBridge(command: string, args: readonly string[]) {
  const children = new Map<string, Child>()

  const start = async (id: string): Promise<Child> => {
    const transport = new StdioClientTransport({ command, args: [...args], stderr: 'inherit' })
    const child: Child = { transport, waiting: new Map() }
    transport.onmessage = (message) => {
      if ('method' in message) {
        // Nobody hears what a server says by itself; what it asks must not stay open.
        if ('id' in message) void transport.send(cannot(message.id)).catch(() => undefined)
        return
      }
      const { id: answered } = message
      if (answered === undefined) return
      child.waiting.get(answered)?.(message)
      child.waiting.delete(answered)
    }
    transport.onclose = () => {
      children.delete(id)
      for (const [waiting, answer] of child.waiting) answer(ended(waiting))
    }
    await transport.start()
    children.set(id, child)
    return child
  }

  const post = async (request: Request): Promise<Response> => {
    const parsed = JSONRPCMessageSchema.safeParse(await request.json().catch(() => undefined))
    if (!parsed.success) return refuse(400, 'The body is not one JSON-RPC message.')
    const message = parsed.data
    const first = 'method' in message && message.method === 'initialize'
    const session = first ? randomUUID() : (request.headers.get(sessionHeader) ?? '')
    const child = first ? await start(session) : children.get(session)
    if (child === undefined) return refuse(404, 'This session is not known here. Initialize a new one.')
    if (!('method' in message && 'id' in message)) {
      await child.transport.send(message)
      return new Response(null, { status: 202 })
    }
    const answer = new Promise<JSONRPCMessage>((resolve) => child.waiting.set(message.id, resolve))
    await child.transport.send(message)
    return Response.json(await answer, first ? { headers: { [sessionHeader]: session } } : {})
  }

  return {
    /** Answers a request of Streamable HTTP, without streams. */
    handle: async (request: Request): Promise<Response> => {
      if (request.method === 'POST')
        return post(request).catch((error: unknown) =>
          refuse(500, `The command "${command}" could not be reached: ${error instanceof Error ? error.message : ''}`),
        )
      if (request.method !== 'DELETE') return new Response(null, { status: 405 })
      await children.get(request.headers.get(sessionHeader) ?? '')?.transport.close()
      return new Response(null, { status: 200 })
    },
    close: async () => void (await Promise.all([...children.values()].map(({ transport }) => transport.close()))),
  }
}

const cannot = (id: string | number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32601, message: 'This host answers no requests of servers.' },
})

const ended = (id: string | number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32000, message: 'The server ended.' },
})

const refuse = (status: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code: -32000, message } }, { status })
