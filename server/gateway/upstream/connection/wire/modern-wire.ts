// A client of MCP 2026-07-28, by the SDK's second generation. What other parts of the gateway ask for in the words of older
// versions (a ping, a level of the log, a subscription) is said here as this version says it.
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ServerCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { parameterHeaders } from '../../../../tools/schemas/parameter-headers.ts'
import type { SeenClient } from '../downstream-client.ts'
import { modernVersion, OtherVersions, type Discovered } from './generation.ts'
import { withInput } from '../input-required.ts'
import { createListening } from '../listening.ts'
import { asOlderError } from './modern-errors.ts'
import type { ModernSdk } from './modern-sdk.ts'
import { createParameterHeaders } from './parameter-headers.ts'
import { stripOurKeys } from './reserved-meta.ts'
import { forever, keepOrder, type Wire, type WireParts, type WireRequest } from './wire.ts'

type Params = Readonly<Record<string, unknown>>
type ModernTransport = Parameters<InstanceType<ModernSdk['Client']>['connect']>[0]

/** Anything: what it is, is the caller's to say. */
const anything = z.unknown()

const prefix = 'io.modelcontextprotocol/'

/** Names in `_meta` that are ours to say of each request ("General fields"). */
const ours: ReadonlySet<string> = new Set(
  ['protocolVersion', 'clientInfo', 'clientCapabilities', 'logLevel', 'subscriptionId'].map((name) => prefix + name),
)

const metaOf = z.record(z.string(), z.unknown())

const withoutOurs = (meta: unknown): Params =>
  Object.fromEntries(Object.entries(metaOf.safeParse(meta).data ?? {}).filter(([key]) => !ours.has(key)))

const unsaid = z.looseObject({ result: z.looseObject({ resultType: z.undefined().optional() }) })

/** A result without a type is complete ("ResultType"). The SDK refuses it, after which nobody would know what a call did. */
function completeWhereUnsaid(transport: Pick<Transport, 'onmessage'>): void {
  const deliver = transport.onmessage
  transport.onmessage = (message, extra) => {
    // In place: a list that is the same as before is known by its object.
    if ('result' in message && unsaid.safeParse(message).success)
      Object.assign(message.result, { resultType: 'complete' })
    deliver?.(message, extra)
  }
}

/** What is known of a server before it is connected. */
export interface Before {
  /** What it has said of itself; without it, it is asked. */
  readonly discovered: Discovered | undefined
  /** Whether it is spoken to over HTTP. */
  readonly isRemote: boolean
}

/** Connects. Throws errors of the SDK's first generation. */
export async function openModernWire(
  sdk: ModernSdk,
  transport: Transport,
  parts: WireParts,
  { discovered, isRemote }: Before,
): Promise<Wire> {
  const { version, timeoutMs, downstream } = parts
  const client = new sdk.Client(
    { name: 'countersign', version },
    {
      capabilities: (downstream?.capabilities ?? {}) as object,
      inputRequired: { autoFulfill: false },
      ...(discovered === undefined ? { versionNegotiation: { mode: { pin: modernVersion } } } : {}),
    },
  )
  client.onerror = parts.onError
  client.fallbackNotificationHandler = async ({ method, params }) => {
    const { _meta: meta, ...said } = stripOurKeys<Params>(params ?? {})
    const kept = withoutOurs(meta)
    parts.onNotification(method, Object.keys(kept).length === 0 ? said : { ...said, _meta: kept })
  }
  const prior = discovered === undefined ? {} : { prior: { kind: 'modern' as const, discover: discovered as never } }
  try {
    await client.connect(transport as object as ModernTransport, { timeout: timeoutMs, ...prior })
  } catch (error) {
    throw error instanceof sdk.UnsupportedProtocolVersionError
      ? new OtherVersions(error.supported)
      : asOlderError(error, sdk)
  }
  completeWhereUnsaid(transport)
  keepOrder(transport)
  const capabilities = (client.getServerCapabilities() ?? {}) as ServerCapabilities
  const listening = createListening(client, capabilities, timeoutMs, parts.onNotification)
  client.onclose = () => {
    listening.end()
    parts.onClose()
  }
  const headers = isRemote ? createParameterHeaders() : undefined
  let level: string | undefined

  const metaFor = (who: SeenClient | undefined, given: unknown): Params => ({
    ...withoutOurs(given),
    ...(who === downstream ? {} : { [`${prefix}clientCapabilities`]: who?.capabilities ?? {} }),
    ...(level === undefined ? {} : { [`${prefix}logLevel`]: level }),
  })

  async function send(method: string, params: Params, { signal, onProgress }: WireRequest): Promise<unknown> {
    const options = {
      timeout: forever,
      signal,
      allowInputRequired: true,
      ...(headers !== undefined && method === 'tools/call' ? { headers: headers.of(params) } : {}),
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    }
    try {
      const answer = await client.request({ method, params }, anything, options)
      if (method === 'tools/list') headers?.listed(answer, params['cursor'] === undefined)
      return answer
    } catch (error) {
      throw asOlderError(error, sdk)
    }
  }

  async function listen(method: string, uri: string, signal: AbortSignal): Promise<unknown> {
    try {
      if (method === 'resources/subscribe') await listening.subscribe(uri, signal)
      else listening.unsubscribe(uri)
      return {}
    } catch (error) {
      throw asOlderError(error, sdk)
    }
  }

  listening.listenToLists()
  return {
    who: client.getServerVersion(),
    instructions: client.getInstructions(),
    capabilities,
    protocolVersion: modernVersion,
    session: undefined,
    endSession: () => Promise.resolve(),
    whyNotListed: ({ inputSchema }) => {
      const declared = isRemote ? parameterHeaders(inputSchema) : undefined
      return declared?.ok === false ? declared.failure : undefined
    },
    request(method, params, settings) {
      switch (method) {
        case 'ping':
          return send('server/discover', {}, settings)
        case 'logging/setLevel':
          level = String(params['level'])
          return Promise.resolve({})
        case 'resources/subscribe':
        case 'resources/unsubscribe':
          return listen(method, String(params['uri']), settings.signal)
        default: {
          const who = downstream?.ofCall?.() ?? downstream
          const sent = { ...params, _meta: metaFor(who, params['_meta']) }
          return withInput(method, sent, (next) => send(method, next, settings), {
            client: who,
            questions: settings.questions,
            signal: settings.signal,
          })
        }
      }
    },
    // This version has no notifications to servers but one that the SDK sends: that a request is cancelled.
    notify: () => Promise.resolve(),
    close: () => {
      listening.end()
      return client.close()
    },
  }
}
