// MCP 2026-07-28 over stdio: the SDK answers `server/discover`, and keeps one protocol server for the connection.
import type { Notification, Server, Transport } from '@modelcontextprotocol/server'
import { onFirstUse } from '../on-first-use.ts'
import { createHeldCalls } from './held-calls.ts'
import { createModernServer, loadModernSdk, modernCaller, type KnownCaller } from './modern.ts'
import { follow, type DoorParts } from './protocol.ts'

const loadStdio = onFirstUse(() => import('@modelcontextprotocol/server/stdio'))

interface StdioParts {
  /** Of the SDK's first generation, which is the same as the second's; to compare the types takes the compiler minutes. */
  readonly transport: object
  /** Makes the server for a client that says `initialize` after all: one that asked what is served here and wants another version. */
  readonly older: () => object
  readonly onError: (error: Error) => void
}

/** Serves a client whose first message was a modern one. Answers how to end that. */
export async function serveModernStdio(
  parts: DoorParts,
  known: KnownCaller,
  { transport, older, onError }: StdioParts,
): Promise<() => Promise<void>> {
  const [sdk, { serveStdio }] = await Promise.all([loadModernSdk(), loadStdio()])
  const held = createHeldCalls(parts.ending)
  const modern = (): Server => {
    const server = createModernServer(sdk, parts, known, held)
    // No name of a session: what is passed on to one is not part of these versions.
    server.onclose = follow(
      parts,
      undefined,
      () => modernCaller(known, undefined),
      (method, params) => {
        const notification: object = { method, params }
        return server.transport === undefined ? undefined : server.notification(notification as Notification)
      },
    )
    return server
  }
  const serving = serveStdio(({ era }) => (era === 'modern' ? modern() : (older() as Server)), {
    transport: transport as Transport,
    onerror: onError,
  })
  return () => {
    held.close()
    return serving.close()
  }
}
