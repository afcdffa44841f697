// Requests about resources, prompts and everything else that is not about tools: our own resources first, then what the program
// offers, then what upstreams have.
import { ErrorCode, McpError } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import type { Result } from '../errors/result.ts'
import { guidanceFor } from '../errors/table.ts'
import { withPassthroughRow, type PassthroughTrouble } from '../rail/record/passthrough-record.ts'
import type { Caller } from '../rail/engine.ts'
import type { Requester } from '../gateway/passthrough/requester.ts'
import type { Passthrough } from './gateway-tools.ts'
import { completeOffered, getOffered, listOffered, offeredPrompt, offeredResource } from './answer-offer.ts'
import { completeContract } from './complete-contract.ts'
import { completePages, docsTemplate, readDocs } from './docs-resources.ts'
import { contractResource, contractTemplate, listResource } from './listing.ts'
import { isCardUri } from '../tools/names.ts'
import { noResource } from './no-such-resource.ts'
import type { Offer } from './offer.ts'
import type { DoorParts } from './protocol.ts'

/** Who asks, and the name of the session, if any. */
export interface Asking {
  readonly caller: Caller
  readonly client: string | undefined
  /** Aborts when the client cancels the request. */
  readonly signal?: AbortSignal
}

const noParams = z.looseObject({})
const resourceParams = z.looseObject({ uri: z.string() })
const promptParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() })
const completeParams = z.looseObject({ ref: z.unknown(), argument: z.unknown() })

/** Those of the specification that a server of ours may have. */
interface Capabilities {
  readonly tools: { listChanged?: boolean }
  readonly resources: { listChanged?: boolean; subscribe?: boolean }
  readonly prompts?: { listChanged?: boolean }
  readonly completions: Record<string, never>
  readonly logging?: Record<string, never>
}

/** The capabilities that a server announces at `initialize`, with those of its upstreams as far as they are known. */
export function capabilitiesOf({ passthrough, changes, offer }: DoorParts): Capabilities {
  const changing = changes === undefined ? {} : { listChanged: true }
  const can = passthrough?.abilities()
  return {
    tools: changing,
    resources:
      passthrough === undefined ? {} : { ...changing, ...(can?.subscriptions === true ? { subscribe: true } : {}) },
    ...(can?.prompts === true || (offer !== undefined && offer.prompts.length > 0) ? { prompts: changing } : {}),
    completions: {},
    ...(can?.logging === true ? { logging: {} } : {}),
  }
}

/** Answers one request that is not about tools; `undefined` for an unknown method. */
export async function answerOther(
  parts: DoorParts,
  method: string,
  params: unknown,
  asking: Asking,
): Promise<Record<string, unknown> | undefined> {
  const { engine, passthrough, offer = nothing } = parts
  const { caller } = asking
  const asked = { engine, caller, signal: asking.signal }
  switch (method) {
    case 'resources/list': {
      const own = [...parts.resources.map(listResource), ...listOffered(engine, caller, offer.resources)]
      if (passthrough === undefined) return { resources: own }
      const theirs = await pass(parts, method, params, asking, (requester) => passthrough.listResources(requester))
      return { resources: [...own, ...theirs.resources] }
    }
    case 'resources/templates/list': {
      const own = [contractTemplate, docsTemplate, ...listOffered(engine, caller, offer.templates)]
      if (passthrough === undefined) return { resourceTemplates: own }
      const theirs = await pass(parts, method, params, asking, (requester) =>
        passthrough.listResourceTemplates(requester),
      )
      return { resourceTemplates: [...own, ...theirs.resourceTemplates] }
    }
    case 'resources/read': {
      const read = resourceParams.safeParse(params)
      if (!read.success) throw invalid('resources/read needs a URI in params.uri; resources/list has them.')
      const { uri } = read.data
      const own = readOwn(parts, uri) ?? (await readDocs(parts.docs, uri))
      if (own !== undefined) return own
      const offered = offeredResource(offer, uri, asked)
      if (offered !== undefined)
        return pass(parts, method, params, asking, async () => {
          const answer = await offered()
          if (answer === undefined) throw noResource(uri)
          return answer
        })
      if (passthrough === undefined) throw noResource(uri)
      return pass(parts, method, params, asking, async (requester) => {
        const theirs = await passthrough.readResource(forward(read.data), requester)
        if (theirs === undefined) throw noResource(uri)
        return theirs
      })
    }
    case 'completion/complete': {
      const own = completeContract(parts, params, asking.caller) ?? completePages(parts.docs, params)
      if (own !== undefined) return own
      const offered = await completeOffered(offer, params, asked)
      if (offered !== undefined) return offered
      if (passthrough?.abilities().completions === true)
        return pass(parts, method, params, asking, (requester) => passCompletion(passthrough, params, requester))
      throw invalid(
        `Nothing else is completed here than "tool" of ${contractTemplate.uriTemplate} and "page" of ${docsTemplate.uriTemplate}.`,
      )
    }
    case 'prompts/list': {
      if (offer.prompts.length === 0) return fromUpstreams(parts, method, params, asking)
      const own = listOffered(engine, caller, offer.prompts)
      const theirs = await fromUpstreams(parts, method, params, asking)
      return { prompts: [...own, ...(Array.isArray(theirs?.['prompts']) ? (theirs['prompts'] as unknown[]) : [])] }
    }
    case 'prompts/get': {
      if (offer.prompts.length === 0) return fromUpstreams(parts, method, params, asking)
      const read = promptParams.safeParse(params)
      if (!read.success) throw invalid(needsPrompt)
      const { name, arguments: args = {} } = read.data
      const prompt = offeredPrompt(offer, name, asked)
      if (prompt !== undefined) return pass(parts, method, params, asking, () => getOffered(prompt, args, asked))
      const theirs = await fromUpstreams(parts, method, params, asking)
      if (theirs === undefined)
        throw invalid(`There is no prompt ${JSON.stringify(name.slice(0, 100))}. prompts/list names those that exist.`)
      return theirs
    }
    default:
      return fromUpstreams(parts, method, params, asking)
  }
}

const nothing: Offer = { resources: [], templates: [], prompts: [] }

const needsPrompt = 'prompts/get needs the name of a prompt in params.name, and its arguments as texts.'

/** The answer of upstreams to a method that they alone have; `undefined` where none has it. */
async function fromUpstreams(
  parts: DoorParts,
  method: string,
  params: unknown,
  asking: Asking,
): Promise<Record<string, unknown> | undefined> {
  const { passthrough } = parts
  const needed = needs.get(method)
  if (passthrough === undefined || needed === undefined || !passthrough.abilities()[needed]) return undefined
  return pass(parts, method, params, asking, (requester) =>
    passOn(passthrough, method, params ?? {}, asking, requester),
  )
}

/** Methods that upstreams have, with the capability that one of them must have announced. */
const needs: ReadonlyMap<string, keyof ReturnType<Passthrough['abilities']>> = new Map([
  ['prompts/list', 'prompts'],
  ['prompts/get', 'prompts'],
  ['logging/setLevel', 'logging'],
  ['resources/subscribe', 'subscriptions'],
  ['resources/unsubscribe', 'subscriptions'],
])

/** A server-defined code of JSON-RPC, which is widely used for limits (EIP-1474). */
const limitExceeded = -32005

/** Counts a request that is passed on to an upstream as one call. */
async function count({ engine }: DoorParts, method: string, { caller }: Asking): Promise<void> {
  const reached = await engine.limits?.take(caller.principal, 'calls')
  if (reached === undefined) return
  const guidance = guidanceFor({ kind: 'too-many-calls', tool: method, ...reached })
  const { message, actionable_guidance: next, error_type: code, retry_after_seconds: seconds } = guidance
  throw new McpError(limitExceeded, [message, ...next].join(' '), { code, next, retry_after_seconds: seconds })
}

/** Passes one request on to upstreams: recorded, counted, and with the requester's permissions. */
const pass = <T>(
  parts: DoorParts,
  method: string,
  params: unknown,
  asking: Asking,
  work: (requester: Requester) => Promise<T>,
): Promise<T> =>
  withPassthroughRow(
    parts.engine,
    { method, params, caller: asking.caller },
    async (requester) => {
      await count(parts, method, asking)
      return work({ ...requester, ...(asking.signal === undefined ? {} : { signal: asking.signal }) })
    },
    troubleOf,
  )

/** How the activity log records a request that was answered with an error. */
function troubleOf(error: unknown): PassthroughTrouble {
  const message = error instanceof Error ? error.message : String(error)
  const { code } = error as { readonly code?: unknown }
  if (code === limitExceeded) return { outcome: 'refused', code: 'too_many_calls', message }
  return { outcome: 'failed', code: typeof code === 'number' ? `jsonrpc_${code}` : 'internal', message }
}

async function passOn(
  passthrough: Passthrough,
  method: string,
  params: unknown,
  { client }: Asking,
  requester: Requester,
): Promise<Record<string, unknown> | undefined> {
  switch (method) {
    case 'prompts/list':
      return passthrough.listPrompts(requester)
    case 'prompts/get': {
      const read = promptParams.safeParse(params)
      if (!read.success) throw invalid(needsPrompt)
      return passthrough.getPrompt(forward(read.data), requester)
    }
    case 'logging/setLevel':
      return said(await passthrough.setLevel(known(client, method), noParams.parse(params)['level'], requester))
    case 'resources/subscribe':
    case 'resources/unsubscribe': {
      const read = resourceParams.safeParse(params)
      if (!read.success) throw invalid(`${method} needs a URI in params.uri; resources/list has them.`)
      const who = known(client, method)
      return method === 'resources/subscribe'
        ? said(await passthrough.subscribe(who, read.data.uri, requester))
        : passthrough.unsubscribe(who, read.data.uri)
    }
    default:
      return undefined
  }
}

function passCompletion(
  passthrough: Passthrough,
  params: unknown,
  requester: Requester,
): Promise<Record<string, unknown>> {
  const read = completeParams.safeParse(params)
  if (!read.success) throw invalid('completion/complete needs params.ref and params.argument.')
  return passthrough.complete({ ...forward(read.data), ref: read.data['ref'] }, requester)
}

const known = (client: string | undefined, method: string): string => {
  if (client !== undefined) return client
  throw invalid(`${method} needs a session. Initialize one first and send its id with every request.`)
}

function said<T>(result: Result<T, string>): T {
  if (result.ok) return result.value
  throw invalid(result.failure)
}

/** A request's params for an upstream: without what belongs to this connection or to us. */
function forward<T extends Record<string, unknown>>(given: T): T {
  const { _meta: meta, ...params } = given
  if (typeof meta !== 'object' || meta === null) return given
  const kept = Object.entries(meta).filter(([key]) => key !== 'progressToken' && !key.startsWith('countersign/'))
  return { ...params, ...(kept.length === 0 ? {} : { _meta: Object.fromEntries(kept) }) } as unknown as T
}

/** A resource of ours: a text, or the contract of a tool. */
function readOwn(parts: DoorParts, uri: string): Record<string, unknown> | undefined {
  const found =
    parts.resources.find((resource) => resource.uri === uri) ??
    // A host that knows an address of another look gets the view as it is now.
    (isCardUri(uri) ? parts.resources.find((resource) => isCardUri(resource.uri)) : undefined) ??
    contractResource(parts.engine.catalog, uri)
  if (found === undefined) return undefined
  const { mimeType, meta, text } = found
  return {
    contents: [
      { uri: isCardUri(uri) ? uri : found.uri, mimeType, text, ...(meta === undefined ? {} : { _meta: { ...meta } }) },
    ],
  }
}

const invalid = (message: string): McpError => new McpError(ErrorCode.InvalidParams, message)
