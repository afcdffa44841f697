// A model's endpoint that speaks both protocols and thinks nothing: it previews when asked, repeats an Apply exactly, and
// says when it is done.
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { parseMessage } from '../../server/confirm/message.ts'

export interface StubModel {
  readonly url: string
  readonly keys: readonly string[]
  /** Bodies that it was sent. */
  readonly read: readonly string[]
  close(): Promise<void>
}

interface Said {
  readonly role: string
  readonly content: unknown
}

const rationale = 'The person asked for two desks for ACME.'
const order = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }], rationale }

interface Turn {
  readonly text?: string
  readonly call?: { readonly tool: string; readonly args: unknown }
}

/** What a well-instructed model would do after this. */
function next(messages: readonly Said[]): Turn {
  const last = messages.at(-1)
  if (last === undefined || last.role === 'tool' || typeof last.content !== 'string') {
    const told = JSON.stringify(last?.content)
    return {
      text: told.includes('Nothing has happened yet') ? 'Please look at the card.' : 'Done, the order is there.',
    }
  }
  const parsed = parseMessage(last.content)
  if (parsed.ok && parsed.value.kind === 'apply') return { call: { tool: parsed.value.tool, args: parsed.value.args } }
  return { call: { tool: 'orders_create', args: order } }
}

const openai = ({ text, call }: Turn) => ({
  choices: [
    {
      message: {
        role: 'assistant',
        content: text ?? null,
        ...(call === undefined
          ? {}
          : {
              tool_calls: [
                { id: 'c1', type: 'function', function: { name: call.tool, arguments: JSON.stringify(call.args) } },
              ],
            }),
      },
    },
  ],
})

const anthropic = ({ text, call }: Turn) => ({
  role: 'assistant',
  content: [
    ...(text === undefined ? [] : [{ type: 'text', text }]),
    ...(call === undefined ? [] : [{ type: 'tool_use', id: 'c1', name: call.tool, input: call.args }]),
  ],
})

async function bodyOf(request: IncomingMessage): Promise<string> {
  let body = ''
  for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
  return body
}

/** Starts it on a free port. */
export async function startModel(): Promise<StubModel> {
  const keys: string[] = []
  const read: string[] = []
  const server = createServer((request, response) => {
    const answer = async (): Promise<void> => {
      const body = await bodyOf(request)
      const key = request.headers.authorization ?? String(request.headers['x-api-key'])
      keys.push(key)
      read.push(body)
      response.setHeader('content-type', 'application/json')
      const isOpenai = request.url === '/v1/chat/completions'
      if (!isOpenai && request.url !== '/v1/messages') response.statusCode = 404
      else if (key.endsWith('wrong')) response.statusCode = 401
      const { messages } = JSON.parse(body) as { messages: readonly Said[] }
      const said = isOpenai ? openai(next(messages)) : anthropic(next(messages))
      response.end(
        JSON.stringify(response.statusCode === 200 ? said : { error: { message: 'That key is not known here.' } }),
      )
    }
    void answer()
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    keys,
    read,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
