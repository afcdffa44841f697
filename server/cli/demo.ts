// `countersign demo`: the order desk as a new user meets it, in the browser or behind a host of theirs.
import { compose, databaseFile, demoOptions, playgroundAssets } from '../compose.ts'
import { readEnvironment } from '../config.ts'
import { openAdminToken } from '../http/admin-token.ts'
import { roomsOf } from '../http/rooms.ts'
import { openWebDoor } from '../http/web-door.ts'
import { createHttpDoor } from '../mcp/http-door.ts'
import { localPrincipal } from '../mcp/local-principal.ts'
import { serveStdio } from '../mcp/stdio-door.ts'
import { say } from './say.ts'

export interface DemoOptions {
  readonly port: number
  readonly stdio?: true
  readonly db?: string
  readonly trustedHost?: true
  readonly as: string
}

/** Serves until the client leaves or the process is told to end. Answers the exit code. */
export async function demo(options: DemoOptions): Promise<number> {
  const env = readEnvironment(process.env)
  if (!env.ok) return trouble(env.failure)
  const file = databaseFile(options.db ?? env.value.db)
  const composed = await compose({ ...demoOptions(), file, secret: env.value.secret, activity: env.value.activity })
  if (!composed.ok) return trouble(composed.failure)
  const { parts, sessionKey, store, runApproved } = composed.value
  const close = (): Promise<void> => composed.value.close()
  const trusted = options.trustedHost === true

  if (options.stdio === true) {
    await serveStdio(parts, { principal: localPrincipal(options.as), trusted })
    await close()
    return 0
  }
  const admin = await openAdminToken(store.file, env.value.adminToken)
  if (!admin.ok) {
    await close()
    return trouble(admin.failure)
  }
  const principalOf = () => localPrincipal('http')
  const door = createHttpDoor(parts, { sessionKey, principalOf })
  const web = await openWebDoor({
    mcp: (request, info) => door(request, { trusted: info.trusted || trusted }),
    port: options.port,
    playground: { assets: playgroundAssets() },
    ...roomsOf({ road: parts.road, store, runApproved, adminToken: admin.value.value, principalOf }),
    onUnexpected: (error) => void parts.road.report(error, 'http'),
  })
  if (!web.ok) {
    await close()
    return trouble(web.failure)
  }
  composed.value.openedAt(web.value.url)
  say.line()
  say.line(`  Order desk, with a person's signature in front of it`)
  say.line()
  say.line(`  Playground   ${web.value.playgroundUrl}`)
  say.line(`  MCP          ${web.value.mcpUrl}`)
  say.line(`  Database     ${store.file}`)
  say.line(`  Admin token  ${admin.value.place}`)
  say.line()
  say.line('  Press Ctrl+C to stop.')
  await signalled()
  await web.value.close()
  await close()
  return 0
}

function trouble(failure: { readonly message: string; readonly next: string }): number {
  say.error(failure.message, failure.next)
  return 1
}

const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
