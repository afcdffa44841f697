// MCP 2026-07-28 over HTTP: nothing is kept between two requests but the streams of `subscriptions/listen`.
import { z } from 'zod'
import { unlessMissing } from '../../errors/optional-package.ts'
import { onFirstUse } from '../../on-first-use.ts'
import { visible } from '../../rail/call-context.ts'
import { headerMismatch, parameterHeaders } from '../../tools/schemas/parameter-headers.ts'
import type { DoorParts } from '../protocol.ts'
import { readListen } from './follow-resources.ts'
import { createHeldCalls } from './held-calls.ts'
import { createListenStreams } from './listen-streams.ts'
import {
  answeredAsOlder,
  createModernServer,
  firstModern,
  isModern,
  loadModernSdk,
  modernCaller,
  type KnownCaller,
} from './protocol-server.ts'

const versionOf = (request: Request): string => request.headers.get('mcp-protocol-version') ?? ''

/**
 * Whether the answer is a stream of `subscriptions/listen`, which has no end of its own. In modern versions a request whose
 * headers say something else than its body is refused, and older ones have no such header.
 */
export const asksToListen = (request: Request): boolean =>
  versionOf(request) >= firstModern && request.headers.get('mcp-method') === 'subscriptions/listen'

export interface ModernHttp {
  /** Answers a request that speaks a modern version, or says `undefined`: an older version's door has to answer it. */
  answer(request: Request, body: unknown, known: KnownCaller): Promise<Response | undefined>
}

const refuseBatch = (): Response =>
  Response.json(
    {
      jsonrpc: '2.0',
      id: null,
      error: { code: -32600, message: 'This version of MCP has no batches. Send the messages one by one.' },
    },
    { status: 400 },
  )

const namedCall = z.looseObject({
  id: z.union([z.string(), z.number()]),
  method: z.literal('tools/call'),
  params: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
})

/** Refuses a call whose `Mcp-Param-*` headers say something else than its arguments; the SDK knows no tools of ours. */
function refuseMismatch({ engine: { catalog } }: DoorParts, { headers }: Request, body: unknown): Response | undefined {
  const call = namedCall.safeParse(body).data
  const tool = call && visible(catalog.find(call.params.name))
  const declared = tool && parameterHeaders(tool.inputSchema)
  if (call === undefined || declared?.ok !== true) return undefined
  const why = headerMismatch(declared.value, call.params.arguments, headers)
  if (why === undefined) return undefined
  const message = `The headers of this call do not fit its arguments: ${why}. List the tools anew, and send the headers that this one asks for.`
  return Response.json({ jsonrpc: '2.0', id: call.id, error: { code: -32020, message } }, { status: 400 })
}

/** Whether the SDK tells of a request that it has refused, which its client has heard. */
const isOfClient = ({ message, name }: Error): boolean =>
  name === 'ProtocolError' || /^(?:Rejected inbound|Rejected 2025-era|Unsupported )/.test(message)

interface Served {
  readonly known: KnownCaller
  isUnknownMethod: boolean
}

export function createModernHttp(parts: DoorParts): ModernHttp {
  const served = new WeakMap<Request, Served>()
  const held = createHeldCalls(parts.ending)
  const streams = createListenStreams(parts)
  let isSaid = false
  const withoutSdk = (failure: { readonly message: string; readonly next: string }): undefined => {
    if (!isSaid) parts.engine.log?.warn(answeredAsOlder(failure))
    isSaid = true
  }
  const serving = onFirstUse(async () => {
    const sdk = await loadModernSdk()
    const handler = sdk.createMcpHandler(
      ({ requestInfo }) => {
        const one = requestInfo === undefined ? undefined : served.get(requestInfo)
        if (one === undefined) throw new Error('A request came to the modern door by no door of ours.')
        return createModernServer(sdk, parts, one.known, held, () => (one.isUnknownMethod = true))
      },
      {
        legacy: 'reject',
        bus: streams.bus,
        onerror: (error) => void (isOfClient(error) || parts.engine.report(error, 'modern door')),
      },
    )
    const { notify } = handler
    const tell = {
      tools: () => notify.toolsChanged(),
      resources: () => notify.resourcesChanged(),
      prompts: () => notify.promptsChanged(),
    }
    parts.changes?.((what) => tell[what]())
    return { handler, isLegacy: sdk.isLegacyRequest }
  })
  return {
    async answer(request, body, known) {
      // Whoever speaks an older version does not wait for the SDK of the newer ones.
      if (request.method !== 'POST') return undefined
      // As one of an older version it would be answered without a word of what its messages say of their client.
      if (Array.isArray(body) && body.some(isModern)) return refuseBatch()
      if (versionOf(request) < firstModern && !isModern(body)) return undefined
      const loaded = await unlessMissing(serving)
      if (!loaded.ok) return withoutSdk(loaded.failure)
      const { handler, isLegacy } = loaded.value
      if (await isLegacy(request, body)) return undefined
      const mismatch = versionOf(request) === firstModern ? refuseMismatch(parts, request, body) : undefined
      if (mismatch !== undefined) return mismatch
      const one: Served = { known, isUnknownMethod: false }
      served.set(request, one)
      const answer = (parsedBody: unknown): Promise<Response> => handler.fetch(request, { parsedBody })
      const listen = parts.passthrough === undefined ? undefined : readListen(body)
      const response = await (listen === undefined
        ? answer(body)
        : streams.open(listen, modernCaller(known, listen.params._meta), request.signal, answer))
      // As the specification says ("Streamable HTTP"); the SDK does so for the methods that it looks up itself.
      if (!one.isUnknownMethod) return response
      return new Response(response.body, { status: 404, headers: response.headers })
    },
  }
}
