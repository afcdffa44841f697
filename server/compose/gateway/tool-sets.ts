// Each server behind the gateway says when its tools have changed, and at a start all of them do, one after the other. What
// is made of a server's tools is kept for as long as its list and its pins are the same, so that the one that speaks is the
// only one that is read.
import type { UpstreamTool, UpstreamToolOptions } from '../../gateway/contract/upstream-contracts.ts'
import { upstreamTools } from '../../gateway/contract/upstream-contracts.ts'
import { besideViews, neededByViews } from './gateway-catalog.ts'
import { listedNames } from '../../gateway/call-tools/reserved-names.ts'
import type { Views } from '../../gateway/passthrough/views.ts'
import type { KnownServer } from '../../gateway/profiles/tool-profile.ts'
import type { ToolList } from '../../gateway/upstream/connection/tool-lists.ts'
import { leftOutBy } from '../../gateway/rules/tool-overrides.ts'
import { pinTools, rememberedTools, type PinnedTool } from '../../gateway/upstream/definitions/pins.ts'
import { otherServersTools, type OtherServersTools } from '../../gateway/upstream/definitions/prompt-injection.ts'
import { qualifiedName } from '../../gateway/upstream/qualified-name.ts'
import type { GatewayConfig } from '../../gateway/upstream/settings/upstream-config.ts'
import type { Upstream } from '../../gateway/upstream/upstream.ts'
import type { PinStore } from '../../model/pins.ts'
import { profileByServerInfo } from '../profiles/profiles.ts'

export interface ToolSetOptions {
  readonly upstreams: readonly Upstream[]
  readonly config: GatewayConfig
  readonly mode: 'gateway' | 'wrap'
  readonly views: Views
  readonly pins: PinStore
  readonly similar?: UpstreamToolOptions['similar'] | undefined
  readonly warn: NonNullable<UpstreamToolOptions['warn']>
}

/** What is made of the tools of one server; where it has not listed any, of those that it had when it was last seen. */
export interface ToolSet {
  readonly tools: readonly UpstreamTool[]
  /** The same under their own names, where a view of the one server behind a gateway needs them. */
  readonly besides: readonly UpstreamTool[]
}

interface Made extends ToolSet {
  /** What it was made from. */
  readonly list: ToolList
  readonly serverName: string | undefined
  readonly pinned: readonly PinnedTool[]
}

/** The tools of all servers, each as it was read last. */
export function createToolSets({ upstreams, config, mode, views, pins, similar, warn }: ToolSetOptions) {
  const made = new Map<Upstream, Made>()
  const otherServersToolsOf = createOtherServersTools(upstreams)

  /** By the settings; where they lead to none, by what the server said of itself. */
  const knownServer = async ({ name, config: server, identity }: Upstream): Promise<KnownServer | undefined> =>
    config.profiles?.[name] ?? (server.profile === undefined ? profileByServerInfo(identity()?.name) : undefined)

  async function readOne(upstream: Upstream): Promise<Made> {
    const list = upstream.tools()
    const serverName = upstream.identity()?.name
    const key = config.pinKeys?.[upstream.name] ?? upstream.name
    const pinned = await (serverName === undefined ? rememberedTools(key, pins) : pinTools(key, list.tools, pins))
    const before = made.get(upstream)
    if (before?.list === list && before.serverName === serverName && isSame(before.pinned, pinned)) return before
    const names = listedNames(
      upstream.name,
      pinned.map(({ definition }) => definition.name),
    )
    // Not even for a preview is a tool called that the settings leave out.
    const offered = pinned.filter(({ definition }) => leftOutBy(upstream.config, definition.name) === undefined)
    const known = await knownServer(upstream)
    const common = {
      otherServersTools: otherServersToolsOf(upstream),
      views,
      ...(upstream.config.cheatsheet === undefined ? {} : { cheatsheet: upstream.name }),
      ...(similar === undefined ? {} : { similar }),
      warn,
      known,
    }
    const byCallTools = { ...common, readVariantAsks: !config.intent.strict_server_validation }
    const ownNames = { ...common, wireName: (tool: string) => names.get(tool) ?? tool }
    const alone = upstreams.length === 1
    return {
      list,
      serverName,
      pinned,
      // Behind `wrap` there is no other call tool.
      tools: upstreamTools(upstream, offered, mode === 'wrap' ? { ...ownNames, readVariantAsks: true } : byCallTools),
      besides:
        mode === 'gateway' && alone && serverName !== undefined
          ? neededByViews(upstreamTools(upstream, offered, { ...ownNames, views: besideViews(views) }))
          : [],
    }
  }

  /** Whether its tools have been read since it was up. */
  const isRead = (upstream: Upstream): boolean => made.get(upstream)?.serverName !== undefined
  return {
    isRead,
    /** Whether it lists something else than what was read: our database was away for a moment, say. */
    isOutdated: (upstream: Upstream): boolean =>
      upstream.identity() !== undefined && !(isRead(upstream) && made.get(upstream)?.list === upstream.tools()),
    /** Reads these, with their pins as they are now. Where the database is away, nothing changes, and it throws. */
    async read(which: readonly Upstream[]): Promise<void> {
      const read = await Promise.all(which.map(async (upstream) => [upstream, await readOne(upstream)] as const))
      for (const [upstream, set] of read) made.set(upstream, set)
    },
    all: (): readonly ToolSet[] => upstreams.flatMap((upstream) => made.get(upstream) ?? []),
  }
}

const isSame = (before: readonly PinnedTool[], now: readonly PinnedTool[]): boolean =>
  before.length === now.length &&
  now.every(({ digest, held }, at) => before[at]?.digest === digest && before[at].held?.digest === held?.digest)

/** The names of all other servers' tools, as they are listed whenever somebody asks. They are read once for all servers. */
function createOtherServersTools(upstreams: readonly Upstream[]): (upstream: Upstream) => () => OtherServersTools {
  let known: { readonly of: readonly ToolList[]; readonly names: Map<Upstream, OtherServersTools> } | undefined
  let namesTo: ReturnType<typeof otherServersTools>
  return (upstream) => () => {
    const of = upstreams.map((each) => each.tools())
    if (known === undefined || of.some((list, at) => known?.of[at] !== list)) {
      namesTo = otherServersTools(
        upstreams.flatMap(({ name }, at) => of[at]!.tools.map((tool) => qualifiedName(name, tool.name))),
      )
      known = { of, names: new Map() }
    }
    const names = known.names.get(upstream) ?? namesTo(upstream.name)
    known.names.set(upstream, names)
    return names
  }
}
