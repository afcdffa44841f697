// Figures tell how much is decided here, and by which tools: nothing for passers-by. Whoever is on this machine may read
// them, everybody else needs the token. A proxy on this machine makes everybody look as if they were on it, so a request
// that has come through one counts as coming from elsewhere.
import type { IncomingMessage } from 'node:http'
import { Hono, type Context } from 'hono'
import { unlessMissing } from '../errors/optional-package.ts'
import { networkOf } from '../ip-address.ts'
import type { Metrics } from '../operations/telemetry/metrics.ts'
import { bearerOf, sameSecret } from './auth/bearer.ts'
import { refuseApi } from './refusal.ts'

export interface MetricsOptions {
  readonly metrics: Pick<Metrics, 'exposition'>
  /** Lets in whoever brings it, from wherever; asked of everybody where it is set. */
  readonly token?: string | undefined
}

/** Headers that only a proxy adds. */
const proxied = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'] as const

/** The app at `/metrics`. */
export function createMetricsApp({ metrics, token }: MetricsOptions): Hono {
  return new Hono().get('/', async (c) => {
    const refused = token === undefined ? refuseStranger(c) : refuseWithout(c, token)
    if (refused !== undefined) return refused
    const told = await unlessMissing(() => metrics.exposition())
    if (!told.ok) return refuseApi(404, { code: 'not-counted', ...told.failure })
    const { contentType, text } = told.value
    return c.body(text, 200, { 'content-type': contentType, 'cache-control': 'no-store' })
  })
}

function refuseWithout(c: Context, token: string): Response | undefined {
  if (sameSecret(bearerOf(c.req.raw), token)) return undefined
  return refusal(401, 'unauthorized', 'The token for metrics is missing or wrong.', 'Send `metrics.token` as a bearer.')
}

function refuseStranger(c: Context): Response | undefined {
  const { incoming } = (c.env ?? {}) as { readonly incoming?: IncomingMessage }
  const address = incoming?.socket.remoteAddress ?? ''
  if (networkOf(address) === 'loopback' && proxied.every((name) => c.req.header(name) === undefined)) return undefined
  const next = 'Set `metrics.token` in the configuration and send it as `Authorization: Bearer …`.'
  return refusal(403, 'not-from-here', 'Metrics are told on this machine only.', next)
}

const refusal = (status: 401 | 403, code: string, message: string, next: string): Response =>
  refuseApi(
    status,
    { code, message, next },
    {},
    { 'cache-control': 'no-store', ...(status === 401 ? { 'www-authenticate': 'Bearer' } : {}) },
  )
