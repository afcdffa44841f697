// What is off in an editor that keeps that in its own database: one for each of its profiles, and one for each folder that
// was opened in it. VS Code has `[["mcp.config.usrlocal.git", false]]` under `mcp.enablement`, and single tools under
// `chat/selectedTools`; Cursor has `["user-git"]` under `cursor/disabledMcpServers`, and single tools as
// `"mcpDisabledTools": ["user-git|push"]` in what it keeps for the user.
import { basename } from 'node:path'
import { pathToFileURL } from 'node:url'
import { z } from 'zod'
import { limitsOfBoth, type Limits } from './limits.ts'
import { pathsOf, placesOf, type Disk, type Editor, type HostFile, type Machine } from './host-kind.ts'
import { readHostText, valueAt } from './host-text.ts'
import { pickedSchema, toolsPicked } from './picked-tools.ts'

/** What stands under the keys of one database. */
export type Items = ReadonlyMap<string, unknown>

const cursorUser =
  'src.vs.platform.reactivestorage.browser.reactiveStorageServiceImpl.persistentStorage.applicationUser'

/** The keys under which an editor says what is off, and the forms that are known of what stands there. */
const forms: Readonly<Record<Editor['switches'], Readonly<Record<string, z.ZodType>>>> = {
  'mcp.enablement': {
    'mcp.enablement': z.array(z.unknown()),
    'chat/selectedTools': pickedSchema,
    mcpToolCache: z.unknown(),
  },
  'cursor/disabledMcpServers': {
    'cursor/disabledMcpServers': z.array(z.unknown()),
    [cursorUser]: z.looseObject({ mcpDisabledTools: z.array(z.unknown()).optional() }),
  },
}

const text = z.string()
const pair = z.tuple([z.string(), z.boolean()])

/** The members of a list that are of this kind; what else is in it is not ours to judge. */
const members = <T>(kind: z.ZodType<T>, value: unknown): readonly T[] =>
  (Array.isArray(value) ? value : []).flatMap((member) => {
    const read = kind.safeParse(member)
    return read.success ? [read.data] : []
  })

type Says = (databases: readonly Items[], name: string, folder: string | undefined) => readonly Limits[]

/** What each editor says of a server; `folder` where it is one of a project. */
const says: Readonly<Record<Editor['switches'], Says>> = {
  'mcp.enablement': (databases, name, folder) => {
    const isIts = (id: string): boolean => {
      const [, place, server] = /^mcp\.config\.([^.]+)\.(.+)$/s.exec(id) ?? []
      return server === name && (place === 'usrlocal') === (folder === undefined)
    }
    const isOff = databases.some((items) =>
      members(pair, items.get('mcp.enablement')).some(([id, isOn]) => !isOn && isIts(id)),
    )
    const caches = databases.map((items) => items.get('mcpToolCache'))
    return [
      isOff ? { enabled: false } : {},
      ...databases.map((items) => toolsPicked(items.get('chat/selectedTools'), caches, name, isIts)),
    ]
  },
  'cursor/disabledMcpServers': (databases, name, folder) => {
    const isIts = (id: string): boolean =>
      folder === undefined ? id === `user-${name}` : id.replace(/^project-\d+/, '') === `-${basename(folder)}-${name}`
    return databases.map((items) => {
      const tools = members(text, valueAt(items.get(cursorUser), ['mcpDisabledTools']))
      const not = tools.flatMap((id) => {
        const at = id.indexOf('|')
        return at > 0 && isIts(id.slice(0, at)) ? [id.slice(at + 1)] : []
      })
      const isOff = members(text, items.get('cursor/disabledMcpServers')).some(isIts)
      return { ...(isOff ? { enabled: false } : {}), ...(not.length === 0 ? {} : { disabled_tools: not }) }
    })
  },
}

/** What the editor of a file says of one of its servers. */
export const editorLimits = ({ kind, folder }: HostFile, databases: readonly Items[], name: string): Limits =>
  kind.editor === undefined ? {} : says[kind.editor.switches](databases, name, folder).reduce(limitsOfBoth, {})

/** The databases in which the editor of a file says what is off; one that cannot be read is noted. */
export async function editorDatabases(
  file: HostFile,
  machine: Machine,
  disk: Disk,
  note: (note: string) => void,
): Promise<readonly Items[]> {
  const { editor } = file.kind
  if (editor === undefined) return []
  const paths = pathsOf(machine)
  const users = editor.folders(placesOf(machine))
  const own = users.filter((user) => file.path.startsWith(user + paths.sep))
  const held: Items[] = []
  for (const user of own.length === 0 ? users : own) {
    const profile = own.length === 0 ? user : paths.dirname(file.path)
    const here = await folderDatabases(paths.join(user, 'workspaceStorage'), machine, disk)
    for (const database of [paths.join(profile, 'globalStorage', 'state.vscdb'), ...here]) {
      const known = forms[editor.switches]
      const items = await disk.items(database, Object.keys(known))
      if (!items.ok) note(`${database} cannot be read (${items.failure}); what is switched off there is not known.`)
      const values = [...(items.ok ? items.value : [])].map(([key, text]) => [key, valueIn(text)] as const)
      for (const [key, value] of values)
        if (known[key]?.safeParse(value).success !== true)
          note(
            `${database} says what is off under ${key} in a form that is not known here, so that is not carried over.`,
          )
      held.push(new Map(values))
    }
  }
  return held
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
