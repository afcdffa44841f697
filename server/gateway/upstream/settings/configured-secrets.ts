// Which values of a server's entry are secrets. Where a value stands says most: a header, the user and parameters of an
// address, and what a name or an option calls a secret are hidden whatever they look like; other values of the
// environment only where they look made up, since nobody could read an output without `production` or `/usr/bin`.
import { secretsOfCommand } from '../../../policy/redact.ts'
import { isSecretName, mayBeSecret } from '../../../policy/secret-names.ts'
import { looksRandom } from '../../../policy/secret-shapes.ts'
import { isSecretPlace } from '../../rating/secret-places.ts'
import { isStdio, type ServerConfig } from './upstream-config.schema.ts'

/** A value as it stands in the file, and whether its place says that it is a secret. */
export interface ConfiguredSecret {
  readonly value: string
  readonly named: boolean
}

/** The shortest that is hidden because of its place: shorter ones stand in every second word. */
const shortestNamed = 3
const shortestMade = 6

/** Words that settings are made of: switches, numbers, paths, hosts, languages, regions, types of media. */
const plain: readonly RegExp[] = [
  /^(?:true|false|yes|no|on|off|null|none|auto|default|debug|info|warn(?:ing)?|error|test|local|localhost|root|admin|user|public|json|text|require|prefer|disable)$/i,
  /^[\d.,:+-]{1,20}(?:ms|[smhd]|[kmg]i?b?|%)?$/i,
  /^(?:[A-Za-z]:|~|\.{1,2})?[/\\][^?@]*$/,
  /^[a-z][a-z0-9+.-]*:\/\/[^@?]*$/i,
  /^[\w*-]{1,60}(?:\.[\w*-]{1,60})+(?::\d{1,5})?$/,
  /^[A-Za-z]+:\d{1,5}$/,
  /^[A-Za-z]{1,15}(?:[-_/.,][A-Za-z]{1,15}|[-_/.]\d{1,2}[a-z]?){0,8}$/,
  /^\*\/\*|^[a-z]+\/[\w.+*-]+(?:[,;].*)?$/i,
]

/** Headers that say what is sent or wished for, and nothing of who asks. */
const plainHeaders =
  /^(?:accept(?:-.*)?|content-.*|user-agent|cache-control|connection|host|origin|referer|mcp-protocol-version|x-(?:client|sdk)-.*)$/i

const isPlain = (value: string): boolean => plain.some((each) => each.test(value))

/** A switch or a number is none even where a name says so: `API_KEY_REQUIRED=1`. */
const isSwitch = (value: string): boolean => /^(?:true|false|yes|no|on|off|null|none|\d{1,3})$/i.test(value)

const byPlace = (value: string): readonly ConfiguredSecret[] =>
  value.length >= shortestNamed && !isSwitch(value) ? [{ value, named: true }] : []

/** Where the user's shell stands. `wrap` hands its server everything that it has, and "pwd" is a password elsewhere. */
const isWorkingFolder = (name: string, value: string): boolean =>
  /^(?:OLD)?PWD$/.test(name) && /^(?:\/|[A-Za-z]:[/\\])/.test(value)

const word = String.raw`(?:[A-Z]?[a-z]{1,30}|[A-Z]{1,30})?\d{0,4}`
const folders = new RegExp(String.raw`^(?:~|[A-Za-z]:)?(?:[/\\]\.?${word}(?:[._ @-]${word}){0,8}){2,20}$`)

const namesPlace = /(?:FILE|PATH|DIR|DIRECTORY|FOLDER|HOME|ROOT|SOCK|ASKPASS|CREDENTIALS)$/i

/**
 * Where a secret lies, and no secret: `SSH_ASKPASS`, `GOOGLE_APPLICATION_CREDENTIALS`. Base64 has no such words; what a
 * person chose as a password may look like a path.
 */
const isPath = (name: string, value: string): boolean =>
  folders.test(value) && (namesPlace.test(name) || !isSecretName(name) || isSecretPlace(value))

/** By its name where that is a secret's, else by its look. */
function bySetting(name: string, value: string): readonly ConfiguredSecret[] {
  if (isWorkingFolder(name, value) || isPath(name, value)) return []
  if (isSecretName(name) || mayBeSecret(name, value)) return byPlace(value)
  return value.length >= shortestMade && !isPlain(value) ? [{ value, named: false }] : []
}

/** What stands in an address before its host and behind its question mark. */
export function secretsInAddress(value: string): readonly ConfiguredSecret[] {
  const address = URL.canParse(value) ? new URL(value) : undefined
  if (address === undefined) return []
  const { username, password, searchParams, pathname } = address
  return [
    // Some services give everybody an address of their own, and whoever knows it is they.
    ...pathname.split('/').flatMap((part) => (looksRandom(part) ? [{ value: part, named: false }] : [])),
    ...bySetting('user', username),
    ...[password, decoded(password)].flatMap(byPlace),
    ...[...searchParams].flatMap(([name, each]) => (isPlain(each) ? bySetting(name, each) : byPlace(each))),
  ]
}

/** An address as anybody may read it: without user and parameters, and with `…` for what looks made up in its path. */
export function shownAddress(address: string): string {
  const { origin, pathname } = new URL(address)
  return `${origin}${pathname
    .split('/')
    .map((part) => (looksRandom(part) ? '…' : part))
    .join('/')}`
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

/** A header's value, its credential without its scheme, and the password of a Basic one (RFC 7617). */
export function secretsInHeader(name: string, value: string): readonly ConfiguredSecret[] {
  if (plainHeaders.test(name)) return bySetting(name, value)
  const [scheme = '', ...credentials] = value.split(/\s+/)
  if (credentials.length === 0) return byPlace(value)
  const pair = /^basic$/i.test(scheme) ? Buffer.from(credentials.join(''), 'base64').toString('utf8') : ''
  const password = pair.includes(':') ? pair.slice(pair.indexOf(':') + 1) : ''
  return [value, ...credentials, password].flatMap(byPlace)
}

/** In a variable of the environment, by its name or its look. */
export const secretsInSetting = (name: string, value: string): readonly ConfiguredSecret[] => [
  ...bySetting(name, value),
  ...secretsInAddress(value),
]

/** What options of a command line give away; `-e NAME=value` and `--header "Name: value"` hold settings of their own. */
export function secretsInArguments(command: string, args: readonly string[]): readonly ConfiguredSecret[] {
  const own = args.flatMap((arg, at) => {
    const before = args[at - 1] ?? ''
    const header = /^(?:--header=|-H)?([A-Za-z][\w-]{0,60}):\s*(\S.*)$/.exec(arg)
    if (header !== null && (/^(?:-H|--header)$/.test(before) || /^(?:-H|--header=)/.test(arg)))
      return secretsInHeader(header[1] ?? '', header[2] ?? '')
    const variable = /^(?:--env=|-e)?([A-Za-z_]\w{0,80})=(.+)$/s.exec(arg)
    if (variable !== null && (/^(?:-e|--env)$/.test(before) || /^(?:-e|--env=)/.test(arg)))
      return secretsInSetting(variable[1] ?? '', variable[2] ?? '')
    return secretsInAddress(arg.replace(/^--?[\w-]{1,60}=/, ''))
  })
  return [...own, ...secretsOfCommand(command, args).flatMap(byPlace)]
}

/** The secrets of the environment, the arguments, the headers and the address of a server, and those that it names. */
export function configuredSecrets(server: ServerConfig): readonly ConfiguredSecret[] {
  const kept = (server.kept ?? []).flatMap(byPlace)
  if (!isStdio(server))
    return [
      ...kept,
      ...secretsInAddress(server.url),
      ...Object.entries(server.headers).flatMap(([name, value]) => secretsInHeader(name, value)),
      ...byPlace(server.oauth?.client_secret ?? ''),
    ]
  return [
    ...kept,
    ...Object.entries(server.env).flatMap(([name, value]) => secretsInSetting(name, value)),
    ...secretsInArguments(server.command, server.args),
  ]
}
