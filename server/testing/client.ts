// A test of a tool wants to say "previewed, signed, applied" and nothing of transports, tickets and messages. This is the
// agent and the person at once: a real MCP client on the server's real door, in this process, whose Confirm does what the
// card's button does and then repeats the call as a well-instructed agent.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { noteClient, openNoted } from './noted.ts'
import { serveInProcess } from '../mcp/in-process-door.ts'
import { planStates, type PlanState } from '../model/plan-store.ts'
import type { Principal } from '../model/principal.ts'
import { appTools } from '../tools/names.ts'
import { readAnswer, sentBy, type CallAnswer, type ToolCall } from './answer.ts'
import { decide, type ApproverOptions } from './approver.ts'
import { reservedName, withRationale, type Arguments } from './arguments.ts'
import { appsCapability, listTools } from './session.ts'

/** Who is at the other end, and what their host can do. */
export interface ConnectOptions {
  /** Who calls; the server's own `principal` when absent. */
  readonly principal?: Principal
  /** Whether the client shows cards; true when absent. Without them a yes in the chat is all that a person can say. */
  readonly cards?: boolean
  /**
   * Whether the host keeps app-only tools from its model, so that a click counts as recorded: what the server's
   * `trustedHost` says, and true where that says nothing, because a test has no model.
   */
  readonly trustedHost?: boolean
  /** Why every call is made that does not say so itself. */
  readonly rationale?: string
}

/** What the card hears when its Cancel is pressed. */
export interface Cancelled {
  /** The plan's state afterwards; `undefined` where the card does not hear of the plan. */
  readonly state: PlanState | undefined
  /** Why it could not be cancelled. */
  readonly error?: CallAnswer['error']
}

/** An agent with its person, at one server. What is refused or fails is a value: `status` says how a call ended. */
export interface TestClient {
  /** What the server lists to this client. */
  readonly tools: readonly Tool[]
  /** The SDK's client, for what is no call of a tool. */
  readonly mcp: Client
  /** The agent's call as it stands; only a rationale is added where it has none. */
  call(tool: string, args?: Arguments): Promise<CallAnswer>
  /** Asks what a call would change. */
  preview(tool: string, args?: Arguments): Promise<CallAnswer>
  /**
   * The person presses Confirm on the card of this preview, which records the click, and the agent repeats exactly the call
   * that the card sends. Without cards the person says yes, and the agent names the plan. What cannot be confirmed is
   * answered as it is.
   */
  confirm(preview: CallAnswer): Promise<CallAnswer>
  /** Previews and confirms. */
  apply(tool: string, args?: Arguments): Promise<CallAnswer>
  /** The person presses Cancel on the card of this preview. */
  cancel(preview: CallAnswer): Promise<Cancelled>
  /**
   * An operator approves what waits for it, and the call runs: what became of it, or why this operator may not. A preview
   * that does not wait yet is confirmed in the chat first.
   */
  approve(waiting: CallAnswer, as?: ApproverOptions): Promise<CallAnswer>
  /** An operator rejects it: what the agent is told when it repeats the call, or why this operator may not. */
  reject(waiting: CallAnswer, as?: ApproverOptions): Promise<CallAnswer>
  /**
   * Ends the connection. A server that `connect` has opened is closed with its last client; one with another door open is
   * left to its own `close`.
   */
  close(): Promise<void>
}

const aTestAsks = 'A test asks for this call.'

/** What `createCountersign` answers. */
export interface ServerInProcess {
  /** What an agent should be told. */
  readonly instructions: string
  /** Serves one client on stdin and stdout. */
  stdio(): Promise<void>
  /** Closes the database. */
  close(): Promise<void>
}

/**
 * Connects a client to a server in this process: no port, no browser, no other process.
 * @throws where the server is none of `createCountersign`, is closed, or cannot open.
 */
export async function connect(server: ServerInProcess, options: ConnectOptions = {}): Promise<TestClient> {
  const { noted, served } = await openNoted(server)
  const { cards = true, rationale = aTestAsks } = options
  const mcp = new Client({ name: 'countersign-test', version: '1' }, { capabilities: cards ? appsCapability : {} })
  const leave = noteClient(server)
  const close = async (): Promise<void> => {
    await mcp.close()
    await leave()
  }
  const principal = options.principal ?? noted.principal
  const trusted = options.trustedHost ?? noted.trusted ?? true
  let tools: readonly Tool[]
  try {
    await mcp.connect(await serveInProcess(served.parts, { principal, trusted }))
    tools = await listTools(mcp)
  } catch (error) {
    await close()
    throw error
  }
  const listed = (name: string): Tool | undefined => tools.find((tool) => tool.name === name)
  const send = async ({ tool, args }: ToolCall): Promise<CallToolResult> =>
    (await mcp.callTool({ name: tool, arguments: { ...args } })) as CallToolResult

  const call = async (tool: string, args: Arguments = {}): Promise<CallAnswer> => {
    const made = { tool, args: withRationale(listed(tool)?.inputSchema, args, rationale) }
    return readAnswer(made, await send(made), listed(tool))
  }

  const preview = (tool: string, args: Arguments = {}): Promise<CallAnswer> =>
    call(tool, { ...args, ...reserved(listed(tool), 'preview', true) })

  /** The person says yes in the chat, and the agent names the plan. */
  const sayYes = ({ call: { tool, args }, planId }: CallAnswer): Promise<CallAnswer> =>
    call(tool, { ...args, ...reserved(listed(tool), 'preview', false), ...reserved(listed(tool), 'ticket', planId) })

  const confirm = async (previewed: CallAnswer): Promise<CallAnswer> => {
    const { apply, card } = previewed
    if (apply === undefined || card?.plan === undefined)
      return canBeConfirmed(previewed) ? sayYes(previewed) : previewed
    // A plan that is gone is clicked and repeated all the same: the agent then hears why nothing happens.
    await send({ tool: appTools.confirm, args: { ticket: card.plan.ticket } })
    return call(apply.tool, apply.args)
  }

  const waits = async (answer: CallAnswer): Promise<CallAnswer> =>
    answer.status === 'previewed' && canBeConfirmed(answer) ? sayYes(answer) : answer

  return {
    tools,
    mcp,
    call,
    preview,
    confirm,
    apply: async (tool, args) => confirm(await preview(tool, args)),
    cancel: async ({ card }) => {
      if (card?.plan === undefined || sentBy(card, 'cancel') === undefined) return { state: undefined }
      return cancelled(await send({ tool: appTools.cancel, args: { ticket: card.plan.ticket } }))
    },
    approve: async (answer, as) => {
      const waiting = await waits(answer)
      return waiting.approval === undefined
        ? waiting
        : decide(served, waiting, waiting.approval.id, 'approved', as, listed(waiting.call.tool))
    },
    reject: async (answer, as) => {
      const waiting = await waits(answer)
      if (waiting.approval === undefined) return waiting
      const { tool, args } = waiting.call
      const decided = await decide(served, waiting, waiting.approval.id, 'rejected', as, listed(tool))
      if (decided.status !== 'awaiting_approval') return decided
      return call(tool, { ...args, ...reserved(listed(tool), 'ticket', waiting.approval.id) })
    },
    close,
  }
}

/** A preview with a plan; one that is blocked has none. */
const canBeConfirmed = ({ status, planId }: CallAnswer): boolean => status === 'previewed' && planId !== undefined

/** One of the rail's parameters under the name that this tool has for it; nothing where it has none. */
function reserved(tool: Tool | undefined, name: 'preview' | 'ticket', value: unknown): Arguments {
  const own = reservedName(tool?.inputSchema, name)
  return own === undefined ? {} : { [own]: value }
}

const planSchema = z.looseObject({ state: z.enum(planStates) })
const refusedSchema = z.looseObject({ error: z.object({ code: z.string(), message: z.string() }) })

function cancelled(result: CallToolResult): Cancelled {
  const refused = refusedSchema.safeParse(result.structuredContent)
  return {
    state: planSchema.safeParse(result.structuredContent).data?.state,
    ...(refused.success ? { error: refused.data.error } : {}),
  }
}
