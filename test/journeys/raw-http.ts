// Some mistakes cannot be made with a well-behaved client: broken JSON, keys that JavaScript eats, a Host that is not
// ours. This one sends what it is told, byte for byte.
import { request } from 'node:http'

export interface RawAnswer {
  readonly status: number
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>
  readonly text: string
}

export interface RawRequest {
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

const usual = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** One request; its own headers come over the usual ones. */
export const rawRequest = (url: URL, { method = 'POST', headers = {}, body = '' }: RawRequest): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const bytes = Buffer.from(body)
    request(url, { method, headers: { ...usual, 'content-length': String(bytes.length), ...headers } }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (chunk: string) => (text += chunk))
      response.on('end', () => resolve({ status: response.statusCode ?? 0, headers: response.headers, text }))
    })
      .on('error', reject)
      .end(bytes)
  })

/** The body of a `tools/call` whose arguments are this text. */
export const rawCall = (tool: string, args: string | undefined): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":${JSON.stringify(tool)}${args === undefined ? '' : `,"arguments":${args}`}}}`
