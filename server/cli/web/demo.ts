// `countersign demo`: a desk as a new user meets it, in the browser or behind a host of theirs.
import { Option, type Command } from 'commander'
import { composeOptionsOf } from '../../compose/settings/config.ts'
import { operatorOptions, operatorVariables } from '../../compose/settings/operator-options.ts'
import { warnOfIdleRules } from '../../compose/settings/check-tool-rules.ts'
import { compose } from '../../compose/compose.ts'
import { demoOptions, desks, type Desk } from '../../compose/demo-options.ts'
import { localPrincipal } from '../../mcp/local-principal.ts'
import { configOption, dbOption, settingsOf, webOptions, type ConfigOptions, type Done } from '../config-options.ts'
import { port } from '../port.ts'
import { serveChildUntil, serveWebUntil, signalled } from './serve-here.ts'
import { trouble } from '../terminal/output.ts'

interface DemoOptions extends ConfigOptions {
  readonly desk: Desk
  readonly stdio?: true
  readonly trustedHost?: true
  readonly as: string
}

/** Adds the command. `done` takes the exit code. */
export function addDemo(program: Command, done: Done): void {
  const command = program
    .command('demo')
    .description('serves a desk with its playground: orders, or mail and files')
    .addOption(new Option('--port <n>', 'port of the web door; 0 takes any free one').argParser(port))
    .addOption(
      new Option('--desk <name>', 'which desk: of orders, or of mail and files').choices(desks).default('orders'),
    )
    .option('--stdio', 'serve one MCP client on stdin and stdout instead')
    .addOption(dbOption())
    .addOption(configOption())
    .option('--trusted-host', 'this host keeps app-only tools from its model: a click in the card then counts')
    .option('--as <name>', 'name of the one who calls over stdio', 'stdio')
    .action((options: DemoOptions) => done(demo(options)))
  for (const option of webOptions()) command.addOption(option)
}

/** Serves until the client leaves or the process is told to end. Answers the exit code. */
async function demo(options: DemoOptions): Promise<number> {
  const settings = settingsOf(options)
  if (!settings.ok) return trouble(settings.failure)
  const given = settings.value.server
  // Who looks at a demo wants to see all of it.
  const config = { ...given, sandbox: { ...given.sandbox, enabled: given.sandbox.enabled ?? true } }
  const { title, ...demonstrated } = demoOptions(options.desk)
  const composed = await compose({
    ...demonstrated,
    ...composeOptionsOf(config),
    operatorOptions: operatorOptions(settings.value),
    operatorVariables: operatorVariables(settings.value),
    name: config.name ?? demonstrated.name,
    isScraped: options.stdio !== true,
  })
  if (!composed.ok) return trouble(composed.failure)
  const served = composed.value
  warnOfIdleRules(config, served)
  const trusted = options.trustedHost === true
  const ends = signalled()
  if (options.stdio === true) {
    const patienceMs = config.http.shutdown_seconds * 1000
    await serveChildUntil(ends, served, { principal: localPrincipal(options.as), trusted }, patienceMs)
    return 0
  }
  return serveWebUntil(ends, config, { served, trusted, title })
}
