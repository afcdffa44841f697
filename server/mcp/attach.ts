// Many people already have an `McpServer`. This adds confirmed tools to it, without asking them to give it up.
import type { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import type { Caller } from '../rail/engine.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import type { Principal } from '../model/principal.ts'
import { needsPrincipalOf, principalFor, refuseHttp, type CallerFinder, type ReceivedFacts } from './attached-caller.ts'
import { cardsOf } from './client-facts.ts'
import { contractResources, isForCardsOnly, listTools, textOf } from './listing.ts'
import { callRequest, callTool, type DoorParts } from './protocol.ts'

interface AttachOptions extends Omit<CallerFinder, 'report'> {
  readonly trusted: boolean
  /** Makes what `connect` throws where the server is to be served over HTTP and nobody can say who calls. */
  readonly refuse: (message: string, next: string) => Error
}

/**
 * Registers the tools and resources of a door with an existing `McpServer`, before it is connected.
 *
 * What it cannot do there, because `McpServer` owns it: set the server's `instructions` (add `countersign.instructions`
 * to your own), see a top-level `__proto__` key (the SDK drops it while parsing), answer unknown tools with guidance,
 * or turn arguments that are no object into a tool result. Everything else is as with our own doors, progress and
 * `_meta` too. Where the server has a tool or resource of a name that we need, nothing of ours stays with it. Over HTTP
 * each request is asked about (`principalOf`); without that the server does not connect there.
 */
export function attachTo(
  server: McpServer,
  parts: DoorParts,
  options: AttachOptions,
): Result<void, { readonly message: string; readonly next: string }> {
  const added: { remove(): void }[] = []
  try {
    for (const one of register(server, parts, options)) added.push(one)
    if (options.principalOf === undefined)
      refuseHttp(server, () => options.refuse(needsPrincipalOf.message, needsPrincipalOf.next))
    return ok(undefined)
  } catch (error) {
    // `McpServer` does not say which names it has; it throws at the first that is taken.
    for (const one of added.toReversed()) one.remove()
    const taken = /^(Tool|Resource) (\S+) is already registered$/.exec(error instanceof Error ? error.message : '')
    if (taken === null) throw error
    return fail({
      message: `This McpServer has a ${taken[1] === 'Tool' ? 'tool' : 'resource'} ${taken[2]} already, so nothing was attached to it.`,
      next: 'Give yours or the one that you attach another name, and attach to each server once.',
    })
  }
}

/** Registers one after the other; what has been registered can be taken back. */
function* register(server: McpServer, parts: DoorParts, options: AttachOptions): Generator<{ remove(): void }> {
  const report = parts.engine.report
  // Where each request has a server of its own, the one that said `initialize` was another, and nothing is known here.
  const cards = (): Caller['cards'] => cardsOf(server.server.getClientCapabilities())
  const callerOf = (principal: Principal): Caller => ({
    principal,
    permissions: 'all',
    client: server.server.getClientVersion()?.name ?? 'unknown',
    cards: cards(),
    trusted: options.trusted,
  })
  for (const tool of listTools(parts.engine.catalog, parts.engine.settings.apply)) {
    const registered = server.registerTool(
      tool.name,
      {
        ...(tool.title === undefined ? {} : { title: tool.title }),
        ...(tool.description === undefined ? {} : { description: tool.description }),
        ...(tool.annotations === undefined ? {} : { annotations: tool.annotations }),
        ...(tool._meta === undefined ? {} : { _meta: tool._meta }),
        inputSchema: permissive(tool.inputSchema),
        ...(tool.outputSchema === undefined ? {} : { outputSchema: permissive(tool.outputSchema) }),
      },
      async (args: unknown, extra: AttachedExtra) => {
        const found = await principalFor({ ...options, report }, extra)
        if (!found.ok) return { isError: true, content: [{ type: 'text' as const, text: found.failure }] }
        const params = { name: tool.name, arguments: args, _meta: extra._meta }
        return callTool(parts, callRequest(parts.engine, params, callerOf(found.value), extra))
      },
    )
    // `McpServer` lists and serves what is enabled, and only here is known for whom.
    if (isForCardsOnly(tool)) Object.defineProperty(registered, 'enabled', { get: () => cards() !== 'no' })
    yield registered
  }
  for (const resource of [...parts.resources, ...contractResources(parts.engine.catalog)]) {
    const { uri, name, title, mimeType, meta } = resource
    const text = textOf(resource)
    const _meta = meta === undefined ? {} : { _meta: { ...meta } }
    yield server.registerResource(name, uri, { title, mimeType, ..._meta }, () => ({
      contents: [{ uri, mimeType, text, ..._meta }],
    }))
  }
}

type AttachedExtra = Parameters<typeof callRequest>[3] &
  ReceivedFacts & { readonly _meta?: Record<string, unknown> | undefined }

/**
 * Validates nothing and lists the true JSON Schema: `McpServer` would otherwise answer a wrong argument with plain text
 * before the engine has seen it. Zod writes `meta` over what it derives.
 */
const permissive = (schema: Readonly<Record<string, unknown>>): z.ZodObject => z.looseObject({}).meta({ ...schema })
