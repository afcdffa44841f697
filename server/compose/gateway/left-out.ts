// What the settings leave out of a server's tools: agents have no such tool, and whoever names one hears which setting keeps
// it from them, because a name that is nowhere to be found would be tried again in other spellings.
import { leftOutBy } from '../../gateway/rules/tool-overrides.ts'
import type { Pool } from '../../gateway/upstream/pool.ts'
import type { Upstream } from '../../gateway/upstream/upstream.ts'

/** Answers the setting that leaves out what an agent calls by this name; nothing where it leads to no such tool. */
export const createLeftOut =
  ({ upstreams, find }: Pick<Pool, 'upstreams' | 'find'>, mode: 'gateway' | 'wrap') =>
  (name: string): string | undefined => {
    const colon = name.indexOf(':')
    const upstream = mode === 'wrap' ? upstreams[0] : find(name.slice(0, Math.max(0, colon)))
    if (upstream === undefined) return undefined
    const tool = mode === 'wrap' ? name : name.slice(colon + 1)
    const list = leftOutBy(upstream.config, tool)
    // Of a server that has not listed its tools any name may be one.
    const isTool = upstream.identity() === undefined || upstream.tools().tools.some((each) => each.name === tool)
    return list === undefined || !isTool ? undefined : `mcpServers.${upstream.name}.${list}`
  }

/** How many of a server's tools are left out, in a sentence for operators; none where all are offered. */
export function leftOutWords({ config, tools }: Upstream): readonly string[] {
  const lists = tools().tools.flatMap(({ name }) => leftOutBy(config, name) ?? [])
  if (lists.length === 0) return []
  const by = [...new Set(lists)].map((list) => `"${list}"`).join(' and ')
  return [`${lists.length} of its tools ${lists.length === 1 ? 'is' : 'are'} left out (${by})`]
}
