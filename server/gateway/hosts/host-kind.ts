// What has to be known of a host to read its servers and to give it others in their place.
import { posix, win32 } from 'node:path'
import type { Result } from '../../errors/result.ts'
import type { Variables } from '../../config/references.ts'

export interface Machine {
  readonly platform: 'darwin' | 'linux' | 'win32'
  readonly home: string
  readonly env: Variables
  /** Where the command was called. */
  readonly cwd: string
}

/** What is looked at of the machine's files; nothing is written. */
export interface Disk {
  /** The text of a file; `undefined` where there is none. Rejects where it cannot be read. */
  readonly read: (path: string) => Promise<string | undefined>
  readonly isFile: (path: string) => Promise<boolean>
  /** The names in a folder; none where it is not there. */
  readonly list: (folder: string) => Promise<readonly string[]>
  /** The texts under these keys of an editor's database, those that are there; or why it cannot be read. */
  readonly items: (database: string, keys: readonly string[]) => Promise<Result<ReadonlyMap<string, string>, string>>
}

export type Format = 'json' | 'toml' | 'yaml'

/** Keys from the root of a file. */
export type KeyPath = readonly string[]

/**
 * What a host puts values in for: `braces` `${X}` and `${X:-text}`, `env` `${env:X}`, `dollar` `$X`, `curly` `{env:X}` and
 * `{file:path}`, `file` `${file:path}`, `input` `${input:X}`, `folders` `${workspaceFolder}` and its like.
 */
export type Placeholder = 'braces' | 'env' | 'dollar' | 'curly' | 'file' | 'input' | 'folders'

/** What a host is to start in place of the servers that it had. */
export interface Start {
  readonly command: string
  readonly args: readonly string[]
  /** Variables that are handed through, each with the host's own reference to it. */
  readonly env: Readonly<Record<string, string>>
}

/** Where a host says by name which servers are off; in the servers' own file where no other is named. */
export interface OffList {
  readonly file?: (places: Places) => string
  readonly at: (machine: Machine) => KeyPath
  /** `off`: a list of them; `on`: a list of all others; `flags`: each with `enabled`, in lower case. */
  readonly form: 'off' | 'on' | 'flags'
}

/** An editor that VS Code is under. */
export interface Editor {
  /** Where it keeps its settings, its databases and its profiles. */
  readonly folders: (places: Places) => readonly string[]
  /** Which of two kinds its switches are, by the key of its databases that says which servers are off. */
  readonly switches: 'mcp.enablement' | 'cursor/disabledMcpServers'
  /** The files of a profile in which servers may stand. */
  readonly profileFiles?: readonly string[]
}

export interface HostKind {
  readonly name: string
  readonly format: Format
  readonly files: (places: Places) => readonly string[]
  /** In the folder of a project, which came with whatever was cloned there. */
  readonly projectFiles?: readonly string[]
  /** Under which keys servers stand by their names. New ones go under the first. */
  readonly servers: (machine: Machine) => readonly KeyPath[]
  readonly placeholders: readonly Placeholder[]
  /** How a variable is written in the entry of a server; a host without it has no way to name one. */
  readonly reference?: (name: string) => string
  /** What an entry's `timeout` is: of a call, or of the start and the first list of tools. */
  readonly timeout?: { readonly unit: 's' | 'ms'; readonly of: 'call' | 'start' }
  readonly off?: readonly OffList[]
  readonly editor?: Editor
  /** Single tools can be switched off in it, and it does not keep that on this machine. */
  readonly unread?: true
  /** Where the host says beside its servers which tools are off, and what it puts before the name of a tool there. */
  readonly toolRules?: {
    readonly prefix: (server: string) => string
    /** Of two rules the later counts. */
    readonly places: readonly Pick<OffList, 'file' | 'at'>[]
  }
  readonly entry: (start: Start) => Readonly<Record<string, unknown>>
}

/** One file that a host may have. */
export interface HostFile {
  readonly host: string
  readonly path: string
  /** The folder of a project's own file; absent for the user's. */
  readonly folder?: string
  readonly kind: HostKind
}

export interface Places {
  readonly machine: Machine
  readonly home: (...parts: readonly string[]) => string
  /** Where programs of this system keep their settings. */
  readonly settings: (...parts: readonly string[]) => string
  /** `~/.config` on every system but Windows, where it is what `settings` is. */
  readonly config: (...parts: readonly string[]) => string
  readonly project: (...parts: readonly string[]) => string
}

/** The rules for paths of a machine's system. */
export const pathsOf = ({ platform }: Pick<Machine, 'platform'>): typeof posix => (platform === 'win32' ? win32 : posix)

/** The places of one machine, by its system's rules. */
export function placesOf(machine: Machine): Places {
  const { home, env, cwd, platform } = machine
  const paths = pathsOf(machine)
  const join = (...parts: readonly string[]): string => paths.join(...parts)
  const windows = env['APPDATA'] ?? join(home, 'AppData', 'Roaming')
  const xdg = env['XDG_CONFIG_HOME'] ?? join(home, '.config')
  const settings =
    platform === 'darwin' ? join(home, 'Library', 'Application Support') : platform === 'win32' ? windows : xdg
  return {
    machine,
    home: (...parts) => join(home, ...parts),
    settings: (...parts) => join(settings, ...parts),
    config: (...parts) => join(platform === 'win32' ? windows : xdg, ...parts),
    project: (...parts) => join(cwd, ...parts),
  }
}

type Place<Of> = Omit<Of, 'file' | 'at'> & { readonly path: string; readonly at: KeyPath }

/** The places that a row of the table names for a file: the file in which each is, the keys in it, and the rest as it is. */
export const placesIn = <Of extends Pick<OffList, 'file' | 'at'>>(
  named: readonly Of[] | undefined,
  { path }: Pick<HostFile, 'path'>,
  machine: Machine,
): readonly Place<Of>[] =>
  (named ?? []).map(({ file, at, ...rest }) => ({
    ...rest,
    path: file === undefined ? path : file(placesOf(machine)),
    at: at(machine),
  }))
