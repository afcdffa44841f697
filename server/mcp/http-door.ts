// The MCP door over Streamable HTTP, stateless: each request gets a protocol server of its own, and what must be known of the
// client is in its signed session id, so that any process can answer any request. As of MCP 2026-07-28 it is in the request.
import { createSecretKey, randomBytes } from 'node:crypto'
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'
import { ErrorCode, JSONRPCMessageSchema, SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { traceHeaders } from '../rail/record/observer.ts'
import type { Caller } from '../rail/engine.ts'
import { acceptedLanguages } from '../cards/reader-languages.ts'
import { ok } from '../errors/result.ts'
import type { Principal } from '../model/principal.ts'
import { cardsOf } from './client-facts.ts'
import { compressed } from './compressed.ts'
import type { AccessRefusal, Identify } from './identity.ts'
import { createModernHttp } from './modern/http.ts'
import type { KnownCaller } from './modern/protocol-server.ts'
import { createDoor, type DoorParts } from './protocol.ts'
import { bodyRead, readMessage } from './read-message.ts'
import { readSessionId, writeSessionId, type SessionFacts } from './session-id.ts'

interface HttpDoorOptions {
  /** Signs session ids; the same for every process of one server. 32 bytes. */
  readonly sessionKey: Uint8Array
  readonly identify: Identify
}

/** Answers one HTTP request to `/mcp`. `trusted`: the web door recognised the playground's own page. */
type HttpDoor = (request: Request, info: { readonly trusted: boolean }) => Promise<Response>

const sessionHeader = 'mcp-session-id'

/** Messages in one body, which are answered together. */
const largestBatch = 50

const initializeSchema = z.looseObject({
  method: z.literal('initialize'),
  params: z.looseObject({
    clientInfo: z.looseObject({ name: z.string() }),
    capabilities: z.unknown().optional(),
  }),
})

const cancelledSchema = z.looseObject({
  method: z.literal('notifications/cancelled'),
  params: z.looseObject({ requestId: z.union([z.string(), z.number()]) }),
})

/** One request, not a batch. */
const requestSchema = z.looseObject({ method: z.string(), id: z.union([z.string(), z.number()]) })

/** A request whose caller wants progress notifications. */
const progressSchema = z.looseObject({
  params: z.looseObject({ _meta: z.looseObject({ progressToken: z.union([z.string(), z.number()]) }) }),
})

export function createHttpDoor(parts: DoorParts, options: HttpDoorOptions): HttpDoor {
  const door = createDoor(parts)
  const modern = createModernHttp(parts)
  const sessionKey = createSecretKey(options.sessionKey)
  const running = createRunning()
  const readSession = remembered((id) => readSessionId(sessionKey, id))

  return async function handleMcp(request, info) {
    const identified = await options.identify(request)
    if (!identified.ok) return refuseAccess(identified.failure)
    const { principal, permissions, claims } = identified.value
    const body = request.method === 'POST' ? await readMessage(request) : ok(undefined)
    if (body === undefined) return refuseAccess({ ...bodyRead, headers: {} })
    if (!body.ok) return refuse(400, ...body.failure)

    if (Array.isArray(body.value) && body.value.length === 0) return refuse(400, -32600, notMessage)
    if (Array.isArray(body.value) && body.value.length > largestBatch)
      return refuse(400, -32600, `A batch holds at most ${largestBatch} messages. Send the others in another one.`)

    const traced = traceHeaders(request.headers)
    const known: KnownCaller = {
      principal,
      permissions,
      ...(claims === undefined ? {} : { claims }),
      request,
      trusted: info.trusted,
      languages: acceptedLanguages(request.headers.get('accept-language')),
      ...(traced === undefined ? {} : { headers: traced }),
    }
    const answered = await modern.answer(request, body.value, known)
    if (answered !== undefined) return compressed(answered, request, body.value)

    // Most messages are plain calls, for which the schemas of rarer messages are not tried.
    const plain = plainCall.safeParse(body.value)
    const first = plain.success ? undefined : initializeSchema.safeParse(body.value).data
    const given = request.headers.get(sessionHeader)
    const session =
      first !== undefined ? newSession(first, principal) : given === null ? anonymous(principal) : readSession(given)
    // 404 tells the client to initialize anew (specification, "Session Management").
    if (session === undefined || session.tenant !== principal.tenant || session.subject !== principal.subject)
      return refuse(404, -32001, 'This session is not known here. Initialize a new one.')
    // Of one's own session only. It ends the session's subscriptions; nothing else of it is stored.
    if (request.method === 'DELETE') {
      if (given !== null) parts.passthrough?.forget(given)
      return new Response(null, { status: 200 })
    }

    const cancelled = plain.success ? undefined : cancelledSchema.safeParse(body.value).data
    if (cancelled !== undefined && given !== null) running.cancel(given, cancelled.params.requestId)

    const { nonce, client, cards } = session
    const caller: Caller = { ...known, ...(nonce === '' ? {} : { session: nonce }), client, cards }
    if (plain.success && given !== null && isOrdinary(request.headers))
      return answerPlain(
        plain.data,
        (signal) => door.call((body.value as { params: unknown }).params, caller, signal),
        running,
        given,
      )

    const listens = request.method === 'GET'
    const server = door.connect(() => caller, listens ? 'long' : 'one-request', given ?? undefined)
    if (listens) request.signal.addEventListener('abort', () => void server.close(), { once: true })
    // Without `sessionIdGenerator` the transport is stateless; our session id is set on the response below.
    const transport = new WebStandardStreamableHTTPServerTransport({
      // Only progress notifications need a stream.
      enableJsonResponse: !progressSchema.safeParse(body.value).success,
    })
    await server.connect(transport)
    const asked = requestSchema.safeParse(body.value)
    const handle = (): Promise<Response> =>
      transport.handleRequest(request, body.value === undefined ? {} : { parsedBody: body.value })
    const response =
      given === null || !asked.success || asked.data.method !== 'tools/call'
        ? await handle()
        : await running.untilCancelled({ session: given, id: asked.data.id }, transport, handle, () => server.close())
    if (response.status === 400 && body.value !== undefined && !isMessage(body.value))
      return refuse(400, -32600, notMessage)
    if (first !== undefined && response.ok) response.headers.set(sessionHeader, writeSessionId(sessionKey, session))
    return compressed(response, request, body.value)
  }
}

/** A cache of session ids that were read, so that a session's signature is not checked at each of its requests. */
function remembered(read: (id: string) => SessionFacts | undefined): (id: string) => SessionFacts | undefined {
  const kept = new Map<string, SessionFacts>()
  return (id) => {
    const facts = kept.get(id) ?? read(id)
    if (facts === undefined) return undefined
    if (kept.size >= 1000) kept.clear()
    kept.set(id, facts)
    return facts
  }
}

/** A call without progress or task; whatever is unusual is left to the SDK. */
const plainCall = z.strictObject({
  jsonrpc: z.literal('2.0'),
  id: z.union([z.string(), z.int()]),
  method: z.literal('tools/call'),
  params: z.looseObject({
    name: z.string(),
    _meta: z.looseObject({ progressToken: z.undefined().optional() }).optional(),
    task: z.undefined().optional(),
  }),
})

/** Whether the headers are those that the SDK's transport demands; where not, the transport answers. */
function isOrdinary(headers: Headers): boolean {
  const accept = headers.get('accept') ?? ''
  const version = headers.get('mcp-protocol-version')
  return (
    accept.includes('application/json') &&
    accept.includes('text/event-stream') &&
    headers.get('content-type')?.startsWith('application/json') === true &&
    (version === null || SUPPORTED_PROTOCOL_VERSIONS.includes(version))
  )
}

/** Answers a plain call, the most common request, without a protocol server and a transport. */
async function answerPlain(
  { id }: z.infer<typeof plainCall>,
  call: (signal: AbortSignal) => Promise<unknown>,
  running: ReturnType<typeof createRunning>,
  session: string,
): Promise<Response> {
  const control = new AbortController()
  const done = running.add({ session, id }, () => control.abort())
  try {
    const result = await call(control.signal)
    if (control.signal.aborted) return new Response(null, { status: 202 })
    return Response.json({ jsonrpc: '2.0', id, result })
  } catch (error) {
    const { code, message, data } = error as { code?: unknown; message?: unknown; data?: unknown }
    return Response.json({
      jsonrpc: '2.0',
      id,
      error: {
        code: Number.isSafeInteger(code) ? code : ErrorCode.InternalError,
        message: typeof message === 'string' ? message : 'Internal error',
        ...(data === undefined ? {} : { data }),
      },
    })
  } finally {
    done()
  }
}

interface RunningCall {
  readonly session: string
  readonly id: string | number
}

/**
 * The calls that run in this process, by session and id, so that a cancellation, which arrives as a request of its own, can
 * end one: the protocol server of that call is closed, which aborts its work, and its response ends.
 */
function createRunning() {
  const open = new Map<string, () => void>()
  const keyOf = (session: string, id: string | number): string => `${session} ${typeof id} ${id}`
  /** Answers how to remove it again. */
  const add = ({ session, id }: RunningCall, end: () => void): (() => void) => {
    const key = keyOf(session, id)
    open.set(key, end)
    return () => void (open.get(key) === end && open.delete(key))
  }
  return {
    cancel: (session: string, id: string | number): void => open.get(keyOf(session, id))?.(),
    add,
    /** The transport's response, or 202 as soon as the call is cancelled. */
    async untilCancelled(
      call: RunningCall,
      transport: WebStandardStreamableHTTPServerTransport,
      handle: () => Promise<Response>,
      close: () => Promise<void>,
    ): Promise<Response> {
      const cancelled = Promise.withResolvers<Response>()
      const done = add(call, () => {
        done()
        cancelled.resolve(new Response(null, { status: 202 }))
        void close()
      })
      // A stream is returned at once and ends with the answer: until then the call can be cancelled.
      const send = transport.send.bind(transport)
      transport.send = (message, options) => {
        if (!('method' in message)) done()
        return send(message, options)
      }
      const response = await Promise.race([handle(), cancelled.promise])
      if (response.headers.get('content-type') !== 'text/event-stream') done()
      return response
    },
  }
}

const notMessage =
  'The body is JSON, but not a JSON-RPC 2.0 message. Send one like {"jsonrpc":"2.0","id":1,"method":"ping"}.'

/** Whether a body is a message or a batch. Asked after the transport has refused, whose error does not say what to send. */
const isMessage = (body: unknown): boolean =>
  (Array.isArray(body) ? body : [body]).every((each) => JSONRPCMessageSchema.safeParse(each).success)

const anonymous = ({ tenant, subject }: Principal): SessionFacts => ({
  client: 'unknown',
  cards: 'unknown',
  tenant,
  subject,
  nonce: '',
})

const newSession = ({ params }: z.infer<typeof initializeSchema>, principal: Principal): SessionFacts => ({
  ...anonymous(principal),
  client: params.clientInfo.name.slice(0, 100),
  cards: cardsOf(params.capabilities),
  nonce: randomBytes(9).toString('base64url'),
})

const refuse = (status: number, code: number, message: string): Response =>
  Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })

/** The next step is part of the message, because clients show their users nothing else. */
const refuseAccess = ({
  status,
  code,
  message,
  next,
  headers,
}: Omit<AccessRefusal, 'status'> & { status: number }): Response =>
  Response.json(
    { jsonrpc: '2.0', id: null, error: { code: -32001, message: `${message} ${next}`, data: { code } } },
    { status, headers },
  )
