// The one place where the parts are joined: store, catalogue, road and doors' parts. Nothing below knows of its
// neighbours' implementations, and nothing above joins anything.
import { randomBytes, randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Kysely } from 'kysely'
import { defaultSettings, type Road, type RoadSettings } from './call/request.ts'
import type { Ledger } from './call/ledger.ts'
import { fail, ok, type Result } from './errors/result.ts'
import { cardResource, contractResources, type TextResource } from './mcp/listing.ts'
import type { DoorParts } from './mcp/protocol.ts'
import { packageRoot } from './package-root.ts'
import { defaultDatabaseFile, openStore, type Store } from './store/store.ts'
import { createCatalog } from './tools/catalog.ts'
import type { Contract, Principal } from './tools/contract.ts'
import { cheatsheetTool, cheatsheetTtlSeconds, cheatsheetUri, toCheatsheet } from './toolsets/cheatsheets.ts'
import type { Cheatsheet } from './toolsets/cheatsheets.ts'
import { createOrders } from './toolsets/orders/orders.ts'

/** Tools that need the server's own database. */
export type Toolset = (db: Kysely<unknown>) => Promise<readonly Contract[]>

export interface ComposeOptions {
  readonly tools?: readonly Contract[]
  readonly toolsets?: readonly Toolset[]
  /** Database file, or `:memory:`. */
  readonly file: string
  readonly secret?: string | undefined
  readonly name?: string | undefined
  readonly settings?: Partial<RoadSettings> | undefined
  /** Texts by name; served as `mcp://<name>/cheatsheet` and through `get_cheatsheet`. */
  readonly cheatsheets?: Readonly<Record<string, string>> | undefined
  readonly missingPermissions?:
    ((principal: Principal, permissions: readonly string[]) => readonly string[]) | undefined
  /** Where unexpected errors go; stderr when absent. */
  readonly onError?: ((error: unknown, where: string, incident: string) => void) | undefined
}

export interface Composed {
  readonly parts: DoorParts
  readonly store: Store
  readonly sessionKey: Uint8Array
  close(): Promise<void>
}

/** Why a server cannot be put together: what happened, and what to do next. */
export interface ComposeFailure {
  readonly message: string
  readonly next: string
}

/**
 * Opens the store and joins the parts.
 * @throws {ContractError} when a contract is incomplete.
 */
export async function compose(options: ComposeOptions): Promise<Result<Composed, ComposeFailure>> {
  const html = readCard()
  if (!html.ok) return html
  const opened = await openStore({ file: options.file, secret: options.secret })
  if (!opened.ok) return fail({ message: opened.failure.message, next: opened.failure.next })
  const store = opened.value
  try {
    const sets = await Promise.all((options.toolsets ?? []).map((toolset) => toolset(store.db)))
    const sheets = Object.entries(options.cheatsheets ?? {}).map(([name, text]) => toCheatsheet(name, text))
    const help = sheets.length === 0 ? [] : [cheatsheetTool(sheets)]
    const catalog = createCatalog([...(options.tools ?? []), ...sets.flat(), ...help])
    const name = options.name ?? 'countersign'
    const road: Road = {
      catalog,
      ledger: store.plans satisfies Ledger,
      settings: { ...defaultSettings, source: name, ...options.settings },
      owner: randomUUID(),
      random: randomBytes,
      now: Date.now,
      missingPermissions: options.missingPermissions ?? (() => []),
      report: reporter(options.onError ?? toStderr),
    }
    const sweeping = setInterval(
      () => void store.sweep().catch((error: unknown) => road.report(error, 'sweep')),
      60_000,
    )
    sweeping.unref()
    return ok({
      parts: {
        road,
        name,
        version: packageVersion(),
        resources: [cardResource(html.value), ...sheets.map(cheatsheetResource), ...contractResources(catalog)],
      },
      store,
      sessionKey: store.deriveKey('session ids'),
      close: async () => {
        clearInterval(sweeping)
        await store.close()
      },
    })
  } catch (error) {
    await store.close()
    throw error
  }
}

const cheatsheetResource = (sheet: Cheatsheet): TextResource => ({
  uri: cheatsheetUri(sheet.name),
  name: `${sheet.name}-cheatsheet`,
  title: `Cheatsheet: ${sheet.name}`,
  mimeType: 'text/markdown',
  text: sheet.text,
  meta: { 'countersign/etag': sheet.etag, 'countersign/ttl_seconds': cheatsheetTtlSeconds },
})

const reporter =
  (onError: NonNullable<ComposeOptions['onError']>): Road['report'] =>
  (error, where) => {
    const incident = `in_${randomBytes(5).toString('hex')}`
    onError(error, where, incident)
    return incident
  }

const toStderr: NonNullable<ComposeOptions['onError']> = (error, where, incident) => {
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error)
  process.stderr.write(`countersign: ${incident} in ${where}: ${text}\n`)
}

/** The built card. A checkout that was never built has none, and a server without a card is no server. */
function readCard(): Result<string, ComposeFailure> {
  const file = join(packageRoot(), 'dist', 'ui', 'card', 'index.html')
  try {
    return ok(readFileSync(file, 'utf8'))
  } catch {
    return fail({
      message: 'The confirmation card has not been built (dist/ui/card/index.html is missing).',
      next: 'Run `npm run build`.',
    })
  }
}

/** Version of this package, as its package.json says. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version

/** The database to open: the one that was named, or a file in the user's data directory. */
export const databaseFile = (named: string | undefined): string => named ?? defaultDatabaseFile(process.env)

/** Folder of the playground's build. */
export const playgroundAssets = (): string => join(packageRoot(), 'dist', 'ui', 'playground')

/** What `countersign demo` serves: the order desk on the server's own database, and its cheatsheet. */
export const demoOptions = (): Pick<ComposeOptions, 'toolsets' | 'cheatsheets' | 'name'> => ({
  name: 'Order desk',
  toolsets: [async (db) => (await createOrders(db)).tools],
  cheatsheets: { orders: readFileSync(join(packageRoot(), 'cheatsheets', 'orders.md'), 'utf8') },
})
