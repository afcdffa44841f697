// Anybody can post to an address. What really comes from here is signed as Standard Webhooks 1.0.0 says ("Signature
// scheme"), so that any of its libraries can check it: HMAC-SHA-256 over id, time and the very bytes of the body.
import { createHmac } from 'node:crypto'

export interface Signed {
  readonly 'webhook-id': string
  /** Seconds since 1970, of this attempt. */
  readonly 'webhook-timestamp': string
  /** `v1,` and base64; absent without a secret. */
  readonly 'webhook-signature'?: string
}

const prefix = 'whsec_'

/** The key of a secret: base64 behind `whsec_`, and the bytes of the text otherwise. */
const keyOf = (secret: string): Buffer =>
  secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret, 'utf8')

/** Headers of one attempt. */
export function signedHeaders(id: string, atMs: number, body: string, secret: string | undefined): Signed {
  const timestamp = String(Math.floor(atMs / 1000))
  const headers = { 'webhook-id': id, 'webhook-timestamp': timestamp }
  if (secret === undefined) return headers
  const signature = createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.${body}`).digest('base64')
  return { ...headers, 'webhook-signature': `v1,${signature}` }
}
