// `countersign config`: what may stand in the settings file, whether this one can be used, and what is in force. An
// operator asks this before a restart, so it starts nothing, changes nothing that a server reads and shows no secret.
import { withOutput, type Done, type OutputOptions } from './config-options.ts'
import type { Command } from 'commander'
import { configJsonSchema, effective, starter } from '../compose/settings/config-schema-json.ts'
import { openConfig, type Config } from '../compose/settings/config.ts'
import { gatewayOf } from '../compose/settings/gateway-files.ts'
import { checkRules, type CheckedRules } from '../compose/settings/check-tool-rules.ts'
import { variablesFor } from '../compose/settings/secrets.ts'
import { strayVariables } from '../config/variables.ts'
import { exposure } from '../http/serve.ts'
import { writeNewFile } from './terminal/new-file.ts'
import { columns, exit, print, printedAs, printJson, say, write } from './terminal/output.ts'
import { surroundings } from '../model/surroundings.ts'

/** Adds the commands. `done` takes the exit code. */
export function addConfig(program: Command, done: Done): void {
  const config = program.command('config')
  withOutput(config.command('check'))
    .description('says what is wrong with the settings, or which are in force and where each comes from')
    .argument('[file]', 'the settings file (COUNTERSIGN_CONFIG when absent)')
    .action((file: string | undefined, options: OutputOptions) => done(check(file, options)))
  config
    .command('schema')
    .description('prints the JSON Schema of the settings file, for editors')
    .action(() => printJson(configJsonSchema()))
  config
    .command('init')
    .description('writes a settings file to begin with, every line explained')
    .option('--out <file>', 'where to; - prints it', 'countersign.json')
    .option('--force', 'replace the file')
    .action((options: { readonly out: string; readonly force?: true }) =>
      done(init(options.out, options.force === true)),
    )
}

async function check(file: string | undefined, { output }: OutputOptions): Promise<number> {
  const config = openConfig(file)
  // A server starts all the same: another version, or another program of the operator's, may know them.
  for (const { name, near } of output === 'table' ? strayVariables(surroundings().env) : [])
    say.line(`${name} is not read here.${near === undefined ? '' : ` Did you mean ${near}?`}`)
  const { problems, unchecked } = config.ok
    ? await laterProblems(config.value)
    : { problems: config.failure.problems, unchecked: [] }
  if (output === 'table') for (const sentence of unchecked) say.line(sentence)
  if (!config.ok || problems.length > 0) {
    if (!(await printedAs(output, { ok: false, problems, unchecked })))
      for (const { message, next } of problems) say.line(`${message.replace(/\.$/, '')}. ${next}`)
    return exit.failed
  }
  const rows = effective(config.value)
  const from = config.value.text?.file ?? null
  if (await printedAs(output, { ok: true, file: from, settings: rows, unchecked })) return exit.ok
  print(from === null ? 'There is no settings file; these are in force:' : `${from} can be used; these are in force:`)
  print('')
  print(columns([['SETTING', 'VALUE', 'FROM'], ...rows.map((row) => [row.path, row.shown, row.from])]))
  return exit.ok
}

/** What only turns out at the start: the gateway's own keys, its rules for tools, and doors that may not be opened. */
async function laterProblems(config: Config): Promise<CheckedRules> {
  const variables = await variablesFor(config, surroundings().env)
  const gateway = config.text?.value['mcpServers'] === undefined ? undefined : await gatewayOf(config, variables)
  const exposed = exposure(config.server)
  const rules = gateway?.ok === true ? await checkRules(config, gateway.value) : { problems: [], unchecked: [] }
  return {
    problems: [
      ...(gateway === undefined ? [] : gateway.ok ? (gateway.value.unstartable ?? []) : [gateway.failure]),
      ...rules.problems,
      ...(exposed === undefined ? [] : [exposed]),
    ],
    unchecked: rules.unchecked,
  }
}

async function init(out: string, force: boolean): Promise<number> {
  if (out === '-') {
    await write(starter)
    return 0
  }
  const refused = writeNewFile(out, starter, { force, mode: 0o600 })
  if (refused !== undefined) return refused
  say.line(`Written: ${out}. \`countersign config check ${out}\` says what is in force.`)
  return 0
}
