// A write must leave this machine once, and below MCP there are two places that send a request again without asking: a
// redirect is followed with the same body, and `fetch` itself repeats a POST that was answered 421 (Fetch standard,
// "HTTP-network-or-cache fetch", step 14). A server may have done the work before it answers either of them.
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'

/**
 * A `fetch` for one connection that sends each `tools/call` once, whatever is answered. Every other message is sent as
 * it would be, redirects included; where it was accepted in the end is where calls go.
 */
export function createSendOnce(): FetchLike {
  let accepted: string | URL | undefined
  return async function sendOnce(url, init) {
    const { body, method } = init ?? {}
    if (method !== 'POST' || typeof body !== 'string') return fetch(url, init)
    if (!isToolCall(body)) {
      const response = await fetch(url, init)
      if (response.ok) accepted = url
      return response
    }
    const headers = new Headers(init?.headers)
    headers.set('content-length', String(Buffer.byteLength(body)))
    // A stream can be read once, so nothing below can send it a second time.
    const once = { ...init, headers, body: new Response(body).body, duplex: 'half', redirect: 'manual' } as const
    return withoutLocation(await fetch(accepted ?? url, once))
  }
}

/** The SDK follows whatever names a place to go to. */
function withoutLocation(response: Response): Response {
  if (!response.headers.has('location')) return response
  const headers = new Headers(response.headers)
  headers.delete('location')
  return new Response(response.body, { status: response.status, headers })
}

/** The bodies are the SDK's own JSON: one message each. */
export const isToolCall = (body: string): boolean => (JSON.parse(body) as { method?: unknown }).method === 'tools/call'
