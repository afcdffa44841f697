// The MCP door for a client in the same process: the same protocol server as on stdio, between two ends of which each hears
// what the other says as JSON. The SDK's own pair hands objects over as they are; a Date or `undefined` in a result would
// then arrive as it never does on a wire.
import { randomUUID } from 'node:crypto'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import type { Server } from '@modelcontextprotocol/sdk/server/index.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { JSONRPCMessage } from '@modelcontextprotocol/sdk/types.js'
import type { Caller } from '../rail/engine.ts'
import { connectedCaller } from './client-facts.ts'
import { createDoor, type DoorParts } from './protocol.ts'

/** Serves one client. Answers its end of the connection, which it closes. */
export async function serveInProcess(parts: DoorParts, as: Pick<Caller, 'principal' | 'trusted'>): Promise<Transport> {
  const [client, own] = InMemoryTransport.createLinkedPair()
  const session = randomUUID()
  const callerOf = (connected: Server): Caller => connectedCaller(connected, { ...as, session })
  await createDoor(parts).connect(callerOf, 'long', session).connect(asJson(own))
  return asJson(client)
}

/** A transport that sends what arrives on a wire. */
function asJson(transport: InMemoryTransport): Transport {
  const send = transport.send.bind(transport)
  transport.send = (message, options) => send(JSON.parse(JSON.stringify(message)) as JSONRPCMessage, options)
  return transport
}
