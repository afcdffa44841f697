// Every file that a host may have on this machine: those that the table names, and those of an editor's profiles, whose
// folders bear names that nobody chose.
import { z } from 'zod'
import { showInvisible } from '../../cards/invisible-characters.ts'
import { pathsOf, placesOf, type Disk, type HostFile, type Machine } from './host-kind.ts'
import { hostFiles } from './host-table.ts'
import { readHostText, valueAt } from './host-text.ts'

/** The files in the order of the table, an editor's profiles behind its other files. */
export async function allHostFiles(machine: Machine, disk: Disk): Promise<readonly HostFile[]> {
  const files = hostFiles(machine)
  const found: HostFile[] = []
  for (const [at, file] of files.entries()) {
    found.push(file)
    if (files[at + 1]?.kind !== file.kind) found.push(...(await profileFiles(file, machine, disk)))
  }
  return found
}

const profiles = z.array(z.object({ location: z.string(), name: z.string() }).nullable().catch(null))

async function profileFiles({ kind }: HostFile, machine: Machine, disk: Disk): Promise<readonly HostFile[]> {
  const { editor } = kind
  if (editor?.profileFiles === undefined) return []
  const paths = pathsOf(machine)
  const found: HostFile[] = []
  for (const user of editor.folders(placesOf(machine))) {
    const text = await disk.read(paths.join(user, 'globalStorage', 'storage.json')).catch(() => undefined)
    const held = text === undefined ? undefined : readHostText('json', text)
    const registered = profiles.safeParse(held?.ok === true ? valueAt(held.value, ['userDataProfiles']) : []).data ?? []
    for (const id of await disk.list(paths.join(user, 'profiles'))) {
      const name = registered.find((each) => each?.location === id)?.name ?? id
      const host = showInvisible(`${kind.name}, profile ${name}`)
      found.push(...editor.profileFiles.map((file) => ({ host, path: paths.join(user, 'profiles', id, file), kind })))
    }
  }
  return found
}
