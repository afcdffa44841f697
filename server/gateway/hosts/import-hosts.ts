// People have their servers configured already, in many hosts, each with a dialect of its own. This reads those files where
// they lie and makes one gateway file of them; it changes nothing, and what it could not carry over it says.
import { fail, ok } from '../../errors/result.ts'
import { showInvisible } from '../../cards/invisible-characters.ts'
import { allHostFiles } from './all-files.ts'
import { translate, type Heard } from './placeholders.ts'
import { commandWords } from './command-words.ts'
import { readEntry, type Server } from './host-entry.ts'
import { pathsOf, type Disk, type HostFile, type KeyPath, type Machine } from './host-kind.ts'
import { readHostText, valueAt } from './host-text.ts'
import { variablesOf } from './server-variables.ts'
import { limitsOfBoth } from './limits.ts'
import { createMerge, slugOf, type MergeOptions } from './merge-servers.ts'
import { saidElsewhere } from './switched-off.ts'

export interface ImportOptions extends MergeOptions {
  /** Takes the files of the folder, too: they are somebody else's commands until their user says otherwise. */
  readonly project?: boolean
}

/** A host's file with the servers that came from it. */
export interface ReadFile {
  readonly file: HostFile
  readonly text: string
  /** Where each of them stands. */
  readonly taken: readonly KeyPath[]
  /** Names of servers that were left where they are; the host goes on starting them itself. */
  readonly left: readonly string[]
  /** Variables that these servers have from their host, each as it is written there. */
  readonly handed: ReadonlyMap<string, string>
  /** Entries that start Countersign: their places, with the words, and whether the host has them switched off. */
  readonly own: readonly { readonly at: KeyPath; readonly words: readonly string[]; readonly isOff: boolean }[]
}

export interface Imported {
  /** The new servers by name, as the gateway file has them. No secret stands in them. */
  readonly servers: Readonly<Record<string, Server>>
  /** Names of servers that the gateway file has already. */
  readonly known: readonly string[]
  /** What is referred to and was not kept before, by name: secrets, or variables for a person to set. */
  readonly secrets: ReadonlyMap<string, string>
  /** The value of every secret of every server that was taken: shown to nobody. */
  readonly hidden: ReadonlySet<string>
  readonly read: readonly ReadFile[]
  /** What each server starts or calls and where that was written, one line each, safe for a terminal. */
  readonly shown: readonly string[]
  /** What was left out or changed, one sentence each, safe for a terminal. */
  readonly notes: readonly string[]
}

/** Reads the files and merges what they hold. */
export async function importHosts(machine: Machine, disk: Disk, options: ImportOptions): Promise<Imported> {
  const notes: string[] = []
  const read: ReadFile[] = []
  const merged = createMerge(options)
  for (const file of await allHostFiles(machine, disk)) {
    const opened = await disk.read(file.path).then(ok, (error: Error) => fail(error.message))
    if (!opened.ok) notes.push(`${file.path} cannot be read (${opened.failure}); nothing was taken from it.`)
    const text = opened.ok ? opened.value : undefined
    if (text === undefined) continue
    if (file.folder !== undefined && options.project !== true) {
      notes.push(`${file.path} belongs to this folder and was left out; --project takes it, too.`)
      continue
    }
    const held = readHostText(file.kind.format, text)
    if (!held.ok) notes.push(`${file.path} ${held.failure}; nothing was taken from it.`)
    const elsewhere = await saidElsewhere(file, machine, disk, (note) => void notes.push(note))
    const found = { taken: [] as KeyPath[], left: [] as string[], own: [] as ReadFile['own'][number][] }
    const handed = new Map<string, string>()
    read.push({ file, text, handed, ...found })
    for (const at of held.ok ? placesOfServers(held.value, file, machine) : []) {
      const name = at.at(-1) ?? ''
      const where = `${name} (${file.host})`
      const named = new Map<string, string>()
      const said: string[] = []
      const heard: Heard = {
        note: (note) => void said.push(`${where}: ${note}`),
        variable: (variable, written) => void named.set(variable, written),
      }
      const server = await readServer(valueAt(held.ok ? held.value : {}, at), name, file, machine, disk, heard)
      if (server.kind === 'left') {
        found.left.push(name)
        if (server.why !== '') notes.push(`${where} was left out: ${server.why}.`)
        continue
      }
      if (server.kind === 'own') {
        found.own.push({ at, words: server.words, isOff: server.isOff || elsewhere(name).limits.enabled === false })
        notes.push(`${where} is Countersign itself and was left out.`)
        continue
      }
      notes.push(...said)
      found.taken.push(at)
      const { limits, lost } = elsewhere(name)
      for (const rule of lost) notes.push(`${where}: its host's rule for ${rule} is not carried over.`)
      const ruled = { ...server.server, ...limitsOfBoth(server.server, limits) }
      const added = merged.add(name, ruled, file.host, file.path)
      for (const variable of variablesOf([added.server])) handed.set(variable, named.get(variable) ?? '')
      if (added.isNew && added.name !== name) notes.push(`${where} is called ${added.name} in the gateway file.`)
    }
  }
  const unread = new Set(
    read.flatMap(({ file: { kind }, taken }) => (kind.unread && taken.length > 0 ? [kind.name] : [])),
  )
  if (unread.size > 0)
    notes.push(
      `which single tools are off in ${[...unread].join(', ')} is not kept on this machine; leave them out with "disabled_tools".`,
    )
  const { differences, ...done } = merged.done()
  // Two files of an editor have one database, and what is wrong with that is said once.
  return { ...done, read, notes: [...new Set([...notes, ...differences])].map(showInvisible) }
}

/** The places of all entries of a file, in its order. */
function placesOfServers(held: unknown, file: HostFile, machine: Machine): readonly KeyPath[] {
  return file.kind.servers(machine).flatMap((at) => {
    const servers = valueAt(held, at)
    const isRecord = typeof servers === 'object' && servers !== null && !Array.isArray(servers)
    return isRecord ? Object.keys(servers).map((name) => [...at, name]) : []
  })
}

type Found =
  | { readonly kind: 'server'; readonly server: Server }
  | { readonly kind: 'own'; readonly words: readonly string[]; readonly isOff: boolean }
  /** `why` is empty where it is nothing that could be taken: a part of the host itself. */
  | { readonly kind: 'left'; readonly why: string }

async function readServer(
  raw: unknown,
  name: string,
  file: HostFile,
  machine: Machine,
  disk: Disk,
  heard: Heard,
): Promise<Found> {
  const entry = readEntry(translated(raw, slugOf(name), file, machine, heard), file.kind.timeout)
  if (!entry.ok)
    return { kind: 'left', why: /"(?:builtin|platform|frontend)"/.test(entry.failure) ? '' : entry.failure }
  const { server: given, line } = entry.value
  const cut = line === undefined ? undefined : await commandWords(line, machine, disk.isFile)
  if (cut?.ok === false) return { kind: 'left', why: cut.failure }
  const args = [...(cut?.value.args ?? []), ...(given.args ?? [])]
  const env = { ...cut?.value.env, ...given.env }
  const server: Server =
    cut === undefined
      ? given
      : {
          ...given,
          command: cut.value.command,
          ...(args.length === 0 ? {} : { args }),
          ...(Object.keys(env).length === 0 ? {} : { env }),
        }
  const words = [server.command ?? '', ...(server.args ?? [])]
  if (startsCountersign(words)) return { kind: 'own', words, isOff: server.enabled === false }
  for (const note of entry.value.notes) heard.note(note)
  const cwd = server.command === undefined ? undefined : await folderFor(server, file, machine, disk, heard.note)
  return { kind: 'server', server: cwd === undefined ? server : { ...server, cwd } }
}

const ourProgram = /(?:^|[/\\])countersign(?:[@:][^/\\]*|\.(?:[cm]?[jt]s|cmd|exe))?$/

/** Our program with a command that hosts start. The name alone may be a folder's. */
const startsCountersign = (words: readonly string[]): boolean =>
  words.some((word, at) => ourProgram.test(word) && /^(?:gateway|wrap)$/.test(words[at + 1] ?? ''))

/** A copy of the entry in which the host's placeholders are ours. */
function translated(raw: unknown, name: string, file: HostFile, machine: Machine, heard: Heard): unknown {
  const walk = (value: unknown, key: string): unknown => {
    if (typeof value === 'string') return translate(value, file, machine, `${name}.${slugOf(key)}`, heard)
    if (Array.isArray(value)) return value.map((member) => walk(member, key))
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([inner, member]) => [inner, walk(member, inner)]))
  }
  return walk(raw, name)
}

const relative = /^\.{1,2}[\\/]|^[^-@\s:][^\s:]*\.(?:[cm]?[jt]s|py|sh|rb|jar|exe|ps1)$/

/** The folder in which a server starts: its own, that of its project, or where what it starts is found. */
async function folderFor(
  { command = '', args = [], cwd }: Server,
  file: HostFile,
  machine: Machine,
  { isFile }: Disk,
  said: (note: string) => void,
): Promise<string | undefined> {
  const paths = pathsOf(machine)
  if (cwd !== undefined && (paths.isAbsolute(cwd) || cwd.startsWith('${'))) return cwd
  if (file.folder !== undefined) return cwd === undefined ? file.folder : paths.resolve(file.folder, cwd)
  const path = [command, ...args].find(
    (word) => !paths.isAbsolute(word) && (relative.test(word) || (word === command && /[\\/]/.test(word))),
  )
  if (path === undefined && cwd === undefined) return undefined
  const folders = [paths.dirname(file.path), machine.home, machine.cwd].map((folder) =>
    paths.resolve(folder, cwd ?? '.'),
  )
  for (const folder of folders) {
    if (path === undefined || !(await isFile(paths.resolve(folder, path)))) continue
    said(`${path} is relative, and was found in ${folder}.`)
    return folder
  }
  const chosen = paths.resolve(machine.home, cwd ?? '.')
  said(`${path ?? cwd ?? ''} is relative; it is looked for in ${chosen}. Set "cwd" if that is not its folder.`)
  return chosen
}
