// MCP 2026-07-28 over stdio: the SDK answers `server/discover`, and keeps one protocol server for the connection.
import type { Transport as OlderTransport } from '@modelcontextprotocol/sdk/shared/transport.js'
import type { Notification, Server, Transport } from '@modelcontextprotocol/server'
import type { Caller } from '../../rail/engine.ts'
import { onFirstUse } from '../../on-first-use.ts'
import { follow, type DoorParts } from '../protocol.ts'
import { listenToResources } from './follow-resources.ts'
import { createHeldCalls } from './held-calls.ts'
import { followingOverStdio, stdioListener } from './listen-stdio.ts'
import { createModernServer, loadModernSdk, modernCaller, type KnownCaller } from './protocol-server.ts'

const loadStdio = onFirstUse(() => import('@modelcontextprotocol/server/stdio'))

interface StdioParts {
  readonly transport: OlderTransport
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
    const notify = (method: string, params?: object): Promise<void> | undefined => {
      const notification: object = { method, params }
      return server.transport === undefined ? undefined : server.notification(notification as Notification)
    }
    const callerOf = (): Caller => modernCaller(known, undefined)
    // No name of a session: what is passed on to one is not part of these versions.
    const stopFollowing = follow(parts, undefined, callerOf, notify)
    const stopListening = listenToResources(parts, stdioListener, callerOf, (uri) => {
      void notify('notifications/resources/updated', { uri })?.catch((error: unknown) =>
        parts.engine.report(error, 'resource updated'),
      )
    })
    server.onclose = () => {
      stopFollowing()
      stopListening()
    }
    return server
  }
  const serving = serveStdio(({ era }) => (era === 'modern' ? modern() : (older() as Server)), {
    transport: followingOverStdio(parts, transport, (meta) => modernCaller(known, meta)) as object as Transport,
    onerror: onError,
  })
  return () => {
    held.close()
    return serving.close()
  }
}
