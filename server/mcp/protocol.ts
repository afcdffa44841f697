// The protocol door. It uses the SDK's low-level `Server`, because `McpServer` checks arguments itself and answers with
// plain text before the road has seen them; and it takes `tools/call` from the fallback handler, because that is the one
// place where the arguments arrive exactly as the client sent them: a parsed request has already lost what a schema
// let fall (DESIGN section 4).
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import {
  CallToolRequestSchema,
  ErrorCode,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  McpError,
  ReadResourceRequestSchema,
  type CallToolResult,
  type ServerCapabilities,
} from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import { z } from 'zod'
import { call } from '../call/call.ts'
import { instructions } from '../call/coaching.ts'
import { callPlanTool, isPlanTool } from '../call/plan-tools.ts'
import type { Caller, Road } from '../call/request.ts'
import { listResource, listTools, type TextResource } from './listing.ts'
import { toToolResult } from './result.ts'

export interface DoorParts {
  readonly road: Road
  readonly name: string
  readonly version: string
  readonly resources: readonly TextResource[]
}

/** What a request's arguments must be for the road to take over; everything else about them is the road's to say. */
const callParams = z.looseObject({ name: z.string(), arguments: z.unknown().optional() })

/** One validator for all connections: building one takes longer than a call. */
const validator = new AjvJsonSchemaValidator()

const capabilities: ServerCapabilities = { tools: {}, resources: {} }

/** Everything of a door that does not depend on the connection, computed once. */
export interface Door {
  /** A protocol server for one connection. `callerOf` is asked at each call, when the client is known. */
  connect(callerOf: (server: Server) => Caller): Server
}

export function createDoor(parts: DoorParts): Door {
  const tools = listTools(parts.road.catalog, parts.road.settings.apply)
  const resources = parts.resources.map(listResource)
  const byUri = new Map(parts.resources.map((resource) => [resource.uri, resource]))

  const connect = (callerOf: (server: Server) => Caller): Server => {
    const server = new Server(
      { name: parts.name, version: parts.version },
      { capabilities, instructions, jsonSchemaValidator: validator },
    )
    server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }))
    server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources }))
    server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({ resourceTemplates: [] }))
    server.setRequestHandler(ReadResourceRequestSchema, ({ params }) => readResource(byUri, params.uri))
    server.fallbackRequestHandler = async (request, extra) => {
      if (request.method !== CallToolRequestSchema.shape.method.value)
        throw new McpError(ErrorCode.MethodNotFound, `This server has no method "${request.method}".`)
      const params = callParams.safeParse(request.params)
      if (!params.success)
        throw new McpError(ErrorCode.InvalidParams, 'tools/call needs the name of a tool in params.name.')
      return callTool(parts.road, callerOf(server), params.data.name, params.data.arguments, extra.signal)
    }
    return server
  }
  return { connect }
}

/** One tool call from the wire to the wire. */
export async function callTool(
  road: Road,
  caller: Caller,
  name: string,
  args: unknown,
  signal: AbortSignal,
): Promise<CallToolResult> {
  if (!isPlanTool(name)) return toToolResult(await call(road, { tool: name, args, caller, signal }))
  const status = await callPlanTool(road, caller, name, args)
  if (status === undefined)
    return {
      isError: true,
      content: [{ type: 'text', text: 'No preview of yours has this ticket. These tools are for the card only.' }],
    }
  return {
    content: [{ type: 'text', text: `Plan ${status.plan_id} is ${status.state}.` }],
    structuredContent: { ...status },
  }
}

function readResource(byUri: ReadonlyMap<string, TextResource>, uri: string) {
  const found = byUri.get(uri)
  // -32002 is the specification's code for a resource that is not there.
  if (found === undefined)
    throw new McpError(-32002, `There is no resource "${uri}". resources/list names those that exist.`, { uri })
  return {
    contents: [
      {
        uri: found.uri,
        mimeType: found.mimeType,
        text: found.text,
        ...(found.meta === undefined ? {} : { _meta: { ...found.meta } }),
      },
    ],
  }
}
