// The signature of a notification, by Standard Webhooks 1.0.0 ("Signature scheme"), so that a receiver can check with any of
// its libraries that it comes from here: anybody can post to an address.
import { Webhook } from 'standardwebhooks'

/** The key in a secret: base64 behind `whsec_`, otherwise the bytes of the text. */
const keyOf = (secret: string): Uint8Array =>
  secret.startsWith('whsec_') ? Buffer.from(secret.slice('whsec_'.length), 'base64') : Buffer.from(secret, 'utf8')

/** The headers of one attempt; without a secret there is no signature. */
export function signedHeaders(
  id: string,
  atMs: number,
  body: string,
  secret: string | undefined,
): Readonly<Record<string, string>> {
  const headers = { 'webhook-id': id, 'webhook-timestamp': String(Math.floor(atMs / 1000)) }
  if (secret === undefined) return headers
  const signature = new Webhook(keyOf(secret), { format: 'raw' }).sign(id, new Date(atMs), body)
  return { ...headers, 'webhook-signature': signature }
}
