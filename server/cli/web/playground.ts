// `countersign playground -- <command>`: the playground as a development host for somebody else's server.
import { Option, type Command } from 'commander'
import { playgroundAssets } from '../../compose/package-files.ts'
import { createSecret } from '../../http/auth/access-secret.ts'
import { openWebDoor } from '../../http/playground/web-door.ts'
import { createStdioBridge } from '../../testing/stdio-bridge.ts'
import { settingsOf, type Done } from '../config-options.ts'
import { port as portNumber } from '../port.ts'
import { signalled } from './serve-here.ts'
import { showAddresses } from './shown-addresses.ts'
import { say, trouble } from '../terminal/output.ts'

/** Adds the command. `done` takes the exit code. */
export function addPlayground(program: Command, done: Done): void {
  program
    .command('playground')
    .argument('<command...>', 'after --: the command that starts the server on stdio')
    .addOption(
      new Option('--port <n>', 'port of the playground; 0 takes any free one').argParser(portNumber).default(3323),
    )
    .action((command: string[], { port }: { readonly port: number }) => done(playground(command, port)))
}

/** Serves the playground in front of a command, until the process is told to end. Answers the exit code. */
async function playground([command, ...args]: readonly string[], port: number): Promise<number> {
  if (command === undefined)
    return trouble({
      message: 'The command that starts your server is missing.',
      next: 'countersign playground -- node my-server.js',
    })
  const ends = signalled()
  const settings = settingsOf({})
  if (!settings.ok) return trouble(settings.failure)
  const kept = settings.value.server.access.secret
  const bridge = createStdioBridge(command, args)
  const web = await openWebDoor({
    mcp: (request) => bridge.handle(request),
    // What the command can do is for who has started it, and not for everybody on the machine.
    secret: { value: kept ?? createSecret(), forCallers: true },
    port,
    playground: { assets: playgroundAssets() },
  })
  if (!web.ok) return trouble(web.failure)
  const addressed = { ...web.value, publicUrl: web.value.url, secretIsKept: kept !== undefined }
  const shown = await showAddresses(addressed)
  say.line(`\n  Playground   ${shown.playground}\n  MCP          ${shown.mcp}`)
  if (shown.secretPlace !== undefined) say.line(`  Secret       ${shown.secretPlace}`)
  say.line('\n  Press Ctrl+C to stop.')
  await ends
  await shown.forget()
  await web.value.close()
  await bridge.close()
  return 0
}
