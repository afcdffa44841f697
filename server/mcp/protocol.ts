// The protocol door. It uses the SDK's low-level `Server`, because `McpServer` checks arguments itself and answers with
// plain text before the engine has seen them; and it takes requests from the fallback handler, because that is the one
// place where the arguments arrive exactly as the client sent them: a parsed request has already lost what a schema
// let fall (docs/DESIGN.md, section 4), and a refused one is answered with the schema's own dump.
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ErrorCode, McpError, type CallToolResult, type ProgressNotification } from '@modelcontextprotocol/sdk/types.js'
import { AjvJsonSchemaValidator } from '@modelcontextprotocol/sdk/validation/ajv-provider.js'
import { z } from 'zod'
import { call } from '../rail/call.ts'
import { instructionsFor } from '../rail/answers/agent-instructions.ts'
import { applyPlanName } from '../rail/apply/apply-plan.ts'
import { errorOf } from '../rail/answers/envelope.ts'
import { guidanceText } from '../rail/answers/answers.ts'
import { missingOf } from '../rail/authorize/gate.ts'
import { withKnownTool } from '../rail/intake/await-tool.ts'
import { callPlanTool, isPlanTool, type PlanStatus } from '../rail/apply/plan-tools.ts'
import type { Failure } from '../errors/failure.ts'
import type { Tool } from '../tools/catalog.ts'
import { guidanceFor } from '../errors/table.ts'
import { boundedArguments } from '../errors/unread-arguments.ts'
import type { Caller, CallRequest, Engine } from '../rail/engine.ts'
import type { GatewayTools, ListChanges, Passthrough } from './gateway-tools.ts'
import { isForAppsOnly, listGatewayTools, listTools, type TextResource } from './listing.ts'
import { capabilitiesOf, answerOther } from './resources-and-prompts.ts'
import { toToolResult, withNotes } from './result.ts'

export interface DoorParts {
  readonly engine: Engine
  readonly name: string
  readonly version: string
  readonly resources: readonly TextResource[]
  /** Set on a gateway. */
  readonly gatewayTools?: GatewayTools
  readonly passthrough?: Passthrough
  readonly changes?: ListChanges
}

/** What a request's params must be for the engine to take over; everything else about them is the engine's to say. */
const callParams = z.looseObject({
  name: z.string(),
  arguments: z.unknown().optional(),
  _meta: z.record(z.string(), z.unknown()).optional(),
})

/** One validator for all connections: building one takes longer than a call. */
const validator = new AjvJsonSchemaValidator()

/** Everything of a door that does not depend on the connection. */
interface Door {
  /**
   * A protocol server for one connection. `callerOf` is asked at each call, when the client is known. Only one that
   * lives long is told of changed lists. `client` is the name of the session, where there is one.
   */
  connect(callerOf: (server: Server) => Caller, lives: 'long' | 'one-request', client?: string): Server
  /** `tools/call` of a caller who does not ask for progress: one request, one answer. Throws the error to answer with. */
  call(params: unknown, caller: Caller, signal: AbortSignal): Promise<CallToolResult>
}

/** Builds the protocol door of a server. */
export function createDoor(parts: DoorParts): Door {
  const { engine, gatewayTools, passthrough } = parts
  const { apply, confirmation } = engine.settings
  const instructions = instructionsFor(confirmation)
  const ours = gatewayTools === undefined ? instructions : `${gatewayTools.instructions}\n\n${instructions}`

  const connect: Door['connect'] = (callerOf, lives, client) => {
    const theirs = passthrough?.instructions()
    const server = new Server(
      { name: parts.name, version: parts.version },
      {
        capabilities: capabilitiesOf(parts),
        instructions: theirs === undefined ? ours : `${ours}\n\n${theirs}`,
        jsonSchemaValidator: validator,
      },
    )
    // The SDK would keep the level for itself.
    server.removeRequestHandler('logging/setLevel')
    // Every method comes through here, so that what is wrong with a request is said in our words.
    server.fallbackRequestHandler = async ({ method, params }, extra) => {
      const caller = callerOf(server)
      switch (method) {
        case 'tools/list':
          await passthrough?.listable()
          return {
            tools:
              gatewayTools === undefined
                ? listTools(engine.catalog, apply, caller.cards)
                : listGatewayTools(engine.catalog, gatewayTools, apply, caller.cards),
          }
        case 'tools/call':
          return callTool(parts, callRequest(engine, readCall(params), caller, extra))
        default: {
          const answer = await answerOther(parts, method, params, { caller, client, signal: extra.signal })
          if (answer === undefined) throw noMethod(method)
          return answer
        }
      }
    }
    if (lives === 'long') follow(server, parts, client, callerOf)
    return server
  }
  return {
    connect,
    call: (params, caller, signal) => callTool(parts, callRequest(engine, readCall(params), caller, { signal })),
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

/** What the SDK knows of a request, whichever of its servers took it. */
interface Extra {
  readonly signal: AbortSignal
  readonly sendNotification?: (notification: ProgressNotification) => Promise<void>
}

/** A call as the engine takes it, with what the protocol lets the caller ask for. */
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

/** Tells a connected client when a list has changed, and what the servers behind have to say, until it leaves. */
function follow(
  server: Server,
  { changes, engine, passthrough }: DoorParts,
  client: string | undefined,
  callerOf: (server: Server) => Caller,
): void {
  const tell = (said: Promise<void>, where: string): void =>
    void said.catch((error: unknown) => engine.report(error, where))
  passthrough?.notePrincipal(callerOf(server).principal)
  const stops = [
    changes?.((what) => {
      if (server.transport !== undefined)
        tell(server.notification({ method: `notifications/${what}/list_changed` }), 'list changed')
    }),
    client === undefined
      ? undefined
      : passthrough?.listen(
          client,
          ({ method, params }) => {
            if (server.transport !== undefined) tell(server.notification({ method, params }), method)
          },
          () => ({ may: (permissions) => missingOf(engine, callerOf(server), permissions).length === 0 }),
        ),
  ]
  server.onclose = () => stops.forEach((stop) => stop?.())
}

/** One tool call from the wire to the wire. */
export async function callTool(
  { engine, gatewayTools, passthrough }: DoorParts,
  request: CallRequest,
): Promise<CallToolResult> {
  passthrough?.notePrincipal(request.caller.principal)
  if (isPlanTool(request.tool) && request.caller.cards !== 'no') return planResult(engine, request, request.tool)
  const translated = gatewayTools?.translate(request.tool, request.args)
  const asked =
    translated !== undefined
      ? { ...request, ...translated }
      : gatewayTools === undefined
        ? request
        : throughOwnDoor(engine, gatewayTools, request)
  return withKnownTool(engine, asked, async (known) => {
    const taken = gatewayTools === undefined ? asApp(engine.catalog.find(known.tool), known) : known
    const answer = await call(engine, taken)
    // The ticket belongs to our card. What nobody shows as a card (somebody else's view, a client that announced none and
    // may print `_meta` to its model) must not hold it.
    const { card, ...rest } = answer
    const shown = taken.caller.cards === 'no' || card === undefined ? rest : answer
    const result = toToolResult(shown)
    return withNotes(result, taken.notes, result !== shown.result)
  })
}

/**
 * Through a gateway only the listed tools can be called by name. The servers' own tools have names, too, and calling one
 * of those directly would go past the doors and the intent that they ask for.
 */
function throughOwnDoor({ catalog }: Engine, gatewayTools: GatewayTools, request: CallRequest): CallRequest {
  const { tool, caller } = request
  if (tool === applyPlanName || catalog.tools.some((own) => own.wireName === tool)) return request
  const direct = caller.cards === 'yes' ? gatewayTools.direct().find(({ wireName }) => wireName === tool) : undefined
  if (direct !== undefined) return asApp(direct, { ...request, found: direct })
  const near = gatewayTools.tools().map((door) => door.name)
  return { ...request, refusal: { kind: 'unknown-tool', tool, near } }
}

/** What only a view may call has nobody before it who could see a card of ours, and is unknown where no views are shown. */
function asApp(tool: Tool | undefined, request: CallRequest): CallRequest {
  if (tool === undefined || !isForAppsOnly(tool)) return request
  if (request.caller.cards === 'no')
    return { ...request, refusal: { kind: 'unknown-tool', tool: request.tool, near: [] } }
  return { ...request, caller: { ...request.caller, cards: 'no' } }
}

/** The plan's state, or why there is none to tell. */
async function askPlan(
  engine: Engine,
  request: CallRequest,
  name: Parameters<typeof callPlanTool>[2],
): Promise<PlanStatus | Failure> {
  try {
    const status = await callPlanTool(engine, request.caller, name, request.args)
    return status ?? { kind: 'not-your-card', tool: name }
  } catch (error) {
    const uncertain = error instanceof Error && 'effect' in error && error.effect === 'unknown'
    const failure = { kind: 'store-unavailable', tool: name, incident: engine.report(error, name) } as const
    return uncertain ? { ...failure, uncertain } : failure
  }
}

async function planResult(
  engine: Engine,
  request: CallRequest,
  name: Parameters<typeof callPlanTool>[2],
): Promise<CallToolResult> {
  const status = await askPlan(engine, request, name)
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
