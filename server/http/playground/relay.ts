// The playground's page may talk to nobody but its own server, because it draws what strangers send. As a development
// host it must still reach any MCP server. Those requests come through here, with the secret of the page, so that neither
// another page nor a program of the machine can use this server to reach what it could not reach itself. No cookies, no
// redirects, and only the headers that MCP needs.
import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { checkPageSecret } from './page-secret.ts'
import { refuse } from '../refusal.ts'

/** The request header that names the address to reach. */
const targetHeader = 'x-countersign-target'

const sent = ['accept', 'accept-language', 'content-type', 'mcp-session-id', 'mcp-protocol-version']
const returned = ['content-type', 'mcp-session-id', 'mcp-protocol-version', 'retry-after']

/** One address, `/`, that passes a request of the page on. */
export function createRelay(secret: string): Hono {
  return new Hono()
    .use(bodyLimit({ maxSize: 4 * 1024 * 1024, onError: () => refuse(tooLarge) }))
    .on(['POST', 'DELETE'], '/', async (c) => {
      if (checkPageSecret(c.req.raw, secret) !== 'valid') return refuse(notThePage)
      const target = readTarget(c.req.header(targetHeader))
      if (target === undefined) return refuse(noAddress)
      const headers = pick(c.req.raw.headers, sent)
      const given = c.req.method === 'POST' ? await c.req.arrayBuffer() : undefined
      if (given !== undefined) headers.set('content-length', String(given.byteLength))
      // What can be read again is sent again by `fetch` where it is answered 421, and a call may have been run by then.
      const body = given === undefined ? {} : ({ body: new Response(given).body, duplex: 'half' } as const)
      try {
        const answer = await fetch(target, {
          method: c.req.method,
          headers,
          redirect: 'error',
          signal: c.req.raw.signal,
          ...body,
        })
        return new Response(answer.body, { status: answer.status, headers: pick(answer.headers, returned) })
      } catch {
        return refuse(unreachable(target))
      }
    })
}

function readTarget(given: string | undefined): URL | undefined {
  if (given === undefined || !URL.canParse(given)) return undefined
  const url = new URL(given)
  return /^https?:$/.test(url.protocol) && url.username === '' && url.password === '' ? url : undefined
}

const pick = (headers: Headers, names: readonly string[]): Headers =>
  new Headers(
    names.flatMap((name): [string, string][] => {
      const value = headers.get(name)
      return value === null ? [] : [[name, value]]
    }),
  )

const notThePage = {
  status: 403,
  code: 'stale-page',
  message: 'Only the page that this server has just served may use this way.',
  next: 'Reload the page.',
} as const

const noAddress = {
  status: 403,
  code: 'no-address',
  message: 'That is not an http address that can be reached from here.',
  next: 'Give one like http://127.0.0.1:3000/mcp, without a user name in it.',
} as const

const tooLarge = {
  status: 413,
  code: 'body-too-large',
  message: 'The request is too large to be passed on.',
  next: 'Send less at once.',
} as const

const unreachable = (target: URL) =>
  ({
    status: 503,
    code: 'unreachable',
    message: `Nobody answers at ${target.origin}.`,
    next: 'Start what should answer there, or correct the address.',
  }) as const
