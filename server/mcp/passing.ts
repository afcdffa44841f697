// Resources, prompts and what else is not a call: our own texts first, and then whatever the servers behind have. Where
// nobody is behind, only our own texts are left.
import { ErrorCode, McpError, type ServerCapabilities } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Result } from '../errors/result.ts'
import type { Passage } from './front.ts'
import { contractResource, contractResources, listResource, textOf } from './listing.ts'
import type { DoorParts } from './protocol.ts'

/** Who asks: the name of the session, where there is one, and the languages of the reader. */
export interface Asking {
  readonly client: string | undefined
  readonly languages: readonly string[] | undefined
}

const noParams = z.looseObject({})
const resourceParams = z.looseObject({ uri: z.string() })
const promptParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() })
const completeParams = z.looseObject({ ref: z.unknown(), argument: z.unknown() })

/** What a server says of itself at `initialize`, as far as it is known by then. */
export function capabilitiesOf({ passage, changes }: DoorParts): ServerCapabilities {
  const changing = changes === undefined ? {} : { listChanged: true }
  const can = passage?.abilities()
  return {
    tools: changing,
    resources:
      passage === undefined ? {} : { ...changing, ...(can?.subscriptions === true ? { subscribe: true } : {}) },
    ...(can?.prompts === true ? { prompts: changing } : {}),
    ...(can?.completions === true ? { completions: {} } : {}),
    ...(can?.logging === true ? { logging: {} } : {}),
  }
}

/** Answers one request that is not about tools; `undefined` for a method that this server does not have. */
export async function passRequest(
  parts: DoorParts,
  method: string,
  params: unknown,
  asking: Asking,
): Promise<Record<string, unknown> | undefined> {
  const { passage } = parts
  switch (method) {
    case 'resources/list':
      return {
        resources: [...ownResources(parts).map(listResource), ...((await passage?.listResources())?.resources ?? [])],
      }
    case 'resources/templates/list':
      return passage === undefined ? { resourceTemplates: [] } : passage.listResourceTemplates()
    case 'resources/read': {
      const read = resourceParams.safeParse(params)
      if (!read.success) throw invalid('resources/read needs an address in params.uri; resources/list has them.')
      const { uri } = read.data
      return readOwn(parts, uri, asking) ?? (await passage?.readResource(forward(read.data))) ?? noResource(uri)
    }
    default:
      return passage === undefined ? undefined : passOn(passage, method, params ?? {}, asking)
  }
}

async function passOn(
  passage: Passage,
  method: string,
  params: unknown,
  { client }: Asking,
): Promise<Record<string, unknown> | undefined> {
  const can = passage.abilities()
  switch (method) {
    case 'prompts/list':
      return can.prompts ? passage.listPrompts() : undefined
    case 'prompts/get': {
      if (!can.prompts) return undefined
      const read = promptParams.safeParse(params)
      if (!read.success) throw invalid('prompts/get needs the name of a prompt in params.name.')
      return passage.getPrompt(forward(read.data))
    }
    case 'completion/complete': {
      if (!can.completions) return undefined
      const read = completeParams.safeParse(params)
      if (!read.success) throw invalid('completion/complete needs params.ref and params.argument.')
      return passage.complete({ ...forward(read.data), ref: read.data['ref'] })
    }
    case 'logging/setLevel':
      return can.logging
        ? said(await passage.setLevel(known(client, method), noParams.parse(params)['level']))
        : undefined
    case 'resources/subscribe':
    case 'resources/unsubscribe': {
      if (!can.subscriptions) return undefined
      const read = resourceParams.safeParse(params)
      if (!read.success) throw invalid(`${method} needs an address in params.uri; resources/list has them.`)
      const who = known(client, method)
      return method === 'resources/subscribe'
        ? said(await passage.subscribe(who, read.data.uri))
        : passage.unsubscribe(who, read.data.uri)
    }
    default:
      return undefined
  }
}

const known = (client: string | undefined, method: string): string => {
  if (client !== undefined) return client
  throw invalid(`${method} is about a session. Initialize one first and send its id with every request.`)
}

function said<T>(result: Result<T, string>): T {
  if (result.ok) return result.value
  throw invalid(result.failure)
}

/** A request's params as the server behind gets them: without what belongs to this connection, or to us. */
function forward<T extends Record<string, unknown>>(given: T): T {
  const { _meta: meta, ...params } = given
  if (typeof meta !== 'object' || meta === null) return given
  const kept = Object.entries(meta).filter(([key]) => key !== 'progressToken' && !key.startsWith('countersign/'))
  return { ...params, ...(kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) }) } as unknown as T
}

/** Our own texts, and the contract of each tool that is listed now. */
const ownResources = (parts: DoorParts) => [...parts.resources, ...contractResources(parts.road.catalog)]

function readOwn(parts: DoorParts, uri: string, { languages }: Asking): Record<string, unknown> | undefined {
  const found = parts.resources.find((resource) => resource.uri === uri) ?? contractResource(parts.road.catalog, uri)
  if (found === undefined) return undefined
  const { mimeType, meta } = found
  const text = textOf(found, languages)
  return { contents: [{ uri: found.uri, mimeType, text, ...(meta === undefined ? {} : { _meta: { ...meta } }) }] }
}

const invalid = (message: string): McpError => new McpError(ErrorCode.InvalidParams, message)

/** -32002 is the specification's code for a resource that is not there. */
function noResource(uri: string): never {
  const asked = uri.slice(0, 200)
  throw new McpError(-32002, `There is no resource ${JSON.stringify(asked)}. resources/list names those that exist.`, {
    uri: asked,
  })
}
