// MCP 2026-07-28 over stdio: the SDK answers `server/discover`, and keeps one protocol server for the connection.
import type { Notification, Transport } from '@modelcontextprotocol/server'
import { onFirstUse } from '../on-first-use.ts'
import { createModernServer, loadModernSdk, modernCaller, type KnownCaller } from './modern.ts'
import { follow, type DoorParts } from './protocol.ts'

const loadStdio = onFirstUse(() => import('@modelcontextprotocol/server/stdio'))

/**
 * Serves a client whose first message was a modern one. Answers how to end that. `transport`: as the SDK's first generation has
 * it, which is the same as the second's; to compare their types takes the compiler minutes.
 */
export async function serveModernStdio(
  parts: DoorParts,
  known: KnownCaller,
  transport: object,
  onError: (error: Error) => void,
): Promise<() => Promise<void>> {
  const [sdk, { serveStdio }] = await Promise.all([loadModernSdk(), loadStdio()])
  const serving = serveStdio(
    () => {
      const server = createModernServer(sdk, parts, { known, client: 'stdio' })
      server.onclose = follow(
        parts,
        'stdio',
        () => modernCaller(known, undefined),
        (method, params) => {
          // Whether a record is one of its notifications keeps the compiler for minutes.
          const notification: object = { method, params }
          return server.transport === undefined ? undefined : server.notification(notification as Notification)
        },
      )
      return server
    },
    { transport: transport as Transport, onerror: onError },
  )
  return () => serving.close()
}
