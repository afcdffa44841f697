// What the instructions at `initialize` say of servers that are not there, and how a client gets the instructions of a
// server that comes later: MCP has room for both in the answer to `initialize` alone.
import { statusTool, statusToolName } from '../../gateway/doors/server-status.ts'
import type { ServerIdentity } from '../../gateway/upstream/connection/connection.ts'
import { instructionsOf, upstreamInstructions } from '../../gateway/upstream/definitions/upstream-instructions.ts'
import type { Pool } from '../../gateway/upstream/pool.ts'
import { statusSentence } from '../../gateway/upstream/status.ts'
import type { Upstream } from '../../gateway/upstream/upstream.ts'
import type { Principal } from '../../model/principal.ts'
import { toTool, type Tool } from '../../tools/catalog.ts'
import type { Confirmation } from '../../tools/rail-words.ts'

/** Whether a server has been asked for, and is not there. */
export const isAway = (upstream: Upstream): boolean => !['ready', 'idle'].includes(upstream.state().kind)

/** For the instructions at `initialize`: which servers are not there, and how one learns that they are. */
export function awayInstructions({ upstreams }: Pool, mode: 'gateway' | 'wrap'): string | undefined {
  const away = upstreams.filter(isAway).map((upstream) => statusSentence(upstream, Date.now()))
  if (away.length === 0) return undefined
  const next =
    mode === 'gateway'
      ? 'A call of one of their tools waits for its server, and `retrieve_tools` says how they stand.'
      : 'Its tools are listed as they were last seen, if they ever were; a call of one waits for it. `countersign_status` says how it stands, and the list of tools is announced anew once it is there.'
  return `Not everything is there yet. ${away.join(' ')} ${next}`
}

/** `countersign_status` for the one server behind `wrap`, made anew when the server has said what it is. */
export function createStatusTool(pool: Pool, confirmation: Confirmation): () => Tool | undefined {
  let made: { readonly of: ServerIdentity | undefined; readonly tool: Tool } | undefined
  return () => {
    const [upstream] = pool.upstreams
    if (upstream === undefined) return undefined
    const of = upstream.identity()
    if (made === undefined || made.of !== of)
      made = { of, tool: toTool(statusTool(upstream, upstreamInstructions(pool)), statusToolName, confirmation) }
    return made.tool
  }
}

/** In characters: an answer of `retrieve_tools` is short. */
const longest = 500

/** More callers than this are forgotten, the oldest first, and told once more. */
const mostCallers = 1000

/**
 * The instructions of servers that a caller has not been told of, each once. `isTold`: whether `initialize` has brought them
 * to every caller there is.
 */
export function createLateInstructions(pool: Pool, isTold: (upstream: Upstream) => boolean) {
  const told = new Map<string, Set<Upstream>>()
  return (upstream: Upstream, { tenant, subject }: Principal): string | undefined => {
    if (isTold(upstream)) return undefined
    const key = JSON.stringify([tenant, subject])
    const before = told.get(key) ?? new Set()
    if (before.has(upstream)) return undefined
    const text = instructionsOf(pool, upstream, longest)
    if (text === undefined) return undefined
    told.set(key, before.add(upstream))
    const [oldest] = told.keys()
    if (told.size > mostCallers && oldest !== undefined) told.delete(oldest)
    return text
  }
}
