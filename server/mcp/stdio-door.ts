// The door for a host that starts this server as its child. stdout belongs to the protocol alone; anything else that
// writes there breaks the host, so `console.log` and its kin are sent to stderr for as long as the door is open.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Caller } from '../call/request.ts'
import type { Principal } from '../tools/contract.ts'
import { cardsOf } from './client-facts.ts'
import { createDoor, type DoorParts } from './protocol.ts'

export interface StdioOptions {
  readonly principal: Principal
  readonly trusted: boolean
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
  const server = createDoor(parts).connect(callerOf, 'long')
  const stopFollowing = server.onclose
  // The transport skips what it cannot read and tells nobody; the operator's log is where a person would look.
  server.onerror = (error) => process.stderr.write(`countersign: ${whatWasSkipped(error)}\n`)
  const closed = new Promise<void>((resolve) => {
    server.onclose = () => {
      stopFollowing?.()
      resolve()
    }
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
  })
  await server.connect(new StdioServerTransport())
  await closed
  await server.close()
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
