// Joins other people's servers to the road: their tools become contracts, their lists change while we run, and what is
// not ours to judge passes through. `gateway` puts four tools in front of many servers, `wrap` leaves one server's tools
// under their own names.
import { setTimeout as wait } from 'node:timers/promises'
import type { Catalog, Tool } from './tools/catalog.ts'
import { createCatalog, toTool } from './tools/catalog.ts'
import { riskAtMost } from './tools/define-tool.ts'
import { callWith } from './gateway/call-with.ts'
import type { GatewayConfig } from './gateway/config.ts'
import { upstreamTools, type UpstreamContract, type UpstreamTool } from './gateway/contracts.ts'
import { createFront } from './gateway/front.ts'
import { defaultLife } from './gateway/life.ts'
import { gatewayInstructions } from './gateway/meta-tools.ts'
import { createPassage } from './gateway/passage.ts'
import { pinTools, type PinStore } from './gateway/pins.ts'
import { createPool, type Pool } from './gateway/pool.ts'
import { createRetriever, retrieveTool } from './gateway/retrieve.ts'
import { stateText } from './gateway/upstream.ts'
import type { Front, ListChanges, Passage } from './mcp/front.ts'
import type { Contract } from './tools/contract.ts'

export interface GatewayOptions {
  readonly config: GatewayConfig
  /** `wrap`: exactly one server, its tools under their own names. */
  readonly mode: 'gateway' | 'wrap'
  readonly version: string
  /** Our own tools beside theirs: cheatsheets, feedback. */
  readonly own: readonly Contract[]
  readonly pins: PinStore
  readonly report: (error: unknown, where: string) => string
  /** How long the first client waits for servers that start slowly; what comes later is announced. */
  readonly patienceMs?: number | undefined
}

/** Hosts give a server's `initialize` about ten seconds. */
const patienceMs = 5000

/** How soon a change that an operator has accepted, in whatever process, takes effect. */
const acceptedWithinMs = 3000

export interface Gateway {
  readonly pool: Pool
  readonly catalog: Catalog
  readonly front?: Front
  readonly passage: Passage
  readonly changes: ListChanges
  /** Every upstream tool that may be found, as it is now. */
  tools(): readonly UpstreamTool[]
  /** Compares all definitions with their pins again: after an operator accepted one. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Starts the upstream servers and answers what stands in front of them. */
export async function composeGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, mode, report } = options
  const pool = createPool(config, { ...defaultLife, version: options.version, now: Date.now, report })
  const listeners = new Set<Parameters<ListChanges>[0]>()
  let tools: readonly UpstreamTool[] = []
  let named: ReadonlyMap<string, UpstreamTool> = new Map()

  const look = async (): Promise<void> => {
    const sets = await Promise.all(
      pool.upstreams.map(async (upstream) => {
        const pinned = await pinTools(upstream.name, upstream.tools().tools, options.pins)
        const others = pool.upstreams
          .filter((other) => other !== upstream)
          .flatMap((other) => other.tools().tools.map((tool) => `${other.name}:${tool.name}`))
        return upstreamTools(upstream, pinned, {
          others,
          ...(mode === 'wrap' ? { wireName: (tool: string) => tool, rationaleOnReads: 'optional' as const } : {}),
          ...(upstream.config.cheatsheet === undefined ? {} : { cheatsheet: upstream.name }),
        })
      }),
    )
    tools = sets.flat().filter((tool) => riskAtMost(byName(tool).risk) !== 'forbidden')
    named = new Map(tools.map((tool) => [tool.name, tool]))
  }
  // One at a time: two that overlap could end with the older list.
  let looking = Promise.resolve()
  const refresh = (): Promise<void> => (looking = looking.catch(() => undefined).then(look))
  const announce = (upstream: string): Promise<void> =>
    refresh()
      .then(() => listeners.forEach((listener) => listener('tools')))
      .catch((error: unknown) => void report(error, `the tools of ${upstream}`))

  const stop = pool.listen((upstream, event) => {
    if (event.kind === 'tools') void announce(upstream.name)
    if (event.kind === 'notification' && event.method === 'notifications/resources/list_changed')
      listeners.forEach((listener) => listener('resources'))
    if (event.kind === 'notification' && event.method === 'notifications/prompts/list_changed')
      listeners.forEach((listener) => listener('prompts'))
  })
  const started = pool.start()
  await Promise.race([started, wait(options.patienceMs ?? patienceMs, undefined, { ref: false })])
  await refresh()
  const waiting = setInterval(() => {
    if (tools.some((tool) => tool.held !== undefined)) void acceptedElsewhere()
  }, acceptedWithinMs)
  waiting.unref()

  async function acceptedElsewhere(): Promise<void> {
    const before = tools.map((tool) => tool.digest).join()
    await refresh().catch((error: unknown) => void report(error, 'accepted definitions'))
    if (tools.map((tool) => tool.digest).join() !== before) listeners.forEach((listener) => listener('tools'))
  }

  const away = (): readonly string[] =>
    pool.upstreams
      .filter((upstream) => !['ready', 'idle'].includes(upstream.state().kind))
      .map((upstream) => `${upstream.name} is ${stateText(upstream.state())}.`)
  const find = (name: string): UpstreamTool | undefined => named.get(name)
  const own =
    mode === 'gateway'
      ? [
          ...options.own,
          retrieveTool(
            createRetriever(() => tools),
            away,
          ),
        ]
      : options.own
  const roadTool = createRoadTools()
  const front =
    mode === 'wrap'
      ? undefined
      : createFront<Tool>({
          intent: config.intent,
          find,
          names: () => tools.map((tool) => tool.name),
          toTool: roadTool,
        })
  return {
    pool,
    tools: () => tools,
    catalog: mode === 'wrap' ? wrapCatalog(own, () => tools, roadTool) : gatewayCatalog(own, find, roadTool),
    ...(front === undefined ? {} : { front: { ...front, instructions: gatewayInstructions } }),
    passage: createPassage(pool),
    changes: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    refresh,
    close: async () => {
      stop()
      clearInterval(waiting)
      await pool.close()
      await looking.catch(() => undefined)
    },
  }
}

/**
 * The contract by which a tool is known without a door: to an approval, or to `apply_plan`. Both are about writes, and a
 * read's own door would have none.
 */
const byName = (tool: UpstreamTool): UpstreamContract =>
  tool.contract(callWith(tool.definition.annotations) === 'call_tool_read' ? 'call_tool_destructive' : tool.callWith)

/** Derives a road's tool from a contract once. */
function createRoadTools(): (contract: UpstreamContract) => Tool {
  const known = new WeakMap<UpstreamContract, Tool>()
  return (contract) => {
    const found = known.get(contract) ?? toTool(contract, contract.wire)
    known.set(contract, found)
    return found
  }
}

/** Our own tools are listed; theirs are found by name only, through a door. */
function gatewayCatalog(
  own: readonly Contract[],
  find: (name: string) => UpstreamTool | undefined,
  roadTool: (contract: UpstreamContract) => Tool,
): Catalog {
  const ours = createCatalog(own)
  return {
    tools: ours.tools,
    find: (name) => {
      const theirs = find(name)
      return ours.find(name) ?? (theirs === undefined ? undefined : roadTool(byName(theirs)))
    },
  }
}

/** Their tools are listed under their own names, each through the door that its annotations name. */
function wrapCatalog(
  own: readonly Contract[],
  tools: () => readonly UpstreamTool[],
  roadTool: (contract: UpstreamContract) => Tool,
): Catalog {
  const ours = createCatalog(own)
  let made:
    | { readonly of: readonly UpstreamTool[]; readonly list: readonly Tool[]; readonly byName: Map<string, Tool> }
    | undefined
  const current = () => {
    const of = tools()
    if (made?.of === of) return made
    const theirs = of.map((tool) => roadTool(tool.contract(tool.callWith)))
    const names = new Set(theirs.map((tool) => tool.wireName))
    // A server's own tool keeps its name even where we have one like it.
    const list = [...theirs, ...ours.tools.filter((tool) => !names.has(tool.wireName))]
    made = { of, list, byName: new Map(list.map((tool) => [tool.wireName, tool])) }
    return made
  }
  return {
    get tools() {
      return current().list
    },
    find: (name) => current().byName.get(name),
  }
}
