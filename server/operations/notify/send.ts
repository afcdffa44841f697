// One attempt to deliver one notification: bounded in time whatever the receiver does, without following redirects, and
// reading nothing of the answer but its status and Retry-After. It never throws: the outcome is a value.
import { request as plainRequest, type RequestOptions } from 'node:http'
import { request as secureRequest } from 'node:https'
import { whyNotToHost } from '../../guarded-lookup.ts'
import { webhookLookup, whyNotTo } from './address.ts'
import { readRetryAfter } from './schedule.ts'
import { signedHeaders } from './sign.ts'
import type { Webhook } from './webhook.ts'

export interface OutgoingMessage {
  /** `msg_…` */
  readonly id: string
  /** JSON. */
  readonly body: string
}

export type Attempt =
  | { readonly kind: 'delivered'; readonly status: number }
  | {
      readonly kind: 'failed'
      readonly status: number | undefined
      readonly trouble: string
      /** Milliseconds that the receiver asked to be left alone for. */
      readonly askedMs: number
      /** 410 Gone: the receiver will never be back. */
      readonly gone: boolean
    }

interface SendOptions {
  /** Epoch milliseconds. */
  readonly now: () => number
  /** For the whole attempt, DNS and TLS included. */
  readonly timeoutMs: number
  /** `User-Agent`. */
  readonly agent: string
  /** Ends the attempt early. */
  readonly signal?: AbortSignal
}

/** Makes one attempt. */
export function send(webhook: Webhook, { id, body }: OutgoingMessage, options: SendOptions): Promise<Attempt> {
  const url = new URL(webhook.url)
  const failed = (trouble: string, status?: number, more: { askedMs?: number; gone?: boolean } = {}): Attempt => ({
    kind: 'failed',
    status,
    trouble,
    askedMs: more.askedMs ?? 0,
    gone: more.gone ?? false,
  })
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return Promise.resolve(failed('Its address is not http or https'))
  const refused = whyNotToHost(url.hostname, (address) => whyNotTo(address, webhook.privateNetwork))
  if (refused !== undefined) return Promise.resolve(failed(refused))

  const time = AbortSignal.timeout(options.timeoutMs)
  const settings: RequestOptions = {
    method: 'POST',
    agent: false,
    lookup: webhookLookup(webhook.privateNetwork),
    signal: options.signal === undefined ? time : AbortSignal.any([time, options.signal]),
    headers: {
      'content-type': 'application/json; charset=utf-8',
      'content-length': Buffer.byteLength(body),
      'user-agent': options.agent,
      ...signedHeaders(id, options.now(), body, webhook.secret),
    },
  }
  return new Promise((resolve) => {
    const open = url.protocol === 'https:' ? secureRequest : plainRequest
    const request = open(url, settings, (response) => {
      const status = response.statusCode ?? 0
      const askedMs = readRetryAfter(response.headers['retry-after'], options.now())
      response.destroy()
      if (status >= 200 && status < 300) return resolve({ kind: 'delivered', status })
      if (status >= 300 && status < 400)
        return resolve(failed(`It answered ${status}, a redirect, which is not followed`, status))
      return resolve(failed(`It answered ${status}`, status, { askedMs, gone: status === 410 }))
    })
    request.once('error', (error: NodeJS.ErrnoException) =>
      resolve(
        failed(
          time.aborted
            ? `No answer within ${options.timeoutMs / 1000} seconds`
            : options.signal?.aborted === true
              ? 'The attempt was aborted because this process is shutting down'
              : reasonOf(error),
        ),
      ),
    )
    request.end(body)
  })
}

/** Only the code of a system's error: its message may contain the whole address, which is a secret. */
const reasonOf = (error: NodeJS.ErrnoException): string =>
  error.code === 'ENOTFOUND' || error.code === 'EAI_AGAIN'
    ? `Its host name cannot be resolved (${error.code})`
    : error.code === undefined
      ? error.message
      : `It cannot be reached (${error.code})`
