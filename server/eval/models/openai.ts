// Chat completions with tools, as OpenAI and many servers beside it speak them.
import type { ChatCompletionMessageParam } from 'openai/resources/chat/completions'
import { z } from 'zod'
import { failureOf, noTurnFrom, loadSdk } from './failures.ts'
import { guessProvider, readCallArguments, type Chat, type Model, type ModelOptions, type Turn } from './model.ts'

const completionSchema = z.looseObject({
  choices: z
    .array(
      z.looseObject({
        finish_reason: z.string().nullish(),
        message: z.looseObject({
          content: z.string().nullish(),
          tool_calls: z
            .array(
              z.looseObject({
                id: z.string(),
                function: z.looseObject({ name: z.string(), arguments: z.unknown().optional() }),
              }),
            )
            .nullish(),
        }),
      }),
    )
    .min(1),
  usage: z.looseObject({ prompt_tokens: z.number(), completion_tokens: z.number() }).nullish(),
})

/** The bound of an answer. The maker's newer models refuse its older name; other servers know no other. */
export const limitOf = (most: number, baseUrl: string | undefined): object =>
  baseUrl === undefined || guessProvider('', new URL('/', baseUrl).href).ok
    ? { max_completion_tokens: most }
    : { max_tokens: most }

/** Loads the maker's SDK. @throws {ModelFailure} where it is not installed. */
export async function openaiModel(options: ModelOptions): Promise<Model> {
  const { default: OpenAI } = await loadSdk('openai', () => import('openai'))
  const { name, key, baseUrl, maxTokens, temperature, signal } = options
  const client = new OpenAI({ apiKey: key, ...(baseUrl === undefined ? {} : { baseURL: baseUrl }) })
  const limit = limitOf(maxTokens, baseUrl)

  function chat({ system, tools }: Parameters<Model['chat']>[0]): Chat {
    const messages: ChatCompletionMessageParam[] = [{ role: 'system', content: system }]
    const offered = tools.map(({ name: tool, description, inputSchema }) => ({
      type: 'function' as const,
      function: { name: tool, description, parameters: { ...inputSchema } },
    }))
    return {
      async next({ answers = [], say }) {
        for (const { id, text } of answers) messages.push({ role: 'tool', tool_call_id: id, content: text })
        if (say !== undefined) messages.push({ role: 'user', content: say })
        // Some refusals of the SDK are thrown at once.
        const ask = async (): Promise<unknown> =>
          client.chat.completions.create(
            { model: name, messages, tools: offered, ...limit, ...(temperature === undefined ? {} : { temperature }) },
            { signal },
          )
        const answered = await ask().catch((error: unknown) => {
          throw failureOf(error, 'openai', options)
        })
        const read = completionSchema.safeParse(answered)
        const choice = read.data?.choices[0]
        if (read.data === undefined || choice === undefined) throw noTurnFrom(options, 'openai')
        const { tool_calls: asked, ...message } = choice.message
        const calls = (asked ?? []).map(({ id, function: called }) => ({
          id,
          tool: called.name,
          ...readCallArguments(called.arguments),
        }))
        const text = message.content ?? ''
        // As it came: some servers sign parts of it, and want them back. Arguments that are no JSON would be refused.
        messages.push({
          ...message,
          role: 'assistant',
          content: text,
          ...(calls.length === 0
            ? {}
            : {
                tool_calls: (asked ?? []).map((called) => {
                  const { args, written } = readCallArguments(called.function.arguments)
                  const repeated = args === undefined || written === '' ? '{}' : written
                  return { ...called, type: 'function', function: { ...called.function, arguments: repeated } }
                }),
              }),
        })
        return {
          text,
          calls,
          tokens: { input: read.data.usage?.prompt_tokens ?? 0, output: read.data.usage?.completion_tokens ?? 0 },
          isCut: choice.finish_reason === 'length',
        } satisfies Turn
      },
    }
  }
  return { chat }
}
