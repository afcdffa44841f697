// The downstream client: who calls the gateway. Over stdio that is one client for as long as the process lives, and the
// servers behind may ask it for what it can do: sampling, elicitation, roots. Over HTTP there are many, behind any number
// of processes; a server could not say whom it means, so it is told that its client can do none of that.
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { callClient } from '../../../model/call-client.ts'

/** The client as a server sees it. */
export interface SeenClient {
  readonly capabilities: ClientCapabilities
  /** Hands on one request of a server. Throws the error that the client answered with. */
  request(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
  /** The client of the call under way, where it can be asked about its own calls. */
  ofCall?(): SeenClient | undefined
}

/** The one client, as its door knows it. */
export interface DownstreamClient extends SeenClient {
  /** Whether it renders views. */
  readonly cards: 'yes' | 'no' | 'unknown'
}

/** Identifier and type of MCP Apps (SEP-1865). */
const apps = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } as const

const asked: ReadonlySet<string> = new Set(['roots/list', 'sampling/createMessage', 'elicitation/create'])

/** The client as the server of this name sees it. `views`: whether its views are shown to anybody. */
export function clientFor(
  server: string,
  client: DownstreamClient | undefined,
  { views }: { readonly views: boolean },
): SeenClient {
  const { roots, sampling, elicitation } = client?.capabilities ?? {}
  return {
    capabilities: {
      ...(roots === undefined ? {} : { roots }),
      ...(sampling === undefined ? {} : { sampling }),
      ...(elicitation === undefined ? {} : { elicitation }),
      ...(views && client?.cards !== 'no' ? { extensions: { ...apps } } : {}),
    },
    request: (method, params, signal) => {
      if (client === undefined || !asked.has(method))
        throw Object.assign(new Error(`The client of this server has no ${method.slice(0, 100)}.`), { code: -32601 })
      const { message } = params
      // A person must see who is asking: one of several servers, and in any case not we.
      const named =
        method !== 'elicitation/create' || typeof message !== 'string'
          ? params
          : { ...params, message: `${server} asks: ${message}` }
      return client.request(method, named, signal)
    },
    ofCall: () => {
      const own = callClient()
      return own && clientFor(server, { ...own, cards: client?.cards ?? 'unknown' }, { views })
    },
  }
}
