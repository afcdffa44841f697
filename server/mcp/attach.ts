// Adds confirmed tools to an `McpServer` that a program already has. That of the SDK's second generation takes the same calls, and
// tells its functions of a request in another form.
import { randomUUID } from 'node:crypto'
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/sdk/server/mcp.js'
import { z } from 'zod'
import { fail, ok, type Result } from '../errors/result.ts'
import {
  extraOf,
  isOverHttp,
  needsPrincipalOf,
  requestOf,
  principalFor,
  refuseHttp,
  type AttachedExtra,
  type CallerFinder,
} from './attached-caller.ts'
import { cardsOf, connectedCaller } from './client-facts.ts'
import { contractNames } from './complete-contract.ts'
import { docsTemplate, pageNames, readDocs } from './docs-resources.ts'
import { contractResource, contractTemplate, isForCardsOnly, listTools, withViewOf } from './listing.ts'
import { modernCaller } from './modern/protocol-server.ts'
import { callRequest, callTool, type DoorParts } from './protocol.ts'
import { offerTo, type CallerFor } from './attached-offer.ts'
import { noResource } from './no-such-resource.ts'

interface AttachOptions extends Omit<CallerFinder, 'report'> {
  readonly trusted: boolean
  /** Makes the error that `connect` throws for a transport over HTTP without `principalOf`. */
  readonly refuse: (message: string, next: string) => Error
}

/**
 * Registers the tools and resources of a door with an existing `McpServer`, before it is connected.
 *
 * What it cannot do there, because `McpServer` does it: set the server's `instructions` (add `countersign.instructions` to
 * your own), see a top-level `__proto__` key (the SDK drops it while parsing), answer unknown tools with guidance, or turn
 * arguments that are no object into a tool result. Everything else is as at our own doors, progress and `_meta` too.
 * Where the server has a tool or resource of a name that we need, nothing is added. Over HTTP `principalOf` is asked about
 * each request; without it the server does not connect there.
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
    const taken = /^(Tool|Resource|Prompt)(?: template)? (.+) is already registered$/.exec(
      error instanceof Error ? error.message : '',
    )
    if (taken === null) throw error
    return fail({
      message: `This McpServer has a ${taken[1]?.toLowerCase()} ${taken[2]} already, so nothing was attached to it.`,
      next: 'Give yours or the one that you attach another name, and attach to each server once.',
    })
  }
}

/** Registers one after the other; each can be removed again. */
function* register(server: McpServer, parts: DoorParts, options: AttachOptions): Generator<{ remove(): void }> {
  const report = parts.engine.report
  // Of a server with one client; over HTTP each request says its own, if there is one.
  const session = randomUUID()
  const callerFor: CallerFor = async (told) => {
    const extra = extraOf(told)
    const found = await principalFor({ ...options, report }, extra)
    if (!found.ok) return found
    const connected = connectedCaller(server.server, {
      principal: found.value,
      trusted: options.trusted,
      session: isOverHttp(extra) ? extra.sessionId : session,
      ...requestOf(extra),
    })
    return ok(extra.envelope === undefined ? connected : modernCaller(connected, extra.envelope))
  }
  for (const tool of withViewOf(parts.resources, listTools(parts.engine.catalog, parts.engine.settings.apply))) {
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
      async (args: unknown, told: AttachedExtra) => {
        const extra = extraOf(told)
        const found = await callerFor(extra)
        if (!found.ok) return { isError: true, content: [{ type: 'text' as const, text: found.failure }] }
        const params = { name: tool.name, arguments: args, _meta: extra._meta }
        return callTool(parts, callRequest(parts.engine, params, found.value, extra))
      },
    )
    // `McpServer` lists and serves what is enabled, and does not know for which client.
    if (isForCardsOnly(tool))
      Object.defineProperty(registered, 'enabled', {
        get: () => cardsOf(server.server.getClientCapabilities()) !== 'no',
      })
    yield registered
  }
  for (const resource of parts.resources) {
    const { uri, name, title, mimeType, meta } = resource
    const text = resource.text
    const _meta = meta === undefined ? {} : { _meta: { ...meta } }
    yield server.registerResource(name, uri, { title, mimeType, ..._meta }, () => ({
      contents: [{ uri, mimeType, text, ..._meta }],
    }))
  }
  yield contractsTo(server, parts)
  yield docsTo(server, parts)
  yield* offerTo(server, parts, callerFor)
}

/** Registers the contracts' template. */
function contractsTo(server: McpServer, parts: DoorParts): { remove(): void } {
  const { uriTemplate, name, ...about } = contractTemplate
  const complete = { tool: (begun: string) => [...contractNames(parts, begun)] }
  const template = new ResourceTemplate(uriTemplate, { list: undefined, complete })
  return server.registerResource(name, template, about, ({ href }) => {
    const found = contractResource(parts.engine.catalog, href)
    if (found === undefined) throw noResource(href)
    return { contents: [{ uri: href, mimeType: found.mimeType, text: found.text }] }
  })
}

/** Registers the template of the documentation. */
function docsTo(server: McpServer, { docs }: DoorParts): { remove(): void } {
  const { uriTemplate, name, ...about } = docsTemplate
  const complete = { page: (begun: string) => pageNames(docs, begun) }
  const template = new ResourceTemplate(uriTemplate, { list: undefined, complete })
  return server.registerResource(name, template, about, async ({ href }) => {
    const found = await readDocs(docs, href)
    if (found === undefined) throw noResource(href)
    return found
  })
}

/**
 * A Zod schema that accepts everything and is listed as this JSON Schema: `McpServer` would otherwise answer wrong arguments
 * with plain text before the rail has seen them. Zod prefers `meta` to what it derives.
 */
const permissive = (schema: Readonly<Record<string, unknown>>): z.ZodObject => z.looseObject({}).meta({ ...schema })
