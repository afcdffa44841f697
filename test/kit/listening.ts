// Servers that a test makes for itself listen on a port that the system gives out, on this machine only.
import { once } from 'node:events'
import type { Server as HttpServer } from 'node:http'
import type { AddressInfo, Server } from 'node:net'

/** Lets a server listen. Answers its origin. */
export async function listening(server: Server, host = '127.0.0.1'): Promise<string> {
  await once(server.listen(0, host), 'listening')
  return `http://${host}:${(server.address() as AddressInfo).port}`
}

/** The same. When `end` (`atEnd`, `onTestFinished`) calls what it is given, the server closes with all its connections. */
export function listeningUntil(end: (close: () => void) => void, server: HttpServer): Promise<string> {
  end(() => {
    server.close()
    server.closeAllConnections()
  })
  return listening(server)
}
