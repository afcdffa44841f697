// What an agent may mean by a name that leads to no tool: one that is left out, a tool of another spelling, or one of a server
// that is not there yet. Said the same at every door.
import { nearest } from '../../errors/nearest.ts'
import type { UpstreamTool } from '../../gateway/contract/upstream-contracts.ts'
import type { Pool } from '../../gateway/upstream/pool.ts'
import { secondsUntilTry, statusSentence } from '../../gateway/upstream/status.ts'
import type { Upstream } from '../../gateway/upstream/upstream.ts'
import type { NameSuggestions } from '../../tools/catalog.ts'
import { createLeftOut } from './left-out.ts'

interface Known {
  /** The tools that may be found. */
  readonly findable: () => readonly UpstreamTool[]
  /** Whether the tools of this server have been read. */
  readonly isRead: (upstream: Upstream) => boolean
}

/** Answers what a name may mean that is no tool's. Where one server is wrapped, its own tools are listed and looked through as such. */
export function createNameSuggestions(pool: Pool, mode: 'gateway' | 'wrap', { findable, isRead }: Known) {
  const leftOut = createLeftOut(pool, mode)
  return (name: string): NameSuggestions => {
    const setting = leftOut(name)
    if (setting !== undefined) return { near: [], leftOut: setting }
    if (mode === 'wrap') return { near: [] }
    const hasServer = pool.find(name.slice(0, Math.max(0, name.indexOf(':')))) !== undefined
    const unlisted = hasServer ? [] : pool.upstreams.filter((upstream) => !isRead(upstream))
    return { near: namesLike(name, findable()), unlisted: unlisted.map(asUnlisted) }
  }
}

/** The qualified names that a wrong one may mean: first those with the same tool, whatever the server. */
function namesLike(name: string, tools: readonly UpstreamTool[]): readonly string[] {
  const known = tools.map((tool) => tool.name)
  const same = known.filter((each) => each.endsWith(`:${name}`)).slice(0, 3)
  return same.length > 0 ? same : nearest(name, known)
}

const asUnlisted = (upstream: Upstream): NonNullable<NameSuggestions['unlisted']>[number] => ({
  server: upstream.name,
  standing: statusSentence(upstream, Date.now()),
  retryAfterSeconds: secondsUntilTry(upstream.state(), Date.now()),
})
