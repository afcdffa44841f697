// Signed session ids that contain what must be known of the client: no process stores a session, so any replica can serve it
// and a restart does not end it (ADR 3).
import { createHmac, timingSafeEqual, type KeyObject } from 'node:crypto'
import { z } from 'zod'

const factsSchema = z.strictObject({
  v: z.literal(1),
  client: z.string().max(200),
  cards: z.enum(['yes', 'no', 'unknown']),
  tenant: z.string(),
  subject: z.string(),
  /** Makes two sessions of the same client different. */
  nonce: z.string(),
})

export type SessionFacts = Omit<z.infer<typeof factsSchema>, 'v'>

/** A `KeyObject` signs seven times as fast as bytes, which are made into one at each signature. */
type SessionKey = Uint8Array | KeyObject

const sign = (key: SessionKey, body: string): Buffer => createHmac('sha256', key).update(body).digest()

/** Writes a session id: visible ASCII only, as the Streamable HTTP transport demands. */
export function writeSessionId(key: SessionKey, facts: SessionFacts): string {
  const body = Buffer.from(JSON.stringify({ v: 1, ...facts })).toString('base64url')
  return `${body}.${sign(key, body).toString('base64url')}`
}

/** Reads a session id of ours; `undefined` for anything else. */
export function readSessionId(key: SessionKey, id: string): SessionFacts | undefined {
  const [body, mac, ...rest] = id.split('.')
  if (body === undefined || mac === undefined || rest.length > 0 || id.length > 4096) return undefined
  const given = Buffer.from(mac, 'base64url')
  const expected = sign(key, body)
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined
  try {
    const parsed = factsSchema.safeParse(JSON.parse(Buffer.from(body, 'base64url').toString('utf8')))
    return parsed.success ? parsed.data : undefined
  } catch {
    return undefined
  }
}
