// Which servers are off in an editor that keeps that in its own database: one for each of its profiles, and one for each
// folder that was opened in it. VS Code has `[["mcp.config.usrlocal.git", false]]` under `mcp.enablement`, Cursor
// `["user-git"]` under `cursor/disabledMcpServers`.
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { pathsOf, placesOf, type Disk, type Editor, type HostFile, type Machine } from './host-kind.ts'
import { readHostText, valueAt } from './host-text.ts'

const text = z.string()
const pair = z.tuple([z.string(), z.boolean()])

/** The members of a list that are of this kind; what else is in it is not ours to judge. */
const members = <T>(kind: z.ZodType<T>, value: unknown): readonly T[] =>
  (Array.isArray(value) ? value : []).flatMap((member) => {
    const read = kind.safeParse(member)
    return read.success ? [read.data] : []
  })

type Says = (value: unknown, name: string, folder: string | undefined) => boolean

/** Whether a value under an editor's key says of a server that it is off; `folder` where it is one of a project. */
const says: Readonly<Record<Editor['switches'], Says>> = {
  'mcp.enablement': (value, name, folder) =>
    members(pair, value).some(([id, isOn]) => {
      const [, place, server] = /^mcp\.config\.([^.]+)\.(.+)$/s.exec(id) ?? []
      return !isOn && server === name && (place === 'usrlocal') === (folder === undefined)
    }),
  'cursor/disabledMcpServers': (value, name, folder) =>
    members(text, value).some((id) =>
      folder === undefined ? id === `user-${name}` : id.replace(/^project-\d+/, '') === `-${basename(folder)}-${name}`,
    ),
}

/** Answers which servers of a file are off in its editor; what could not be read is noted. */
export async function editorSwitches(
  file: HostFile,
  machine: Machine,
  disk: Disk,
  note: (note: string) => void,
): Promise<(name: string) => boolean> {
  const { editor } = file.kind
  if (editor === undefined) return () => false
  const paths = pathsOf(machine)
  const users = editor.folders(placesOf(machine))
  const own = users.filter((user) => file.path.startsWith(user + paths.sep))
  const held: unknown[] = []
  for (const user of own.length === 0 ? users : own) {
    const profile = own.length === 0 ? user : paths.dirname(file.path)
    const here = await folderDatabases(paths.join(user, 'workspaceStorage'), machine, disk)
    for (const database of [paths.join(profile, 'globalStorage', 'state.vscdb'), ...here]) {
      const item = await disk.item(database, editor.switches)
      if (!item.ok) note(`${database} cannot be read (${item.failure}); what is switched off there is not known.`)
      else if (item.value !== undefined) held.push(valueIn(item.value))
    }
  }
  return (name) => held.some((value) => says[editor.switches](value, name, file.folder))
}

/** The databases that an editor has for the folder in which we are. */
async function folderDatabases(storage: string, machine: Machine, disk: Disk): Promise<readonly string[]> {
  const paths = pathsOf(machine)
  const here = comparable(pathToFileURL(machine.cwd, { windows: machine.platform === 'win32' }).href)
  const found: string[] = []
  for (const name of await disk.list(storage)) {
    const text = await disk.read(paths.join(storage, name, 'workspace.json')).catch(() => undefined)
    const held = text === undefined ? undefined : readHostText('json', text)
    const folder = held?.ok === true ? valueAt(held.value, ['folder']) : undefined
    if (typeof folder === 'string' && comparable(folder) === here) found.push(paths.join(storage, name, 'state.vscdb'))
  }
  return found
}

/** VS Code escapes the colon behind the letter of a drive, and writes that small. */
const comparable = (address: string): string =>
  address.replace(/%3A/i, ':').replace(/^file:\/\/\/[A-Za-z]:/, (drive) => drive.toLowerCase())

function valueIn(text: string): unknown {
  const held = readHostText('json', `{"value":${text}}`)
  return held.ok ? held.value['value'] : undefined
}
