// The stream of an answer may end without it: the server was started anew, or a proxy gave up. The SDK tells nobody, and a call
// would wait until its time is over, so it ends here as one whose connection was closed.
import type { FetchLike, Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { isJSONRPCRequest, type RequestId } from '@modelcontextprotocol/sdk/types.js'
import { codes } from '../call-failure.ts'

/** How often, and at what pauses, the SDK asks for the rest of a stream that has events to go on from: its own defaults. */
export const reconnectionOptions = {
  initialReconnectionDelay: 1000,
  maxReconnectionDelay: 30_000,
  reconnectionDelayGrowFactor: 1.5,
  maxRetries: 2,
} as const

/** What is read of a stream is handed on a moment after its end. */
const handedOnMs = 100

/** A request whose answer has not come. */
interface Waiting {
  /** The last event of its stream, from which it can be resumed. */
  event?: string | undefined
  /** How often that failed. */
  failures: number
}

interface AnswerStreams {
  /** Sends, and watches what comes back. */
  readonly fetch: FetchLike
  /** Ends requests of this transport whose answers cannot come any more. Before a client is connected to it. */
  readonly watch: <T extends Transport>(transport: T) => T
}

/** For one transport over Streamable HTTP (MCP specification, "Transports", "Resumability and Redelivery"). */
export function createAnswerStreams(sends: FetchLike): AnswerStreams {
  const waiting = new Map<RequestId, Waiting>()
  let watched: Transport | undefined

  const lose = (id: RequestId): void => {
    if (!waiting.delete(id)) return
    watched?.onmessage?.({ jsonrpc: '2.0', id, error: { code: codes.closed, message: 'Connection closed' } })
  }
  const streamEnded = (id: RequestId): void =>
    void setTimeout(() => {
      if (waiting.get(id)?.event === undefined) lose(id)
    }, handedOnMs)

  async function resumed(id: RequestId, request: Waiting, response: Promise<Response>): Promise<Response> {
    const answer = await response.catch((error: unknown) => {
      if (++request.failures >= reconnectionOptions.maxRetries) lose(id)
      throw error
    })
    if (answer.ok) {
      // Only from an event of this stream it goes on once more.
      request.event = undefined
      return whenOver(answer, () => streamEnded(id))
    }
    if (answer.status === 404 || ++request.failures >= reconnectionOptions.maxRetries) lose(id)
    return answer
  }

  return {
    fetch: async (url, init) => {
      const event = init?.method === 'GET' ? new Headers(init.headers).get('last-event-id') : null
      const [id, request] = [...waiting].find(([, each]) => event !== null && each.event === event) ?? []
      if (id !== undefined && request !== undefined) return resumed(id, request, sends(url, init))
      const response = await sends(url, init)
      if (init?.method !== 'POST' || typeof init.body !== 'string' || !isStream(response)) return response
      const { id: asked } = JSON.parse(init.body) as { readonly id?: RequestId }
      return asked === undefined ? response : whenOver(response, () => streamEnded(asked))
    },
    watch: (transport) => {
      watched = transport
      const send = transport.send.bind(transport)
      transport.send = async (message, options) => {
        if ('method' in message && message.method === 'notifications/cancelled')
          waiting.delete(message.params?.['requestId'] as RequestId)
        // Who listens hears by itself that its stream ended.
        if (!isJSONRPCRequest(message) || message.method === 'subscriptions/listen') return send(message, options)
        const request: Waiting = { failures: 0 }
        waiting.set(message.id, request)
        const onresumptiontoken = (event: string): void => void (request.event = event)
        await send(message, { ...options, onresumptiontoken }).catch((error: unknown) => {
          waiting.delete(message.id)
          throw error
        })
      }
      const close = transport.close.bind(transport)
      transport.close = () => {
        waiting.clear()
        return close()
      }
      // The client calls it before it looks at a message itself.
      transport.onmessage = (message) => {
        if (!('method' in message) && message.id !== undefined) waiting.delete(message.id)
      }
      return transport
    },
  }
}

const isStream = (response: Response): boolean =>
  response.ok && /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')

/** The same response. `onOver`: its body has ended or broken; not where whoever reads it has had enough. */
function whenOver(response: Response, onOver: () => void): Response {
  const reader = response.body?.getReader()
  if (reader === undefined) return response
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      onOver()
    },
    cancel: (reason) => reader.cancel(reason),
  })
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
