// Resources, prompts and completions are not ours to judge: they pass through, from whichever server has them, as the
// value that came. Only the addresses of views change on the way, both ways.
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { CallFailure } from './call-failure.ts'
import type { Pool } from './pool.ts'
import { stripOurKeys } from './strip.ts'
import type { Upstream } from './upstream.ts'
import type { Views } from './views.ts'

/** An answer that goes out as it came in. */
export type Passed = Record<string, unknown>

const one = z.looseObject({})
const page = z.looseObject({ nextCursor: z.string().optional() })
const resourcePage = page.extend({ resources: z.array(z.looseObject({ uri: z.string() })) })
const templatePage = page.extend({ resourceTemplates: z.array(z.looseObject({ uriTemplate: z.string() })) })
const promptPage = page.extend({ prompts: z.array(z.looseObject({ name: z.string() })) })
const contents = z.looseObject({ contents: z.array(z.looseObject({ uri: z.string() })) })
const messages = z.looseObject({ messages: z.array(z.looseObject({ content: z.unknown() })) })

const reference = z.union([
  z.looseObject({ type: z.literal('ref/prompt'), name: z.string() }),
  z.looseObject({ type: z.literal('ref/resource'), uri: z.string() }),
])

type Kind = 'resources' | 'prompts' | 'completions' | 'logging'

export const has = (upstream: Upstream, what: Kind): boolean => upstream.capabilities()[what] !== undefined

/** The error of a server as its client should see it. */
export const passedError = ({ code, message, data }: CallFailure): McpError =>
  Object.assign(new McpError(code ?? -32603, message, data), { message })

interface Found<I> {
  readonly upstream: Upstream
  readonly item: I
}

/** The pass-through of a pool. Views (`ui://`) pass only where one server is attached: a host cannot tell whose speaks. */
export function createPassage(pool: Pool, views: Views) {
  const mayPass = (address: string): boolean => views.shown || !address.startsWith('ui://')

  /** What the server answered; `undefined` where it refused or answered something else. */
  async function ask<S extends z.ZodType>(
    upstream: Upstream,
    method: string,
    params: object,
    schema: S,
  ): Promise<z.output<S> | undefined> {
    const answer = await upstream.request(method, { ...params })
    const parsed = answer.ok ? schema.safeParse(stripOurKeys(answer.value)) : undefined
    return parsed?.success === true ? parsed.data : undefined
  }

  /** The same, with the server's own error. */
  async function demand(upstream: Upstream, method: string, params: object): Promise<Passed> {
    const answer = await upstream.request(method, { ...params })
    if (!answer.ok) throw passedError(answer.failure)
    const parsed = one.safeParse(stripOurKeys(answer.value))
    if (parsed.success) return parsed.data
    throw new McpError(-32603, `${upstream.name} answered ${method} with something that is no result.`)
  }

  /** Every page of a list of every server: a cursor of one of them means nothing to another. */
  async function everything<R extends { nextCursor?: string | undefined }, I>(
    what: Kind,
    method: string,
    schema: z.ZodType<R>,
    items: (page: R) => readonly I[],
  ): Promise<readonly Found<I>[]> {
    const lists = await Promise.all(
      pool.upstreams
        .filter((upstream) => has(upstream, what))
        .map(async (upstream) => {
          const found: Found<I>[] = []
          let cursor: string | undefined
          for (let count = 0; count < 100; count++) {
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

  const resources = async () =>
    (await everything('resources', 'resources/list', resourcePage, (page) => page.resources)).filter(({ item }) =>
      mayPass(item.uri),
    )
  const templates = async () =>
    (await everything('resources', 'resources/templates/list', templatePage, (page) => page.resourceTemplates)).filter(
      ({ item }) => mayPass(item.uriTemplate),
    )

  /** Two servers may have a prompt of one name; then both carry their server's. */
  async function named() {
    const found = await everything('prompts', 'prompts/list', promptPage, (page) => page.prompts)
    const count = new Map<string, number>()
    for (const { item } of found) count.set(item.name, (count.get(item.name) ?? 0) + 1)
    return found.map(({ upstream, item }) => ({
      upstream,
      item,
      name: (count.get(item.name) ?? 0) > 1 ? `${upstream.name}:${item.name}` : item.name,
    }))
  }
  async function promptNamed(name: string) {
    const found = (await named()).find((each) => each.name === name)
    if (found === undefined) throw new McpError(-32602, `There is no prompt "${name}". prompts/list has them.`)
    return found
  }

  /** Those who may have what lies at this address: who lists it first; a template's address is on no list. */
  async function ownersOf(uri: string): Promise<readonly Upstream[]> {
    const able = pool.upstreams.filter((upstream) => has(upstream, 'resources'))
    if (!mayPass(uri) || able.length < 2) return mayPass(uri) ? able : []
    const owners = (await resources()).filter(({ item }) => item.uri === uri).map(({ upstream }) => upstream)
    return [...new Set([...owners, ...able])]
  }

  async function readResource({ uri, ...params }: { readonly uri: string }): Promise<Passed | undefined> {
    const own = views.inward(uri)
    const owners = await ownersOf(own)
    for (const upstream of owners) {
      const asked = { ...params, uri: own }
      // The only one who could have it says best why it does not give it.
      const found =
        owners.length === 1
          ? contents.safeParse(await demand(upstream, 'resources/read', asked)).data
          : await ask(upstream, 'resources/read', asked, contents)
      if (found === undefined) continue
      // A view may know its own server's addresses by heart; what it asked for is what it is answered with.
      for (const content of found.contents) content.uri = content.uri === own ? uri : views.outward(content.uri)
      return found
    }
    return undefined
  }

  async function getPrompt({ name, ...params }: { readonly name: string }): Promise<Passed> {
    const { upstream, item } = await promptNamed(name)
    const answer = await demand(upstream, 'prompts/get', { ...params, name: item.name })
    const parsed = messages.safeParse(answer)
    if (parsed.success)
      answer['messages'] = parsed.data.messages.map((message) => ({
        ...message,
        content: views.block(message.content),
      }))
    return answer
  }

  async function complete({ ref, ...params }: { readonly ref: unknown }): Promise<Passed> {
    const read = reference.safeParse(ref)
    if (!read.success)
      throw new McpError(-32602, 'completion/complete needs params.ref: a prompt by name, or a resource by address.')
    if (read.data.type === 'ref/prompt') {
      const { upstream, item } = await promptNamed(read.data.name)
      return demand(upstream, 'completion/complete', { ...params, ref: { ...read.data, name: item.name } })
    }
    const uri = views.inward(read.data.uri)
    const owner = (await templates()).find(({ item }) => item.uriTemplate === uri)?.upstream
    if (owner === undefined) throw new McpError(-32602, `There is no resource template ${JSON.stringify(uri)}.`)
    return demand(owner, 'completion/complete', { ...params, ref: { ...read.data, uri } })
  }

  return {
    ownersOf,
    listResources: async (): Promise<{ readonly resources: Passed[] }> => ({
      resources: (await resources()).map(({ item }) => ({ ...item, uri: views.outward(item.uri) })),
    }),
    listResourceTemplates: async (): Promise<{ readonly resourceTemplates: Passed[] }> => ({
      resourceTemplates: (await templates()).map(({ item }) => ({
        ...item,
        uriTemplate: views.outward(item.uriTemplate),
      })),
    }),
    readResource,
    listPrompts: async (): Promise<{ readonly prompts: Passed[] }> => ({
      prompts: (await named()).map(({ item, name }) => ({ ...item, name })),
    }),
    getPrompt,
    complete,
  }
}
