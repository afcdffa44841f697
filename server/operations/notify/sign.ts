// Anybody can post to an address. What really comes from here is signed as Standard Webhooks 1.0.0 says ("Signature
// scheme"), so that any of its libraries can check it.
import { Webhook } from 'standardwebhooks'

export interface Signed {
  readonly 'webhook-id': string
  /** Seconds since 1970, of this attempt. */
  readonly 'webhook-timestamp': string
  /** `v1,` and base64; absent without a secret. */
  readonly 'webhook-signature'?: string
}

/** The key of a secret: base64 behind `whsec_`, and the bytes of the text otherwise. */
const keyOf = (secret: string): Uint8Array =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret, 'utf8')

/** Headers of one attempt. */
export function signedHeaders(id: string, atMs: number, body: string, secret: string | undefined): Signed {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(atMs / 1000)) }
  if (secret === undefined) return headers
  const signature = new Webhook(keyOf(secret), { format: 'raw' }).sign(id, new Date(atMs), body)
  return { ...headers, 'webhook-signature': signature }
}
