// What servers behind us call their tools and prompts may be a reserved name. A client must not take the one for the other, so
// such a name is listed under another, and operators are told which.
import { isReservedName, listedNames } from '../../gateway/call-tools/reserved-names.ts'
import type { createPassthrough } from '../../gateway/passthrough/passthrough.ts'
import type { Pool } from '../../gateway/upstream/pool.ts'
import type { Upstream } from '../../gateway/upstream/upstream.ts'

/** What servers behind list under names and addresses of ours, and what became of it: a sentence each. */
export async function reservedNameNotices(
  pool: Pool,
  passthrough: ReturnType<typeof createPassthrough>,
): Promise<readonly string[]> {
  const everybody = { may: () => true }
  const lists = await Promise.all([
    passthrough.listResources(everybody),
    passthrough.listResourceTemplates(everybody),
    passthrough.listPrompts(everybody),
  ])
  const prompts = lists[2].prompts.flatMap(({ name }) =>
    typeof name === 'string' && isReservedName(name.slice(name.indexOf(':') + 1))
      ? [`The prompt ${name} is called like a tool of Countersign, so its server's name stands in front.`]
      : [],
  )
  const named = pool.upstreams.flatMap((upstream) =>
    [...namesIn(upstream)]
      .filter(([name]) => isReservedName(name))
      .map(
        ([name, listed]) =>
          `${upstream.name}:${name} is called like a tool of Countersign; \`countersign wrap\` lists it as ${listed}.`,
      ),
  )
  return [...named, ...prompts, ...passthrough.noticed()]
}

/** The names under which the tools of a server are listed, by their own. */
const namesIn = (upstream: Upstream): ReadonlyMap<string, string> =>
  listedNames(
    upstream.name,
    upstream.tools().tools.map(({ name }) => name),
  )
