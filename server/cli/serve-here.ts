// What a person sees who has opened a web door from a terminal, and how long it stays open.
import type { Served } from '../http/serve.ts'
import { say } from './say.ts'

/** Says where everything is. */
export function sayServed(web: Served, database: string): void {
  say.line()
  if (web.playgroundUrl !== undefined) say.line(`  Playground   ${web.playgroundUrl}`)
  say.line(`  MCP          ${web.publicUrl}/mcp`)
  say.line(`  Operators    ${web.publicUrl}/admin`)
  say.line(`  Database     ${database}`)
  say.line(`  Admin token  ${web.adminTokenPlace}`)
  say.line()
  say.line('  Press Ctrl+C to stop.')
}

/** Resolves when the process is told to end. */
export const signalled = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve())
  })
