// The door for a host that starts this server as its child. stdout belongs to the protocol alone; anything else that
// writes there breaks the host, so `console.log` and its kin are sent to stderr for as long as the door is open.
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
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
  const server = createDoor(parts).connect((connected) => ({
    principal: options.principal,
    client: connected.getClientVersion()?.name ?? 'unknown',
    cards: cardsOf(connected.getClientCapabilities()),
    trusted: options.trusted,
  }))
  const closed = new Promise<void>((resolve) => {
    server.onclose = resolve
    process.stdin.once('end', resolve)
    process.stdin.once('close', resolve)
  })
  await server.connect(new StdioServerTransport())
  await closed
  await server.close()
}

function keepStdoutClean(): void {
  console.log = console.error
  console.info = console.error
  console.debug = console.error
}
