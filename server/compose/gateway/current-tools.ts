// The tools of all servers as they are now, in the groups in which they are used. They are read again when a server's list or
// its pins have changed, one reading at a time: two that overlap could end with the older list.
import type { UpstreamTool } from '../../gateway/contract/upstream-contracts.ts'
import { isForModel } from '../../gateway/passthrough/views.ts'
import type { Upstream } from '../../gateway/upstream/upstream.ts'
import { createToolSets, type ToolSetOptions } from './tool-sets.ts'

interface ToolGroups {
  /** Those of servers that have been read, without those that nobody may call. */
  readonly callable: readonly UpstreamTool[]
  /** Those that nobody may call: for operators only. */
  readonly forbidden: readonly UpstreamTool[]
  /** What may be listed, with the tools of servers that are not there. */
  readonly listed: readonly UpstreamTool[]
  /** What may be found: the same without those that only a view may call. */
  readonly findable: readonly UpstreamTool[]
  /** Those of servers that have been read, by name. */
  readonly named: ReadonlyMap<string, UpstreamTool>
  /** The same tools under their own names, for a view of the one server behind a gateway. */
  readonly besides: readonly UpstreamTool[]
}

/** Keeps the tools of these servers, read when somebody asks for it. */
export function createCurrentTools(options: ToolSetOptions) {
  const { upstreams } = options
  const sets = createToolSets(options)
  let read: readonly UpstreamTool[] = []
  let groups: ToolGroups = { callable: [], forbidden: [], listed: [], findable: [], named: new Map(), besides: [] }
  let reading = Promise.resolve()

  const readTools = async (which: readonly Upstream[]): Promise<void> => {
    await sets.read(which)
    const all = sets.all().flatMap((set) => set.tools)
    // What is made from them is kept by whoever made it, until the tools are others.
    if (all.length === read.length && all.every((tool, at) => tool === read[at])) return
    read = all
    const listed = all.filter((tool) => !tool.isForbidden)
    const findable = listed.filter((tool) => isForModel(tool.definition))
    const isThere = ({ upstream }: UpstreamTool): boolean => sets.isRead(upstream)
    groups = {
      callable: listed.filter(isThere),
      forbidden: all.filter((tool) => isThere(tool) && tool.isForbidden),
      listed,
      findable,
      named: new Map(findable.filter(isThere).map((tool) => [tool.name, tool])),
      besides: sets.all().flatMap((set) => set.besides.filter((tool) => !tool.isForbidden)),
    }
  }
  const refresh = (which: () => readonly Upstream[] = () => upstreams): Promise<void> =>
    (reading = reading.catch(() => undefined).then(() => readTools(which())))
  const outdated = (): readonly Upstream[] => upstreams.filter((upstream) => sets.isOutdated(upstream))
  const settled = (): Promise<void> => reading.catch(() => undefined)
  return {
    now: (): ToolGroups => groups,
    /** Whether the tools of this server have been read since it was up. */
    isRead: sets.isRead,
    /** Reads these servers again; all when absent. */
    refresh,
    /** The servers that list something else than what was read. */
    outdated,
    /** Waits for a reading that is under way, and reads what it has missed. */
    catchUp: async (): Promise<void> => {
      await settled()
      if (outdated().length > 0) await refresh(outdated)
    },
    /** Waits for a reading that is under way. */
    settled,
  }
}
