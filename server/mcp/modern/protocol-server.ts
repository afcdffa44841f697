// MCP as of its version 2026-07-28, which has no handshake: each request says in `_meta` which version it speaks, who its client
// is and what that can do. The SDK's second generation speaks it; it is loaded when the first such request comes (ADR 97).
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import type { Server, ServerContext } from '@modelcontextprotocol/server'
import { z } from 'zod'
import { packageOnFirstUse } from '../../errors/optional-package.ts'
import type { Caller } from '../../rail/engine.ts'
import { cardsOf } from '../client-facts.ts'
import { answerRequest, instructionsOf, UnknownMethod, type DoorParts, type Extra } from '../protocol.ts'
import { capabilitiesOf } from '../resources-and-prompts.ts'
import type { HeldCalls, Leg } from './held-calls.ts'

/** The first version that has no handshake. */
export const firstModern = '2026-07-28'

/** Names in `_meta` (specification 2026-07-28, "General fields"). */
const versionKey = 'io.modelcontextprotocol/protocolVersion'
const clientKey = 'io.modelcontextprotocol/clientInfo'
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities'

const modernMessage = z.looseObject({
  params: z.looseObject({ _meta: z.looseObject({ [versionKey]: z.unknown() }).refine((meta) => versionKey in meta) }),
})

const namedClient = z.looseObject({ name: z.string() })

/** Who asks, without what each request says of its client. */
export type KnownCaller = Omit<Caller, 'client' | 'cards'>

/**
 * Without it a client is answered as by a server of older versions, which says which those are: whoever can goes on with one.
 * @throws {PackageMissing} where it is not installed.
 */
export const loadModernSdk = packageOnFirstUse(
  '@modelcontextprotocol/server',
  () => import('@modelcontextprotocol/server'),
)

/** What is told to whoever runs the server when such a client comes and nothing here speaks its version. */
export const answeredAsOlder = ({ message, next }: { readonly message: string; readonly next: string }): string =>
  `A client speaks MCP ${firstModern}, and is answered as by a server of older versions. ${message} ${next}`

/** Whether a message claims a version of the protocol for itself, which only the modern ones do. */
export const isModern = (message: unknown): boolean => modernMessage.safeParse(message).success

/** What the client of a modern message can do, as it says itself; `undefined` where it says nothing. */
export const capabilitiesIn = (message: unknown): unknown =>
  modernMessage.safeParse(message).data?.params._meta[capabilitiesKey]

/** The caller of one request. */
export const modernCaller = (known: KnownCaller, envelope: Readonly<Record<string, unknown>> | undefined): Caller => ({
  ...known,
  client: namedClient.safeParse(envelope?.[clientKey]).data?.name.slice(0, 100) ?? 'unknown',
  cards: cardsOf(envelope?.[capabilitiesKey]),
})

/**
 * A protocol server of the SDK's second generation. `onUnknownMethod` is called before the error for a method that is not served.
 *
 * It announces no levels of logging, which are gone from the protocol.
 */
export function createModernServer(
  { Server: ModernServer }: Awaited<ReturnType<typeof loadModernSdk>>,
  parts: DoorParts,
  known: KnownCaller,
  held: HeldCalls,
  onUnknownMethod?: () => void,
): Server {
  const { tools, prompts, resources, completions } = capabilitiesOf(parts)
  const server = new ModernServer(
    { name: parts.name, version: parts.version },
    {
      capabilities: {
        tools,
        completions,
        resources,
        ...(prompts === undefined ? {} : { prompts }),
      },
      instructions: instructionsOf(parts),
    },
  )
  server.fallbackRequestHandler = async (request, { mcpReq }) => {
    try {
      const caller = modernCaller(known, mcpReq.envelope)
      const extra: Extra = {
        signal: mcpReq.signal,
        sendNotification: (notification) => mcpReq.notify(notification),
      }
      const work = async (within: Extra): Promise<Record<string, unknown>> =>
        ours(await answerRequest(parts, request, caller, undefined, within))
      // Only a server behind asks back.
      return await (parts.passthrough === undefined
        ? work(extra)
        : held.answer(legOf(request, mcpReq, known, extra), work))
    } catch (error) {
      if (error instanceof UnknownMethod) onUnknownMethod?.()
      throw error
    }
  }
  return server
}

/** One request as those see it that may have to ask its client something first. */
function legOf(
  { method, params }: { readonly method: string; readonly params?: unknown },
  { envelope, inputResponses, requestState, _meta: meta }: ServerContext['mcpReq'],
  { principal }: KnownCaller,
  extra: Extra,
): Leg {
  const { _meta: _, ...own } = metaOf.safeParse(params).data ?? {}
  const said: Readonly<Record<string, unknown>> = envelope ?? {}
  return {
    method,
    params: own,
    principal,
    capabilities: metaOf.safeParse(said[capabilitiesKey]).data ?? {},
    progressToken: meta?.progressToken,
    inputResponses,
    requestState: requestState<string>(),
    extra,
  }
}

const metaOf = z.record(z.string(), z.unknown())

/** What in an answer's `_meta` is said of this server and its connection. */
const reserved = new Set([
  versionKey,
  clientKey,
  capabilitiesKey,
  'io.modelcontextprotocol/serverInfo',
  'io.modelcontextprotocol/subscriptionId',
])

const asksBack =
  'What was asked for asks something back, which is not passed on to clients of this version. Ask whoever runs this server.'

/**
 * An answer without what only we may say in these versions, and a server behind could have put into its own: for how long and
 * for whom it may be kept, that the client has to answer something first, and which server it is. Throws where it is no complete answer.
 */
function ours(answer: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { ttlMs: _, cacheScope: __, resultType = 'complete', inputRequests, requestState, ...own } = answer
  if (resultType !== 'complete' || inputRequests !== undefined || requestState !== undefined)
    throw Object.assign(new McpError(ErrorCode.InternalError, asksBack), { message: asksBack })
  const meta = metaOf.safeParse(own['_meta']).data
  if (meta === undefined) return own
  return { ...own, _meta: Object.fromEntries(Object.entries(meta).filter(([key]) => !reserved.has(key))) }
}
