// A program's own resources and prompts at an `McpServer` that it already has. What is asked there is answered as at our own
// doors; but that server lists them, whoever asks, and completes nothing, because it does not say for whom.
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import type { Variables } from '@modelcontextprotocol/sdk/shared/uriTemplate.js'
import type { GetPromptResult, ReadResourceResult } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Result } from '../errors/result.ts'
import type { Caller } from '../rail/engine.ts'
import { addressPattern } from './address-pattern.ts'
import { extraOf, type AttachedExtra } from './attached-caller.ts'
import { listed, type PromptArgument } from './offer.ts'
import type { DoorParts } from './protocol.ts'
import { answerOther } from './resources-and-prompts.ts'

/** Who sends a request, or why that is not known. */
export type CallerFor = (extra: AttachedExtra) => Promise<Result<Caller, string>>

/** Registers what the program offers; each can be removed again. */
export function* offerTo(server: McpServer, parts: DoorParts, callerFor: CallerFor): Generator<{ remove(): void }> {
  const { resources, templates, prompts } = parts.offer ?? { resources: [], templates: [], prompts: [] }
  const ask = async (method: string, params: unknown, told: AttachedExtra): Promise<Record<string, unknown>> => {
    const extra = extraOf(told)
    const caller = await callerFor(extra)
    if (!caller.ok) throw new Error(caller.failure)
    const answer = await answerOther(parts, method, params, {
      caller: caller.value,
      client: undefined,
      signal: extra.signal,
    })
    return answer ?? {}
  }
  const read = async (uri: string, extra: AttachedExtra): Promise<ReadResourceResult> =>
    (await ask('resources/read', { uri }, extra)) as ReadResourceResult
  for (const resource of resources) {
    const { uri, name, ...about } = listed(resource) as { readonly uri: string; readonly name: string }
    yield server.registerResource(name, uri, about, (_, extra) => read(uri, extra))
  }
  for (const template of templates) {
    const { uriTemplate, name, ...about } = listed(template) as { readonly uriTemplate: string; readonly name: string }
    const inSdk = new ResourceTemplate(uriTemplate, { list: undefined })
    const { match } = addressPattern(uriTemplate)
    // The SDK's own takes for ever for some addresses.
    inSdk.uriTemplate.match = (uri) => (match(uri) ?? null) as Variables | null
    yield server.registerResource(name, inSdk, about, (address, _, extra) => read(address.href, extra))
  }
  for (const prompt of prompts) {
    const { name, title, description } = prompt
    yield server.registerPrompt(
      name,
      {
        ...(title === undefined ? {} : { title }),
        ...(description === undefined ? {} : { description }),
        ...(prompt.arguments === undefined ? {} : { argsSchema: shapeOf(prompt.arguments) }),
      },
      async (...given: readonly unknown[]) => {
        // Without arguments the SDK passes nothing before what it knows of the request.
        const extra = given.at(-1) as AttachedExtra
        const args = given.length > 1 ? given[0] : {}
        return (await ask('prompts/get', { name, arguments: args }, extra)) as GetPromptResult
      },
    )
  }
}

/** `McpServer` makes the list of arguments from a schema of each, and checks by it. */
const shapeOf = (args: readonly PromptArgument[]): Record<string, z.ZodType<string | undefined>> =>
  Object.fromEntries(
    args.map(({ name, title, description, required }) => {
      const text = required === true ? z.string().min(1) : z.string().optional()
      const about = { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }) }
      return [name, Object.keys(about).length === 0 ? text : text.meta(about)]
    }),
  )
