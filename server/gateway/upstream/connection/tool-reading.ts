// The tools of a server are asked for before each call, so this is where it shows that the server, or another version of it, has
// been started in its place: then the list comes over another connection, which takes the place of the one in use.
import type { Connection } from './connection.ts'
import type { ToolList } from './tool-lists.ts'
import { mayBeOtherVersion, type KnownGeneration } from './wire/generation.ts'

/** The shortest time between two attempts to list the tools over another connection, where the first one changed nothing. */
const pauseMs = 10_000

/** Who keeps the connections. */
interface Owner {
  readonly isInUse: (connection: Connection) => boolean
  /** Opens another one, called off with this signal. */
  readonly dial: (signal: AbortSignal, generation: KnownGeneration) => Promise<Connection>
  /** It is used from now on in place of the one before, with what was listed over it. */
  readonly takeOver: (opened: Connection, listed: ToolList, generation: KnownGeneration) => void
  /** Closes what is not used. */
  readonly finish: (connection: Connection) => Promise<void>
  readonly listed: (connection: Connection, list: ToolList) => void
  readonly now: () => number
}

/**
 * What reads the tools of a server over this connection. It throws what the connection throws, where another one changes nothing;
 * the list then stays as it was.
 */
export function createToolReading(owner: Owner): (held: Connection, timeoutMs: number) => Promise<void> {
  let triedInVain: number | undefined

  /** Answers whether another connection has taken the place of this one. */
  async function replace(held: Connection, leftMs: () => number): Promise<boolean> {
    if (triedInVain !== undefined && owner.now() - triedInVain < pauseMs) return false
    const generation: KnownGeneration = { isOlder: false }
    let tried: Connection | undefined
    let isTaken = false
    try {
      tried = await owner.dial(AbortSignal.timeout(leftMs()), generation)
      const listed = await tried.listTools(leftMs())
      isTaken = owner.isInUse(held)
      if (isTaken) owner.takeOver(tried, listed, generation)
    } catch {
      // Why the list was refused says more.
    }
    triedInVain = isTaken ? undefined : owner.now()
    // Not waited for: somebody waits for the list.
    if (tried !== undefined && !isTaken) void owner.finish(tried)
    return isTaken
  }

  return async (held, timeoutMs) => {
    const until = performance.now() + timeoutMs
    const leftMs = (): number => Math.max(1, Math.ceil(until - performance.now()))
    try {
      owner.listed(held, await listedAtLast(held, leftMs))
    } catch (error) {
      if (!mayBeAnother(error, held) || !(await replace(held, leftMs))) throw error
    }
  }
}

/** A proxy may refuse once, and another connection would cost what the server keeps of this session. */
async function listedAtLast(held: Connection, leftMs: () => number): Promise<ToolList> {
  try {
    return await held.listTools(leftMs())
  } catch (error) {
    if (!mayBeAnother(error, held)) throw error
    return held.listTools(leftMs())
  }
}

const mayBeAnother = (error: unknown, held: Connection): boolean =>
  held.identity.transport !== 'stdio' && mayBeOtherVersion(error, held.protocolVersion)
