// Resources, prompts and completions are not ours to judge: they pass through, from whichever server has them, as the
// value that came. Only the addresses of views change on the way, both ways. Who may not have what a server passes is
// answered as if the server had nothing, and nothing is asked of it.
import { UriTemplate } from '@modelcontextprotocol/sdk/shared/uriTemplate.js'
import { McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { maySee, type Requester } from './requester.ts'
import type { CallFailure } from '../upstream/connection/call-failure.ts'
import { createMergedList, type Found } from './merged-list.ts'
import { isReservedAddress, isReservedName } from '../call-tools/reserved-names.ts'
import type { Pool } from '../upstream/pool.ts'
import { stripOurKeys } from '../upstream/connection/wire/reserved-meta.ts'
import type { Upstream } from '../upstream/upstream.ts'
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

/**
 * Whether a server has never said what it has, and may still come up. One that was up has said so; one that has failed does not
 * count, or a server that never starts would keep what another has from everybody.
 */
const isUnknown = (upstream: Upstream): boolean => {
  const { kind, need } = upstream.state()
  // One that waits for a person to log in comes up once they have.
  const isGone =
    (kind === 'failed' && need === undefined) || kind === 'closed' || upstream.config.unstartable !== undefined
  return upstream.identity() === undefined && !isGone
}

/** The error of a server as its client should see it. */
export const passedError = ({ code, message, data }: CallFailure): McpError =>
  Object.assign(new McpError(code ?? -32603, message, data), { message })

/** How long the list of one server is waited for where others have lists, too. */
const listPatienceMs = 2000

/** Whether an address is one of this template (RFC 6570); one that cannot be read fits nothing. */
function fits(template: string, uri: string): boolean {
  try {
    return new UriTemplate(template).match(uri) !== null
  } catch {
    return false
  }
}

/**
 * The pass-through of a pool. Views (`ui://`) pass only where one server is attached: a host cannot tell whose speaks.
 * `warn` is told once of each address that two servers list, in a sentence.
 */
export function createResourcesAndPrompts(
  pool: Pool,
  views: Views,
  warn: (sentence: string) => void = () => undefined,
) {
  const mayPass = (address: string): boolean =>
    !isReservedAddress(address) && (views.shown || !address.startsWith('ui://'))

  const reported = new Set<string>()

  /** Says once what of a server's is not listed as it wants. */
  function say(said: string): void {
    if (reported.has(said) || reported.size >= 1000) return
    reported.add(said)
    warn(said)
  }

  function passes(upstream: Upstream, address: string): boolean {
    if (isReservedAddress(address))
      say(`${upstream.name} lists ${JSON.stringify(address.slice(0, 200))}; the address is ours, so it is left out.`)
    return mayPass(address)
  }

  /** What the server answered; `undefined` where it refused or answered something else. */
  async function ask<S extends z.ZodType>(
    upstream: Upstream,
    method: string,
    params: object,
    schema: S,
    signal: AbortSignal | undefined,
  ): Promise<z.output<S> | undefined> {
    const answer = await upstream.request(method, { ...params }, { signal })
    const parsed = answer.ok ? schema.safeParse(stripOurKeys(answer.value)) : undefined
    return parsed?.success === true ? parsed.data : undefined
  }

  /** The same, with the server's own error. */
  async function demand(
    upstream: Upstream,
    method: string,
    params: object,
    { signal, onSent }: Requester,
  ): Promise<Passed> {
    onSent?.()
    const answer = await upstream.request(method, { ...params }, { signal })
    if (!answer.ok) throw passedError(answer.failure)
    const parsed = one.safeParse(stripOurKeys(answer.value))
    if (parsed.success) return parsed.data
    throw new McpError(-32603, `${upstream.name} answered ${method} with something that is no result.`)
  }

  const listOf = <R extends { nextCursor?: string | undefined }, I>(
    what: Kind,
    method: string,
    schema: z.ZodType<R>,
    items: (page: R, upstream: Upstream) => readonly I[],
  ) =>
    createMergedList<I>({
      able: () => pool.upstreams.filter((upstream) => has(upstream, what)),
      page: async (upstream, cursor, signal) => {
        const answer = await ask(upstream, method, cursor === undefined ? {} : { cursor }, schema, signal)
        return answer === undefined ? undefined : { items: items(answer, upstream), next: answer.nextCursor }
      },
      patienceMs: pool.upstreams.length > 1 ? listPatienceMs : undefined,
    })

  const resources = listOf('resources', 'resources/list', resourcePage, (page, upstream) =>
    page.resources.filter(({ uri }) => passes(upstream, uri)),
  )
  const templates = listOf('resources', 'resources/templates/list', templatePage, (page, upstream) =>
    page.resourceTemplates.filter(({ uriTemplate }) => passes(upstream, uriTemplate)),
  )
  const prompts = listOf('prompts', 'prompts/list', promptPage, (page) => page.prompts)

  /** Two servers may list one address; then it is the first one's, or a later one could answer in its place. */
  function firstOfEach<I extends { readonly uri: string }>(found: readonly Found<I>[]): readonly Found<I>[] {
    const owners = new Map<string, Upstream>()
    return found.filter(({ upstream, item: { uri } }) => {
      const owner = owners.get(uri) ?? upstream
      owners.set(uri, owner)
      if (owner === upstream) return true
      say(`${upstream.name} lists ${JSON.stringify(uri.slice(0, 200))} too; it stays with ${owner.name}.`)
      return false
    })
  }

  /** Two servers may have a prompt of one name, or one server a prompt with one of ours; those carry their server's. */
  function named<I extends { readonly name: string }>(found: readonly Found<I>[]) {
    const count = new Map<string, number>()
    for (const { item } of found) count.set(item.name, (count.get(item.name) ?? 0) + 1)
    return found.map(({ upstream, item }) => ({
      upstream,
      item,
      name: (count.get(item.name) ?? 0) > 1 || isReservedName(item.name) ? `${upstream.name}:${item.name}` : item.name,
    }))
  }

  /**
   * The part of a list that somebody may see, as it is now. A server is asked on behalf of those who may use it only; of
   * the others it counts what they have listed already, so that an address or a name keeps its owner whoever asks.
   */
  async function visible<I, N extends Found<I>>(
    list: {
      fresh(signal: AbortSignal | undefined, asked: (upstream: Upstream) => boolean): Promise<readonly Found<I>[]>
    },
    requester: Requester,
    owned: (found: readonly Found<I>[]) => readonly N[],
  ): Promise<readonly N[]> {
    const found = await list.fresh(requester.signal, (upstream) => maySee(requester, upstream))
    return owned(found).filter(({ upstream }) => maySee(requester, upstream))
  }

  async function promptNamed(name: string, requester: Requester) {
    const known = named(prompts.known()).find((each) => each.name === name && maySee(requester, each.upstream))
    const found = known ?? (await visible(prompts, requester, named)).find((each) => each.name === name)
    if (found === undefined) throw new McpError(-32602, `There is no prompt "${name}". prompts/list has them.`)
    return found
  }

  /**
   * Those who may have what lies at this address: who lists it first, else who has a template that it fits. Nobody else
   * is asked: an address may be a secret of the server it was meant for. Nor is one that this requester may not use.
   */
  async function ownersOf(uri: string, requester: Requester): Promise<readonly Upstream[]> {
    const able = pool.upstreams.filter((upstream) => has(upstream, 'resources'))
    const mayHave = pool.upstreams.filter((upstream) => has(upstream, 'resources') || isUnknown(upstream))
    const allowed = (upstream: Upstream): boolean => maySee(requester, upstream)
    if (!mayPass(uri)) return []
    if (mayHave.length < 2) return able.filter(allowed)
    const lists = (found: ReturnType<typeof resources.known>) => found.find(({ item }) => item.uri === uri)?.upstream
    const fitting = (found: ReturnType<typeof templates.known>) => [
      ...new Set(found.filter(({ item }) => fits(item.uriTemplate, uri)).map(({ upstream }) => upstream)),
    ]
    const known = lists(resources.known())
    if (known !== undefined && allowed(known)) return [known]
    const [listed, patterns] = await Promise.all([
      resources.fresh(requester.signal, allowed),
      templates.fresh(requester.signal, allowed),
    ])
    const owner = lists(firstOfEach(listed))
    return (owner === undefined ? fitting(patterns) : [owner]).filter(allowed)
  }

  async function readResource(
    { uri, ...params }: { readonly uri: string },
    requester: Requester,
  ): Promise<Passed | undefined> {
    const own = views.inward(uri)
    const owners = await ownersOf(own, requester)
    for (const upstream of owners) {
      const asked = { ...params, uri: own }
      requester.onSent?.()
      // The only one who could have it says best why it does not give it.
      const found =
        owners.length === 1
          ? contents.safeParse(await demand(upstream, 'resources/read', asked, requester)).data
          : await ask(upstream, 'resources/read', asked, contents, requester.signal)
      if (found === undefined) continue
      // A view may know its own server's addresses by heart; what it asked for is what it is answered with.
      for (const content of found.contents) content.uri = content.uri === own ? uri : views.outward(content.uri)
      return found
    }
    return undefined
  }

  async function getPrompt({ name, ...params }: { readonly name: string }, requester: Requester): Promise<Passed> {
    const { upstream, item } = await promptNamed(name, requester)
    const answer = await demand(upstream, 'prompts/get', { ...params, name: item.name }, requester)
    const parsed = messages.safeParse(answer)
    if (parsed.success)
      answer['messages'] = parsed.data.messages.map((message) => ({
        ...message,
        content: views.block(message.content),
      }))
    return answer
  }

  async function complete({ ref, ...params }: { readonly ref: unknown }, requester: Requester): Promise<Passed> {
    const read = reference.safeParse(ref)
    if (!read.success)
      throw new McpError(-32602, 'completion/complete needs params.ref: a prompt by name, or a resource by address.')
    if (read.data.type === 'ref/prompt') {
      const { upstream, item } = await promptNamed(read.data.name, requester)
      return demand(upstream, 'completion/complete', { ...params, ref: { ...read.data, name: item.name } }, requester)
    }
    const uri = views.inward(read.data.uri)
    const owner = (await visible(templates, requester, (found) => found)).find(
      ({ item }) => item.uriTemplate === uri,
    )?.upstream
    if (owner === undefined) throw new McpError(-32602, `There is no resource template ${JSON.stringify(uri)}.`)
    return demand(owner, 'completion/complete', { ...params, ref: { ...read.data, uri } }, requester)
  }

  return {
    ownersOf,
    /** What is not listed as its server wants, a sentence each, as far as it was noticed yet. */
    noticed: (): readonly string[] => [...reported],
    listResources: async (requester: Requester): Promise<{ readonly resources: Passed[] }> => ({
      resources: (await visible(resources, requester, firstOfEach)).map(({ item }) => ({
        ...item,
        uri: views.outward(item.uri),
      })),
    }),
    listResourceTemplates: async (requester: Requester): Promise<{ readonly resourceTemplates: Passed[] }> => ({
      resourceTemplates: (await visible(templates, requester, (found) => found)).map(({ item }) => ({
        ...item,
        uriTemplate: views.outward(item.uriTemplate),
      })),
    }),
    readResource,
    listPrompts: async (requester: Requester): Promise<{ readonly prompts: Passed[] }> => ({
      prompts: (await visible(prompts, requester, named)).map(({ item, name }) => ({ ...item, name })),
    }),
    getPrompt,
    complete,
  }
}
