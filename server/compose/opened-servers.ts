// A test of a server in the same process needs what its doors are given (the parts, the store), and no program does. So it
// is no part of the server's public face: `createCountersign` notes it here, and `countersign/testing` looks it up.
import type { Principal } from '../model/principal.ts'
import type { Composed } from './compose.ts'

/** A server as a test gets at it. */
export interface NotedServer {
  /** Opens the database, or answers what is open. */
  open(): Promise<Composed>
  /** Whether a door has been opened by now. */
  isOpen(): boolean
  /** Who calls where a client says nothing else. */
  readonly principal: Principal
  /** What the program says of its host; `undefined` where it says nothing. */
  readonly trusted: boolean | undefined
}

const servers = new WeakMap<object, NotedServer>()

/** Notes a server, and answers it. */
export function noteServer<S extends object>(server: S, noted: NotedServer): S {
  servers.set(server, noted)
  return server
}

/** What was noted of a server. `undefined` for anything that `createCountersign` of this package has not made. */
export const notedServer = (server: object): NotedServer | undefined => servers.get(server)
