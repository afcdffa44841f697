// The door for a host that starts this server as its child. stdout belongs to the protocol alone; anything else that
// writes there breaks the host, so `console.log` and its kin are sent to stderr for as long as the door is open.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { ErrorCode, type ServerRequest } from '@modelcontextprotocol/sdk/types.js'
import { z } from 'zod'
import { showInvisible } from '../cards/invisible-characters.ts'
import type { Caller } from '../rail/engine.ts'
import { LineTooLong, readLinesOf } from '../line-buffer.ts'
import type { Principal } from '../model/principal.ts'
import { cardsOf } from './client-facts.ts'
import { holdFirst } from './hold-first.ts'
import { createDoor, type DoorParts } from './protocol.ts'

export interface StdioOptions {
  readonly principal: Principal
  readonly trusted: boolean
  /** Called once the servers behind, if there are any, know their client and are up. */
  readonly onOpen?: () => void
  /** Told in one sentence of what the client sent and nobody understood; stderr when absent. */
  readonly onTrouble?: (message: string) => void
}

/** Serves one client on stdin and stdout. Resolves when the client closes the connection. */
export async function serveStdio(parts: DoorParts, options: StdioOptions): Promise<void> {
  keepStdoutClean()
  const callerOf = (connected: Server): Caller => ({
    principal: options.principal,
    permissions: 'all',
    client: connected.getClientVersion()?.name ?? 'unknown',
    cards: cardsOf(connected.getClientCapabilities()),
    trusted: options.trusted,
  })
  // The transport skips what it cannot read and tells nobody; the operator's log is where a person would look.
  const say =
    options.onTrouble ?? ((message: string) => void process.stderr.write(`countersign: ${showInvisible(message)}\n`))
  const stdio = readLinesOf(new StdioServerTransport(), longestLine)
  const onError = (error: Error): void => {
    say(whatWasSkipped(error))
    if (error instanceof LineTooLong) refuseLine(stdio, error)
  }
  const { first, transport, end } = holdFirst(stdio, onError)
  const gone = Promise.withResolvers<void>()
  const leave = (): void => {
    end()
    gone.resolve()
  }
  process.stdin.once('end', leave)
  process.stdin.once('close', leave)
  // Nobody would hear what further calls come to, though stdin may be held open by another process.
  process.stdout.once('error', leave)
  // A server that asks while it starts is answered once its client is there.
  const ready = Promise.withResolvers<Server>()
  if (parts.passthrough !== undefined) {
    const client = await first
    await parts.passthrough.open({
      capabilities: client?.capabilities ?? {},
      cards: cardsOf(client?.capabilities),
      request: (method, params, signal) => ask(ready.promise, method, params, signal),
    })
  }
  options.onOpen?.()
  const server = createDoor(parts).connect(callerOf, 'long', 'stdio')
  server.oninitialized = () => ready.resolve(server)
  server.fallbackNotificationHandler = ({ method }) => {
    if (method === 'notifications/roots/list_changed') parts.passthrough?.notify(method)
    return Promise.resolve()
  }
  const stopFollowing = server.onclose
  server.onerror = onError
  server.onclose = () => {
    stopFollowing?.()
    gone.resolve()
  }
  await server.connect(transport)
  await gone.promise
  await server.close()
}

/** A person may be asked, and takes the time that a person takes; the server that asked gives up when it wants to. */
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

/** In bytes: more than any arguments may have. */
const longestLine = 4 * 1024 * 1024

/** What was not read has no id that could be answered to. */
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
