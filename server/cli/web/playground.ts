// `countersign playground -- <command>`: the playground as a development host for somebody else's server.
import { existsSync } from 'node:fs'
import { Option, type Command } from 'commander'
import { documentationAssets, playgroundAssets } from '../../compose/package-files.ts'
import { createSecret } from '../../http/auth/access-secret.ts'
import { openWebDoor } from '../../http/playground/web-door.ts'
import { redactText } from '../../policy/redact.ts'
import { createStdioBridge } from '../../testing/stdio-bridge.ts'
import { missingFile } from '../../testing/why-ended.ts'
import { settingsOf, type Done } from '../config-options.ts'
import { port as portNumber } from '../port.ts'
import { signalled } from './serve-here.ts'
import { showAddresses } from './shown-addresses.ts'
import { say, trouble } from '../terminal/output.ts'
import { surroundings } from '../../model/surroundings.ts'
import { filesIn, watchFiles } from './watch-files.ts'

/** Adds the command. `done` takes the exit code. */
export function addPlayground(program: Command, done: Done): void {
  program
    .command('playground')
    .argument('<command...>', 'after --: the command that starts the server on stdio')
    .addOption(
      new Option('--port <n>', 'port of the playground; 0 takes any free one').argParser(portNumber).default(3323),
    )
    .option(
      '--watch [path...]',
      'start the server anew when these change; the files that the command names when none is given',
    )
    .action((command: string[], options: PlaygroundOptions) => done(playground(command, options)))
}

interface PlaygroundOptions {
  readonly port: number
  /** `true`: what the command names. */
  readonly watch?: true | readonly string[]
}

/** Serves the playground in front of a command, until the process is told to end. Answers the exit code. */
async function playground([command, ...args]: readonly string[], options: PlaygroundOptions): Promise<number> {
  if (command === undefined)
    return trouble({
      message: 'The command that starts your server is missing.',
      next: 'countersign playground -- node my-server.js',
    })
  const watched = options.watch === true ? filesIn(args) : (options.watch ?? [])
  const absent = watched.find((path) => !existsSync(path)) ?? (options.watch === true ? missingFile(args) : undefined)
  if (absent !== undefined)
    return trouble({ message: `There is no file ${absent} to watch.`, next: 'Correct the path.' })
  if (options.watch !== undefined && watched.length === 0)
    return trouble({
      message: '--watch has nothing to watch: the command names no file.',
      next: 'Name what changes: countersign playground --watch src -- npx my-server',
    })
  const ends = signalled()
  const settings = settingsOf({})
  if (!settings.ok) return trouble(settings.failure)
  const kept = settings.value.server.access.secret
  const bridge = createStdioBridge(command, args, {
    onStderr: (text) => void surroundings().stderr.write(text),
    redact: redactText,
  })
  const web = await openWebDoor({
    mcp: (request) => bridge.handle(request),
    // What the command can do is for who has started it, and not for everybody on the machine.
    secret: { value: kept ?? createSecret(), forCallers: true },
    port: options.port,
    playground: { assets: playgroundAssets(), generation: bridge.generation },
    documentation: { assets: documentationAssets() },
  })
  if (!web.ok) return trouble(web.failure)
  const addressed = { ...web.value, publicUrl: web.value.url, secretIsKept: kept !== undefined }
  const shown = await showAddresses(addressed)
  say.line(`\n  Playground   ${shown.playground}\n  MCP          ${shown.mcp}\n  Docs         ${web.value.docsUrl}`)
  if (shown.secretPlace !== undefined) say.line(`  Secret       ${shown.secretPlace}`)
  if (watched.length > 0) say.line(`  Watching     ${watched.join(', ')}`)
  say.line('\n  Press Ctrl+C to stop.')
  const unwatch = watchFiles(
    watched,
    () => {
      say.line('  The server is started anew.')
      bridge.restart().catch((error: unknown) => {
        say.line(`  It could not be ended (${String(error)}): end it yourself, then save the file once more.`)
      })
    },
    ({ message }) => say.line(`  What changes is watched no more (${message}): start this command again.`),
  )
  await ends
  unwatch()
  await shown.forget()
  await web.value.close()
  await bridge.close()
  return 0
}
