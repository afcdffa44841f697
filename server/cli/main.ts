// The terminal door: it reads options, hands over, and turns what went wrong into one line and an exit code. Commands are
// loaded when they are named, because loading the code of all of them takes longer than most of them run.
import { Command, CommanderError } from 'commander'
import { packageVersion } from '../compose/package-files.ts'
import type { Done } from './config-options.ts'
import { within, type Surroundings } from '../model/surroundings.ts'
import { exit, ReaderGone, say } from './terminal/output.ts'

/** Adds commands to the program; `done` takes the exit code of the one that ran. */
type AddCommands = (program: Command, done: Done) => void

const freezing = async (): Promise<AddCommands> => (await import('./operators/freeze.ts')).addFreeze
const login = async (): Promise<AddCommands> => (await import('./gateway/login.ts')).addLogin
const gateway = async (): Promise<AddCommands> => (await import('./gateway/gateway-commands.ts')).addGateway

/** What loads each command, in the order in which the help lists them. */
const commands = new Map<string, () => Promise<AddCommands>>([
  ['demo', async () => (await import('./web/demo.ts')).addDemo],
  ['approvals', async () => (await import('./operators/approvals.ts')).addApprovals],
  ['freeze', freezing],
  ['unfreeze', freezing],
  ['grants', async () => (await import('./operators/grants.ts')).addGrants],
  ['admin', async () => (await import('./operators/admin.ts')).addAdmin],
  ['account', async () => (await import('./operators/account.ts')).addAccounts],
  ['feedback', async () => (await import('./operators/feedback.ts')).addFeedback],
  ['insights', async () => (await import('./activity/insights.ts')).addInsights],
  ['gateway', gateway],
  ['wrap', gateway],
  ['import', gateway],
  ['login', login],
  ['logout', login],
  ['doctor', gateway],
  ['call', gateway],
  ['tools', gateway],
  ['secrets', async () => (await import('./gateway/secrets.ts')).addSecrets],
  ['profile', async () => (await import('./gateway/profile.ts')).addProfile],
  ['playground', async () => (await import('./web/playground.ts')).addPlayground],
  ['test-host', async () => (await import('./web/test-host.ts')).addTestHost],
  ['token', async () => (await import('./operators/token.ts')).addToken],
  ['config', async () => (await import('./config.ts')).addConfig],
  ['activity', async () => (await import('./activity/activity.ts')).addActivity],
])

/** What a command line needs: its command; all of them for the help, and to tell what a wrong word may have meant. */
async function commandsFor(word: string | undefined): Promise<ReadonlySet<AddCommands>> {
  if (word === '--version' || word === '-V') return new Set()
  const named = commands.get(word ?? '')
  const loading = named === undefined ? [...commands.values()] : [named]
  return new Set(await Promise.all(loading.map((load) => load())))
}

/** Runs a command line. Answers the exit code: 0, 1 for trouble, 2 for a command line that cannot be understood. */
export const main = (argv: readonly string[], own: Surroundings = process): Promise<number> =>
  within(own, () => run(argv, own))

async function run(argv: readonly string[], { stdout, stderr }: Surroundings): Promise<number> {
  let code: number = exit.ok
  const program = new Command('countersign')
    .description("A person's signature between what an AI agent wants to do and what happens.")
    .version(packageVersion())
    .configureOutput({
      writeOut: (text) => void stdout.write(text),
      writeErr: (text) => void stderr.write(text),
    })
    .showHelpAfterError('(countersign --help shows what there is)')
    .exitOverride()
  const done: Done = async (ended) => {
    code = await ended
  }
  for (const add of await commandsFor(argv[2])) add(program, done)
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
