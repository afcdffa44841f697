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

/** The tools of a server that its settings leave out, by the setting. */
export function leftOutTools({
  config,
  tools,
}: Pick<Upstream, 'config' | 'tools'>): ReadonlyMap<string, readonly string[]> {
  const out = tools().tools.flatMap(({ name }) => {
    const setting = leftOutBy(config, name)
    return setting === undefined ? [] : [{ setting, name }]
  })
  const bySetting = [...Map.groupBy(out, ({ setting }) => setting)]
  return new Map(bySetting.map(([setting, found]) => [setting, found.map(({ name }) => name)]))
}

/** How many of a server's tools are left out, in a sentence for operators; none where all are offered. */
export function leftOutWords(upstream: Pick<Upstream, 'config' | 'tools'>): readonly string[] {
  const out = leftOutTools(upstream)
  const count = [...out.values()].flat().length
  if (count === 0) return []
  const by = [...out.keys()].map((list) => `"${list}"`).join(' and ')
  const who = count === upstream.tools().tools.length ? 'all' : `${count}`
  return [`${who} of its tools ${count === 1 && who !== 'all' ? 'is' : 'are'} left out (${by})`]
}
