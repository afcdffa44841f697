// A client of the versions of MCP that begin with `initialize`, by the SDK's first generation.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { ClientResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { schemaValidator } from '../../../../schema-validator.ts'
import { stripOurKeys } from './reserved-meta.ts'
import { forever, keepOrder, type Wire, type WireParts } from './wire.ts'

/** Of the transport over HTTP alone. */
type EndsSession = Pick<StreamableHTTPClientTransport, 'terminateSession'>

/** Anything: what it is, is the caller's to say. */
const anything = z.unknown()

/** Connects and says `initialize`. Throws what the SDK throws, and has closed the transport then. */
export async function openOlderWire(transport: Transport, parts: WireParts): Promise<Wire> {
  const { version, timeoutMs, downstream, questions } = parts
  const client = new Client(
    { name: 'countersign', version },
    { capabilities: downstream?.capabilities ?? {}, jsonSchemaValidator: schemaValidator },
  )
  if (downstream !== undefined)
    client.fallbackRequestHandler = ({ method, params }, extra) =>
      questions.during(
        () => downstream.request(method, stripOurKeys(params ?? {}), extra.signal) as Promise<ClientResult>,
      )
  client.onerror = parts.onError
  client.onclose = parts.onClose
  client.fallbackNotificationHandler = async ({ method, params }) =>
    parts.onNotification(method, stripOurKeys(params ?? {}))
  // The client tells its transport alone.
  let protocolVersion = ''
  const setVersion = transport.setProtocolVersion?.bind(transport)
  transport.setProtocolVersion = (version) => {
    protocolVersion = version
    setVersion?.(version)
  }
  await client.connect(transport, { timeout: timeoutMs })
  keepOrder(transport)
  return {
    who: client.getServerVersion(),
    instructions: client.getInstructions(),
    capabilities: client.getServerCapabilities() ?? {},
    protocolVersion,
    session: transport.sessionId,
    endSession: async () => (transport as Partial<EndsSession> & Transport).terminateSession?.(),
    request: (method, params, { signal, onProgress }) =>
      client.request({ method, params }, anything, {
        timeout: forever,
        signal,
        ...(onProgress === undefined ? {} : { onprogress: onProgress }),
      }),
    notify: (method) => client.notification({ method }),
    close: () => client.close(),
  }
}
