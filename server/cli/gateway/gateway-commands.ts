// The commands in front of other people's servers, as a command line spells them. What each of them does stands in the
// folder of its name; here are only words, options and their checks. What a host starts and keeps all day is loaded at once,
// and what people type only when they do.
import { withPackages } from '../../errors/optional-package.ts'
import { configOption, dbOption, webOptions, withOutput, type Done } from '../config-options.ts'
import type { Command } from 'commander'
import { Argument, InvalidArgumentError, Option } from 'commander'
import type { CallOptions, Operation } from './call.ts'
import type { doctor } from './doctor.ts'
import { gateway } from './gateway-serve.ts'
import type { ImportOptions } from './import.ts'
import { port } from '../port.ts'
import type { reviewTools, searchTools, ToolsOptions } from './tools.ts'
import { wrap, type WrapOptions } from './wrap.ts'

const asOption = (): Option => new Option('--as <name>', 'name of the one who calls').default('stdio')
const trustedOption = (): Option =>
  new Option('--trusted-host', 'this host keeps app-only tools from its model: a click in the card then counts')

/** Adds the commands to a program. `done` is told the exit code. */
export function addGateway(program: Command, done: Done): void {
  const httpOption = (): Option =>
    new Option(
      '--http [port]',
      'serve HTTP instead of stdio, on this port or on that of the settings; 0 takes any free port',
    ).argParser(port)
  const served = [
    program
      .command('gateway')
      .addOption(configOption())
      .addOption(httpOption())
      .addOption(dbOption())
      .addOption(trustedOption())
      .addOption(asOption())
      .action((options: Parameters<typeof gateway>[0]) => done(gateway(options))),
    program
      .command('wrap')
      .argument('[command...]', 'command of the server and its arguments, after --; or the address of a remote server')
      .option(
        '--command-line <text>',
        'the same as one text; words are separated by blanks, and quotation marks keep blanks in a word',
      )
      .option('--name <name>', 'what the server is called; from its command when left out')
      .addOption(new Option('--config <file>', 'a gateway file with exactly one server, instead of a command'))
      .addOption(
        new Option('--confirmation <by>', "who asks: our cards, or the host's own prompts").choices(['rail', 'host']),
      )
      .addOption(
        new Option('--rationale <rule>', 'whether calls of its low-risk reads must say why they are made').choices([
          'required',
          'optional',
        ]),
      )
      .option('--cheatsheet <file>', 'what agents should read before they use this server')
      .option('--profile <file|name>', 'what is known of this server, instead of the shipped profile that fits')
      .option('--no-profile', 'rate it by the general rules alone')
      .addOption(httpOption())
      .addOption(dbOption())
      .addOption(trustedOption())
      .addOption(asOption())
      .action((commandLine: readonly string[], options: WrapOptions) => done(wrap(commandLine, options))),
  ]
  for (const command of served) for (const option of webOptions()) command.addOption(option)
  program
    .command('import')
    .option('--out <file>', 'where to; - prints it', 'countersign.gateway.json')
    .option('--add', 'add to the file what it does not have yet')
    .option('--force', 'replace the file')
    .option('--project', 'take the files that belong to this folder, too (.mcp.json, .vscode/mcp.json and their like)')
    .addOption(
      new Option(
        '--secrets <where>',
        'where keys go that stand in the hosts’ files: sealed, or into variables that you set',
      )
        .choices(['kept', 'environment'])
        .default('kept'),
    )
    .option('--write-back', 'make the hosts start the gateway in place of these servers; their files are copied first')
    .addOption(
      new Option('--undo', 'give the hosts their files back as they were before --write-back').conflicts([
        'dryRun',
        'writeBack',
        'add',
        'force',
        'project',
      ]),
    )
    .option('--dry-run', 'show what would be written, and write nothing')
    .option('--yes', 'write without asking; the commands are shown all the same')
    .action((options: ImportOptions) => done(loadImport().then(({ importCommand }) => importCommand(options))))
  withOutput(program.command('doctor'))
    .addOption(configOption())
    .addOption(dbOption())
    .action((options: Parameters<typeof doctor>[0]) =>
      done(import('./doctor.ts').then((loaded) => loaded.doctor(options))),
    )
  addCall(program, done)
  addTools(program, done)
}

/** It reads what hosts keep in any of three languages. */
const loadImport = () => withPackages(['toml-eslint-parser', 'yaml'], () => import('./import.ts'))

const operations = { 'tool-read': 'read', 'tool-write': 'write', 'tool-destructive': 'destructive' } as const

function addCall(program: Command, done: Done): void {
  withOutput(program.command('call'))
    .addArgument(new Argument('<variant>', 'what you mean to do').choices(Object.keys(operations)))
    .requiredOption('--tool-name <server:tool>', 'the tool, as `tools list` names it')
    .option('--json_args <json>', 'its arguments, one JSON object', '{}')
    .option('--reason <text>', 'why, for the record')
    .addOption(new Option('--sensitivity <level>', 'of the data').choices(['public', 'internal', 'private', 'unknown']))
    .option('--yes', 'confirm without asking, for scripts; a critical call still waits for an approval')
    .option('--ticket <id>', 'finish this call once its approval (ap_…) is decided, or apply its preview (pl_…)')
    .option('--again', 'ask anew for a call that was approved or rejected already')
    .addOption(configOption())
    .addOption(dbOption())
    .addOption(trustedOption())
    .addOption(asOption().default('cli'))
    .action((variant: keyof typeof operations, options: CallOptions) =>
      done(
        import('./call.ts').then(({ callCommand }) => callCommand(operations[variant] satisfies Operation, options)),
      ),
    )
}

function addTools(program: Command, done: Done): void {
  const tools = program.command('tools')
  const look = (command: Command): Command => withOutput(command).addOption(configOption()).addOption(dbOption())
  look(tools.command('list').description('every tool, its risk and its door')).action((options: ToolsOptions) =>
    done(import('./tools.ts').then(({ listTools }) => listTools(options))),
  )
  look(tools.command('show').description('one tool with its schema').argument('<server:tool>')).action(
    (name: string, options: ToolsOptions) => done(import('./tools.ts').then(({ showTool }) => showTool(name, options))),
  )
  look(tools.command('search').description('what an agent would find').argument('<words...>'))
    .option('--limit <n>', 'at most so many', limit)
    .addOption(asOption().default('cli'))
    .action((words: readonly string[], options: Parameters<typeof searchTools>[1]) =>
      done(import('./tools.ts').then(({ searchTools }) => searchTools(words.join(' '), options))),
    )
  tools
    .command('review')
    .description('shows each definition that has changed since it was accepted, and asks')
    .option('--accept <server:tool...>', 'accept these without asking')
    .option('--by <name>', 'your name for the record (your user name when left out)')
    .addOption(dbOption())
    .action((options: Parameters<typeof reviewTools>[0]) =>
      done(import('./tools.ts').then((loaded) => loaded.reviewTools(options))),
    )
}

function limit(text: string): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1 || value > 100)
    throw new InvalidArgumentError('It is a number from 1 to 100.')
  return value
}
