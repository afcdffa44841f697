// People have their servers configured already, in up to four hosts, each with a dialect of its own. This reads those
// files where they lie and writes one gateway file; it changes nothing, and what it could not carry over it says.
import { z } from 'zod'
import { showInvisible } from '../../../cards/invisible-characters.ts'
import { parseHostJson } from './json-text.ts'
import type { Variables } from '../../../config/references.ts'

type Host = 'Claude Desktop' | 'Claude Code' | 'Cursor' | 'VS Code'

/** One file that a host may have. */
interface HostFile {
  readonly host: Host
  readonly path: string
  /** The folder of a project's own file, which came with whatever was cloned there; absent for the user's. */
  readonly folder?: string
}

export interface Machine {
  readonly platform: 'darwin' | 'linux' | 'win32'
  readonly home: string
  readonly env: Variables
  /** Where the command was called. */
  readonly cwd: string
}

/** Where the hosts keep their files on this machine, each once. Pure; none of them need exist. */
export function hostFiles({ platform, home, env, cwd }: Machine): readonly HostFile[] {
  const slash = platform === 'win32' ? '\\' : '/'
  const at = (...parts: readonly string[]): string => parts.join(slash)
  const settings =
    platform === 'darwin'
      ? at(home, 'Library', 'Application Support')
      : platform === 'win32'
        ? (env['APPDATA'] ?? at(home, 'AppData', 'Roaming'))
        : (env['XDG_CONFIG_HOME'] ?? at(home, '.config'))
  const files: readonly HostFile[] = [
    { host: 'Claude Desktop', path: at(settings, 'Claude', 'claude_desktop_config.json') },
    { host: 'Claude Code', path: at(env['CLAUDE_CONFIG_DIR'] ?? home, '.claude.json') },
    { host: 'Claude Code', path: at(cwd, '.mcp.json'), folder: cwd },
    { host: 'Cursor', path: at(home, '.cursor', 'mcp.json') },
    { host: 'Cursor', path: at(cwd, '.cursor', 'mcp.json'), folder: cwd },
    ...['Code', 'Code - Insiders'].flatMap((product): HostFile[] => [
      { host: 'VS Code', path: at(settings, product, 'User', 'mcp.json') },
      { host: 'VS Code', path: at(settings, product, 'User', 'settings.json') },
    ]),
    { host: 'VS Code', path: at(cwd, '.vscode', 'mcp.json'), folder: cwd },
  ]
  // In the home folder a file may be both: then it is the user's own, which stands first.
  return files.filter((file, index) => files.findIndex(({ path }) => path === file.path) === index)
}

export interface Imported {
  /** The gateway file. It may hold what people wrote into their hosts' files, secrets included: write it 0600. */
  readonly text: string
  /** Names of the servers in it. */
  readonly servers: readonly string[]
  /** The files that were read. */
  readonly read: readonly HostFile[]
  /** What each server of it starts or calls and where that was written, one line each, safe for a terminal. */
  readonly shown: readonly string[]
  /** What was left out or changed, one sentence each, safe for a terminal. */
  readonly notes: readonly string[]
}

/**
 * Reads the files and merges what they hold. `readFile` answers `undefined` where there is none. A project's files are
 * somebody else's commands until its user says otherwise (`project`); without it they are named and not read.
 */
export async function importHosts(
  machine: Machine,
  readFile: (path: string) => Promise<string | undefined>,
  { project = false }: { readonly project?: boolean } = {},
): Promise<Imported> {
  const servers = new Map<string, Server>()
  const read: HostFile[] = []
  const notes: string[] = []
  const shown: string[] = []
  for (const file of hostFiles(machine)) {
    const text = await readFile(file.path)
    if (text === undefined) continue
    if (file.folder !== undefined && !project) {
      notes.push(`${file.path} belongs to this folder and was left out; --project takes it, too.`)
      continue
    }
    read.push(file)
    const parsed = parseHostJson(text)
    if (!parsed.ok) {
      notes.push(`${file.path} is not JSON (${parsed.failure}); nothing was taken from it.`)
      continue
    }
    for (const [name, raw] of serversIn(parsed.value, machine.cwd)) {
      const server = readServer(raw, name, file, machine, notes)
      const added = server === undefined ? undefined : add(servers, name, server, file, notes)
      if (server !== undefined && added !== undefined) shown.push(`${added}: ${startOf(server)} (${file.path})`)
    }
  }
  const config = { mcpServers: Object.fromEntries(servers) }
  return {
    text: `${JSON.stringify(config, null, 2)}\n`,
    servers: [...servers.keys()],
    read,
    shown: shown.map(showInvisible),
    notes: notes.map(showInvisible),
  }
}

/** What a server starts, word by word, or calls; of variables and headers the names, because values may be secrets. */
function startOf({ command, args = [], env = {}, cwd, url, headers = {}, enabled }: Server): string {
  const words = command === undefined ? [String(url)] : [command, ...args]
  const names = Object.keys(command === undefined ? headers : env)
  return [
    words.map((word) => (/^[\w@%+=:,./-]+$/.test(word) ? word : JSON.stringify(word))).join(' '),
    ...(names.length === 0 ? [] : [`with ${names.join(', ')}`]),
    ...(cwd === undefined ? [] : [`in ${cwd}`]),
    ...(enabled === false ? ['switched off'] : []),
  ].join(', ')
}

const record = z.record(z.string(), z.unknown()).catch({})
const texts = z.array(z.coerce.string()).catch([])
const variables = z.record(z.string(), z.coerce.string()).catch({})

/** Every dialect of the same idea: `mcpServers`, `servers`, VS Code's `mcp.servers`, Claude Code's projects. */
function serversIn(value: unknown, cwd: string): readonly (readonly [string, unknown])[] {
  const root = record.parse(value)
  const project = record.parse(record.parse(root['projects'])[cwd])
  return [
    root['mcpServers'],
    root['servers'],
    record.parse(root['mcp'])['servers'],
    root['mcp.servers'],
    project['mcpServers'],
  ].flatMap((held) => Object.entries(record.parse(held)))
}

interface Server {
  readonly type?: 'http' | 'sse'
  readonly command?: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly url?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly enabled?: false
}

const known = new Set(
  'type command args env cwd url serverUrl headers disabled enabled autoApprove alwaysAllow gallery version'.split(' '),
)

function readServer(raw: unknown, name: string, file: HostFile, machine: Machine, notes: string[]): Server | undefined {
  const given = record.parse(raw)
  const where = `${name} (${file.host})`
  const text = (value: string): string => translate(value, where, file, machine, notes)
  const command = typeof given['command'] === 'string' ? given['command'] : undefined
  const url = [given['url'], given['serverUrl']].find((value) => typeof value === 'string')
  if (command === undefined && url === undefined) {
    notes.push(`${where} has neither command nor url and was left out.`)
    return undefined
  }
  const args = texts.parse(given['args'] ?? []).map(text)
  if ([command ?? '', ...args].some((part) => /(^|[/\\])countersign(@|$|\.)/.test(part))) {
    notes.push(`${where} is Countersign itself and was left out.`)
    return undefined
  }
  const rest = Object.keys(given).filter((key) => !known.has(key))
  if (rest.length > 0) notes.push(`${where}: ${rest.join(', ')} ${rest.length === 1 ? 'is' : 'are'} not carried over.`)
  const off = given['disabled'] === true || given['enabled'] === false
  const enabled = off ? ({ enabled: false } as const) : {}
  if (command !== undefined) {
    const env = mapValues(variables.parse(given['env'] ?? {}), text)
    const cwd = typeof given['cwd'] === 'string' ? text(given['cwd']) : file.folder
    return {
      command: text(command),
      ...(args.length === 0 ? {} : { args }),
      ...(Object.keys(env).length === 0 ? {} : { env }),
      ...(cwd === undefined ? {} : { cwd }),
      ...enabled,
    }
  }
  const headers = mapValues(variables.parse(given['headers'] ?? {}), text)
  const type = given['type'] === 'sse' ? 'sse' : /http/.test(String(given['type'])) ? 'http' : undefined
  return {
    ...(type === undefined ? {} : { type }),
    url: text(String(url)),
    ...(Object.keys(headers).length === 0 ? {} : { headers }),
    ...enabled,
  }
}

const mapValues = (values: Readonly<Record<string, string>>, map: (value: string) => string): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([key, value]) => [key, map(value)]))

/** The hosts' placeholders in our own spelling. What a host asks its user for comes from the environment instead. */
function translate(value: string, where: string, file: HostFile, machine: Machine, notes: string[]): string {
  return value.replace(/\$\{([^}]+)\}/g, (whole, inner: string) => {
    const [kind, name = ''] = inner.split(':', 2)
    if (kind === 'env') return `\${${name}}`
    if (kind === 'input') {
      const variable = name.toUpperCase().replace(/[^A-Z0-9]+/g, '_')
      notes.push(`${where}: set the environment variable ${variable}; the host asked for it at start.`)
      return `\${${variable}}`
    }
    if (inner === 'userHome') return machine.home
    if (inner === 'workspaceFolder') return file.folder ?? machine.cwd
    return whole
  })
}

/** Twice the same server is one server; two of one name are both kept. Answers the name of one that is new. */
function add(
  servers: Map<string, Server>,
  name: string,
  server: Server,
  file: HostFile,
  notes: string[],
): string | undefined {
  const plain = name
    .trim()
    .replace(/[^A-Za-z0-9_.-]+/g, '-')
    .replace(/^[^A-Za-z0-9_]+|(?<!-)-+$/g, '')
    .slice(0, 40)
  const slug = plain === '' ? 'server' : plain
  const same = (key: string): boolean => JSON.stringify(servers.get(key)) === JSON.stringify(server)
  let free = slug
  for (let count = 2; servers.has(free) && !same(free); count++) free = `${slug.slice(0, 36)}-${count}`
  if (servers.has(free)) return undefined
  servers.set(free, server)
  if (free !== name) notes.push(`${name} (${file.host}) is called ${free} in the gateway file.`)
  return free
}
