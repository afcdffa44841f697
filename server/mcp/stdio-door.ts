// The MCP door over stdio, for a host that starts this server as its child. stdout belongs to the protocol and anything else
// written there breaks the host, so `console.log` and the like write to stderr from here on.
import { randomUUID } from 'node:crypto'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ErrorCode, McpError, type ClientCapabilities, type ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { showInvisible } from '../cards/invisible-characters.ts'
import { unlessMissing } from '../errors/optional-package.ts'
import { LineTooLong, readLinesOf } from '../line-buffer.ts'
import type { Principal } from '../model/principal.ts'
import { cardsOf, connectedCaller } from './client-facts.ts'
import { answeredAsOlder, loadModernSdk } from './modern/protocol-server.ts'
import { serveModernStdio } from './modern/stdio.ts'
import { readFirstMessage } from './read-first-message.ts'
import { createDoor, type DoorParts } from './protocol.ts'
import { surroundings } from '../model/surroundings.ts'

export interface StdioOptions {
  readonly principal: Principal
  readonly trusted: boolean
  /** Called when upstreams, if there are any, know their client and are started. */
  readonly onOpen?: () => void
  /** Gets one sentence about each message that cannot be read; stderr when absent. */
  readonly onTrouble?: (message: string) => void
}

/** Serves one client on stdin and stdout. Resolves when the client closes the connection. */
export async function serveStdio(parts: DoorParts, options: StdioOptions): Promise<void> {
  const { principal, trusted } = options
  const { stdin, stdout, stderr } = surroundings()
  if (stdout === process.stdout) keepStdoutClean()
  const session = randomUUID()
  const callerOf = (connected: Server) => connectedCaller(connected, { principal, trusted, session })
  // The transport skips what it cannot read without a word.
  const say = options.onTrouble ?? ((message: string) => void stderr.write(`countersign: ${showInvisible(message)}\n`))
  const stdio = readLinesOf(new StdioServerTransport(stdin, stdout), { longest: longestLine })
  const onError = (error: Error): void => {
    say(whatWasSkipped(error))
    if (error instanceof LineTooLong) refuseLine(stdio, error)
  }
  const { first, transport, end } = readFirstMessage(stdio, onError)
  const gone = Promise.withResolvers<void>()
  const leave = (): void => {
    end()
    gone.resolve()
  }
  stdin.once('end', leave)
  stdin.once('close', leave)
  // Without stdout no answer arrives any more, even if another process keeps stdin open.
  stdout.once('error', leave)
  // An upstream may send requests while it starts; they are answered once the client is connected.
  const ready = Promise.withResolvers<Server>()
  const facts = await first
  const loaded = facts?.isModern === true ? await unlessMissing(loadModernSdk) : undefined
  if (loaded?.ok === false) say(answeredAsOlder(loaded.failure))
  const client = loaded?.ok === false ? undefined : facts
  if (parts.passthrough !== undefined)
    await parts.passthrough.open({
      // In modern versions a server asks nothing of its client.
      capabilities: client === undefined || client.isModern ? {} : (client.capabilities as ClientCapabilities),
      cards: cardsOf(client?.capabilities),
      request: (method, params, signal) =>
        client?.isModern === true ? Promise.reject(asksNothing(method)) : ask(ready.promise, method, params, signal),
    })
  options.onOpen?.()
  const door = (): Server => {
    const server = createDoor(parts).connect(callerOf, 'long', 'stdio')
    server.oninitialized = () => {
      ready.resolve(server)
      parts.passthrough?.welcome('stdio')
    }
    server.fallbackNotificationHandler = ({ method }) => {
      if (method === 'notifications/roots/list_changed') parts.passthrough?.notify(method)
      return Promise.resolve()
    }
    server.onerror = onError
    return server
  }
  if (client?.isModern === true) {
    const known = { principal, permissions: 'all', trusted, session } as const
    const close = await serveModernStdio(parts, known, { transport, older: door, onError })
    await gone.promise
    return close()
  }
  const server = door()
  const stopFollowing = server.onclose
  server.onclose = () => {
    stopFollowing?.()
    gone.resolve()
  }
  await server.connect(transport)
  await gone.promise
  await server.close()
}

const asksNothing = (method: string): McpError =>
  new McpError(
    ErrorCode.MethodNotFound,
    `The client began with a version of MCP in which no server asks it for ${method}.`,
  )

/** An hour, because a person may be asked; the upstream that asked cancels when it wants to. */
const longestMs = 3_600_000

async function ask(
  client: Promise<Server>,
  method: string,
  params: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<unknown> {
  const server = await client
  signal.throwIfAborted()
  const request = { method, params } as unknown as ServerRequest
  return server.request(request, z.unknown(), { signal, timeout: longestMs })
}

/** In bytes: more than any arguments may have. Longer lines are refused. */
const longestLine = 4 * 1024 * 1024

/** Answers a line that was not read, without an id, because the id was not read either. */
function refuseLine(stdio: StdioServerTransport, { message, longest }: LineTooLong): void {
  const next = `Send at most ${longest} bytes a line: name things by id instead of by value.`
  const error = { code: ErrorCode.InvalidRequest, message: `${message} ${next}` }
  void stdio.send({ jsonrpc: '2.0', error })
}

const whatWasSkipped = (error: Error): string =>
  error instanceof SyntaxError || error.name === 'ZodError' || error.name === '$ZodError'
    ? 'A line on stdin is not a JSON-RPC message and was skipped. Send one message a line.'
    : `The connection on stdin reports: ${error.message.split('\n')[0] ?? ''}`

function keepStdoutClean(): void {
  console.log = console.error
  console.info = console.error
  console.debug = console.error
}
