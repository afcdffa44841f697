// The terminal door: it reads options, hands over, and turns what went wrong into one line and an exit code.
import { configOption, dbOption, webOptions } from './config-options.ts'
import { Command, CommanderError, InvalidArgumentError, Option } from 'commander'
import { packageVersion } from '../compose/compose.ts'
import { addAccounts } from './account.ts'
import { addActivity } from './activity.ts'
import { addAdmin } from './admin.ts'
import { addApprovals } from './approvals.ts'
import { addConfig } from './config.ts'
import { demo } from './demo.ts'
import { addFeedback } from './feedback.ts'
import { addFreeze } from './freeze.ts'
import { addGateway } from './gateway-commands.ts'
import { addGrants } from './grants.ts'
import { addInsights } from './insights.ts'
import { playground } from './playground.ts'
import { say } from './say.ts'
import { testHost } from './test-host.ts'
import { addToken } from './token.ts'

/** Runs a command line. Answers the exit code: 0, 1 for trouble, 2 for a command line that cannot be understood. */
export async function main(argv: readonly string[]): Promise<number> {
  let code = 0
  const program = new Command('countersign')
    .description("A person's signature between what an AI agent wants to do and what happens.")
    .version(packageVersion())
    .showHelpAfterError('(countersign --help shows what there is)')
    .exitOverride()
  const demonstration = program
    .command('demo')
    .description('serves the order desk with its playground')
    .addOption(new Option('--port <n>', 'port of the web door; 0 takes any free one').argParser(port))
    .option('--stdio', 'serve one MCP client on stdin and stdout instead')
    .addOption(dbOption())
    .addOption(configOption())
    .option('--trusted-host', 'this host keeps app-only tools from its model: a click in the card then counts')
    .option('--as <name>', 'name of the one who calls over stdio', 'stdio')
    .action(async (options: Parameters<typeof demo>[0]) => {
      code = await demo(options)
    })
  for (const option of webOptions()) demonstration.addOption(option)
  const done = (ended: number): void => {
    code = ended
  }
  addApprovals(program, done)
  addFreeze(program, done)
  addGrants(program, done)
  addAdmin(program, done)
  addAccounts(program, done)
  addFeedback(program, done)
  addInsights(program, done)
  addGateway(program, done, port)
  program
    .command('playground')
    .description('serves the playground in front of your own MCP server, as a development host')
    .argument('<command...>', 'after --: the command that starts the server on stdio')
    .addOption(new Option('--port <n>', 'port of the playground; 0 takes any free one').argParser(port).default(3323))
    .action(async (command: string[], options: { readonly port: number }) => {
      code = await playground(command, options.port)
    })
  program
    .command('test-host')
    .description('checks in which hosts a person can sign what a server would do; our own demo when none is named')
    .argument('[command...]', 'after --: the command that starts the server under test on stdio')
    .option('--url <url>', 'the server under test, by the address of its Streamable HTTP door')
    .option('--tool <name>', 'check this tool; every write tool that previews by default when left out')
    .option('--args <json>', 'its arguments')
    .option('--profile <name...>', 'check these host profiles only')
    .option('--confirm <label>', 'name of the button that confirms, in views that are not ours')
    .option('--cancel <label>', 'name of the button that cancels')
    .action(async (command: string[], options: Parameters<typeof testHost>[1]) => {
      code = await testHost(command, options)
    })
  addToken(program, done)
  addConfig(program, done)
  addActivity(program, (exit) => (code = exit))
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    say.error(error instanceof Error ? error.message : String(error))
    return 1
  }
  return code
}

function port(text: string): number {
  const value = Number(text)
  if (!/^\d+$/.test(text) || value > 65535) throw new InvalidArgumentError('A port is a number from 0 to 65535.')
  return value
}
