// `countersign demo`: a desk as a new user meets it, in the browser or behind a host of theirs.
import { Option, type Command } from 'commander'
import { composeOptionsOf, type Config } from '../../compose/settings/config.ts'
import { operatorOptions, operatorVariables } from '../../compose/settings/operator-options.ts'
import { warnOfIdleRules } from '../../compose/settings/check-tool-rules.ts'
import { compose } from '../../compose/compose.ts'
import { databaseBeside, databaseFile, type ComposeFailure } from '../../compose/records/open-records.ts'
import { demoOptions, desks, type Desk } from '../../compose/demo-options.ts'
import { notStarted, thirdPartyDesk } from '../../compose/third-party-desk.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import { localPrincipal } from '../../mcp/local-principal.ts'
import { configOption, dbOption, settingsOf, webOptions, type ConfigOptions, type Done } from '../config-options.ts'
import { port } from '../port.ts'
import { serveDesks, type ComposedDesk } from './desks.ts'
import { serveChildUntil, signalled } from './serve-here.ts'
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
    .addOption(new Option('--port <n>', 'port of the web door; 0 takes any free one').argParser(port))
    .addOption(
      new Option('--desk <name>', 'which desk: of orders, of mail and files, or of a third-party server (memory)')
        .choices(desks)
        .default('orders'),
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
  const trusted = options.trustedHost === true
  if (options.stdio !== true) return serveDesks(options.desk, (desk) => composeDesk(options, desk), trusted)
  const composed = await composeDesk(options, options.desk)
  if (!composed.ok) return trouble(composed.failure)
  const { config, served } = composed.value
  const ends = signalled()
  const patienceMs = config.http.shutdown_seconds * 1000
  await serveChildUntil(ends, served, { principal: localPrincipal(options.as), trusted }, patienceMs)
  return 0
}

/** A desk with the settings of the command line. */
async function composeDesk(options: DemoOptions, desk: Desk): Promise<Result<ComposedDesk, ComposeFailure>> {
  const told = settingsOf(options)
  if (!told.ok) return told
  const db = databaseOf(desk, options.desk, told.value)
  const settings = db === undefined ? told : settingsOf({ ...options, db })
  if (!settings.ok) return settings
  const given = settings.value.server
  // Who looks at a demo wants to see all of it, but where another's server is what there is to see.
  const config = { ...given, sandbox: { ...given.sandbox, enabled: given.sandbox.enabled ?? desk !== 'memory' } }
  const { title, ...demonstrated } = demoOptions(desk)
  const behind = desk === 'memory' ? await thirdPartyDesk(databaseFile(config.db)) : ok({})
  if (!behind.ok) return behind
  const forOperators = operatorOptions(settings.value)
  const composed = await compose({
    ...demonstrated,
    ...behind.value,
    ...composeOptionsOf(config),
    operatorOptions: forOperators,
    operatorVariables: operatorVariables(settings.value),
    name: config.name ?? demonstrated.name,
  })
  if (!composed.ok) return composed
  const missing = notStarted(composed.value)
  if (missing !== undefined) {
    await composed.value.close()
    return fail(missing)
  }
  warnOfIdleRules(config, composed.value)
  return ok({
    title,
    config,
    served: composed.value,
    operatorOptions: forOperators,
    hasOthers: hasOthers(settings.value),
  })
}

/** The database of a desk, where it is not the one in the settings: that is the asked desk's, others have one beside it. */
function databaseOf(desk: Desk, asked: Desk, { server: { db } }: Config): string | undefined {
  const isFirst = db === undefined ? desk === 'orders' : desk === asked
  return isFirst ? undefined : databaseBeside(databaseFile(db), desk)
}

/** Settings that say where one server is and what it writes are not for two. */
const hasOthers = ({ text, server: { db, http, activity } }: Config): boolean =>
  text === undefined &&
  http.public_url === undefined &&
  activity.anchor === undefined &&
  databaseBeside(databaseFile(db), 'other') !== undefined
