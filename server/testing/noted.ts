// Servers that clients of tests are connected to. A test that makes a server in the same line as its client has nothing else to
// close it by, and a server left open looks for approved calls each second: so it is closed with its last client.
import { notedServer, type NotedServer } from '../compose/opened-servers.ts'
import type { Composed } from '../compose/compose.ts'

interface Use {
  clients: number
  /** Whether `connect` was the first to open it. */
  readonly isOurs: boolean
  isClosed: boolean
}

/** What `createCountersign` answers, as far as it is needed here. */
type Closable = { close(): Promise<void> }

const uses = new WeakMap<Closable, Use>()

/** Opens a server for a client. @throws where there is none, or none any more. */
export async function openNoted(server: Closable): Promise<{ readonly noted: NotedServer; readonly served: Composed }> {
  const noted = notedServer(server)
  if (noted === undefined)
    throw new TypeError(
      'connect takes what createCountersign of this very package answers, and this is something else. Give it that, and see that only one copy of countersign is installed (`npm ls countersign`).',
    )
  const use = uses.get(server) ?? { clients: 0, isOurs: !noted.isOpen(), isClosed: false }
  if (use.isClosed)
    throw new Error(
      'This server was closed with its last client. Make a server for each test, or keep one of its clients until the last test is through.',
    )
  uses.set(server, use)
  return { noted, served: await noted.open() }
}

/** Counts a client of this server. Answers what is done when it leaves. */
export function noteClient(server: Closable): () => Promise<void> {
  const use = uses.get(server)
  if (use !== undefined) use.clients += 1
  let hasLeft = false
  return async () => {
    if (hasLeft || use === undefined) return
    hasLeft = true
    use.clients -= 1
    if (use.clients > 0 || !use.isOurs) return
    use.isClosed = true
    await server.close()
  }
}
