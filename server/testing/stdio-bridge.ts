// A development host in a browser cannot start a process. This puts a server that speaks stdio behind the address at
// which the playground looks for its own: one child for each session, messages passed on as they are. Whoever writes that
// server sees it crash, so what it said last comes with the answer.
import { randomUUID } from 'node:crypto'
import { StringDecoder } from 'node:string_decoder'
import { stripVTControlCharacters } from 'node:util'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { JSONRPCMessageSchema, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { notStarted, whyEnded, type Ended } from './why-ended.ts'

interface Child {
  readonly transport: StdioClientTransport
  /** Those who wait for an answer, by the request's id. */
  readonly waiting: Map<string | number, (answer: JSONRPCMessage) => void>
  /** Why it is gone. */
  ended: Ended | undefined
  /** Whether it has answered anything. */
  hasAnswered: boolean
}

const sessionHeader = 'mcp-session-id'

/** Characters of stderr that are kept of a child. */
const keptOutput = 4000
/** Sessions of which it is remembered why they ended. */
const keptSessions = 50

/** What a bridge may be given. */
export interface StdioBridgeOptions {
  /** Takes what the command writes to stderr; this process's own stderr when absent. */
  readonly onStderr?: (text: string) => void
  /** Takes secrets out of what the command has written to stderr, before a page shows it; left as it is when absent. */
  readonly redact?: (text: string) => string
}

/** Serves a command over HTTP. */
export function createStdioBridge(command: string, args: readonly string[], options: StdioBridgeOptions = {}) {
  const { onStderr = (text) => void process.stderr.write(text), redact = (text) => text } = options
  const children = new Map<string, Child>()
  let generation = 0

  const start = async (id: string): Promise<Child> => {
    const transport = new StdioClientTransport({ command, args: [...args], stderr: 'pipe' })
    const child: Child = { transport, waiting: new Map(), ended: undefined, hasAnswered: false }
    let output = ''
    // A chunk may end within a character.
    const decoder = new StringDecoder()
    transport.stderr?.on('data', (chunk: Buffer) => {
      const text = decoder.write(chunk)
      onStderr(text)
      output = `${output}${text}`.slice(-keptOutput)
    })
    transport.onmessage = (message) => {
      if ('method' in message) {
        // Nobody hears what a server says by itself; what it asks must not stay open.
        if ('id' in message) void transport.send(cannot(message.id)).catch(() => undefined)
        return
      }
      child.hasAnswered = true
      const { id: answered } = message
      if (answered === undefined) return
      child.waiting.get(answered)?.(message)
      child.waiting.delete(answered)
    }
    transport.onclose = () => {
      child.ended ??= whyEnded({
        command,
        args,
        output: redact(stripVTControlCharacters(output)),
        hasAnswered: child.hasAnswered,
      })
      for (const [waiting, answer] of child.waiting) answer(endedAnswer(waiting, child.ended))
      child.waiting.clear()
    }
    for (const [oldest, { ended }] of children) {
      if (children.size < keptSessions) break
      if (ended !== undefined) children.delete(oldest)
    }
    children.set(id, child)
    try {
      await transport.start()
    } catch (error) {
      child.ended = notStarted({ command, args }, error)
    }
    return child
  }

  const post = async (request: Request): Promise<Response> => {
    const parsed = JSONRPCMessageSchema.safeParse(await request.json().catch(() => undefined))
    if (!parsed.success) return refuse(400, { code: 'no-message', message: 'The body is not one JSON-RPC message.' })
    const message = parsed.data
    const first = 'method' in message && message.method === 'initialize'
    const session = first ? randomUUID() : (request.headers.get(sessionHeader) ?? '')
    const child = first ? await start(session) : children.get(session)
    if (child === undefined) return refuse(404, unknownSession)
    if (child.ended !== undefined) return refuse(first ? 503 : 404, child.ended)
    if (!('method' in message && 'id' in message)) {
      await child.transport.send(message).catch(() => undefined)
      return new Response(null, { status: 202 })
    }
    const answer = new Promise<JSONRPCMessage>((resolve) => child.waiting.set(message.id, resolve))
    // Where it cannot be sent, the child is ending, and that is the answer.
    await child.transport.send(message).catch(() => undefined)
    return Response.json(await answer, first ? { headers: { [sessionHeader]: session } } : {})
  }

  const end = (list: readonly Child[]): Promise<unknown> => Promise.all(list.map(({ transport }) => transport.close()))

  return {
    /** Answers a request of Streamable HTTP, without streams. */
    handle: async (request: Request): Promise<Response> => {
      if (request.method === 'POST') return post(request)
      if (request.method !== 'DELETE') return new Response(null, { status: 405 })
      const session = request.headers.get(sessionHeader) ?? ''
      await children.get(session)?.transport.close()
      children.delete(session)
      return new Response(null, { status: 200 })
    },
    /** How often it was started anew, for pages that ask. */
    generation: () => generation,
    /** Ends all that run: who asks next is answered by a new one. */
    restart: async (): Promise<void> => {
      generation += 1
      const old = [...children.values()].filter(({ ended }) => ended === undefined)
      for (const child of old) child.ended = restarted
      await end(old)
    },
    close: async () => void (await end([...children.values()])),
  }
}

const cannot = (id: string | number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: { code: -32601, message: 'This host answers no requests of servers.' },
})

const restarted: Ended = {
  code: 'server-restarted',
  message: 'The server was started anew.',
  next: 'Connect again.',
}

const unknownSession: Refused = {
  code: 'unknown-session',
  message: 'This session is not known here.',
  next: 'Initialize a new one.',
}

type Refused = Pick<Ended, 'code' | 'message'> & Partial<Ended>

const errorOf = ({ message, ...data }: Refused) => ({
  code: -32000,
  message: data.next === undefined ? message : `${message} ${data.next}`,
  data,
})

const endedAnswer = (id: string | number, ended: Ended): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  error: errorOf(ended),
})

const refuse = (status: number, why: Refused): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: errorOf(why) }, { status })
