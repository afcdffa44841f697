// VS Code has a picker of tools. It keeps one switch for each server and one for each tool, the tools under names that it
// makes for its model: `mcp_` and what the server calls itself, cut short and numbered where two are called alike, and the
// tool's name with what a model does not take replaced. What the tools are really called stands in its cache of their lists.
import { z } from 'zod'
import type { Limits } from './limits.ts'

const pairs = z.array(z.tuple([z.string(), z.boolean()]))
const off = z.array(z.string()).default([])
/** The forms that are known. */
export const pickedSchema = z.union([
  z.object({ version: z.literal(2), toolSetEntries: pairs, toolEntries: pairs }),
  // An older form, which lasts until something is picked anew.
  z
    .object({ version: z.undefined().optional(), disabledToolSets: off, disabledTools: off })
    .transform(({ disabledToolSets: sets, disabledTools: tools }) => ({
      toolSetEntries: sets.map((id): [string, boolean] => [id, false]),
      toolEntries: tools.map((id): [string, boolean] => [id, false]),
    })),
])

const cache = z.object({
  serverTools: z.array(
    z.tuple([
      z.string(),
      z.object({
        serverName: z.string().nullish(),
        tools: z.array(z.object({ name: z.string(), serverToolName: z.string().optional() })),
      }),
    ]),
  ),
})

/**
 * What a picker says of the tools of a server.
 * @param caches what the editor remembers of the servers' own lists.
 * @param isIts whether an identity of VS Code is this server's.
 */
export function toolsPicked(
  value: unknown,
  caches: readonly unknown[],
  name: string,
  isIts: (id: string) => boolean,
): Limits {
  const read = pickedSchema.safeParse(value)
  if (!read.success) return {}
  const { toolSetEntries, toolEntries } = read.data
  const isSetOff = toolSetEntries.some(([id, isOn]) => !isOn && isIts(id))
  const remembered = caches.flatMap((each) => cache.safeParse(each).data?.serverTools ?? [])
  const known = remembered.filter(([id]) => isIts(id)).map(([, server]) => server)
  const others = remembered.filter(([id]) => !isIts(id)).map(([, server]) => server)
  const names = [name, ...known.flatMap(({ serverName }) => serverName ?? [])]
  const published = known.flatMap(({ tools }) => tools)
  const tools = new Map<string, boolean>()
  for (const [id, isOn] of toolEntries)
    for (const own of ownNames(id, names)) {
      const called = meant(published, id, own).map((tool) => tool.serverToolName ?? tool.name)
      // The list that is remembered may be older than the switch, so what is off stays off.
      const isUnlisted = called.length === 0 && !isOn && !others.some((other) => isToolOf(other, id))
      // Of two that may be meant, both have to be on.
      for (const tool of known.length === 0 || isUnlisted ? [own] : called)
        tools.set(tool, isOn && tools.get(tool) !== false)
    }
  const which = (on: boolean) => [...tools].filter(([, isOn]) => isOn === on).map(([tool]) => tool)
  // A server that is ticked offers all of its tools, one that is not those that are ticked themselves.
  if (isSetOff) return which(true).length === 0 ? { enabled: false } : { enabled_tools: which(true) }
  return which(false).length === 0 ? {} : { disabled_tools: which(false) }
}

type Remembered = z.infer<typeof cache>['serverTools'][number][1]

/** The tools whose names are, in the name that VS Code made, what is left of it. */
const meant = (published: Remembered['tools'], id: string, own: string): Remembered['tools'] =>
  published.filter((tool) => cut(spelled(tool.name), id.length - own.length) === own)

const isToolOf = ({ serverName, tools }: Remembered, id: string): boolean =>
  ownNames(id, [serverName ?? '']).some((own) => meant(tools, id, own).length > 0)

const spelled = (name: string): string => name.replaceAll('.', '_')

/** The name that is left of a tool's where so much stands before it. */
const cut = (name: string, before: number): string => name.slice(0, longestName - before)

const longestName = 64
const longestServer = 13
const numbers = ['', 2, 3, 4, 5, 6, 7, 8, 9]

/** What may be a tool's own name in the name that VS Code made of it and one of these names of its server. */
const ownNames = (id: string, servers: readonly string[]): readonly string[] =>
  [...new Set(servers)].flatMap((server) => {
    const plain = server.toLowerCase().replaceAll(/[^a-z0-9_.-]+/g, '_')
    const before = numbers.map((number) =>
      spelled(`mcp_${plain.slice(0, longestServer - String(number).length)}${number}_`),
    )
    return before.filter((prefix) => id.startsWith(prefix)).map((prefix) => id.slice(prefix.length))
  })
