// The agent's side of a journey: the SDK's own client, which checks every structured result against the schema that the
// server advertised, and the one habit an agent must have: it repeats an Apply message exactly, read from the card as a
// chat would bring it.
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { expect } from 'vitest'
import type { Card } from '../../server/model/card.ts'
import type { ErrorGuidance } from '../../server/errors/guidance.ts'
import { applyCallOf, cardOf, sentBy, textOf, type ToolCall } from '../../server/testing/answer.ts'
import type { Arguments } from '../../server/testing/arguments.ts'
import { appsCapability, listTools } from '../../server/testing/session.ts'
import { atEnd } from './at-end.ts'
import { environment } from './processes.ts'

/** One answer, with what a test looks at first. */
export interface Reply {
  readonly raw: CallToolResult
  readonly text: string
  readonly isError: boolean
  /** `structuredContent`, empty where there is none. */
  readonly data: Readonly<Record<string, unknown>>
  readonly status: unknown
  readonly planId: string
  readonly card: Card | undefined
  readonly guidance: ErrorGuidance | undefined
}

export interface Agent {
  readonly client: Client
  readonly tools: readonly Tool[]
  /** A call with a rationale, unless it brings one. */
  call(tool: string, args?: Arguments): Promise<Reply>
  close(): Promise<void>
}

export interface AgentOptions {
  /** Whether the client announces the MCP Apps extension; true when absent. */
  readonly cards?: boolean
}

interface HttpOptions extends AgentOptions {
  /** Of every request, beside those of the protocol. */
  readonly headers?: Readonly<Record<string, string>>
}

export type { Arguments } from '../../server/testing/arguments.ts'

export const rationale = 'The customer asked for this by phone.'

/** Connects, and lists the tools, so that the client knows every output schema. */
export async function connect(transport: Transport, { cards = true }: AgentOptions = {}): Promise<Agent> {
  const client = new Client({ name: 'journey', version: '1.0.0' }, { capabilities: cards ? appsCapability : {} })
  await client.connect(transport)
  atEnd(() => client.close())
  const tools = await listTools(client)
  return {
    client,
    tools,
    call: async (name, args = {}) => {
      const raw = await client.callTool({ name, arguments: { rationale, ...args } })
      return toReply(raw as CallToolResult)
    },
    close: () => client.close(),
  }
}

/** An agent whose host starts the server as its child. */
export async function overStdio(
  commandLine: readonly string[],
  options: AgentOptions & { readonly env?: Readonly<Record<string, string>> } = {},
): Promise<Agent & { readonly pid: number }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [...commandLine],
    env: environment(options.env),
    stderr: 'ignore',
  })
  const agent = await connect(transport, options)
  return { ...agent, pid: transport.pid ?? 0 }
}

/** An agent whose host knows an address. */
export const overHttp = (url: URL, { headers = {}, ...options }: HttpOptions = {}): Promise<Agent> =>
  connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }), options)

/** An answer as a test reads it. */
export function toReply(raw: CallToolResult): Reply {
  const data = raw.structuredContent ?? {}
  return {
    raw,
    text: textOf(raw),
    isError: raw.isError === true,
    data,
    status: data['status'],
    planId: typeof data['plan_id'] === 'string' ? data['plan_id'] : '',
    card: cardOf(raw),
    guidance: (data['error_guidance'] ?? raw._meta?.['countersign/guidance']) as ErrorGuidance | undefined,
  }
}

/** What the button of this role sends into the chat. */
export function buttonText(reply: Reply, role: 'confirm' | 'cancel' | 'other'): string {
  const text = sentBy(reply.card, role)
  if (text === undefined) throw new Error(`This card has no ${role}: ${JSON.stringify(reply.card)}`)
  return text
}

/** The call that an agent makes of the card's Apply message. */
export function applyCall(preview: Reply): ToolCall {
  const call = applyCallOf(preview.card)
  if (call === undefined) throw new Error(`Not an Apply message: ${buttonText(preview, 'confirm')}`)
  return call
}

/** Repeats the call that the person confirmed, with changes where a test wants an agent that does not obey. */
export function confirm(agent: Agent, preview: Reply, change: Arguments = {}): Promise<Reply> {
  const { tool, args } = applyCall(preview)
  return agent.call(tool, { ...args, ...change })
}

/** The secret that only the card has. */
export function ticketOf(preview: Reply): string {
  const ticket = preview.card?.plan?.ticket
  if (ticket === undefined) throw new Error(`This card has no plan: ${JSON.stringify(preview.card)}`)
  return ticket
}

/** `structuredContent` of an answer that waits for a person outside the chat, exactly. */
export const waitsForApproval = {
  requires_human_approval: true,
  approval_id: expect.stringMatching(/^ap_[0-9a-z]{16}$/),
  approval_url: expect.stringMatching(/^(?:http:\/\/127\.0\.0\.1:\d+)?\/admin\/approvals\/ap_[0-9a-z]{16}$/),
  summary: expect.stringMatching(/./),
  ttl_seconds: 86_400,
  next: expect.stringMatching(/^Tell the person to approve or reject ap_\w+ .* and once they say .*\.$/),
} as const
