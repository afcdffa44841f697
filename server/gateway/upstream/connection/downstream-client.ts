// Who sits before the gateway. Over stdio that is one client for as long as the process lives, and the servers behind may
// ask it for what it can do: sampling, elicitation, roots. Over HTTP there are many, behind any number of processes; a
// server could not say whom it means, so it is told that its client can do none of that.
import type { ClientCapabilities } from '@modelcontextprotocol/sdk/types.js'
import type { ClientSide } from './connection.ts'

/** The one client, as its door knows it. */
export interface DownstreamClient {
  readonly capabilities: ClientCapabilities
  /** Whether it renders views. */
  readonly cards: 'yes' | 'no' | 'unknown'
  request(method: string, params: Readonly<Record<string, unknown>>, signal: AbortSignal): Promise<unknown>
}

/** Identifier and type of MCP Apps (SEP-1865). */
const apps = { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } as const

const asked: ReadonlySet<string> = new Set(['roots/list', 'sampling/createMessage', 'elicitation/create'])

/** The client as the server of this name sees it. `views`: whether its views are shown to anybody. */
export function clientFor(
  server: string,
  before: DownstreamClient | undefined,
  { alone, views }: { readonly alone: boolean; readonly views: boolean },
): ClientSide {
  const { roots, sampling, elicitation } = before?.capabilities ?? {}
  return {
    capabilities: {
      ...(roots === undefined ? {} : { roots }),
      ...(sampling === undefined ? {} : { sampling }),
      ...(elicitation === undefined ? {} : { elicitation }),
      ...(views && before?.cards !== 'no' ? { extensions: { ...apps } } : {}),
    },
    request: (method, params, signal) => {
      if (before === undefined || !asked.has(method))
        throw Object.assign(new Error(`The client of this server has no ${method.slice(0, 100)}.`), { code: -32601 })
      const { message } = params
      // A person must see which of several servers is asking.
      const named =
        alone || method !== 'elicitation/create' || typeof message !== 'string'
          ? params
          : { ...params, message: `${server} asks: ${message}` }
      return before.request(method, named, signal)
    },
  }
}
