// A server that speaks the wire of both makers, behind which a function stands for the model: it is given the chat as it came, and
// answers a turn. What a real server does beside that (limits, refused keys, pages of a proxy) it can be told to do.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { onTestFinished } from 'vitest'
import { z } from 'zod'

/** A turn of a chat, of either maker. */
export type Said =
  | { readonly by: 'person'; readonly text: string }
  | { readonly by: 'tool'; readonly text: string }
  | { readonly by: 'model'; readonly text: string; readonly calls: readonly Called[] }

export interface Called {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** What is sent in place of the arguments. */
  readonly written?: string
}

export interface Reply {
  readonly text?: string
  readonly calls?: readonly Called[]
}

export interface Asked {
  readonly model: string
  readonly system: string
  readonly tools: readonly { readonly name: string; readonly description: string; readonly parameters?: unknown }[]
  readonly chat: readonly Said[]
}

export type ScriptedModel = (asked: Asked) => Reply

/** What it does instead of answering; `undefined` where it answers. */
export type Trouble = (request: IncomingMessage, response: ServerResponse) => boolean

export interface ModelServer {
  /** For the SDK of OpenAI, and of what speaks its API. */
  readonly openai: string
  readonly anthropic: string
  /** Keys that came with requests. */
  readonly keys: ReadonlySet<string>
  /** Bodies of all requests. */
  readonly asked: readonly Asked[]
}

/** Some servers write a member of their own beside a model's words, and want it back. */
const signature = { reasoning_content: 'signed' }

/** Text as a list of parts, which OpenAI takes as well, and nothing where there are calls. */
const anyContent = z
  .union([z.string(), z.array(z.looseObject({ type: z.literal('text'), text: z.string() }))])
  .nullish()
  .transform(
    (content) => (typeof content === 'object' ? (content ?? []).map(({ text }) => text).join('') : content) ?? '',
  )

const openaiCall = z.looseObject({
  function: z.looseObject({
    name: z.string(),
    arguments: z.string().refine((text) => JSON.parse(text) !== undefined),
  }),
})

const openaiMessage = <C extends z.ZodType<string>>(content: C, fewestCalls: number) =>
  z.looseObject({
    role: z.enum(['system', 'developer', 'user', 'assistant', 'tool']),
    content,
    reasoning_content: z.string().optional(),
    tool_calls: z.array(openaiCall).min(fewestCalls).optional(),
  })

const openaiBody = <M extends z.ZodType>(message: M) =>
  z.looseObject({
    model: z.string(),
    stream: z.literal(false).optional(),
    messages: z.array(message),
    tools: z.array(z.looseObject({ function: z.looseObject({ name: z.string(), description: z.string() }) })),
  })

/** As strict as the strictest server: no empty list of calls, arguments that are JSON, and its own turns as it wrote them. */
const strictOpenai = openaiBody(
  openaiMessage(z.string(), 1)
    .refine(({ role, reasoning_content: signed }) => role !== 'assistant' || signed === signature.reasoning_content)
    .refine(({ role }) => role !== 'developer'),
)

/** For frameworks of others, which leave out what only some servers write, and send an empty list of calls back that came. */
const looseOpenai = openaiBody(openaiMessage(anyContent, 0))

const anthropicSchema = z.looseObject({
  model: z.string(),
  system: z.string(),
  messages: z.array(
    z.looseObject({
      role: z.enum(['user', 'assistant']),
      content: z.array(
        z.looseObject({
          type: z.string(),
          text: z.string().optional(),
          content: z.string().optional(),
          name: z.string().optional(),
          input: z.unknown().optional(),
        }),
      ),
    }),
  ),
  tools: z.array(z.looseObject({ name: z.string(), description: z.string() })),
})

const parsed = (text: string): Called['args'] => {
  try {
    return JSON.parse(text) as Called['args']
  } catch {
    return {}
  }
}

const isSystem = ({ role }: { readonly role: string }): boolean => role === 'system' || role === 'developer'

function fromOpenai(body: unknown, isStrict: boolean): Asked {
  const { model, messages, tools } = (isStrict ? strictOpenai : looseOpenai).parse(body)
  const chat = messages.flatMap((message): readonly Said[] => {
    const { role, content, tool_calls: calls = [] } = message
    if (isSystem(message)) return []
    if (role !== 'assistant') return [{ by: role === 'user' ? 'person' : 'tool', text: content }]
    return [
      {
        by: 'model',
        text: content,
        calls: calls.map(({ function: called }) => ({ tool: called.name, args: parsed(called.arguments) })),
      },
    ]
  })
  const system = messages.find(isSystem)?.content ?? ''
  return { model, system, tools: tools.map((tool) => tool.function), chat }
}

function fromAnthropic(body: unknown): Asked {
  const { model, system, messages, tools } = anthropicSchema.parse(body)
  const chat = messages.flatMap(({ role, content }): readonly Said[] => {
    if (role === 'user')
      return content.map(({ type, text, content: result }) =>
        type === 'tool_result' ? { by: 'tool', text: result ?? '' } : { by: 'person', text: text ?? '' },
      )
    return [
      {
        by: 'model',
        text: content.map(({ text = '' }) => text).join(''),
        calls: content.flatMap(({ type, name, input }) =>
          type === 'tool_use' && name !== undefined ? [{ tool: name, args: input as Called['args'] }] : [],
        ),
      },
    ]
  })
  return { model, system, tools, chat }
}

/** One token for four characters, so that a shorter prompt costs less. */
const tokensIn = (text: string): number => Math.ceil(text.length / 4)

let made = 0
/** Frameworks take two turns of the same id for one. */
const nextId = (of: string): string => `${of}_${(made += 1)}`

const toOpenai = ({ text = '', calls = [] }: Reply, input: number): object => ({
  id: nextId('chatcmpl'),
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      finish_reason: calls.length > 0 ? 'tool_calls' : 'stop',
      message: {
        role: 'assistant',
        content: text === '' ? null : text,
        ...signature,
        ...(calls.length === 0
          ? { tool_calls: [] }
          : {
              tool_calls: calls.map(({ tool, args, written }) => ({
                id: nextId('call'),
                type: 'function',
                function: { name: tool, arguments: written ?? JSON.stringify(args) },
              })),
            }),
      },
    },
  ],
  usage: { prompt_tokens: input, completion_tokens: tokensIn(text + JSON.stringify(calls)) },
})

const toAnthropic = ({ text = '', calls = [] }: Reply, input: number): object => ({
  id: nextId('msg'),
  type: 'message',
  role: 'assistant',
  content: [
    ...(text === '' ? [] : [{ type: 'text', text }]),
    ...calls.map(({ tool, args, written }) => ({
      type: 'tool_use',
      id: nextId('call'),
      name: tool,
      input: written ?? args,
    })),
  ],
  stop_reason: calls.length > 0 ? 'tool_use' : 'end_turn',
  usage: { input_tokens: input, output_tokens: tokensIn(text + JSON.stringify(calls)) },
})

/** Starts one; it ends with its test. Where it is not strict, it takes what frameworks of others send. */
export async function startModelServer(
  model: ScriptedModel,
  trouble: Trouble = () => false,
  isStrict = true,
): Promise<ModelServer> {
  const keys = new Set<string>()
  const all: Asked[] = []
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    let body = ''
    for await (const chunk of request.setEncoding('utf8')) body += String(chunk)
    keys.add(String(request.headers['x-api-key'] ?? request.headers.authorization ?? ''))
    if (trouble(request, response)) return
    const isAnthropic = request.url === '/v1/messages'
    if (!isAnthropic && request.url !== '/v1/chat/completions') return void response.writeHead(404).end()
    const asked = isAnthropic ? fromAnthropic(JSON.parse(body)) : fromOpenai(JSON.parse(body), isStrict)
    all.push(asked)
    const reply = (isAnthropic ? toAnthropic : toOpenai)(model(asked), tokensIn(body))
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(reply))
  }
  const server = createServer((request, response) => {
    answer(request, response).catch((error: unknown) => {
      response
        .writeHead(400, { 'content-type': 'application/json' })
        .end(JSON.stringify({ error: { message: `The test’s server: ${String(error)}` } }))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(
    () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  )
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { openai: `${address}/v1`, anthropic: address, keys, asked: all }
}
