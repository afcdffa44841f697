// Express, Fastify and plain `node:http` hand over Node's own request and response, often with a body that they have read
// already. Read twice, that stream is empty, and the client is told that it sent no JSON.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { bodyRead } from '../mcp/read-message.ts'
import type { Fetch } from './mounted-door.ts'
import { notedAsParsed } from './parsed-by-node.ts'
import { refuse } from './refusal.ts'

/** Node's request, with the body that a framework may have parsed. */
export type NodeRequest = IncomingMessage & { readonly body?: unknown; readonly rawBody?: unknown }

/**
 * Answers a request of Node. `body`: what a framework has parsed of it; `request.body` when absent. Express passes its
 * `next` there, which is not needed: the answer is always given.
 */
export type NodeHandler = (request: NodeRequest, response: ServerResponse, body?: unknown) => Promise<void>

/** A web-standard handler for servers of Node: `app.all('/mcp', toNodeHandler(countersign.fetch))`. */
export function toNodeHandler(fetch: Fetch): NodeHandler {
  let made: ReturnType<typeof listenersOf> | undefined
  return async function handleNodeRequest(request, response, body) {
    const { listener, parsing, refusing } = await (made ??= listenersOf(fetch))
    const parsed = body === undefined || typeof body === 'function' ? request.body : body
    // Koa, for one, keeps what it has parsed where it is not seen from here.
    if (request.method === 'POST' && request.readableDidRead && parsed === undefined && request.rawBody === undefined)
      return refusing(request, response)
    // What a platform has kept of the bytes says more than what was parsed of them, and is found there by itself.
    if (request.readableDidRead && parsed !== undefined && !Buffer.isBuffer(request.rawBody))
      Object.assign(request, { rawBody: bytesOf(parsed) })
    await (request.rawBody === undefined ? parsing : listener)(request, response)
  }
}

/** Loaded with the first request: whoever mounts nothing on Node imports the library without it. */
async function listenersOf(fetch: Fetch) {
  const { getRequestListener } = await import('@hono/node-server')
  const listen = (answer: Fetch | (() => Response)) =>
    // The program's own Request and Response stay what they are.
    getRequestListener((request) => answer(request), { overrideGlobalObjects: false })
  return {
    listener: listen(fetch),
    parsing: listen((request) => fetch(notedAsParsed(request))),
    refusing: listen(() => refuse(bodyRead)),
  }
}

/** A body as it was sent, or with the same meaning where that is not known any more. */
function bytesOf(body: unknown): Buffer {
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : (JSON.stringify(body, asSent) ?? ''))
}

/** JSON has no word for what a parser makes of 1e400, and would say null: another value than the client has sent. */
const asSent = (_key: string, value: unknown): unknown =>
  typeof value === 'bigint' || (typeof value === 'number' && !Number.isFinite(value)) ? rawJson(value) : value

// Node has it since version 21; the types of the language do not yet.
const json = JSON as unknown as { rawJSON(text: string): unknown }

/** A number as it can be written, which is refused as too large where it is. */
const rawJson = (value: number | bigint): unknown =>
  json.rawJSON(typeof value === 'bigint' ? String(value) : value < 0 ? '-1e999' : '1e999')
