// What a server lists, and the view of its cards, is long, and over a slow network most of what a chat waits for at its start.
// Answers to calls are sent as they are: from the length of a compressed answer somebody who has a part of it in their hands
// could tell what else stands in it (the attack called BREACH).
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { z } from 'zod'

/** Requests whose answers say the same to everybody who may ask: lists, and views (MCP Apps). */
const listing = z.union([
  z.object({ method: z.enum(['tools/list', 'resources/list', 'resources/templates/list', 'prompts/list']) }),
  z.object({ method: z.literal('resources/read'), params: z.object({ uri: z.string().startsWith('ui://') }) }),
])

/** In bytes: below it, nobody waits less. */
const leastBytes = 4096

const zip = promisify(gzip)

/** A response in gzip, where its client takes that and it answers one of these requests with a long text. */
export async function compressed(response: Response, request: Request, message: unknown): Promise<Response> {
  if (!/\bgzip\b/.test(request.headers.get('accept-encoding') ?? '') || !listing.safeParse(message).success)
    return response
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return response
  const bytes = Buffer.from(await response.arrayBuffer())
  const { status, headers } = response
  headers.append('vary', 'accept-encoding')
  if (bytes.length < leastBytes) return new Response(bytes, { status, headers })
  headers.set('content-encoding', 'gzip')
  headers.delete('content-length')
  return new Response(await zip(bytes), { status, headers })
}
