// `countersign demo`: the order desk as a new user meets it, in the browser or behind a host of theirs.
import { composeOptionsOf } from '../compose/config.ts'
import { warnOfIdleRules } from '../compose/tool-rules.ts'
import { compose, demoOptions, playgroundAssets } from '../compose/compose.ts'
import { serveWeb } from '../http/serve.ts'
import { localPrincipal } from '../mcp/local-principal.ts'
import { settingsOf, type ConfigOptions } from './config-options.ts'
import { say } from './say.ts'
import { closeInTime, sayServed, serveChildUntil, signalled } from './serve-here.ts'

export interface DemoOptions extends ConfigOptions {
  readonly stdio?: true
  readonly trustedHost?: true
  readonly as: string
}

/** Serves until the client leaves or the process is told to end. Answers the exit code. */
export async function demo(options: DemoOptions): Promise<number> {
  const settings = settingsOf(options)
  if (!settings.ok) return trouble(settings.failure)
  const config = settings.value.server
  const demonstrated = demoOptions()
  const composed = await compose({
    ...demonstrated,
    ...composeOptionsOf(config),
    name: config.name ?? demonstrated.name,
  })
  if (!composed.ok) return trouble(composed.failure)
  const served = composed.value
  warnOfIdleRules(config, served)
  const trusted = options.trustedHost === true
  const ends = signalled()
  const patienceMs = config.http.shutdown_seconds * 1000

  if (options.stdio === true) {
    await serveChildUntil(ends, served, { principal: localPrincipal(options.as), trusted }, patienceMs)
    return 0
  }
  const web = await serveWeb({
    config,
    served,
    trusted,
    principal: localPrincipal('http'),
    playground: playgroundAssets(),
  })
  if (!web.ok) {
    await served.close()
    return trouble(web.failure)
  }
  const shown = await sayServed(web.value, served, `Order desk, with a person's signature in front of it`)
  await ends
  await shown.forget()
  await closeInTime(web.value, served, patienceMs)
  return 0
}

function trouble(failure: { readonly message: string; readonly next: string }): number {
  say.error(failure.message, failure.next)
  return 1
}
