// What the instructions at `initialize` say of servers that are not there, and how a client gets the instructions of a
// server that comes later: MCP has room for both in the answer to `initialize` alone.
import { statusTool, statusToolName } from '../../gateway/call-tools/server-status.ts'
import type { ServerIdentity } from '../../gateway/upstream/connection/connection.ts'
import { instructionsOf, upstreamInstructions } from '../../gateway/upstream/definitions/upstream-instructions.ts'
import type { Pool } from '../../gateway/upstream/pool.ts'
import { statusSentence } from '../../gateway/upstream/status.ts'
import type { Upstream } from '../../gateway/upstream/upstream.ts'
import type { Principal } from '../../model/principal.ts'
import { toTool, type Tool } from '../../tools/catalog.ts'
import type { Confirmation } from '../../tools/rail-words.ts'

/** Whether a server has been asked for, and is not there. */
export const isUnavailable = (upstream: Upstream): boolean => !['ready', 'idle'].includes(upstream.state().kind)

/** So many servers that are not there are named at the start. */
const mostNamed = 3

/** Which servers are not there, and how one learns that they are. */
function unavailableInstructions({ upstreams }: Pool, mode: 'gateway' | 'wrap'): string | undefined {
  const unavailable = upstreams.filter(isUnavailable)
  if (unavailable.length === 0) return undefined
  const named = unavailable.slice(0, mostNamed).map((upstream) => statusSentence(upstream, Date.now()))
  const more = unavailable.length > mostNamed ? [`So are ${unavailable.length - mostNamed} more.`] : []
  const next =
    mode === 'gateway'
      ? 'A call of a tool of such a server waits for it, and `retrieve_tools` says how it stands.'
      : 'Its tools are listed as they were last seen, if they ever were; a call of one waits for it. `countersign_status` says how it stands, and the list of tools is announced anew once it is there.'
  return ['Not everything is there yet.', ...named, ...more, next].join(' ')
}

/** In characters: what every host hands to its model, as far as is known. Claude Code cuts instructions here. */
const surelyHandedOn = 2048

/**
 * What a model is told at the start: first how it calls and what is not there, because some hosts cut the end off, and last
 * what the servers say of themselves. `surelyRead`: those of which nothing can have been cut.
 */
export function startInstructions(
  pool: Pool,
  mode: 'gateway' | 'wrap',
  { gateway, rail }: { readonly gateway?: string | undefined; readonly rail: string },
): { readonly text: string; readonly surelyRead: readonly Upstream[] } {
  let text = [gateway, unavailableInstructions(pool, mode), rail].filter((part) => part !== undefined).join('\n\n')
  const surelyRead: Upstream[] = []
  for (const part of upstreamInstructions(pool)) {
    text += `\n\n${part.text}`
    if (part.upstream !== undefined && text.length <= surelyHandedOn) surelyRead.push(part.upstream)
  }
  return { text, surelyRead }
}

/** `countersign_status` for the one server behind `wrap`, made anew when the server has said what it is. */
export function createStatusTool(pool: Pool, confirmation: Confirmation): () => Tool | undefined {
  let made: { readonly of: ServerIdentity | undefined; readonly tool: Tool } | undefined
  return () => {
    const [upstream] = pool.upstreams
    if (upstream === undefined) return undefined
    const of = upstream.identity()
    const told = (): string | undefined => instructionsOf(pool, upstream, longestOfStatus)
    if (made === undefined || made.of !== of)
      made = { of, tool: toTool(statusTool(upstream, told), statusToolName, confirmation) }
    return made.tool
  }
}

/** In characters: with the words of the tool itself, what hosts hand on of a description. */
const longestOfStatus = 1500

/** In milliseconds: in a conversation that is still going on, an agent remembers; a new one knows nothing. */
const rememberedFor = 3_600_000

/** In characters: an answer of `retrieve_tools` is short. */
const longest = 500

/** More callers than this are forgotten, the oldest first, and told once more. */
const mostCallers = 1000

/**
 * The instructions of servers that a caller has not been told of, each once in an hour. `isTold`: whether `initialize` has
 * surely brought them to every caller there is.
 */
export function createLateInstructions(pool: Pool, isTold: (upstream: Upstream) => boolean, now = Date.now) {
  const told = new Map<string, Map<Upstream, number>>()
  return (upstream: Upstream, { tenant, subject }: Principal): string | undefined => {
    if (isTold(upstream)) return undefined
    const key = JSON.stringify([tenant, subject])
    const before = told.get(key) ?? new Map<Upstream, number>()
    if (now() - (before.get(upstream) ?? -Infinity) < rememberedFor) return undefined
    const text = instructionsOf(pool, upstream, longest)
    if (text === undefined) return undefined
    told.set(key, before.set(upstream, now()))
    const [oldest] = told.keys()
    if (told.size > mostCallers && oldest !== undefined) told.delete(oldest)
    return text
  }
}
