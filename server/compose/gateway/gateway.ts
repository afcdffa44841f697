// Joins other people's servers to the rail: their tools become contracts, their lists change while we run, and what is
// not ours to judge passes through. `gateway` puts four tools in front of many servers, `wrap` leaves one server's tools
// under their own names.
import { setTimeout as wait } from 'node:timers/promises'
import { createCatalog, type Catalog, type Tool } from '../../tools/catalog.ts'
import { createCurrentTools } from './current-tools.ts'
import { createToolMaker, gatewayCatalog, wrapCatalog } from './gateway-catalog.ts'
import { createNameSuggestions } from './name-suggestions.ts'
import { reservedNameNotices } from './reserved-name-notices.ts'
import { freshListing, freshListingOf, untilReady } from './fresh-listings.ts'
import { createLateInstructions, createStatusTool, isUnavailable, startInstructions } from './unavailable-servers.ts'
import { createPendingServers } from './pending-servers.ts'
import { createPassthrough } from '../../gateway/passthrough/passthrough.ts'
import { wireNameOf } from '../../tools/names.ts'
import { clientFor, type DownstreamClient } from '../../gateway/upstream/connection/downstream-client.ts'
import type { GatewayConfig } from '../../gateway/upstream/settings/upstream-config.ts'
import type { UpstreamTool, UpstreamToolOptions } from '../../gateway/contract/upstream-contracts.ts'
import { createCallTools } from '../../gateway/call-tools/call-tools.ts'
import { defaultLifecycle, type LifecycleOptions } from '../../gateway/upstream/connection/lifecycle-options.ts'
import { checkPackages } from '../../gateway/packages.ts'
import type { PendingServer } from '../../model/pending-server.ts'
import { idleRulesOf, type IdleRule } from '../../gateway/rules/idle-rules.ts'
import { gatewayInstructions } from '../../gateway/call-tools/meta-tools.ts'
import { isReservedName } from '../../gateway/call-tools/reserved-names.ts'
import { statusToolName } from '../../gateway/call-tools/server-status.ts'
import type { PinStore } from '../../model/pins.ts'
import { createPool, type Pool } from '../../gateway/upstream/pool.ts'
import { createRetriever, retrieveTool } from '../../gateway/call-tools/retrieve.ts'
import type { Upstream } from '../../gateway/upstream/upstream.ts'
import { hiddenViews, shownViews } from '../../gateway/passthrough/views.ts'
import type { GatewayTools, ListChanges, Passthrough } from '../../mcp/gateway-tools.ts'
import type { Contract } from '../../tools/contract.ts'

export interface GatewayOptions extends Pick<LifecycleOptions, 'login'> {
  readonly config: GatewayConfig
  /** `wrap`: exactly one server, its tools under their own names. */
  readonly mode: 'gateway' | 'wrap'
  readonly version: string
  /** Our own tools beside theirs: cheatsheets, feedback. */
  readonly own: readonly Contract[]
  readonly pins: PinStore
  /** What calls of the same tool did before, for previews. */
  readonly similar?: UpstreamToolOptions['similar'] | undefined
  readonly report: (error: unknown, where: string) => string
  /** A line of the server's log, for its operator. */
  readonly warn: (message: string, about: Readonly<Record<string, string>>) => void
  /** The one client is known only when it says who it is: the servers start then, and are told what it can do. */
  readonly waitsForClient?: boolean | undefined
  /** How long the first client waits for servers that start slowly; what comes later is announced. */
  readonly patienceMs?: number | undefined
}

/** Hosts give a server's `initialize` about ten seconds. */
const patienceMs = 5000

/** A server under its own tool names has none to list before it is up, and a host may list only once. */
const listPatienceMs = 30_000

/** How soon a change that an operator has accepted, in whatever process, takes effect. */
const acceptedWithinMs = 3000

export interface Gateway {
  readonly pool: Pool
  readonly catalog: Catalog
  readonly gatewayTools?: GatewayTools
  readonly passthrough: Passthrough
  readonly changes: ListChanges
  /** Every upstream tool that may be found, as it is now. */
  tools(): readonly UpstreamTool[]
  /** Those that nobody may call: for operators only. */
  forbidden(): readonly UpstreamTool[]
  /** What servers behind list under names and addresses of ours, and what became of it: a sentence each. */
  reservedNameNotices(): Promise<readonly string[]>
  /** Rules of the operator that fit no tool of their server, as far as its tools have been read. */
  idleRules(): readonly IdleRule[]
  /** Compares all definitions with their pins again: after an operator accepted one. */
  refresh(): Promise<void>
  close(): Promise<void>
}

/** Starts the upstream servers and answers what stands in front of them. */
export async function composeGateway(options: GatewayOptions): Promise<Gateway> {
  const { config, mode, report } = options
  await checkPackages(options.warn)
  const alone = Object.keys(config.servers).length === 1
  const views = alone ? shownViews(Object.keys(config.servers)[0] ?? '') : hiddenViews
  let downstream: DownstreamClient | undefined
  const pool = createPool(config, {
    ...defaultLifecycle,
    version: options.version,
    now: Date.now,
    report,
    ...(options.login === undefined ? {} : { login: options.login }),
    client: (server) => clientFor(server, downstream, { views: views.shown }),
  })
  const listeners = new Set<Parameters<ListChanges>[0]>()
  const current = createCurrentTools({ ...options, upstreams: pool.upstreams, views })
  const { now, isRead, refresh, outdated, catchUp } = current
  const announce = (upstream: string): Promise<void> =>
    refresh(outdated)
      .then(() => listeners.forEach((listener) => listener('tools')))
      .catch((error: unknown) => void report(error, `the tools of ${upstream}`))

  const stop = pool.listen((upstream, event) => {
    if (event.kind === 'tools') void announce(upstream.name)
    if (event.kind === 'notification' && event.method === 'notifications/resources/list_changed')
      listeners.forEach((listener) => listener('resources'))
    if (event.kind === 'notification' && event.method === 'notifications/prompts/list_changed')
      listeners.forEach((listener) => listener('prompts'))
  })
  let hasLooked = false
  const firstLook = (): Promise<void> =>
    (hasLooked ? catchUp() : refresh().then(() => void (hasLooked = true))).catch(
      (error: unknown) => void report(error, 'the first look at the tools'),
    )
  let opened: Promise<void> | undefined
  let started: Promise<void> = Promise.resolve()
  const open = (client?: DownstreamClient): Promise<void> =>
    (opened ??= (async () => {
      downstream = client
      const starting = pool.start(Math.max(listPatienceMs, options.patienceMs ?? 0))
      started = starting.then(firstLook)
      await Promise.race([starting, wait(options.patienceMs ?? patienceMs, undefined, { ref: false })])
      await firstLook()
      isLate = pool.upstreams.some((upstream) => !isRead(upstream))
    })())
  /** Whether a server was not there when the first client came. */
  let isLate = false
  if (options.waitsForClient !== true) await open()
  const held = () => now().callable.flatMap((tool) => (tool.held === undefined ? [] : [tool.upstream]))
  const waiting = setInterval(() => {
    const those = (): readonly Upstream[] => [...new Set([...outdated(), ...held()])]
    if (those().length > 0) void refreshAndAnnounce(those)
  }, acceptedWithinMs)
  waiting.unref()

  const digests = (): string =>
    now()
      .callable.map((tool) => tool.digest)
      .join()
  async function refreshAndAnnounce(which: () => readonly Upstream[]): Promise<void> {
    const before = digests()
    await refresh(which).catch((error: unknown) => void report(error, 'a new look at the tools'))
    if (digests() !== before) listeners.forEach((listener) => listener('tools'))
  }

  /** Of a single client over stdio it is known what its `initialize` brought; over HTTP each caller is told. */
  const toldAtStart = new Set<Upstream>()
  const late = createLateInstructions(pool, (upstream) => toldAtStart.has(upstream))
  const instructions: Passthrough['instructions'] = (ours) => {
    const { text, surelyRead } = startInstructions(pool, mode, ours)
    if (options.waitsForClient === true) surelyRead.forEach((upstream) => toldAtStart.add(upstream))
    return text
  }
  const status = createStatusTool(pool, config.confirmation)
  const find = (name: string): UpstreamTool | undefined => now().named.get(name)
  const arrivalOf = createPendingServers({
    patienceMs: listPatienceMs,
    now: Date.now,
    isRead,
    catchUp,
  })
  const serverIn = (name: string): Upstream | undefined => pool.find(name.slice(0, Math.max(0, name.indexOf(':'))))
  const arrival = (name: string): PendingServer | undefined =>
    arrivalOf(serverIn(name), name.slice(name.indexOf(':') + 1))
  const suggestNames = createNameSuggestions(pool, mode, { findable: () => now().findable, isRead })
  const own =
    mode === 'gateway'
      ? [
          ...options.own,
          retrieveTool({
            retriever: createRetriever(() => now().findable),
            missing: () => pool.upstreams.filter(isUnavailable),
            late,
          }),
        ]
      : options.own
  const makeTool = createToolMaker(config.confirmation)
  const passthrough = createPassthrough(
    pool,
    views,
    open,
    async () => {
      if (mode !== 'wrap') return
      await started
      await firstLook()
    },
    { report: (error, where) => void report(error, where), warn: (said) => options.warn(said, {}) },
  )
  const taken = new Set(['call_tool_read', 'call_tool_write', 'call_tool_destructive'])
  for (const contract of own) taken.add(wireNameOf(contract.name))
  const direct = (): readonly Tool[] =>
    now()
      .besides.filter((tool) => !taken.has(tool.definition.name) && !isReservedName(tool.definition.name))
      .map((tool) => makeTool(tool.contract(tool.callWith)))
  const ours = createCatalog(own, config.confirmation)
  const gatewayTools =
    mode === 'wrap'
      ? undefined
      : createCallTools({
          intent: config.intent,
          confirmation: config.confirmation,
          find,
          arrival,
          suggestNames,
          relisted: ({ upstream }) => freshListing(upstream, catchUp),
          reached: ({ upstream }) => untilReady(upstream),
          names: () => now().findable.map(({ name }) => name),
          toTool: makeTool,
          warn: options.warn,
        })
  return {
    pool,
    tools: () => now().callable,
    forbidden: () => now().forbidden,
    catalog:
      mode === 'wrap'
        ? wrapCatalog(
            ours,
            () => now().listed,
            () => (isLate ? status() : undefined),
            makeTool,
            {
              suggestNames,
              arrivalOf: (name) =>
                ours.find(name) === undefined && name !== statusToolName
                  ? (arrivalOf(pool.upstreams[0], name) ?? freshListingOf(now().callable, name, catchUp))
                  : undefined,
            },
          )
        : gatewayCatalog(ours, find, direct, makeTool, {
            suggestNames,
            // Under its whole name a tool is called by `apply_plan` alone: it passes whatever the server says of it.
            arrivalOf: (name) => {
              const upstream = find(name)?.upstream
              return arrival(name) ?? (upstream && untilReady(upstream)) ?? freshListingOf(now().besides, name, catchUp)
            },
          }),
    ...(gatewayTools === undefined
      ? {}
      : { gatewayTools: { ...gatewayTools, direct, instructions: gatewayInstructions } }),
    passthrough: { ...passthrough, instructions },
    changes: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    refresh: () => refresh(),
    idleRules: () => idleRulesOf(pool.upstreams),
    reservedNameNotices: () => reservedNameNotices(pool, passthrough),
    close: async () => {
      stop()
      passthrough.stop()
      clearInterval(waiting)
      await pool.close()
      await current.settled()
    },
  }
}
