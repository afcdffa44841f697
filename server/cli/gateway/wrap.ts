// `countersign wrap -- <command>`: one server under its own tool names, for people who want exactly one line in their
// host's file. What is more than a command line goes into a gateway file with one server.
import { wrapConfig } from '../../compose/settings/gateway-files.ts'
import { gatewayIn, serveGateway, type GatewayDoorOptions } from './gateway-serve.ts'
import { exit, trouble } from '../terminal/output.ts'
import { surroundings } from '../../model/surroundings.ts'

export interface WrapOptions extends GatewayDoorOptions {
  readonly commandLine?: string
  readonly name?: string
  readonly confirmation?: 'rail' | 'host'
  readonly rationale?: 'required' | 'optional'
  readonly cheatsheet?: string
  /** `false`: none, also where one is shipped. */
  readonly profile?: string | false
}

/** Options that say something of the server behind a command; a file says it of its own servers. */
const ofCommand = ['commandLine', 'name', 'confirmation', 'rationale', 'cheatsheet', 'profile'] as const

const usage = {
  message: 'wrap needs the command of one server, or its address.',
  next: 'Write it after two dashes: countersign wrap -- npx -y @modelcontextprotocol/server-filesystem /data',
}

/** Serves one server until the client leaves. Answers the exit code. */
export async function wrap(given: readonly string[], options: WrapOptions): Promise<number> {
  const commandLine = options.commandLine === undefined ? given : wordsOf(options.commandLine)
  if (commandLine === undefined)
    return trouble({ message: 'A quotation mark of --command-line is not closed.', next: 'Close it.' }, exit.refused)
  if (options.commandLine !== undefined && given.length > 0)
    return trouble(
      { message: 'wrap takes a command after -- or --command-line, not both.', next: 'Leave out one.' },
      exit.refused,
    )
  if (options.config !== undefined) return wrapFile(options.config, given, options)
  const [command, ...args] = commandLine
  if (command === undefined && options.commandLine !== undefined)
    return trouble({ message: 'The text of --command-line has no command.', next: 'Write one into it.' }, exit.refused)
  if (command === undefined) return trouble(usage, exit.refused)
  const { name, confirmation, rationale, cheatsheet, profile } = options
  const config = await wrapConfig({
    command,
    args,
    env: surroundings().env,
    name,
    confirmation,
    rationale,
    cheatsheet,
    profile,
  })
  return config.ok ? serveGateway(config.value, 'wrap', options) : trouble(config.failure, exit.refused)
}

/**
 * The words of a command line as a person types it into a field: separated by blanks, which quotation marks of either kind keep in a
 * word. A backslash is a character like others, because it stands in paths of Windows; nothing is expanded. `undefined` where a
 * quotation mark is not closed.
 */
export function wordsOf(line: string): readonly string[] | undefined {
  if (line.replaceAll(oneWord, '').trim() !== '') return undefined
  return Array.from(line.matchAll(oneWord), ([word]) => word.replaceAll(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}

const oneWord = /(?:[^\s"']|"[^"]*"|'[^']*')+/g

async function wrapFile(file: string, commandLine: readonly string[], options: WrapOptions): Promise<number> {
  if (commandLine.length > 0)
    return trouble({ message: 'wrap takes a command or --config, not both.', next: 'Leave out one.' }, exit.refused)
  const said = ofCommand.filter((option) => options[option] !== undefined)
  if (said.length > 0)
    return trouble(
      {
        message: `With --config the file says ${said.map((option) => (option === 'commandLine' ? 'the command' : option)).join(' and ')}, and the command line does not.`,
        next: `Set it in the server's entry of ${file} (name: the entry's key; confirmation: beside mcpServers).`,
      },
      exit.refused,
    )
  const found = await gatewayIn(options)
  if (typeof found === 'number') return found
  const names = Object.keys(found.config.servers)
  if (names.length !== 1)
    return trouble({
      message: `wrap stands in front of exactly one server; ${file} has ${names.length} that are enabled.`,
      next: 'Use `countersign gateway` for several, or set "enabled": false on the others.',
    })
  return serveGateway(found.config, 'wrap', options)
}
