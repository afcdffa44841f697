// The same settings for every command: the file that `--config` names, and the few flags that stand above it.
import { InvalidArgumentError, Option, type Command } from 'commander'
import { openConfig, type Override } from '../compose/settings/config.ts'
import { readyToPrint, type Form } from './terminal/output.ts'

/** Takes the exit code of the command that runs. */
export type Done = (code: Promise<number>) => Promise<void>

/** What a command line may say of the settings. */
export interface ConfigOptions {
  readonly config?: string
  readonly db?: string
  readonly port?: number
  readonly host?: string
  readonly publicUrl?: string
  readonly insecureOpen?: true
}

export const configOption = (): Option =>
  new Option('--config <file>', 'settings file (COUNTERSIGN_CONFIG when absent); `countersign config` explains it')

export const dbOption = (): Option =>
  new Option(
    '--db <file>',
    'database: a file or postgres://… (COUNTERSIGN_DB, `db` of the settings, else a file in your data directory)',
  )

/** Adds commands that work on the database: each takes `--db` and `--config`. */
export const databaseCommands =
  (parent: Command) =>
  (name: string, description = ''): Command =>
    parent.command(name).description(description).addOption(dbOption()).addOption(configOption())

/** What a command line says of the form of an answer. */
export interface OutputOptions {
  readonly output: Form
}

const forms = ['table', 'json', 'yaml'] as const

/** Adds `-o`, and `--json` as its short form (where both are given, `-o` counts), to a command that prints something for people or for scripts. */
export const withOutput = (command: Command): Command =>
  command
    .addOption(
      new Option('-o, --output <form>', 'form of the answer').choices(forms).default('table').argParser(readForm),
    )
    .addOption(new Option('--json', 'the same as --output json').implies({ output: 'json' }))
    .hook('preAction', (_, acting) => readyToPrint(acting.opts<OutputOptions>().output))

function readForm(text: string): Form {
  // What tables were called in the first versions of `call`, `tools` and `profile`.
  const form = text === 'pretty' ? 'table' : forms.find((each) => each === text)
  if (form === undefined) throw new InvalidArgumentError(`Allowed choices are ${forms.join(', ')}.`)
  return form
}

/** Under which name an act is recorded. */
export const byOption = (): Option =>
  new Option('--by <name>', 'your name for the record (your user name when left out)')

/** Options of commands that open a web door. */
export const webOptions = (): readonly Option[] => [
  new Option('--host <address>', 'address to listen on; 127.0.0.1 when absent'),
  new Option('--public-url <url>', 'where people and agents reach this server, if not where it listens'),
  new Option('--insecure-open', 'let everybody on that network call every tool, without credentials'),
]

/** The settings in force for a command: its flags over the environment over the file. */
export const settingsOf = (options: ConfigOptions): ReturnType<typeof openConfig> =>
  openConfig(options.config, overridesOf(options))

const overridesOf = ({ db, port, host, publicUrl, insecureOpen }: ConfigOptions): readonly Override[] =>
  [
    { path: ['db'], value: db, source: '--db' },
    { path: ['http', 'port'], value: port, source: '--port' },
    { path: ['http', 'host'], value: host, source: '--host' },
    { path: ['http', 'public_url'], value: publicUrl, source: '--public-url' },
    { path: ['access', 'insecure_open'], value: insecureOpen, source: '--insecure-open' },
  ].filter(({ value }) => value !== undefined)
