// The terminal door: it reads options, hands over, and turns what went wrong into one line and an exit code. Commands are
// loaded when they are named, because loading the code of all of them takes longer than most of them run.
import { Command, CommanderError, Help } from 'commander'
import { packageVersion } from '../compose/package-files.ts'
import type { Done } from './config-options.ts'
import { withPackages } from '../errors/optional-package.ts'
import { within, type Surroundings } from '../model/surroundings.ts'
import { exit, ReaderGone, say } from './terminal/output.ts'

/** Adds commands to the program; `done` takes the exit code of the one that ran. */
type AddCommands = (program: Command, done: Done) => void

const freezing = async (): Promise<AddCommands> => (await import('./operators/freeze.ts')).addFreeze
const login = async (): Promise<AddCommands> => (await import('./gateway/login.ts')).addLogin
const gateway = async (): Promise<AddCommands> => (await import('./gateway/gateway-commands.ts')).addGateway

/** What there is, in the order and in the groups of the help. */
const groups = {
  'Tools of other servers:': {
    wrap: 'stands in front of one server, under its own tool names: countersign wrap -- <command> [args]',
    gateway: 'stands in front of the servers of a gateway file: every write asks first',
    import: 'writes a gateway file from the servers that the hosts on this machine have',
    login: 'logs in at a remote server that asks for it (OAuth), in a browser; --list says where somebody has',
    logout: 'forgets the login at a server, and has its authorization server end it',
    tools: 'what is behind the gateway',
    call: 'calls one tool; what changes something is shown first',
    doctor: 'what is installed, which servers answer, what an agent would see, and what is not protected',
    profile: 'what is known of servers: which profiles there are, and whether yours fits',
    secrets: 'keys that servers of a gateway file are started with: "${secret:NAME}" stands for one',
  },
  'People who decide:': {
    approvals: 'decides what agents may not do by themselves',
    grants: 'what agents may do without asking each time',
    freeze: 'stops every change by agents at once and revokes what waits; reading goes on',
    unfreeze: 'lifts a freeze; what it revoked stays revoked',
    account: 'the people who decide: named accounts with roles',
    admin: 'opens the operators’ pages, signed in; and what operators set up',
  },
  'What happened:': {
    activity: 'what agents did, why, and who allowed it',
    insights:
      'what agents do, what fails and whether they get past it, what is approved too easily, and what their rationales say',
    feedback: 'what agents told the operators',
  },
  'Settings and access:': {
    config: 'the settings file: what may stand in it, and what is in force',
    token: 'tokens of those who call tools over HTTP',
    completion: 'prints what a shell needs to complete command lines: bash, zsh or fish',
  },
  'Trying it out:': {
    demo: 'serves a desk with its playground: orders, or mail and files',
    playground: 'serves the playground in front of your own MCP server, as a development host',
    'test-host': 'checks in which hosts a person can sign what a server would do; our own demo when none is named',
    eval: 'measures how reliably a model repeats what was confirmed, and nothing else',
  },
} as const

type CommandName = { [G in keyof typeof groups]: keyof (typeof groups)[G] }[keyof typeof groups]

const loaders: Readonly<Record<CommandName, () => Promise<AddCommands>>> = {
  wrap: gateway,
  gateway: gateway,
  import: gateway,
  login: login,
  logout: login,
  tools: gateway,
  call: gateway,
  doctor: gateway,
  profile: async () => (await withPackages(['yaml'], () => import('./gateway/profile.ts'))).addProfile,
  secrets: async () => (await import('./gateway/secrets.ts')).addSecrets,
  approvals: async () => (await import('./operators/approvals.ts')).addApprovals,
  grants: async () => (await import('./operators/grants.ts')).addGrants,
  freeze: freezing,
  unfreeze: freezing,
  account: async () => (await import('./operators/account.ts')).addAccounts,
  admin: async () => (await import('./operators/admin.ts')).addAdmin,
  activity: async () => (await import('./activity/activity.ts')).addActivity,
  insights: async () => (await import('./activity/insights.ts')).addInsights,
  feedback: async () => (await import('./operators/feedback.ts')).addFeedback,
  config: async () => (await import('./config.ts')).addConfig,
  token: async () => (await import('./operators/token.ts')).addToken,
  completion: async () => (await withPackages(['@bomb.sh/tab'], () => import('./completion.ts'))).addCompletion,
  demo: async () => (await import('./web/demo.ts')).addDemo,
  playground: async () => (await import('./web/playground.ts')).addPlayground,
  'test-host': async () => (await import('./web/test-host.ts')).addTestHost,
  eval: async () => (await import('./web/eval.ts')).addEval,
}

/**
 * Adds the command that a command line names. Of the others the help, and what tells which one a wrong word may have
 * meant, need no more than name and summary.
 */
async function addCommands(program: Command, argv: readonly string[], done: Done): Promise<void> {
  const words = argv.slice(2)
  // A shell that completes a line has that line after `complete --`.
  const named = words.find((word): word is CommandName => word !== 'completion' && Object.hasOwn(loaders, word))
  const isCompletion = words[0] === 'completion' || words[0] === 'complete'
  const wanted = named && loaders[named]
  for (const [group, summaries] of Object.entries(groups))
    for (const [name, summary] of Object.entries(summaries)) {
      const load = loaders[name as CommandName]
      // It looks at all others, so it comes after them.
      if (isCompletion && load === loaders.completion) continue
      const added = (): Command | undefined => program.commands.find((command) => command.name() === name)
      // One of them may have added its neighbours.
      if (load === wanted && added() === undefined) (await load())(program, done)
      const command = added() ?? program.command(name)
      command.description(summary).helpGroup(group)
    }
  if (isCompletion) (await loaders.completion())(program, done)
}

/** All commands with all that they take, for the documentation. */
export async function everyCommand(): Promise<Command> {
  const program = new Command('countersign')
  for (const load of new Set(Object.values(loaders))) (await load())(program, () => Promise.resolve())
  for (const [group, summaries] of Object.entries(groups))
    for (const [name, summary] of Object.entries(summaries))
      program.commands
        .find((command) => command.name() === name)
        ?.description(summary)
        .helpGroup(group)
  return program
}

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
  try {
    await addCommands(program, argv, done)
    await program.parseAsync([...argv])
  } catch (error) {
    if (error instanceof ReaderGone) return exit.ok
    if (error instanceof CommanderError) return error.exitCode === 0 ? exit.ok : exit.refused
    say.error(error instanceof Error ? error.message : String(error))
    return exit.failed
  }
  return code
}
