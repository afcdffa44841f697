// `countersign playground -- <command>`: the playground as a development host for somebody else's server.
import { randomBytes } from 'node:crypto'
import { playgroundAssets } from '../compose.ts'
import { openWebDoor } from '../http/web-door.ts'
import { createStdioBridge } from '../testing/stdio-bridge.ts'
import { say } from './say.ts'

/** Serves the playground in front of a command, until the process is told to end. Answers the exit code. */
export async function playground([command, ...args]: readonly string[], port: number): Promise<number> {
  if (command === undefined) {
    say.error('Name the command that starts your server: countersign playground -- node my-server.js')
    return 1
  }
  const bridge = createStdioBridge(command, args)
  const web = await openWebDoor({
    mcp: (request) => bridge.handle(request),
    // What the command can do is for who has started it, and not for everybody on the machine.
    secret: {
      value: process.env['COUNTERSIGN_ACCESS_SECRET'] ?? randomBytes(24).toString('base64url'),
      forCallers: true,
    },
    port,
    playground: { assets: playgroundAssets() },
  })
  if (!web.ok) {
    say.error(web.failure.message, web.failure.next)
    return 1
  }
  say.line(`\n  Playground   ${web.value.playgroundUrl}\n  MCP          ${web.value.mcpUrl}\n\n  Press Ctrl+C to stop.`)
  await new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
  await web.value.close()
  await bridge.close()
  return 0
}
