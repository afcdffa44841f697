// Resources and prompts are not ours to judge: they pass through, from whichever server has them.
import {
  GetPromptResultSchema,
  ListPromptsResultSchema,
  ListResourcesResultSchema,
  ListResourceTemplatesResultSchema,
  McpError,
  ReadResourceResultSchema,
  type GetPromptResult,
  type ListPromptsResult,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
} from '@modelcontextprotocol/sdk/types.js'
import type { z } from 'zod'
import type { Pool } from './pool.ts'
import { stripOurKeys } from './strip.ts'
import type { Upstream } from './upstream.ts'

/** The pass-through of a pool. Views (`ui://`) pass only where one server is attached: a host cannot tell whose speaks. */
export function createPassage(pool: Pool) {
  const alone = pool.upstreams.length === 1
  const has = (upstream: Upstream, what: 'resources' | 'prompts'): boolean =>
    upstream.capabilities()[what] !== undefined

  const ask = async <S extends z.ZodType>(
    upstream: Upstream,
    method: string,
    params: object,
    schema: S,
  ): Promise<z.output<S> | undefined> => {
    const answer = await upstream.request(method, { ...params })
    const parsed = answer.ok ? schema.safeParse(stripOurKeys(answer.value)) : undefined
    return parsed?.success === true ? parsed.data : undefined
  }

  /** Every page of a list of every server: a cursor of one of them means nothing to another. */
  async function everything<R extends { nextCursor?: string | undefined }, I>(
    what: 'resources' | 'prompts',
    method: string,
    schema: z.ZodType<R>,
    items: (page: R) => readonly I[],
  ): Promise<{ readonly upstream: Upstream; readonly item: I }[]> {
    const lists = await Promise.all(
      pool.upstreams
        .filter((upstream) => has(upstream, what))
        .map(async (upstream) => {
          const found: { readonly upstream: Upstream; readonly item: I }[] = []
          let cursor: string | undefined
          for (let page = 0; page < 100; page++) {
            const answer = await ask(upstream, method, cursor === undefined ? {} : { cursor }, schema)
            if (answer === undefined) break
            found.push(...items(answer).map((item) => ({ upstream, item })))
            cursor = answer.nextCursor
            if (cursor === undefined) break
          }
          return found
        }),
    )
    return lists.flat()
  }

  const resources = () =>
    everything('resources', 'resources/list', ListResourcesResultSchema, (page) => page.resources).then((found) =>
      alone ? found : found.filter(({ item }) => !item.uri.startsWith('ui://')),
    )
  const prompts = () => everything('prompts', 'prompts/list', ListPromptsResultSchema, (page) => page.prompts)

  /** Two servers may have a prompt of one name; then both carry their server's. */
  const named = async () => {
    const found = await prompts()
    const count = new Map<string, number>()
    for (const { item } of found) count.set(item.name, (count.get(item.name) ?? 0) + 1)
    return found.map(({ upstream, item }) => ({
      upstream,
      item,
      name: (count.get(item.name) ?? 0) > 1 ? `${upstream.name}:${item.name}` : item.name,
    }))
  }

  return {
    get prompts(): boolean {
      return pool.upstreams.some((upstream) => has(upstream, 'prompts'))
    },
    listResources: async (): Promise<ListResourcesResult> => ({
      resources: (await resources()).map(({ item }) => item),
    }),
    listResourceTemplates: async (): Promise<ListResourceTemplatesResult> => ({
      resourceTemplates: (
        await everything(
          'resources',
          'resources/templates/list',
          ListResourceTemplatesResultSchema,
          (page) => page.resourceTemplates,
        )
      ).map(({ item }) => item),
    }),
    readResource: async (uri: string): Promise<ReadResourceResult | undefined> => {
      if (!alone && uri.startsWith('ui://')) return undefined
      // The one that lists it first; a template's address is on no list, so then whoever can read it.
      const owners = (await resources()).filter(({ item }) => item.uri === uri).map(({ upstream }) => upstream)
      for (const upstream of new Set([...owners, ...pool.upstreams.filter((each) => has(each, 'resources'))])) {
        const found = await ask(upstream, 'resources/read', { uri }, ReadResourceResultSchema)
        if (found !== undefined) return found
      }
      return undefined
    },
    listPrompts: async (): Promise<ListPromptsResult> => ({
      prompts: (await named()).map(({ item, name }) => ({ ...item, name })),
    }),
    getPrompt: async (name: string, args: Readonly<Record<string, string>> | undefined): Promise<GetPromptResult> => {
      const found = (await named()).find((prompt) => prompt.name === name)
      if (found === undefined) throw new McpError(-32602, `There is no prompt "${name}". prompts/list has them.`)
      const params = { name: found.item.name, ...(args === undefined ? {} : { arguments: args }) }
      const answer = await ask(found.upstream, 'prompts/get', params, GetPromptResultSchema)
      if (answer === undefined) throw new McpError(-32603, `${found.upstream.name} did not give the prompt "${name}".`)
      return answer
    },
  }
}
