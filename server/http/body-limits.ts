// How much of a body is read, and that it has not been read before. A length that is only declared holds nobody to it, unless
// Node's own parser has let the body through by it.
import type { MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { bodyRead } from '../mcp/read-message.ts'
import { refuse } from './refusal.ts'

/** Arguments are at most 1 MB as JSON; as they are sent, escapes may make more of them. */
const maxBody = 2 * 1024 * 1024

const tooLarge = (): Response =>
  refuse({
    status: 413,
    code: 'body-too-large',
    message: `The request is larger than ${maxBody} bytes.`,
    next: 'Send less at once: name things by id instead of by value.',
  })

const brokenOff = {
  status: 400,
  code: 'body-broke-off',
  message: 'The body of this request broke off.',
  next: 'Send the request again.',
} as const

/** Refuses bodies that are larger than any call. */
export const limited = bodyLimit({ maxSize: maxBody, onError: tooLarge })

/**
 * Refuses what is too large, and what somebody else has read. Where the declared length is believed the body need not be looked
 * at, and looking turns it into a web stream, which costs more than reading it. Otherwise the bytes are counted.
 */
export const sizeGuard =
  (believes: (request: Request) => boolean): MiddlewareHandler =>
  async (c, next) => {
    if (c.req.method !== 'POST') return next()
    const { raw } = c.req
    if (raw.bodyUsed) return refuse(bodyRead)
    const length = c.req.header('content-length')
    if (length !== undefined && /^\d+$/.test(length)) {
      if (Number(length) > maxBody) return tooLarge()
      if (c.req.header('transfer-encoding') === undefined && believes(raw)) return next()
    }
    const { body } = raw
    if (body === null) return next()
    if (body.locked) return refuse(bodyRead)
    const read: Uint8Array[] = []
    let size = 0
    try {
      for await (const chunk of body) {
        size += chunk.length
        if (size > maxBody) return tooLarge()
        read.push(chunk)
      }
    } catch {
      // The client went away, or its network did: nothing that this server could mend, or whoever reads its log.
      return refuse(brokenOff)
    }
    // Of its parts: what a server of Node hands over looks like a Request, and cannot be copied as one.
    const { url, method, headers, signal } = raw
    c.req.raw = new Request(url, { method, headers: new Headers(headers), signal, body: Buffer.concat(read) })
    return next()
  }
