// A real agent, where somebody brings one: any endpoint that speaks OpenAI's or Anthropic's protocol, through its maker's
// own package. Each is fetched with the first question that needs it, so that a playground without a model stays small,
// and each sends through the `fetch` that it is given, because this page may talk to its own server only.
import type { MessageParam, Tool as AnthropicTool } from '@anthropic-ai/sdk/resources/messages'
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import type { ModelSettings } from '../sessions/settings.ts'
import type { ToolFacts } from '../tools/tool-facts.ts'
import { textOf } from './result-text.tsx'
import type { Entry } from './transcript.ts'

export interface ModelCall {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What a model says next: words, calls, or both. */
export interface ModelTurn {
  readonly text: string
  readonly calls: readonly ModelCall[]
}

export interface ModelRequest {
  readonly settings: ModelSettings
  readonly instructions: string
  readonly tools: readonly ToolFacts[]
  readonly entries: readonly Entry[]
}

const record = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? (value as Readonly<Record<string, unknown>>) : {}

/**
 * Asks the model for its next turn.
 * @throws an Error with the endpoint's own words, where it refuses.
 */
export async function askModel(send: typeof fetch, request: ModelRequest): Promise<ModelTurn> {
  const { kind, baseUrl, apiKey } = request.settings
  // The key is the person's own and stays in their tab; trying again is for them to decide.
  const options = {
    apiKey,
    fetch: send,
    maxRetries: 0,
    dangerouslyAllowBrowser: true,
    ...(baseUrl === '' ? {} : { baseURL: baseUrl.replace(/\/+$/, '') }),
  }
  switch (kind) {
    case 'script':
      throw new Error('No model is set.')
    case 'openai':
      return askOpenai(options, request)
    case 'anthropic':
      return askAnthropic(options, request)
    default:
      return kind satisfies never
  }
}

interface ClientOptions {
  readonly apiKey: string
  readonly baseURL?: string
  readonly fetch: typeof fetch
  readonly maxRetries: number
  readonly dangerouslyAllowBrowser: boolean
}

/** What the model reads of a call's end: the text, the way a client hands it over. Never the card. */
function toldOf(entry: Extract<Entry, { kind: 'call' }>): string {
  switch (entry.end.kind) {
    case 'answered':
      return textOf(entry.end.result)
    case 'failed':
      return `${entry.end.trouble.message} ${entry.end.trouble.next}`
    case 'running':
      return 'There is no answer yet.'
    default:
      return entry.end satisfies never
  }
}

async function askOpenai(options: ClientOptions, request: ModelRequest): Promise<ModelTurn> {
  const { OpenAI } = await import('openai')
  const { settings, instructions, tools, entries } = request
  const messages = entries.flatMap((entry): ChatCompletionMessageParam[] => {
    if (entry.kind === 'person') return [{ role: 'user', content: entry.text }]
    if (entry.kind === 'agent') return [{ role: 'assistant', content: entry.text }]
    const call = { name: entry.tool, arguments: JSON.stringify(entry.args) }
    return [
      { role: 'assistant', content: null, tool_calls: [{ id: entry.id, type: 'function', function: call }] },
      { role: 'tool', tool_call_id: entry.id, content: toldOf(entry) },
    ]
  })
  const completion = await new OpenAI(options).chat.completions.create({
    model: settings.name,
    messages: [{ role: 'system', content: instructions }, ...messages],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: record(inputSchema) },
    })),
  })
  const message = completion.choices[0]?.message
  return {
    text: message?.content ?? '',
    calls: (message?.tool_calls ?? []).flatMap((one) =>
      one.type === 'function'
        ? [{ tool: one.function.name, args: record(JSON.parse(one.function.arguments || '{}')) }]
        : [],
    ),
  }
}

async function askAnthropic(options: ClientOptions, request: ModelRequest): Promise<ModelTurn> {
  const { Anthropic } = await import('@anthropic-ai/sdk')
  const { settings, instructions, tools, entries } = request
  const messages = entries.flatMap((entry): MessageParam[] => {
    if (entry.kind === 'person') return [{ role: 'user', content: entry.text }]
    if (entry.kind === 'agent') return [{ role: 'assistant', content: entry.text }]
    const failed = entry.end.kind === 'failed' || (entry.end.kind === 'answered' && entry.end.result.isError === true)
    const content = toldOf(entry)
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id: entry.id, name: entry.tool, input: entry.args }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: entry.id, content, is_error: failed }] },
    ]
  })
  const { content } = await new Anthropic(options).messages.create({
    model: settings.name,
    max_tokens: 4096,
    system: instructions,
    messages,
    tools: tools.map(({ name, description, inputSchema }) => ({
      name,
      description,
      input_schema: inputSchema as AnthropicTool.InputSchema,
    })),
  })
  return {
    text: content.map((block) => (block.type === 'text' ? block.text : '')).join(''),
    calls: content.flatMap((block) =>
      block.type === 'tool_use' ? [{ tool: block.name, args: record(block.input) }] : [],
    ),
  }
}
