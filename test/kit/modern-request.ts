// A request of MCP 2026-07-28 by hand: with headers and `_meta` as a client of the SDK would not send them.
import { readResponse, type ReadResponse } from './read-response.ts'

/** What each request says of itself. */
export const modernMeta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'by-hand', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
} as const

/** Sends one with the id 7. What is said in `params` and `headers` comes over the usual. */
export const postModern = async (
  url: string | URL,
  method: string,
  params: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<ReadResponse> =>
  readResponse(
    await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params: { _meta: modernMeta, ...params } }),
    }),
  )
