// A real agent, where somebody brings one. No SDK: of both makers' protocols a chat with tools needs one request and one
// answer, and their packages would be larger than this playground. What is here is the least that both of them document
// ("chat completions" and "messages"), without streaming.
import type { ModelSettings } from './settings.ts'
import type { ToolFacts } from './tool-facts.ts'
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

type Loose = Readonly<Record<string, unknown>>
const record = (value: unknown): Loose => (typeof value === 'object' && value !== null ? (value as Loose) : {})
const list = (value: unknown): readonly Loose[] => (Array.isArray(value) ? value.map(record) : [])
const string = (value: unknown): string => (typeof value === 'string' ? value : '')

const wires = {
  openai: { path: '/chat/completions', base: 'https://api.openai.com/v1', body: openaiBody, read: readOpenai },
  anthropic: { path: '/v1/messages', base: 'https://api.anthropic.com', body: anthropicBody, read: readAnthropic },
} as const

/**
 * Asks the model for its next turn.
 * @throws an Error with the endpoint's own words, where it refuses.
 */
export async function askModel(send: typeof fetch, request: ModelRequest): Promise<ModelTurn> {
  const { kind, baseUrl, apiKey } = request.settings
  if (kind === 'script') throw new Error('No model is set.')
  const wire = wires[kind]
  const key: Record<string, string> =
    kind === 'openai'
      ? { authorization: `Bearer ${apiKey}` }
      : { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' }
  const answer = await send(`${(baseUrl || wire.base).replace(/\/+$/, '')}${wire.path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', ...key },
    body: JSON.stringify(wire.body(request)),
  })
  const body: unknown = await answer.json().catch(() => undefined)
  if (answer.ok) return wire.read(record(body))
  const said = string(record(record(body)['error'])['message'])
  throw new Error(said === '' ? `The model's address answered with status ${answer.status}.` : said)
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

function openaiBody({ settings, instructions, tools, entries }: ModelRequest): unknown {
  const messages = entries.flatMap((entry): unknown[] => {
    if (entry.kind === 'person') return [{ role: 'user', content: entry.text }]
    if (entry.kind === 'agent') return [{ role: 'assistant', content: entry.text }]
    const call = { name: entry.tool, arguments: JSON.stringify(entry.args) }
    return [
      { role: 'assistant', content: null, tool_calls: [{ id: entry.id, type: 'function', function: call }] },
      { role: 'tool', tool_call_id: entry.id, content: toldOf(entry) },
    ]
  })
  return {
    model: settings.name,
    messages: [{ role: 'system', content: instructions }, ...messages],
    tools: tools.map(({ name, description, inputSchema }) => ({
      type: 'function',
      function: { name, description, parameters: inputSchema },
    })),
  }
}

function readOpenai(body: Loose): ModelTurn {
  const message = record(list(body['choices'])[0]?.['message'])
  const calls = list(message['tool_calls']).map((one) => {
    const given = record(one['function'])
    return { tool: string(given['name']), args: record(JSON.parse(string(given['arguments']) || '{}')) }
  })
  return { text: string(message['content']), calls }
}

function anthropicBody({ settings, instructions, tools, entries }: ModelRequest): unknown {
  const messages = entries.flatMap((entry): unknown[] => {
    if (entry.kind === 'person') return [{ role: 'user', content: entry.text }]
    if (entry.kind === 'agent') return [{ role: 'assistant', content: entry.text }]
    const failed = entry.end.kind === 'failed' || (entry.end.kind === 'answered' && entry.end.result.isError === true)
    const content = toldOf(entry)
    return [
      { role: 'assistant', content: [{ type: 'tool_use', id: entry.id, name: entry.tool, input: entry.args }] },
      { role: 'user', content: [{ type: 'tool_result', tool_use_id: entry.id, content, is_error: failed }] },
    ]
  })
  return {
    model: settings.name,
    max_tokens: 4096,
    system: instructions,
    messages,
    tools: tools.map(({ name, description, inputSchema }) => ({ name, description, input_schema: inputSchema })),
  }
}

function readAnthropic(body: Loose): ModelTurn {
  const blocks = list(body['content'])
  return {
    text: blocks.map((block) => (block['type'] === 'text' ? string(block['text']) : '')).join(''),
    calls: blocks.flatMap((block) =>
      block['type'] === 'tool_use' ? [{ tool: string(block['name']), args: record(block['input']) }] : [],
    ),
  }
}
