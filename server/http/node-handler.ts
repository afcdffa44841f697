// Express, Fastify and plain `node:http` hand over Node's own request and response, often with a body that they have read
// already. Read twice, that stream is empty, and the client is told that it sent no JSON.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { getRequestListener } from '@hono/node-server'
import type { Fetch } from './mount.ts'

/** Node's request, with the body that a framework may have parsed. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown }

/**
 * Answers a request of Node. `body`: what a framework has parsed of it; `request.body` when absent. Express passes its
 * `next` there, which is not needed: the answer is always given.
 */
export type NodeHandler = (request: NodeRequest, response: ServerResponse, body?: unknown) => Promise<void>

/** A web-standard handler for servers of Node: `app.all('/mcp', toNodeHandler(countersign.fetch))`. */
export function toNodeHandler(fetch: Fetch): NodeHandler {
  // The program's own Request and Response stay what they are.
  const listener = getRequestListener((request) => fetch(request), { overrideGlobalObjects: false })
  return async function handleNodeRequest(request, response, body) {
    const parsed = body === undefined || typeof body === 'function' ? request.body : body
    if (request.readableDidRead && parsed !== undefined) Object.assign(request, { rawBody: bytesOf(parsed) })
    await listener(request, response)
  }
}

/** A body as it was sent, or with the same meaning where that is not known any more. */
function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body) ?? ''))
}
