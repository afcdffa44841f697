// What a person sees who has opened a web door from a terminal, and how long it stays open.
import type { Composed } from '../../compose/compose.ts'
import type { Config } from '../../compose/settings/config.ts'
import { documentationAssets, playgroundAssets } from '../../compose/package-files.ts'
import { liesInFile } from '../../compose/settings/operator-options.ts'
import { ok, type Result } from '../../errors/result.ts'
import type { SwitchedDesk } from '../../http/playground/playground-page.ts'
import type { Served, ServeFailure } from '../../http/serve.ts'
import { localPrincipal } from '../../mcp/local-principal.ts'
import { serveStdio, type StdioOptions } from '../../mcp/stdio-door.ts'
import { buildDocs } from './build-docs.ts'
import { showAddresses, type ShownAddresses } from './shown-addresses.ts'
import { exit, say, trouble } from '../terminal/output.ts'
import { surroundings } from '../../model/surroundings.ts'

/** Says where everything is: to a person in words, otherwise to whatever reads the log. */
async function sayServed(
  web: Served,
  { store, telemetry }: Pick<Composed, 'store' | 'telemetry'>,
  { title = '', operatorOptions }: Pick<HereOptions, 'title' | 'operatorOptions'>,
): Promise<ShownAddresses> {
  const database = store.file
  const shown = await showAddresses(web, database)
  const { mcp, playground, secretPlace } = shown
  if (!surroundings().stderr.isTTY) {
    const { publicUrl, adminTokenPlace } = web
    const docs = web.docsUrl
    const places = { operators: `${publicUrl}/admin`, listens: web.url, database, admin_token: adminTokenPlace, docs }
    telemetry.log.info('The web door is open', { mcp, playground, access_secret: secretPlace, ...places })
    return shown
  }
  if (title !== '') say.line(`\n  ${title}`)
  say.line()
  if (playground !== undefined) say.line(`  Playground   ${playground}`)
  say.line(`  MCP          ${mcp}`)
  say.line(`  Operators    ${web.publicUrl}/admin`)
  if (web.docsUrl !== undefined) say.line(`  Docs         ${web.docsUrl}`)
  if (liesInFile(database)) say.line(`  Sign in      countersign admin open ${operatorOptions}`)
  say.line(`  Database     ${database}`)
  if (secretPlace !== undefined) say.line(`  Secret       ${secretPlace}`)
  say.line(`  Admin token  ${web.adminTokenPlace}`)
  say.line()
  say.line('  Press Ctrl+C to stop.')
  return shown
}

/** Exit codes of a process that a signal has ended (128 and its number). */
const endedBy = { SIGINT: 130, SIGTERM: 143 } as const

/** Resolves when the process is told to end; told a second time, it ends at once. */
export const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    const { ends } = surroundings()
    if (ends?.aborted === true) return resolve()
    if (ends !== undefined) return ends.addEventListener('abort', () => resolve(), { once: true })
    let isEnding = false
    for (const signal of ['SIGINT', 'SIGTERM'] as const)
      process.on(signal, () => {
        if (isEnding) process.exit(endedBy[signal])
        isEnding = true
        resolve()
      })
  })

/** A web door that is open, and said. */
export interface ServedHere {
  readonly web: Served
  /** Answers the calls that have begun, and ends. */
  close(): Promise<void>
}

interface HereOptions {
  readonly served: Composed
  readonly trusted: boolean
  readonly title?: string
  /** By which an operator’s command works on this server (`operatorOptions`). */
  readonly operatorOptions: string
  /** Between which its playground switches. */
  readonly desks?: readonly SwitchedDesk[] | undefined
  /** Whether its data are there to be tried out. */
  readonly isDemo?: boolean
}

/** Opens a web door and says where everything is. Where it cannot be opened, `served` is still whoever's it was. */
export async function serveHere(
  config: Config['server'],
  { served, trusted, desks = [], isDemo = false, ...shownWith }: HereOptions,
): Promise<Result<ServedHere, ServeFailure>> {
  // A server on stdio does not load the web server.
  const { serveWeb } = await import('../../http/serve.ts')
  const principal = localPrincipal('http')
  const web = await serveWeb({
    config,
    served,
    trusted,
    principal,
    playground: { assets: playgroundAssets(), desks, isDemo },
    documentation: { assets: documentationAssets(), ...(isDemo ? { build: buildDocs } : {}) },
  })
  if (!web.ok) return web
  const shown = await sayServed(web.value, served, shownWith)
  return ok({
    web: web.value,
    close: async () => {
      await shown.forget()
      const until = performance.now() + config.http.shutdown_seconds * 1000
      await web.value.close()
      await served.close(Math.max(1000, until - performance.now()))
    },
  })
}

/** Serves the web until the process is told to end; calls that have begun are answered. Answers the exit code. */
export async function serveWebUntil(
  ends: Promise<void>,
  config: Config['server'],
  options: HereOptions,
): Promise<number> {
  const here = await serveHere(config, options)
  if (!here.ok) {
    await options.served.close()
    return trouble(here.failure)
  }
  await ends
  await here.value.close()
  return exit.ok
}

/** Serves one client on stdio until it leaves or the process is told to end; calls that have begun are answered. */
export async function serveChildUntil(
  ends: Promise<void>,
  served: Pick<Composed, 'parts' | 'telemetry' | 'close'>,
  options: Omit<StdioOptions, 'onTrouble'>,
  patienceMs?: number,
): Promise<void> {
  const { log } = served.telemetry
  const { stdin } = surroundings()
  const left = serveStdio(served.parts, { ...options, onTrouble: (message) => log.warn(message) })
  await Promise.race([left, ends.then(() => stdin.pause())])
  await served.close(patienceMs)
  // Paused, it would keep the process alive; while it was open, answers could still go out.
  stdin.destroy()
}
