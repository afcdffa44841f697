// The terminal door: it reads options, hands over, and turns what went wrong into one line and an exit code. Commands are
// loaded when they are named, because loading the code of all of them takes longer than most of them run.
import { Command, CommanderError, Help } from 'commander'
import { packageVersion } from '../compose/package-files.ts'
import type { Done } from './config-options.ts'
import { within, type Surroundings } from '../model/surroundings.ts'
import { exit, ReaderGone, say } from './terminal/output.ts'

/** Adds commands to the program; `done` takes the exit code of the one that ran. */
type AddCommands = (program: Command, done: Done) => void

const freezing = async (): Promise<AddCommands> => (await import('./operators/freeze.ts')).addFreeze
const login = async (): Promise<AddCommands> => (await import('./gateway/login.ts')).addLogin
const gateway = async (): Promise<AddCommands> => (await import('./gateway/gateway-commands.ts')).addGateway

/** What each command does, in the order of the help. */
const summaries = {
  demo: 'serves a desk with its playground: orders, or mail and files',
  approvals: 'decides what agents may not do by themselves',
  freeze: 'stops every change by agents at once and revokes what waits; reading goes on',
  unfreeze: 'lifts a freeze; what it revoked stays revoked',
  grants: 'what agents may do without asking each time',
  admin: 'opens the operators’ pages, signed in; and what operators set up',
  account: 'the people who decide: named accounts with roles',
  feedback: 'what agents told the operators',
  insights:
    'what agents do, what fails and whether they get past it, what is approved too easily, and what their rationales say',
  gateway: 'stands in front of the servers of a gateway file: every write asks first',
  wrap: 'stands in front of one server, under its own tool names: countersign wrap -- <command> [args]',
  import: 'writes a gateway file from the servers that the hosts on this machine have',
  login: 'logs in at a remote server that asks for it (OAuth), in a browser; --list says where somebody has',
  logout: 'forgets the login at a server, and has its authorization server end it',
  doctor: 'what is installed, which servers answer, what an agent would see, and what is not protected',
  call: 'calls one tool; what changes something is shown first',
  tools: 'what is behind the gateway',
  secrets: 'keys that servers of a gateway file are started with: "${secret:NAME}" stands for one',
  profile: 'what is known of servers: which profiles there are, and whether yours fits',
  playground: 'serves the playground in front of your own MCP server, as a development host',
  'test-host': 'checks in which hosts a person can sign what a server would do; our own demo when none is named',
  token: 'tokens of those who call tools over HTTP',
  config: 'the settings file: what may stand in it, and what is in force',
  activity: 'what agents did, why, and who allowed it',
}

const loaders: Readonly<Record<keyof typeof summaries, () => Promise<AddCommands>>> = {
  demo: async () => (await import('./web/demo.ts')).addDemo,
  approvals: async () => (await import('./operators/approvals.ts')).addApprovals,
  freeze: freezing,
  unfreeze: freezing,
  grants: async () => (await import('./operators/grants.ts')).addGrants,
  admin: async () => (await import('./operators/admin.ts')).addAdmin,
  account: async () => (await import('./operators/account.ts')).addAccounts,
  feedback: async () => (await import('./operators/feedback.ts')).addFeedback,
  insights: async () => (await import('./activity/insights.ts')).addInsights,
  gateway: gateway,
  wrap: gateway,
  import: gateway,
  login: login,
  logout: login,
  doctor: gateway,
  call: gateway,
  tools: gateway,
  secrets: async () => (await import('./gateway/secrets.ts')).addSecrets,
  profile: async () => (await import('./gateway/profile.ts')).addProfile,
  playground: async () => (await import('./web/playground.ts')).addPlayground,
  'test-host': async () => (await import('./web/test-host.ts')).addTestHost,
  token: async () => (await import('./operators/token.ts')).addToken,
  config: async () => (await import('./config.ts')).addConfig,
  activity: async () => (await import('./activity/activity.ts')).addActivity,
}

/**
 * Adds the command that a command line names. Of the others the help, and what tells which one a wrong word may have
 * meant, need no more than name and summary.
 */
async function addCommands(program: Command, argv: readonly string[], done: Done): Promise<void> {
  const named = argv.slice(2).find(isCommand)
  const wanted = named && loaders[named]
  for (const name of Object.keys(summaries).filter(isCommand)) {
    const added = (): Command | undefined => program.commands.find((command) => command.name() === name)
    // One of them may have added its neighbours.
    if (loaders[name] === wanted && added() === undefined) (await wanted())(program, done)
    const command = added() ?? program.command(name)
    command.description(summaries[name])
  }
}

const isCommand = (word: string): word is keyof typeof summaries => Object.hasOwn(summaries, word)

/** Runs a command line. Answers the exit code: 0, 1 for trouble, 2 for a command line that cannot be understood. */
export const main = (argv: readonly string[], own: Surroundings = process): Promise<number> =>
  within(own, () => run(argv, own))

async function run(argv: readonly string[], { stdout, stderr }: Surroundings): Promise<number> {
  let code: number = exit.ok
  const help = new Help()
  const program: Command = new Command('countersign')
    .description("A person's signature between what an AI agent wants to do and what happens.")
    .version(packageVersion())
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
    .configureHelp({
      // Of most of them only the name is known here.
      subcommandTerm: (command) => (command.parent === program ? command.name() : help.subcommandTerm(command)),
    })
    .showHelpAfterError('(countersign --help shows what there is)')
    .exitOverride()
  const done: Done = async (ended) => {
    code = await ended
  }
  await addCommands(program, argv, done)
  try {
    await program.parseAsync([...argv])
  } catch (error) {
    if (error instanceof ReaderGone) return exit.ok
    if (error instanceof CommanderError) return error.exitCode === 0 ? exit.ok : exit.refused
    say.error(error instanceof Error ? error.message : String(error))
    return exit.failed
  }
  return code
}
