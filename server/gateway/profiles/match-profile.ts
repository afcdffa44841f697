// Which profile is a server's. What its operator starts or calls decides; what it says of itself at `initialize` is only
// words: a profile that is found by them may make a card clearer and a rating stricter, and lowers none (ADR 41).
import { originKinds } from '../upstream/settings/origin-words.ts'
import { originOf, pythonName } from '../upstream/settings/started-from.ts'
import type { ServerConfig } from '../upstream/settings/upstream-config.schema.ts'
import type { Profile } from './profile.schema.ts'

/** How servers are recognised: what a profile says under `match`, with whose that is. */
export interface ProfileIndexEntry {
  readonly name: string
  readonly match: Profile['match']
}

export interface ProfileMatch {
  /** Of the profile. */
  readonly name: string
  /** By what it fits, as it follows "by". */
  readonly by: string
}

/** The first entry that fits what a server is started from. */
export function matchByOrigin(server: ServerConfig, index: readonly ProfileIndexEntry[]): ProfileMatch | undefined {
  const origin = originOf(server)
  for (const { name, match } of index)
    for (const kind of Object.keys(originKinds) as readonly (keyof typeof originKinds)[]) {
      const own = origin[kind]
      if (own === undefined) continue
      if (match[kind]?.some((each) => isSame(kind, each, own)) === true)
        return { name, by: `its ${originKinds[kind]} ${own}` }
    }
  return undefined
}

function isSame(kind: keyof typeof originKinds, written: string, own: string): boolean {
  if (kind === 'host') return hostFits(written, own)
  return (kind === 'pypi' ? pythonName(written) : written) === own
}

/** `*.example.com` is any host below it. */
const hostFits = (pattern: string, host: string): boolean =>
  pattern.startsWith('*.') ? host.endsWith(pattern.slice(1)) : host === pattern

/** The entry that has the name by which a server introduced itself. */
export const matchByServerInfo = (name: string | undefined, index: readonly ProfileIndexEntry[]): string | undefined =>
  name === undefined ? undefined : index.find(({ match }) => match.server?.includes(name) === true)?.name
