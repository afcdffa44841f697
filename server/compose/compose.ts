// Opens what a server consists of (store, catalogue, telemetry, gateway) and joins it to the engine and to the parts that
// its doors are given. How one of these is opened stands in the folders beside this file.
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { languagesOf } from '../cards/reader-languages.ts'
import { themeStyle, type CardTheme } from '../cards/theme.ts'
import { keepActivity, sweepByRetentionTime, type ActivityUpkeep, type Anchoring } from './records/activity.ts'
import { composeLimits, type LimitOptions } from './limits.ts'
import type { Gateway } from './gateway/gateway.ts'
import { startOperations, watchedStores, type OperationOptions, type Operations } from './operations/operations.ts'
import { openTelemetry } from './operations/telemetry.ts'
import { keepTypicalDurations } from './operations/typical-durations.ts'
import { keepGrantableTools, grantParts } from './grants.ts'
import { cheatsheetResource, packageDocs } from './docs.ts'
import { builtCard, packageVersion } from './package-files.ts'
import type { ComposeFailure } from './records/open-records.ts'
import type { GatewaySetup } from './gateway/from-store.ts'
import { readySoon } from './ready-soon.ts'
import { redactedBox } from './redacted-feedback.ts'
import type { ContractViews } from '../operators/contract-views.ts'
import { pooledRandomBytes } from '../pooled-random-bytes.ts'
import { createApprovalRounds } from '../rail/apply/approval-rounds.ts'
import type { Approval, Approvals } from '../model/approvals.ts'
import { graceMs, type RationaleRule } from '../rail/intake/rationale-grace.ts'
import type { Engine, EngineSettings } from '../rail/engine.ts'
import { readSettings } from '../rail/engine-settings.ts'
import type { Answer } from '../rail/answers/outcome.ts'
import type { Switches } from '../model/switches.ts'
import { PackageMissing } from '../errors/optional-package.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import { createRunningCalls } from '../rail/apply/running-calls.ts'
import { cardResource } from '../mcp/listing.ts'
import type { Offer } from '../mcp/offer.ts'
import type { DoorParts } from '../mcp/protocol.ts'
import { openStore, type Store } from '../store/store.ts'
import { createCatalog } from '../tools/catalog.ts'
import type { Contract } from '../tools/contract.ts'
import type { Middleware } from '../tools/middleware.ts'
import type { Principal } from '../model/principal.ts'
import type { Cheatsheet } from '../model/cheatsheet.ts'
import { openSandboxTools, type SandboxSetup, type SandboxTools } from './sandbox/sandbox-tools.ts'
import { cheatsheetTool, toCheatsheet } from '../toolsets/cheatsheets.ts'
import { bundlesFor } from '../rail/bundles/bundle-contract.ts'
import { feedbackTool } from '../toolsets/feedback.ts'
import { ToolsetError } from '../toolsets/toolset.ts'
import { surroundings } from '../model/surroundings.ts'
import { openToolsets, type OpenedToolsets, type ToolsetOptions } from './toolsets.ts'

/** How long a server that closes waits for calls that it has begun, in milliseconds. */
const closingPatienceMs = 25_000

export interface ComposeOptions extends OperationOptions, ToolsetOptions {
  readonly tools?: readonly Contract[]
  /** Database file, or `:memory:`. */
  readonly file: string
  readonly secret?: string | undefined
  readonly name?: string | undefined
  readonly settings?: Partial<EngineSettings> | undefined
  /** `grace`: calls over REST may leave out the rationale, for two weeks from the first start with it. */
  readonly rationale?: 'required' | 'grace' | undefined
  /** Where anchors of the log are written, and how much of the log stays. */
  readonly activity?: ActivityUpkeep | undefined
  /** How often one principal may call in a minute. */
  readonly limits?: LimitOptions | undefined
  /** Languages that the readers of cards want, most wanted first; the desktop's own come after them. */
  readonly languages?: readonly string[] | undefined
  /** The look of its cards. */
  readonly theme?: CardTheme | undefined
  /** Texts by name; served as `mcp://<name>/cheatsheet` and through `get_cheatsheet`. */
  readonly cheatsheets?: Readonly<Record<string, string>> | undefined
  /** Options by which an operator's command works on these records, as a shell reads them. */
  readonly operatorOptions?: string | undefined
  /** Variables that this command needs as this server has them. */
  readonly operatorVariables?: readonly string[] | undefined
  /** Resources and prompts of the program's own. */
  readonly offer?: Offer | undefined
  /** What surrounds each function of a tool. */
  readonly middleware?: readonly Middleware[] | undefined
  readonly missingPermissions?:
    | ((principal: Principal, permissions: readonly string[]) => readonly string[])
    | undefined
  /** Where programs of agents run; absent where there is no such place. */
  readonly sandbox?: SandboxSetup | undefined
  /** Other people's servers, which this one stands in front of. */
  readonly gateway?: GatewaySetup | undefined
  /** Where unexpected errors go; the log when absent. */
  readonly onError?: ((error: unknown, where: string, incident: string) => void) | undefined
}

export interface Composed extends Operations {
  readonly parts: DoorParts
  readonly store: Store
  /** Set where it stands in front of other people's servers. */
  readonly gateway: Gateway | undefined
  /** Every tool with all that its operators may know of it. */
  readonly contractViews: () => Promise<ContractViews>
  readonly cheatsheets: readonly Cheatsheet[]
  /** What its toolsets have at the web door. */
  readonly toolsets: Pick<OpenedToolsets, 'routes' | 'pages' | 'uploads' | 'startOver'>
  readonly sessionKey: Uint8Array
  /** What the record is compared with. */
  readonly anchoring: Anchoring
  /** Runs a call that was approved in this process. `undefined` where it does not serve the tool. */
  readonly runApproved: (approval: Approval) => Promise<Answer | undefined>
  /** Says at which address the web door is open: answers that need a person name it. */
  readonly openedAt: (address: string) => void
  /** Waits for calls that have begun, so many milliseconds (25 s when absent), then ends. */
  close(patienceMs?: number): Promise<void>
}

/**
 * Opens the store and joins the parts.
 * @throws {ContractError} when a contract is incomplete.
 */
export async function compose(options: ComposeOptions): Promise<Result<Composed, ComposeFailure>> {
  const html = builtCard()
  if (!html.ok) return html
  const told = readSettings(options.settings)
  if (!told.ok) return told
  const inFront = options.gateway && { ...(await import('./gateway/open-gateway.ts')), setup: options.gateway }
  const theirs: Result<Readonly<Record<string, string>>, ComposeFailure> = inFront === undefined
    ? ok({})
    : await inFront.serverCheatsheets(inFront.setup.config)
  if (!theirs.ok) return theirs
  const opened = await openStore({ file: options.file, secret: options.secret })
  if (!opened.ok) return fail({ message: opened.failure.message, next: opened.failure.next })
  const store = opened.value
  let gateway: Gateway | undefined
  let sandbox: SandboxTools | undefined
  let sets: OpenedToolsets | undefined
  try {
    const feedback = feedbackTool(redactedBox(store.feedback))
    const telemetry = await openTelemetry(
      { level: options.logLevel, tells: (options.webhooks ?? []).length > 0 },
      packageVersion(),
    )
    const report = reporter(options.onError ?? telemetry.reportError)
    let webAddress: string | undefined
    sets = await openToolsets(options, store, { report, publicUrl: () => webAddress })
    const texts = { ...theirs.value, ...sets.cheatsheets, ...options.cheatsheets }
    const sheets = Object.entries(texts).map(([name, text]) => toCheatsheet(name, text))
    const help = sheets.length === 0 ? [] : [cheatsheetTool(sheets, packageDocs)]
    sandbox = await openSandboxTools({ ...options, report })
    const tools = [...(options.tools ?? []), ...sets.tools, ...sandbox.tools]
    const own = [...tools, ...bundlesFor(tools, options.gateway !== undefined), ...help, feedback]
    if (inFront !== undefined) {
      const { composeGateway, fromStore, serverLogins, setup } = inFront
      gateway = await composeGateway({
        ...fromStore(store, report),
        ...setup,
        login: serverLogins(setup.logins ?? store, setup.config, options),
        version: packageVersion(),
        own,
        warn: telemetry.log.warn,
      })
    }
    const served = gateway
    const toolsets = sets
    const catalog = gateway?.catalog ?? createCatalog(own, options.settings?.confirmation)
    const name = options.name ?? 'countersign'
    const settings: Opened<EngineSettings> = {
      ...told.value,
      source: options.settings?.source ?? name,
      languages: [...(options.languages ?? []), ...languagesOf(surroundings().env)],
      ...(options.operatorOptions === undefined ? {} : { operatorOptions: options.operatorOptions }),
      ...(options.operatorVariables === undefined ? {} : { operatorVariables: options.operatorVariables }),
      rationale: await rationaleRule(store, options.rationale ?? 'required'),
      ...(options.gateway === undefined ? {} : { confirmation: options.gateway.config.confirmation }),
      ...(options.settings?.rationale === undefined ? {} : { rationale: options.settings.rationale }),
    }
    const keeping = await keepActivity(store, options.activity ?? {}, options.file, report, (message) =>
      telemetry.log.error(message),
    )
    const limits = composeLimits(store, options.limits ?? {})
    const runs = new Set<Promise<unknown>>()
    const engine: Engine = {
      catalog,
      ...watchedStores(telemetry, store),
      approvals: store.approvals satisfies Approvals,
      switches: store.switches satisfies Switches,
      ...grantParts(store),
      typicalDuration: keepTypicalDurations(store.activity.typicalDuration, store.now),
      settings,
      owner: randomUUID(),
      random: pooledRandomBytes,
      now: store.now,
      missingPermissions: options.missingPermissions ?? (() => []),
      permissionsOf: (principal) => store.access.permissionsOf(principal),
      limits,
      ...(options.middleware === undefined ? {} : { middleware: options.middleware }),
      log: telemetry.log,
      runningCalls: createRunningCalls(),
      running: (run) => {
        const over: Promise<unknown> = run.catch(() => undefined).finally(() => runs.delete(over))
        runs.add(over)
      },
      report,
    }
    const sweeping = setInterval(
      () => void sweepByRetentionTime(store).catch((error: unknown) => engine.report(error, 'sweep')),
      60_000,
    )
    sweeping.unref()
    const stopOffering = await keepGrantableTools(store.grants, catalog, gateway, report)
    const opened = { file: options.file, secret: options.secret, anchor: keeping.file }
    const common = { store, options, settings, telemetry, version: packageVersion(), opened, report }
    const { stop: stopOperations, ...operations } = startOperations({ ...common, pool: gateway?.pool })
    const rounds = createApprovalRounds(engine)
    const looking = setInterval(
      () => void rounds.look().catch((error: unknown) => engine.report(error, 'looking for approved calls')),
      1000,
    )
    looking.unref()
    const stopGettingReady = readySoon(sandbox)
    const ending = new AbortController()
    return ok({
      parts: {
        engine,
        name,
        version: packageVersion(),
        resources: [cardResource(html.value, themeStyle(options.theme ?? {})), ...sheets.map(cheatsheetResource)],
        docs: packageDocs,
        ending: ending.signal,
        ...(options.offer === undefined ? {} : { offer: options.offer }),
        ...(gateway === undefined ? {} : { passthrough: gateway.passthrough, changes: gateway.changes }),
        ...(gateway?.gatewayTools === undefined ? {} : { gatewayTools: gateway.gatewayTools }),
      },
      store,
      gateway,
      contractViews: async () => {
        const { createContractViews } = await import('./list-contract-views.ts')
        return createContractViews({ own, catalog, gateway: served, store, settings })
      },
      cheatsheets: sheets,
      toolsets,
      sessionKey: store.deriveKey('session ids'),
      runApproved: (approval) => rounds.run(approval),
      openedAt: (address) => {
        webAddress = address
        settings.webAddress = address
      },
      ...operations,
      anchoring: keeping,
      health: { ...operations.health, doubt: () => keeping.stillInDoubt(), clock: () => keeping.clock() },
      close: once(async (patienceMs = closingPatienceMs) => {
        clearInterval(sweeping)
        clearInterval(looking)
        stopGettingReady()
        await rounds.stop()
        await stopOperations()
        ending.abort()
        // What has begun to run is waited for, so that its ending is on record; not for ever.
        await Promise.race([Promise.allSettled(runs), wait(patienceMs, undefined, { ref: false })])
        await served?.close()
        await sandbox?.close()
        await toolsets.close()
        await stopOffering()
        await keeping.stop()
        await store.close()
      }),
    })
  } catch (error) {
    await gateway?.close()
    await sandbox?.close()
    await sets?.close()
    await store.close()
    if (error instanceof ToolsetError) return fail({ message: error.message, next: error.next })
    if (error instanceof PackageMissing) return fail({ message: error.problem, next: error.next })
    throw error
  }
}

/** Work that is done once, whoever asks for it again. */
const once = (work: (patienceMs?: number) => Promise<void>): typeof work => {
  let done: Promise<void> | undefined
  return (patienceMs) => (done ??= work(patienceMs))
}

/** The settings of an engine; where the web door is open is known only later. */
type Opened<T extends { readonly webAddress?: string }> = Omit<T, 'webAddress'> & { webAddress?: string }

async function rationaleRule(store: Store, rule: 'required' | 'grace'): Promise<RationaleRule> {
  if (rule === 'required') return { mode: 'required' }
  return { mode: 'grace', until: new Date(await store.grace.until(graceMs)).toISOString() }
}

const reporter =
  (onError: NonNullable<ComposeOptions['onError']>): Engine['report'] =>
  (error, where) => {
    const incident = `in_${pooledRandomBytes(5).toString('hex')}`
    onError(error, where, incident)
    return incident
  }
