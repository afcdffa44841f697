// The protocol door. It uses the SDK's low-level `Server`, because `McpServer` checks arguments itself and answers with
// plain text before the road has seen them; and it takes requests from the fallback handler, because that is the one
// place where the arguments arrive exactly as the client sent them: a parsed request has already lost what a schema
// let fall (DESIGN section 4), and a refused one is answered with the schema's own dump.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  ErrorCode,
  McpError,
  type CallToolResult,
  type ProgressNotification,
  type ReadResourceResult,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import { z } from 'zod'
import { call } from '../call/call.ts'
import { instructions } from '../call/coaching.ts'
import { applyPlanName } from '../call/apply-plan.ts'
import { errorOf } from '../call/envelope.ts'
import { guidanceText } from '../call/answers.ts'
import { callPlanTool, isPlanTool, type PlanStatus } from '../call/plan-tools.ts'
import type { Failure } from '../errors/failure.ts'
import { guidanceFor } from '../errors/table.ts'
import type { Caller, CallRequest, Road } from '../call/request.ts'
import type { Front, ListChanges, Passage } from './front.ts'
import { listFront, listResource, listTools, textOf, type TextResource } from './listing.ts'
import { toToolResult, withNotes } from './result.ts'

export interface DoorParts {
  readonly road: Road
  readonly name: string
  readonly version: string
  readonly resources: readonly TextResource[]
  /** Set on a gateway. */
  readonly front?: Front
  readonly passage?: Passage
  readonly changes?: ListChanges
}

/** What a request's params must be for the road to take over; everything else about them is the road's to say. */
const callParams = z.looseObject({
  name: z.string(),
  arguments: z.unknown().optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
})

const readParams = z.looseObject({ uri: z.string() })
const promptParams = z.looseObject({ name: z.string(), arguments: z.record(z.string(), z.string()).optional() })

/** One validator for all connections: building one takes longer than a call. */
const validator = new AjvJsonSchemaValidator()

/** Everything of a door that does not depend on the connection. */
export interface Door {
  /**
   * A protocol server for one connection. `callerOf` is asked at each call, when the client is known. Only one that
   * lives long is told of changed lists.
   */
  connect(callerOf: (server: Server) => Caller, lives: 'long' | 'one-request'): Server
  /** `tools/call` of a caller who does not ask for progress: one request, one answer. Throws the error to answer with. */
  call(params: unknown, caller: Caller, signal: AbortSignal): Promise<CallToolResult>
}

/** Builds the protocol door of a server. */
export function createDoor(parts: DoorParts): Door {
  const { road, front, passage } = parts
  const { apply } = road.settings
  const resources = parts.resources.map(listResource)
  const byUri = new Map(parts.resources.map((resource) => [resource.uri, resource]))
  const changing = parts.changes === undefined ? {} : { listChanged: true }
  const capabilities: ServerCapabilities = {
    tools: changing,
    resources: passage === undefined ? {} : changing,
    ...(passage?.prompts === true ? { prompts: changing } : {}),
  }
  const told = front === undefined ? instructions : `${front.instructions}\n\n${instructions}`

  const connect: Door['connect'] = (callerOf, lives) => {
    const server = new Server(
      { name: parts.name, version: parts.version },
      { capabilities, instructions: told, jsonSchemaValidator: validator },
    )
    // Every method comes through here, so that what is wrong with a request is said in our words.
    server.fallbackRequestHandler = async ({ method, params }, extra) => {
      switch (method) {
        case 'tools/list':
          return { tools: front === undefined ? listTools(road.catalog, apply) : listFront(road.catalog, front, apply) }
        case 'tools/call': {
          return callTool(parts, callRequest(road, readCall(params), callerOf(server), extra))
        }
        case 'resources/list': {
          const cursor = cursorOf(params)
          const passed = await passage?.listResources(cursor)
          return { ...passed, resources: [...(cursor === undefined ? resources : []), ...(passed?.resources ?? [])] }
        }
        case 'resources/templates/list':
          return passage === undefined ? { resourceTemplates: [] } : passage.listResourceTemplates(cursorOf(params))
        case 'resources/read': {
          const read = readParams.safeParse(params)
          if (!read.success) throw invalid('resources/read needs an address in params.uri; resources/list has them.')
          const { uri } = read.data
          return (
            readOwn(byUri, uri, callerOf(server).languages) ?? (await passage?.readResource(uri)) ?? noResource(uri)
          )
        }
        case 'prompts/list':
          if (passage?.prompts === true) return passage.listPrompts(cursorOf(params))
          throw noMethod(method)
        case 'prompts/get': {
          if (passage?.prompts !== true) throw noMethod(method)
          const read = promptParams.safeParse(params)
          if (!read.success) throw invalid('prompts/get needs the name of a prompt in params.name.')
          return passage.getPrompt(read.data.name, read.data.arguments)
        }
        default:
          throw noMethod(method)
      }
    }
    if (lives === 'long') followChanges(server, parts)
    return server
  }
  return {
    connect,
    call: (params, caller, signal) => callTool(parts, callRequest(road, readCall(params), caller, { signal })),
  }
}

function readCall(params: unknown): z.infer<typeof callParams> {
  const read = callParams.safeParse(params)
  if (!read.success) throw invalid('tools/call needs the name of a tool in params.name; tools/list has them.')
  return read.data
}

const invalid = (message: string): McpError => new McpError(ErrorCode.InvalidParams, message)

const noMethod = (method: string): McpError =>
  new McpError(
    ErrorCode.MethodNotFound,
    `This server has no method ${JSON.stringify(method.slice(0, 100))}. It serves tools and resources.`,
  )

const cursorOf = (params: unknown): string | undefined =>
  z.looseObject({ cursor: z.string() }).safeParse(params).data?.cursor

/** What the SDK knows of a request, whichever of its servers took it. */
interface Extra {
  readonly signal: AbortSignal
  readonly sendNotification?: (notification: ProgressNotification) => Promise<void>
}

/** A call as the road takes it, with what the protocol lets the caller ask for. */
export function callRequest(road: Road, params: z.infer<typeof callParams>, caller: Caller, extra: Extra): CallRequest {
  const { progressToken, ...meta } = params._meta ?? {}
  const { sendNotification } = extra
  const follows = typeof progressToken === 'string' || typeof progressToken === 'number'
  return {
    tool: params.name,
    args: params.arguments,
    caller,
    signal: extra.signal,
    meta: Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith('countersign/'))),
    ...(follows && sendNotification !== undefined
      ? {
          onProgress: (step) =>
            void sendNotification({ method: 'notifications/progress', params: { progressToken, ...step } }).catch(
              (error: unknown) => road.report(error, 'progress'),
            ),
        }
      : {}),
  }
}

/** Tells a connected client when a list has changed, until it leaves. */
function followChanges(server: Server, { changes, road }: DoorParts): void {
  if (changes === undefined) return
  const stop = changes((what) => {
    if (server.transport === undefined) return
    const told =
      what === 'tools'
        ? server.sendToolListChanged()
        : what === 'prompts'
          ? server.sendPromptListChanged()
          : server.sendResourceListChanged()
    told.catch((error: unknown) => road.report(error, 'list changed'))
  })
  server.onclose = stop
}

/** One tool call from the wire to the wire. */
export async function callTool({ road, front }: DoorParts, request: CallRequest): Promise<CallToolResult> {
  if (isPlanTool(request.tool)) return planResult(road, request, request.tool)
  const translated = await front?.translate(request.tool, request.args)
  if (translated?.kind === 'result') return translated.result
  const taken = translated === undefined ? throughOwnDoor(road, front, request) : { ...request, ...translated.request }
  return withNotes(toToolResult(await call(road, taken)), taken.notes)
}

/**
 * Behind a front only what is listed can be called by its name. The tools that it stands in front of have names, too, and
 * calling one of those directly would go past the doors and the intent that they ask for.
 */
function throughOwnDoor({ catalog }: Road, front: Front | undefined, request: CallRequest): CallRequest {
  const { tool } = request
  if (front === undefined || tool === applyPlanName || catalog.tools.some((own) => own.wireName === tool))
    return request
  const near = front.tools().map((door) => door.name)
  return { ...request, refusal: { kind: 'unknown-tool', tool, near } }
}

/** The plan's state, or why there is none to tell. */
async function askPlan(
  road: Road,
  request: CallRequest,
  name: Parameters<typeof callPlanTool>[2],
): Promise<PlanStatus | Failure> {
  try {
    const status = await callPlanTool(road, request.caller, name, request.args)
    return status ?? { kind: 'not-your-card', tool: name }
  } catch (error) {
    return { kind: 'store-unavailable', tool: name, incident: road.report(error, name) }
  }
}

async function planResult(
  road: Road,
  request: CallRequest,
  name: Parameters<typeof callPlanTool>[2],
): Promise<CallToolResult> {
  const status = await askPlan(road, request, name)
  if ('kind' in status) {
    const guidance = guidanceFor(status)
    return {
      isError: true,
      content: [{ type: 'text', text: guidanceText(guidance) }],
      structuredContent: { error: errorOf(guidance, undefined), error_guidance: guidance },
    }
  }
  return {
    content: [{ type: 'text', text: `Plan ${status.plan_id} is ${status.state}.` }],
    structuredContent: { ...status },
  }
}

function readOwn(
  byUri: ReadonlyMap<string, TextResource>,
  uri: string,
  languages: readonly string[] | undefined,
): ReadResourceResult | undefined {
  const found = byUri.get(uri)
  if (found === undefined) return undefined
  const { mimeType, meta } = found
  const text = textOf(found, languages)
  return { contents: [{ uri: found.uri, mimeType, text, ...(meta === undefined ? {} : { _meta: { ...meta } }) }] }
}

/** -32002 is the specification's code for a resource that is not there. */
function noResource(uri: string): never {
  throw new McpError(
    -32002,
    `There is no resource ${JSON.stringify(uri.slice(0, 200))}. resources/list names those that exist.`,
    {
      uri: uri.slice(0, 200),
    },
  )
}
