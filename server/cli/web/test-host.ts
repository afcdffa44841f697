// `countersign test-host`: does a server's confirmation work in the hosts that its users really have? Everything needed
// for it is loaded here and only here, because a server in production has neither a browser nor a reason for one.
import type { Done } from '../config-options.ts'
import type { Command } from 'commander'
import type { CheckedCall, Target } from '../../testing/index.ts'
import { print, say, trouble } from '../terminal/output.ts'

interface TestHostOptions {
  readonly url?: string
  readonly tool?: string
  readonly args?: string
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
    .option('--tool <name>', 'check this tool; every write tool that previews by default when left out')
    .option('--args <json>', 'its arguments')
    .option('--profile <name...>', 'check these host profiles only')
    .option('--confirm <label>', 'name of the button that confirms, in views that are not ours')
    .option('--cancel <label>', 'name of the button that cancels')
    .action((command: string[], options: TestHostOptions) => done(testHost(command, options)))
}

/** Checks a server in all host profiles and prints the table on stdout. Answers 0 where nothing failed. */
async function testHost(command: readonly string[], options: TestHostOptions): Promise<number> {
  const testing = await import('../../testing/index.ts').catch((cause: unknown) => {
    throw new Error(
      'test-host needs two packages that a server does without. Add them: `npm install --save-dev playwright-core @modelcontextprotocol/ext-apps`.',
      { cause },
    )
  })
  const target = targetOf(command, options.url)
  if (target === undefined)
    return trouble({
      message: 'There is not one server to check.',
      next: 'Give either --url or a command, and not both.',
    })
  const calls = callsOf(options)
  if (calls === 'wrong')
    return trouble({
      message: '--args is one JSON object, and needs --tool.',
      next: '--tool name --args \'{"id":"1"}\'',
    })
  const known = testing.hostProfiles.map(({ name }) => name)
  const unknown = options.profile?.find((name) => !known.includes(name))
  if (unknown !== undefined)
    return trouble({ message: `There is no host profile ${unknown}.`, next: `There are: ${known.join(', ')}.` })
  const profiles = testing.hostProfiles.filter(({ name }) => options.profile?.includes(name) ?? true)

  const browser = await testing.launchChromium()
  try {
    const report = await testing.checkServer({
      target,
      browser,
      profiles,
      labels: { confirm: options.confirm, cancel: options.cancel },
      ...(calls === undefined ? {} : { calls }),
      onEnd: ({ tool, profile, journey, verdict }) => say.line(`${tool}  ${profile}  ${journey}: ${verdict}`),
    })
    print(testing.formatReport(report))
    return report.ok ? 0 : 1
  } finally {
    await browser.close()
  }
}

function targetOf(given: readonly string[], url: string | undefined): Target | undefined {
  if (url !== undefined) return given.length > 0 || !URL.canParse(url) ? undefined : { kind: 'url', url: new URL(url) }
  const [command = '', ...args] = given.length > 0 ? given : demoCommand()
  return { kind: 'command', command, args }
}

function callsOf({ tool, args }: TestHostOptions): readonly CheckedCall[] | 'wrong' | undefined {
  if (tool === undefined) return args === undefined ? undefined : 'wrong'
  try {
    const parsed: unknown = JSON.parse(args ?? '{}')
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? [{ tool, args: parsed as CheckedCall['args'] }] : 'wrong'
  } catch {
    return 'wrong'
  }
}
