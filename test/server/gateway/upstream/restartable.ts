// A remote server of one tool, written by hand, that can be started anew at its address: it gives one session after the other,
// knows the last one, and answers a request in another way where a test wants it.
import { createServer, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { listeningUntil } from '../../../kit/listening.ts'

interface Message {
  readonly id?: number | string
  readonly method: string
}

/** What such a server says to a session that it does not know. */
interface Refusal {
  readonly status: number
  readonly body: string
}
export const ofSdk: Refusal = {
  status: 400,
  body: '{"jsonrpc":"2.0","error":{"code":-32000,"message":"Bad Request: Server not initialized"},"id":null}',
}
export const inPlainText: Refusal = { status: 400, body: 'Bad Request' }
export const notFound: Refusal = { status: 404, body: 'Session not found' }

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: { listChanged: true } },
  serverInfo: { name: 'by-hand', version: '1' },
}
export const done = { content: [{ type: 'text', text: 'done' }] }

export const json = (response: ServerResponse, body: object): void =>
  void response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ jsonrpc: '2.0', ...body }))

/** Answers a request in another way; `false` leaves it to the server. A stream that is resumed has its event for an id, and no method. */
type Otherwise = (method: string, id: number | string, session: string, response: ServerResponse) => boolean

export const listOf = (session: string) => ({
  tools: [{ name: `tool_of_${session}`, inputSchema: { type: 'object' } }],
})

export const stream = (response: ServerResponse, message: object): void =>
  void response.write(`event: message\ndata: ${JSON.stringify({ jsonrpc: '2.0', ...message })}\n\n`)

/** Begins the stream of an answer, with an event from which it can be resumed where one is given. */
export const begin = (response: ServerResponse, event?: string): void => {
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  response.write(event === undefined ? ': hello\n\n' : `id: ${event}\nretry: 10\ndata:\n\n`)
}

/** A server by hand that gives one session after the other and knows the last one; its tool is named for the session. */
export async function restartable(refusal: Refusal) {
  let sessions = 0
  let known = ''
  const asked: string[] = []
  let answerOtherwise: Otherwise = () => false
  /** Requests for a stream are answered with one that stays open, the first alone. */
  let broken: (() => void) | undefined
  const server = createServer((request, response) => {
    const parts: Buffer[] = []
    request.on('data', (part: Buffer) => parts.push(part))
    request.on('end', () => {
      const session = String(request.headers['mcp-session-id'] ?? '')
      const event = request.headers['last-event-id']
      if (event !== undefined && answerOtherwise('', String(event), session, response)) return
      if (request.method === 'GET' && broken === undefined) {
        broken = () => void response.end()
        return void response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': hello\n\n')
      }
      if (request.method === 'GET' && session !== known)
        return void response.writeHead(refusal.status).end(refusal.body)
      if (request.method === 'DELETE') asked.push(`DELETE ${session}`)
      if (request.method !== 'POST') return void response.writeHead(405).end()
      const { id, method } = JSON.parse(Buffer.concat(parts).toString()) as Message
      if (id === undefined) return void response.writeHead(202).end()
      asked.push(`${method} ${session}`.trim())
      if (method === 'initialize') {
        known = `s${++sessions}`
        response.setHeader('mcp-session-id', known)
        return json(response, { id, result: initialize })
      }
      if (method === 'server/discover') return json(response, { id, error: { code: -32601, message: 'no' } })
      if (answerOtherwise(method, id, session, response)) return
      if (session !== known) return void response.writeHead(refusal.status).end(refusal.body)
      json(response, { id, result: method === 'tools/list' ? listOf(session) : method === 'tools/call' ? done : {} })
    })
  })
  const origin = await listeningUntil(onTestFinished, server)
  return {
    url: `${origin}/mcp`,
    asked,
    restart: () => void (known = ''),
    hasStream: () => broken !== undefined,
    breakStream: () => broken?.(),
    otherwise: (how: Otherwise) => void (answerOtherwise = how),
  }
}
