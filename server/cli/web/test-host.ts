// `countersign test-host`: does a server's confirmation work in the hosts that its users really have? Everything needed
// for it is loaded here and only here, because a server in production has neither a browser nor a reason for one.
import type { Done } from '../config-options.ts'
import type { Command } from 'commander'
import { ok, type Result } from '../../errors/result.ts'
import type { CheckedCall, Target } from '../../testing/index.ts'
import { exit, failed, print, say, trouble, type Trouble } from '../terminal/output.ts'

interface TestHostOptions {
  readonly url?: string
  readonly tool?: readonly string[]
  readonly args?: string
  readonly argsFile?: string
  readonly profile?: readonly string[]
  readonly confirm?: string
  readonly cancel?: string
}

/** Our own demo, when nothing else is named: as a host that keeps app-only tools from its model would start it. */
const demoCommand = (): readonly string[] => [
  process.execPath,
  ...process.execArgv,
  // This program, from where it was started.
  process.argv[1] ?? '',
  'demo',
  '--stdio',
  '--trusted-host',
  '--db',
  ':memory:',
]

/** Adds the command. `done` takes the exit code. */
export function addTestHost(program: Command, done: Done): void {
  program
    .command('test-host')
    .argument('[command...]', 'after --: the command that starts the server under test on stdio')
    .option('--url <url>', 'the server under test, by the address of its Streamable HTTP door')
    .option('--tool <name...>', 'check these tools; every write tool that previews by default when left out')
    .option('--args <json>', 'the arguments of the one tool that --tool names, in each journey')
    .option(
      '--args-file <file>',
      'arguments for each journey: JSON with a list, or a list for each tool; or a module whose function makes them',
    )
    .option('--profile <name...>', 'check these host profiles only')
    .option('--confirm <label>', 'name of the button that confirms, in views that are not ours')
    .option('--cancel <label>', 'name of the button that cancels')
    .action((command: string[], options: TestHostOptions) => done(testHost(command, options)))
}

/** Checks a server in all host profiles and prints the table on stdout. Answers 0 where nothing failed. */
async function testHost(command: readonly string[], options: TestHostOptions): Promise<number> {
  const testing = await import('../../testing/index.ts')
  const target = targetOf(command, options.url)
  if (!target.ok) return trouble(target.failure, exit.refused)
  const calls = await callsOf(options)
  if (!calls.ok) return trouble(calls.failure, exit.refused)
  const known = testing.hostProfiles.map(({ name }) => name)
  const unknown = options.profile?.find((name) => !known.includes(name))
  if (unknown !== undefined)
    return trouble(
      { message: `There is no host profile ${unknown}.`, next: `There are: ${known.join(', ')}.` },
      exit.refused,
    )
  const profiles = testing.hostProfiles.filter(({ name }) => options.profile?.includes(name) ?? true)

  let browser: Awaited<ReturnType<typeof testing.launchChromium>> | undefined
  try {
    const report = await testing.checkServer({
      target: target.value,
      browser: async () => (browser = await testing.launchChromium()),
      profiles,
      labels: { confirm: options.confirm, cancel: options.cancel },
      ...(calls.value === undefined ? {} : { calls: calls.value }),
      onEnd: ({ tool, profile, journey, verdict }) => say.line(`${tool}  ${profile}  ${journey}: ${verdict}`),
    })
    print(testing.formatReport(report))
    return report.ok ? exit.ok : exit.failed
  } catch (error) {
    // What was asked for is wrong, not the server.
    if (error instanceof testing.CheckError) return trouble({ message: error.told, next: error.next }, exit.refused)
    throw error
  } finally {
    await browser?.close()
  }
}

function targetOf(given: readonly string[], url: string | undefined): Result<Target, Trouble> {
  if (url !== undefined && (given.length > 0 || !URL.canParse(url)))
    return failed(
      given.length > 0 ? 'There is not one server to check.' : `--url ${url} is no address.`,
      'Give either --url or a command, and not both: --url http://127.0.0.1:3000/mcp',
    )
  if (url !== undefined) return ok({ kind: 'url', url: new URL(url) })
  const [command = '', ...args] = given.length > 0 ? given : demoCommand()
  return ok({ kind: 'command', command, args })
}

async function callsOf(options: TestHostOptions): Promise<Result<readonly CheckedCall[] | undefined, Trouble>> {
  const { tool: tools, args, argsFile } = options
  if (args !== undefined && argsFile !== undefined)
    return failed('Both --args and --args-file say the arguments.', 'Leave one of them out.')
  if (argsFile !== undefined) {
    const { readArgumentsFile } = await import('../../testing/arguments-file.ts')
    return readArgumentsFile(argsFile, tools)
  }
  if (args === undefined) return ok(tools?.map((tool) => ({ tool })))
  const [tool, ...others] = tools ?? []
  const parsed = objectIn(args)
  if (tool === undefined || others.length > 0 || parsed === undefined)
    return failed('--args is one JSON object, and needs one --tool.', '--tool name --args \'{"id":"1"}\'')
  return ok([{ tool, args: parsed }])
}

function objectIn(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const parsed: unknown = JSON.parse(text)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? (parsed as Record<string, unknown>) : undefined
  } catch {
    return undefined
  }
}
