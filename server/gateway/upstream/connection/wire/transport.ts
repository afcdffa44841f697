// How an upstream is reached. Beside the SDK's transports this file keeps the one thing that a person needs when a server
// does not come up: what it wrote to its standard error before it died, and how its process ended.
import type { ChildProcess } from 'node:child_process'
import { DEFAULT_INHERITED_ENV_VARS, StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { ErrorCode, McpError, type JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import { readLinesOf } from '../../../../line-buffer.ts'
import type { LoginNeed } from '../../login/login-need.ts'
import type { ServerLogin } from '../../login/server-login.ts'
import { createAnswerStreams, reconnectionOptions } from './answer-streams.ts'
import { loadModernClient } from './modern-sdk.ts'
import type { RemoteTransports } from './remote-channel.ts'
import { createRepeatedLists } from '../repeated-lists.ts'
import { createSendOnce } from './send-once.ts'
import { isStdio, type RemoteServer, type ServerConfig } from '../../settings/upstream-config.schema.ts'
import { surroundings } from '../../../../model/surroundings.ts'

export interface Reach {
  readonly kind: 'stdio' | 'http' | 'sse'
  readonly transport: Transport
  /** The last words on standard error, on one line. */
  lastWords(): string
  /** How its process ended ("exit code 3", "signal SIGKILL"); empty while it runs, and where there is none of ours. */
  end(): string
  /** What a person has to do before it answers; the last that was found. */
  need?(): LoginNeed | undefined
  /** Over HTTP: the transports of MCP 2026-07-28. */
  readonly remote?: RemoteTransports
  /** Closes all of its transports. */
  close(): Promise<void>
}

/** The ways to try, in this order. Only an old remote server has a second one. */
export function reachesOf(
  server: ServerConfig,
  login: ServerLogin | undefined,
): readonly (() => Reach | Promise<Reach>)[] {
  if (isStdio(server)) return [() => stdioReach(server)]
  const kinds = { http: ['http'], 'streamable-http': ['http'], sse: ['sse'] } as const
  return (server.type === undefined ? (['http', 'sse'] as const) : kinds[server.type]).map(
    (kind) => () => remoteReach(kind, server, login),
  )
}

/** In bytes: results carry pictures and files. */
const longestLine = 10 * 1024 * 1024
/** In bytes: nothing that a server means to say. */
const endlessLine = 2 * longestLine

function stdioReach(server: Extract<ServerConfig, { command: string }>): Reach {
  const lists = createRepeatedLists()
  const transport = readLinesOf(
    new StdioClientTransport({
      command: server.command,
      args: [...server.args],
      env: { ...inherited(), ...server.env },
      stderr: 'pipe',
      ...(server.cwd === undefined ? {} : { cwd: server.cwd }),
    }),
    { longest: longestLine, endless: endlessLine, parse: lists.read },
  )
  let tail = ''
  // Read to the end even when nobody looks: a full pipe would stop the server.
  transport.stderr?.on('data', (chunk: Buffer) => {
    tail = (tail + chunk.toString('utf8')).slice(-2000)
  })
  return {
    kind: 'stdio',
    transport,
    lastWords: () => lastLines(tail),
    end: watchEnd(transport, lists.sent),
    close: () => transport.close(),
  }
}

/** What the SDK hands on of the variables of the process, taken from the surroundings of this run. */
const inherited = (): Record<string, string> => {
  const { env } = surroundings()
  const found = DEFAULT_INHERITED_ENV_VARS.map((name) => [name, env[name]] as const)
  return Object.fromEntries(found.filter((each): each is [string, string] => each[1]?.startsWith('()') === false))
}

/**
 * The SDK says that a process is gone, and not how; and what it is writing to the pipe of one that is gone it waits for
 * without end. `sent` hears of each message.
 */
function watchEnd(transport: StdioClientTransport, sent: (message: JSONRPCMessage) => void): () => string {
  let end = ''
  const writing = new Set<(error: Error) => void>()
  const send = transport.send.bind(transport)
  transport.send = (message) =>
    new Promise((resolve, reject) => {
      sent(message)
      writing.add(reject)
      void send(message)
        .then(resolve, reject)
        .finally(() => writing.delete(reject))
    })
  const start = transport.start.bind(transport)
  transport.start = async () => {
    await start()
    const child = Reflect.get(transport, '_process') as ChildProcess | undefined
    child?.once('exit', (code, signal) => {
      end = signal === null ? `exit code ${code ?? 'unknown'}` : `signal ${signal}`
    })
    child?.once('close', () => {
      for (const reject of writing) reject(new McpError(ErrorCode.ConnectionClosed, 'Connection closed'))
    })
  }
  return () => end
}

const lastLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !/^at .+:\d+:\d+\)?$/.test(line))
    .slice(-3)
    .join(' · ')
    .slice(0, 300)

/** Loads its transport: a wrapped program, which is most of what starts us, needs none of them. */
async function remoteReach(kind: 'http' | 'sse', server: RemoteServer, login: ServerLogin | undefined): Promise<Reach> {
  let need: LoginNeed | undefined
  const sendOnce = createSendOnce()
  const sends =
    login === undefined
      ? sendOnce
      : (await import('../../login/with-login.ts')).withLogin(sendOnce, login, server.url, (found) => (need = found))
  const url = new URL(server.url)
  const options = { requestInit: { headers: server.headers }, fetch: sends, reconnectionOptions }
  const reach = { kind, lastWords: () => '', end: () => '', need: () => need } as const
  if (kind === 'sse') {
    const { SSEClientTransport } = await import('@modelcontextprotocol/sdk/client/sse.js')
    const transport = new SSEClientTransport(url, options)
    return { ...reach, transport, close: () => transport.close() }
  }
  const { StreamableHTTPClientTransport } = await import('@modelcontextprotocol/sdk/client/streamableHttp.js')
  /** With what ends requests whose answers cannot come any more. */
  const watched = (Made: new (url: URL, given: typeof options) => object): Transport => {
    const streams = createAnswerStreams(sends)
    return streams.watch(new Made(url, { ...options, fetch: streams.fetch }) as Transport)
  }
  const transport = watched(StreamableHTTPClientTransport)
  const open = [transport]
  const remote: RemoteTransports = {
    question: (headers, seen) => {
      const asking = new StreamableHTTPClientTransport(url, {
        requestInit: { headers: { ...server.headers, ...headers } },
        fetch: async (...request) => {
          const response = await sends(...request)
          await seen(response)
          return response
        },
      }) as Transport
      open.push(asking)
      return asking
    },
    modern: async () => {
      const modern = watched((await loadModernClient()).StreamableHTTPClientTransport)
      open.push(modern)
      return modern
    },
  }
  return {
    ...reach,
    transport,
    remote,
    close: () => Promise.all(open.map((each) => each.close())).then(() => undefined),
  }
}
