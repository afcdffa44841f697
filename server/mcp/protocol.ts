// The MCP door. It uses the SDK's low-level `Server`, because `McpServer` validates arguments itself and answers with plain text
// before the rail has seen them; and its fallback handler, because only there the arguments arrive exactly as the client
// sent them: a request that the SDK has parsed lacks what its schema drops (ADR 4), and one that it refuses is answered with
// the schema's own error.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ErrorCode, McpError, type CallToolResult, type ProgressNotification } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { call } from '../rail/call.ts'
import { instructionsFor } from '../rail/answers/agent-instructions.ts'
import { applyPlanName } from '../rail/apply/apply-plan.ts'
import { asBundlePreview } from '../rail/bundles/bundle-contract.ts'
import { missingOf } from '../rail/authorize/missing-permissions.ts'
import { withKnownTool } from '../rail/intake/await-tool.ts'
import { visible } from '../rail/call-context.ts'
import type { Tool } from '../tools/catalog.ts'
import { schemaValidator } from '../schema-validator.ts'
import { boundedArguments } from '../errors/unread-arguments.ts'
import type { Docs } from '../model/docs.ts'
import type { Caller, CallRequest, Engine } from '../rail/engine.ts'
import { appToolResult, isAppTool } from './app-tools.ts'
import type { GatewayTools, ListChanges, Passthrough } from './gateway-tools.ts'
import {
  doorNamesCard,
  isForAppsOnly,
  listGatewayTools,
  listTools,
  namesCard,
  withViewOf,
  type TextResource,
} from './listing.ts'
import type { Offer } from './offer.ts'
import { capabilitiesOf, answerOther } from './resources-and-prompts.ts'
import { toToolResult, withNotes } from './result.ts'

export interface DoorParts {
  readonly engine: Engine
  readonly name: string
  readonly version: string
  readonly resources: readonly TextResource[]
  readonly docs: Docs
  /** Resources and prompts of the program's own. */
  readonly offer?: Offer
  /** Set on a gateway. */
  readonly gatewayTools?: GatewayTools
  readonly passthrough?: Passthrough
  readonly changes?: ListChanges
  /** Aborts when the server ends: from then on no client is waited for. */
  readonly ending?: AbortSignal
}

/** The params of a call, as far as the door needs them; the rail validates the rest. */
const callParams = z.looseObject({
  name: z.string(),
  arguments: z.unknown().optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
})

/** The parts of a door that do not depend on the connection. */
interface Door {
  /**
   * A protocol server for one connection. `callerOf` is called at each request, when the client is known. Only one that lives
   * `long` is notified of changed lists. `client`: the name of the session, if any.
   */
  connect(callerOf: (server: Server) => Caller, lives: 'long' | 'one-request', client?: string): Server
  /** `tools/call` without progress. Throws the error to answer with. */
  call(params: unknown, caller: Caller, signal: AbortSignal): Promise<CallToolResult>
}

/** Builds the protocol door of a server. */
export function createDoor(parts: DoorParts): Door {
  const { engine } = parts

  const connect: Door['connect'] = (callerOf, lives, client) => {
    const server = new Server(
      { name: parts.name, version: parts.version },
      {
        capabilities: capabilitiesOf(parts),
        instructions: instructionsOf(parts),
        jsonSchemaValidator: schemaValidator,
      },
    )
    // The SDK would handle the level itself and not pass it on.
    server.removeRequestHandler('logging/setLevel')
    // All methods come through here, so that errors say what to do next.
    server.fallbackRequestHandler = (request, extra) => answerRequest(parts, request, callerOf(server), client, extra)
    if (lives === 'long')
      server.onclose = follow(
        parts,
        client,
        () => callerOf(server),
        (method, params) =>
          server.transport === undefined
            ? undefined
            : server.notification(params === undefined ? { method } : { method, params }),
      )
    return server
  }
  return {
    connect,
    call: (params, caller, signal) => callTool(parts, callRequest(engine, readCall(params), caller, { signal })),
  }
}

/** What a server tells about itself: how its tools are confirmed, and on a gateway what the servers behind it say. */
export function instructionsOf({ engine, gatewayTools, passthrough }: DoorParts): string {
  const rail = instructionsFor(engine.settings.confirmation)
  return passthrough?.instructions({ gateway: gatewayTools?.instructions, rail }) ?? rail
}

/** Answers one request, in each version of the protocol. `client`: the name of the session, if any. Throws the error to answer with. */
export async function answerRequest(
  parts: DoorParts,
  { method, params }: { readonly method: string; readonly params?: unknown },
  caller: Caller,
  client: string | undefined,
  extra: Extra,
): Promise<Record<string, unknown>> {
  const { engine, gatewayTools, passthrough } = parts
  switch (method) {
    case 'tools/list': {
      await passthrough?.listable()
      const { apply } = engine.settings
      return {
        tools: withViewOf(
          parts.resources,
          gatewayTools === undefined
            ? listTools(engine.catalog, apply, caller.cards)
            : listGatewayTools(engine.catalog, gatewayTools, apply, caller.cards),
        ),
      }
    }
    case 'tools/call':
      return callTool(parts, callRequest(engine, readCall(params), caller, extra))
    default: {
      const answer = await answerOther(parts, method, params, { caller, client, signal: extra.signal })
      if (answer === undefined) throw new UnknownMethod(method)
      return answer
    }
  }
}

function readCall(params: unknown): z.infer<typeof callParams> {
  const read = callParams.safeParse(params)
  if (!read.success) throw invalid('tools/call needs the name of a tool in params.name; tools/list has them.')
  return read.data
}

const invalid = (message: string): McpError => new McpError(ErrorCode.InvalidParams, message)

/** The error for a method that no part of this server has. */
export class UnknownMethod extends McpError {
  constructor(method: string) {
    super(
      ErrorCode.MethodNotFound,
      `This server has no method ${JSON.stringify(method.slice(0, 100))}. It serves tools and resources.`,
    )
  }
}

/** What all of the SDK's servers tell about a request. */
export interface Extra {
  readonly signal: AbortSignal
  readonly sendNotification?: (notification: ProgressNotification) => Promise<void>
}

/** A call in the form that the rail takes, with progress if the caller asked for it. */
export function callRequest(
  engine: Engine,
  params: z.infer<typeof callParams>,
  caller: Caller,
  extra: Extra,
): CallRequest {
  const { progressToken, ...meta } = params._meta ?? {}
  const { sendNotification } = extra
  const follows = typeof progressToken === 'string' || typeof progressToken === 'number'
  return {
    tool: params.name,
    args: boundedArguments(params.arguments),
    caller,
    signal: extra.signal,
    meta: Object.fromEntries(Object.entries(meta).filter(([key]) => !key.startsWith('countersign/'))),
    ...(follows && sendNotification !== undefined
      ? {
          onProgress: (step) =>
            void sendNotification({ method: 'notifications/progress', params: { progressToken, ...step } }).catch(
              (error: unknown) => engine.report(error, 'progress'),
            ),
        }
      : {}),
  }
}

/**
 * Notifies a connected client of changed lists and passes on upstreams' notifications. Answers how to stop. `notify` is called
 * whether or not the client is still there.
 */
export function follow(
  { changes, engine, passthrough }: DoorParts,
  client: string | undefined,
  callerOf: () => Caller,
  notify: (method: string, params?: Readonly<Record<string, unknown>>) => Promise<void> | undefined,
): () => void {
  const tell = (said: Promise<void> | undefined, where: string): void =>
    void said?.catch((error: unknown) => engine.report(error, where))
  passthrough?.notePrincipal(callerOf().principal)
  const stops = [
    changes?.((what) => tell(notify(`notifications/${what}/list_changed`), 'list changed')),
    client === undefined
      ? undefined
      : passthrough?.listen(
          client,
          ({ method, params }) => tell(notify(method, params), method),
          () => ({ may: (permissions) => missingOf(engine, callerOf(), permissions).length === 0 }),
        ),
  ]
  return () => stops.forEach((stop) => stop?.())
}

/** Answers one tool call. */
export async function callTool(
  { engine, gatewayTools, passthrough }: DoorParts,
  named: CallRequest,
): Promise<CallToolResult> {
  const request = asBundlePreview(named)
  passthrough?.notePrincipal(request.caller.principal)
  if (isAppTool(request.tool) && request.caller.cards !== 'no') return appToolResult(engine, request, request.tool)
  const translated = gatewayTools?.translate(request.tool, request.args)
  const asked =
    translated !== undefined
      ? { ...request, ...translated }
      : gatewayTools === undefined
        ? request
        : listedOnly(engine, gatewayTools, request)
  return withKnownTool(engine, asked, async (known) => {
    const taken = gatewayTools === undefined ? asApp(engine.catalog.find(known.tool), known) : withoutCard(known)
    const answer = await call(engine, { ...taken, ...drawnBy(engine, gatewayTools, request.tool) })
    // Only our card may hold the ticket: an upstream's view gets no card, nor does a client without cards, which may show
    // `_meta` to its model.
    const { card, ...rest } = answer
    const shown = taken.caller.cards === 'no' || card === undefined ? rest : answer
    return withNotes(toToolResult(shown), taken.notes, shown)
  })
}

/** Whether hosts draw our card for each call of what they know under this name, which no forbidden tool is. */
function drawnBy(
  { catalog }: Engine,
  gatewayTools: GatewayTools | undefined,
  name: string,
): Pick<CallRequest, 'drawn'> {
  const door = gatewayTools?.tools().find((each) => each.name === name)
  if (door !== undefined) return doorNamesCard(door) ? { drawn: 'door' } : {}
  const tool = visible(catalog.find(name))
  return tool !== undefined && namesCard(tool) ? { drawn: 'tool' } : {}
}

/**
 * Through a gateway only listed tools can be called by name: calling an upstream's tool directly would evade the call tools
 * and the intent that they demand.
 */
function listedOnly({ catalog }: Engine, gatewayTools: GatewayTools, request: CallRequest): CallRequest {
  const { tool, caller } = request
  if (tool === applyPlanName || catalog.tools.some((own) => own.wireName === tool)) return request
  const direct = caller.cards === 'yes' ? gatewayTools.direct().find(({ wireName }) => wireName === tool) : undefined
  if (direct !== undefined) return asApp(direct, { ...request, found: direct })
  return { ...request, ...gatewayTools.notListed(tool) }
}

/** Hosts draw no card for a door of reads, so none is counted on there. */
const withoutCard = (request: CallRequest): CallRequest =>
  request.unprompted === true ? { ...request, caller: { ...request.caller, cards: 'no' } } : request

/** A call of a tool for views only: it gets no card of ours, and the tool is unknown to clients without views. */
function asApp(tool: Tool | undefined, request: CallRequest): CallRequest {
  if (tool === undefined || !isForAppsOnly(tool)) return request
  if (request.caller.cards === 'no')
    return { ...request, refusal: { kind: 'unknown-tool', tool: request.tool, near: [] } }
  return { ...request, caller: { ...request.caller, cards: 'no' } }
}
