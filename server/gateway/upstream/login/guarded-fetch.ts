// Where an authorization server lies is said by the server behind, which may mean harm: its metadata could send us to what
// only this machine can reach. So what asks an authorization server goes over https (plain http on this machine only), to
// public addresses unless the operator allows private ones, and reads a bounded answer in a bounded time.
import { request as plainRequest, type IncomingMessage, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import type { FetchLike } from '@modelcontextprotocol/sdk/shared/transport.js'
import { guardedLookup, reachable, whyNotToHost, type WhyNot } from '../../../guarded-lookup.ts'
import { isProtected } from '../../../ip-address.ts'

/** Metadata, registrations and tokens are a few kilobytes. In bytes. */
const largest = 256 * 1024
const timeoutMs = 20_000

/** Not a `TypeError`: the SDK takes those for CORS and asks again. */
export class NotAsked extends Error {}

const whyNotBy =
  (privateNetwork: boolean): WhyNot =>
  (address) => {
    const found = reachable(address)
    if (found === 'yes' || (found === 'private' && privateNetwork)) return undefined
    return found === 'private'
      ? `${address} is in a private network, which only \`oauth.private_network\` (or --private-network) allows`
      : `${address} is no address of an authorization server`
  }

/**
 * A `fetch` for authorization servers. It follows no redirects.
 * @param privateNetwork whether they may lie on this machine or in a private network.
 */
export function guardedFetch(privateNetwork: boolean): FetchLike {
  const whyNot = whyNotBy(privateNetwork)
  return async (address, init) => {
    const url = new URL(address)
    if (!isProtected(url.href)) throw new NotAsked(`${url.origin} is not asked: it is not https`)
    const refused = whyNotToHost(url.hostname, whyNot)
    if (refused !== undefined) throw new NotAsked(`${url.origin} is not asked: ${refused}`)
    const body = init?.body ?? undefined
    const text = body === undefined ? '' : typeof body === 'string' ? body : formText(body)
    return ask(url, text, {
      method: init?.method ?? 'GET',
      headers: { ...Object.fromEntries(new Headers(init?.headers)), 'content-length': String(Buffer.byteLength(text)) },
      agent: false,
      lookup: guardedLookup(whyNot),
      signal: AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(init?.signal ? [init.signal] : [])]),
    })
  }
}

function formText(body: unknown): string {
  if (body instanceof URLSearchParams) return body.toString()
  throw new NotAsked('A request to an authorization server is text or a form.')
}

const ask = (url: URL, body: string, options: RequestOptions): Promise<Response> =>
  new Promise((resolve, reject) => {
    const open = url.protocol === 'https:' ? secureRequest : plainRequest
    const fail = (error: NodeJS.ErrnoException): void =>
      reject(new NotAsked(`${url.origin} did not answer (${error.code ?? error.message})`, { cause: error }))
    const request = open(url, options, (response) => void read(url, response).then(resolve, fail))
    request.once('error', fail)
    request.end(body)
  })

async function read(url: URL, response: IncomingMessage): Promise<Response> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > largest) throw new NotAsked(`${url.origin} answered more than ${largest / 1024} kB`)
    chunks.push(chunk)
  }
  const status = response.statusCode ?? 0
  const headers = Object.entries(response.headersDistinct).flatMap(([name, values = []]) =>
    values.map((value): [string, string] => [name, value]),
  )
  const isEmpty = status === 204 || status === 205 || status === 304
  return new Response(isEmpty ? null : Buffer.concat(chunks), { status, headers })
}
