// What a server is started from, in words, for those who look where a profile came from and whose tool a card is about.
import { originOf, type StartedFrom } from './started-from.ts'
import type { ServerConfig } from './upstream-config.schema.ts'

/** What each kind of origin is called. */
export const originKinds = {
  npm: 'npm package',
  pypi: 'Python package',
  image: 'image',
  command: 'command',
  host: 'host',
} as const satisfies Readonly<Record<keyof StartedFrom, string>>

/** "the npm package notes-mcp", as the settings say it. */
export function originWords(server: ServerConfig): string {
  const origin = originOf(server)
  const kind = (Object.keys(originKinds) as readonly (keyof StartedFrom)[]).find((each) => origin[each] !== undefined)
  return kind === undefined ? 'a command that says no name' : `the ${originKinds[kind]} ${origin[kind] ?? ''}`
}
