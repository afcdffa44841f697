// The stream of an answer may end without it: the server was started anew, or a proxy gave up. The SDK tells nobody, and a call
// would wait until its time is over, so it ends here as one whose connection was closed. An answer may not come over the stream
// that stands beside all requests (MCP specification, "Listening for Messages from the Server"), so it is not waited for there.
import type { FetchLike, Transport, TransportSendOptions } from '@modelcontextprotocol/sdk/shared/transport.js'
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
  readonly id: RequestId
  /** Streams that may bring it. */
  open: number
  /** The last event of its stream, from which it can be resumed. */
  event?: string | undefined
  /** How often resuming it has failed since a stream was open. */
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
  /** By their ids as text: the SDK takes an answer whose id is the text of a number. */
  const waiting = new Map<string, Waiting>()
  let watched: Transport | undefined

  const lose = (request: Waiting): void => {
    const { id } = request
    if (waiting.get(String(id)) !== request) return
    waiting.delete(String(id))
    watched?.onmessage?.({ jsonrpc: '2.0', id, error: { code: codes.closed, message: 'Connection closed' } })
  }

  /** The response, whose stream may bring the answer. */
  function watchedStream(response: Response, request: Waiting): Response {
    request.open++
    return whenOver(response, () => {
      request.open--
      const timer = setTimeout(() => {
        if (request.open === 0 && request.event === undefined) lose(request)
      }, handedOnMs)
      timer.unref()
    })
  }

  async function resumed(request: Waiting, url: string | URL, sent: Promise<Response>): Promise<Response> {
    const failed = (isFinal: boolean): void => {
      if (++request.failures >= reconnectionOptions.maxRetries || isFinal) lose(request)
    }
    const response = await sent.catch((error: unknown) => {
      failed(false)
      throw error
    })
    if (response.ok) {
      // Only from an event of this stream it goes on once more.
      request.event = undefined
      request.failures = 0
      return watchedStream(response, request)
    }
    // 404: the session is forgotten; 405: there are no streams to resume, and the SDK leaves it.
    if (!isFollowed(response, url)) failed(response.status === 404 || response.status === 405)
    return response
  }

  /** Whose stream goes on from this event; nobody knows where a server has one name for events of several streams. */
  const resumable = (event: string | null): Waiting | undefined => {
    if (event === null) return undefined
    const found = [...waiting.values()].filter((each) => each.open === 0 && each.event === event)
    return found.length === 1 ? found[0] : undefined
  }

  return {
    fetch: async (url, init) => {
      const broken = init?.method === 'GET' ? resumable(new Headers(init.headers).get('last-event-id')) : undefined
      if (broken !== undefined) return resumed(broken, url, sends(url, init))
      const response = await sends(url, init)
      if (init?.method !== 'POST' || typeof init.body !== 'string' || !isStream(response)) return response
      const sent: unknown = JSON.parse(init.body)
      const request = isJSONRPCRequest(sent) ? waiting.get(String(sent.id)) : undefined
      return request === undefined ? response : watchedStream(response, request)
    },
    watch: (transport) => {
      watched = transport
      const send = transport.send.bind(transport)
      transport.send = async (
        message,
        options: TransportSendOptions & { readonly requestSignal?: AbortSignal } = {},
      ) => {
        // Who listens hears by itself that its stream ended.
        if (!isJSONRPCRequest(message) || message.method === 'subscriptions/listen') {
          if ('method' in message && message.method === 'notifications/cancelled')
            waiting.delete(String(message.params?.['requestId']))
          return send(message, options)
        }
        const request: Waiting = { id: message.id, open: 0, failures: 0 }
        const forget = (): void => void waiting.delete(String(message.id))
        waiting.set(String(message.id), request)
        options.requestSignal?.addEventListener('abort', forget, { once: true })
        const onresumptiontoken = (event: string): void => void (request.event = event)
        await send(message, { ...options, onresumptiontoken }).catch((error: unknown) => {
          forget()
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
        if (!('method' in message)) waiting.delete(String(message.id))
      }
      return transport
    },
  }
}

/** Whether the SDK follows a redirect: one within its origin. */
function isFollowed(response: Response, url: string | URL): boolean {
  const location = response.headers.get('location')
  if (response.status >= 400 || location === null) return false
  return URL.canParse(location, url) && new URL(location, url).origin === new URL(url).origin
}

const isStream = (response: Response): boolean =>
  response.ok && /^text\/event-stream\b/i.test(response.headers.get('content-type') ?? '')

/** The same response. `onOver`: its body has ended or broken; not where whoever reads it has had enough. */
function whenOver(response: Response, onOver: () => void): Response {
  const reader = response.body?.getReader()
  if (reader === undefined) {
    onOver()
    return response
  }
  let isLeft = false
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read()
        if (!done) return controller.enqueue(value)
        if (isLeft) return
        controller.close()
      } catch (error) {
        controller.error(error)
      }
      onOver()
    },
    cancel: (reason) => {
      isLeft = true
      return reader.cancel(reason)
    },
  })
  const { status, statusText, headers } = response
  return new Response(body, { status, statusText, headers })
}
