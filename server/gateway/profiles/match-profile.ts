// Which profile is a server's. What its operator starts or calls decides; what it says of itself at `initialize` is only
// words: a profile that is found by them may make a card clearer and a rating stricter, and lowers none (ADR 41).
import { originOf } from '../upstream/settings/started-from.ts'
import type { ServerConfig } from '../upstream/settings/upstream-config.schema.ts'
import type { Profile } from './profile.schema.ts'

/** How servers are recognised: what a profile says under `match`, with whose that is. */
export interface ProfileIndexEntry {
  readonly name: string
  readonly match: Profile['match']
}

/** The first entry that fits what a server is started from. */
export function matchByOrigin(server: ServerConfig, index: readonly ProfileIndexEntry[]): string | undefined {
  const { npm, pypi, image, host, command } = originOf(server)
  const has = (names: readonly string[] | undefined, name: string | undefined): boolean =>
    name !== undefined && names?.includes(name) === true
  const fits = ({ match }: ProfileIndexEntry): boolean =>
    has(match.npm, npm) ||
    has(match.pypi, pypi) ||
    has(match.image, image) ||
    has(match.command, command) ||
    (host !== undefined && match.host?.some((each) => hostFits(each, host)) === true)
  return index.find(fits)?.name
}

/** `*.example.com` is any host below it. */
const hostFits = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/** The entry that has the name by which a server introduced itself. */
export const matchByServerInfo = (name: string | undefined, index: readonly ProfileIndexEntry[]): string | undefined =>
  name === undefined ? undefined : index.find(({ match }) => match.server?.includes(name) === true)?.name
