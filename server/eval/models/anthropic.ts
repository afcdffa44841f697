// Messages with tools, as Anthropic speaks them.
import type { ContentBlockParam, MessageParam, Tool } from '@anthropic-ai/sdk/resources/messages'
import { z } from 'zod'
import { failureOf, noTurnFrom, loadSdk } from './failures.ts'
import { readCallArguments, type Chat, type Model, type ModelOptions, type Turn } from './model.ts'

const blockSchema = z.looseObject({
  type: z.string(),
  text: z.string().optional(),
  id: z.string().optional(),
  name: z.string().optional(),
  input: z.unknown().optional(),
})
const count = z.number().nullish()
const messageSchema = z.looseObject({
  content: z.array(blockSchema),
  stop_reason: z.string().nullish(),
  usage: z.looseObject({
    input_tokens: count,
    cache_creation_input_tokens: count,
    cache_read_input_tokens: count,
    output_tokens: count,
  }),
})

/** Loads the maker's SDK. @throws {ModelFailure} where it is not installed. */
export async function anthropicModel(options: ModelOptions): Promise<Model> {
  const { default: Anthropic } = await loadSdk('@anthropic-ai/sdk', () => import('@anthropic-ai/sdk'))
  const { name, key, baseUrl, maxTokens, temperature, signal } = options
  const client = new Anthropic({ apiKey: key, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) })

  function chat({ system, tools }: Parameters<Model['chat']>[0]): Chat {
    const messages: MessageParam[] = []
    const offered = tools.map(({ name: tool, description, inputSchema }) => ({
      name: tool,
      description,
      input_schema: inputSchema as unknown as Tool.InputSchema,
    }))
    return {
      async next({ answers = [], say }) {
        const content: ContentBlockParam[] = answers.map(({ id, text, isError }) => ({
          type: 'tool_result',
          tool_use_id: id,
          content: text,
          ...(isError ? { is_error: true } : {}),
        }))
        if (say !== undefined) content.push({ type: 'text', text: say })
        messages.push({ role: 'user', content })
        // Some refusals of the SDK are thrown at once: of answers so long that it wants to stream them, for one.
        const ask = async (): Promise<unknown> =>
          client.messages.create(
            {
              model: name,
              max_tokens: maxTokens,
              system,
              messages,
              tools: offered,
              ...(temperature === undefined ? {} : { temperature }),
            },
            { signal },
          )
        const answered = await ask().catch((error: unknown) => {
          throw failureOf(error, 'anthropic', options)
        })
        const read = messageSchema.safeParse(answered)
        if (!read.success) throw noTurnFrom(options, 'anthropic')
        const { content: blocks, usage, stop_reason: stop } = read.data
        // As they came: some of them are signed, and must come back so. The API refuses a turn without content.
        if (blocks.length > 0) messages.push({ role: 'assistant', content: blocks as unknown as ContentBlockParam[] })
        return {
          text: blocks.map(({ type, text = '' }) => (type === 'text' ? text : '')).join(''),
          calls: blocks.flatMap(({ type, id, name: tool, input }) =>
            type === 'tool_use' && id !== undefined && tool !== undefined
              ? [{ id, tool, ...readCallArguments(input) }]
              : [],
          ),
          tokens: {
            input:
              (usage.input_tokens ?? 0) +
              (usage.cache_creation_input_tokens ?? 0) +
              (usage.cache_read_input_tokens ?? 0),
            output: usage.output_tokens ?? 0,
          },
          isCut: stop === 'max_tokens',
        } satisfies Turn
      },
    }
  }
  return { chat }
}
