// Other people's servers behind Countersign, as their users start them: real servers from npm, the gateway's own command
// line, a real client. One way to ask for a tool, whatever stands in between, so that a journey is written once.
import { realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { casesOf } from '../../full.ts'
import { overHttp, type Agent, type AgentOptions, type Arguments, type Reply } from '../agent.ts'
import { freshDatabase, place } from '../at-end.ts'
import { bundledServer } from '../bundles.ts'
import { agentHere, webHere } from '../in-process.ts'
import { fixture } from '../processes.ts'

export type Entry = Readonly<Record<string, unknown>>
type Operation = 'read' | 'write' | 'destructive'

/** A server from npm, as it stands in a gateway file. */
export const officialServer = (name: string, args: readonly string[] = [], more: Entry = {}): Entry => ({
  command: process.execPath,
  args: [bundledServer(name), ...args],
  ...more,
})

/** The server that misbehaves on request and writes down what it really did. */
export const misbehavingServer = (mode = 'polite', ledger = '', more: Entry = {}): Entry => ({
  command: process.execPath,
  args: [...fixture('misbehaving-server'), mode, ...(ledger === '' ? [] : [ledger])],
  ...more,
})

/** A server whose tools were recorded (`test/profiles/recorded`); it does nothing. */
export const recordedServer = (name: string, more: Entry = {}): Entry => ({
  command: process.execPath,
  args: [
    ...fixture('recorded-server'),
    fileURLToPath(new URL(`../../profiles/recorded/${name}.json`, import.meta.url)),
  ],
  ...more,
})

/** The server whose tools say little of themselves, and that writes down what it was called with. */
export const actingServer = (ledger: string, more: Entry = {}): Entry => ({
  command: process.execPath,
  args: [...fixture('acting-server'), ledger],
  ...more,
})

/** A folder whose real path a server may serve. */
export const realPlace = (): string => realpathSync(place())

/** A gateway file with these servers. */
export function gatewayFile(servers: Readonly<Record<string, Entry>>, more: Entry = {}): string {
  const file = join(place(), 'gateway.json')
  writeFileSync(file, JSON.stringify({ mcpServers: servers, ...more }))
  return file
}

/** One way of having servers behind Countersign. */
export interface Reach {
  readonly db: string
  /** The agent that this server is reached through. */
  agent(server: string): Agent
  call(server: string, operation: Operation, tool: string, args?: Arguments): Promise<Reply>
}

export type ReachKind = 'gateway over stdio' | 'gateway over HTTP' | 'wrap over stdio'
export const reachKinds: readonly ReachKind[] = ['gateway over stdio', 'gateway over HTTP', 'wrap over stdio']
/** For journeys in which stdio and HTTP are the same to a gateway: one of each program, all in full runs. */
export const someReachKinds = casesOf(reachKinds, String, ['gateway over HTTP', 'wrap over stdio'])

export interface ReachOptions extends AgentOptions {
  readonly options?: readonly string[]
  readonly file?: Entry
}

/** Starts these servers behind Countersign in one of the ways. */
export async function openReach(
  kind: ReachKind,
  servers: Readonly<Record<string, Entry>>,
  { options = [], file = {}, ...more }: ReachOptions = {},
): Promise<Reach> {
  const db = freshDatabase()
  if (kind === 'wrap over stdio') return wrapped(db, servers, options, more)
  const line = ['gateway', '--config', gatewayFile(servers, file), '--db', db, ...options]
  const agent =
    kind === 'gateway over stdio'
      ? await agentHere(line, more)
      : await overHttp((await webHere([...line, '--http', '0'])).mcp, more)
  return {
    db,
    agent: () => agent,
    call: (server, operation, tool, args = {}) =>
      agent.call(`call_tool_${operation}`, {
        name: `${server}:${tool}`,
        args_json: JSON.stringify(args),
        intent: { operation_type: operation },
      }),
  }
}

/** Each server has a Countersign of its own, as a person has one line each in the host's file. */
async function wrapped(
  db: string,
  servers: Readonly<Record<string, Entry>>,
  options: readonly string[],
  more: AgentOptions,
): Promise<Reach> {
  const agents = new Map<string, Agent>()
  for (const [name, entry] of Object.entries(servers)) {
    const { command, args, env, ...rest } = entry
    const behind =
      Object.keys(rest).length === 0
        ? ['--name', name, '--', String(command), ...(args as string[])]
        : ['--config', gatewayFile({ [name]: entry })]
    const line = ['wrap', '--db', db, ...options, ...behind]
    agents.set(name, await agentHere(line, { ...more, env: env as Record<string, string> }))
  }
  const agent = (server: string): Agent => {
    const found = agents.get(server)
    if (found === undefined) throw new Error(`There is no ${server}.`)
    return found
  }
  return { db, agent, call: (server, _, tool, args = {}) => agent(server).call(tool, args) }
}
