// What a host has switched off, servers and tools, where it says so elsewhere than in their entries: in lists beside them or
// in other files of its own. What was off for a person stays off behind the gateway.
import { editorSwitches } from './editor-switches.ts'
import { placesIn, type Disk, type Format, type HostFile, type KeyPath, type Machine } from './host-kind.ts'
import { readHostText, valueAt } from './host-text.ts'
import { listsOf, rulesIn, type RuledTools } from './tool-rules.ts'

/** Which servers their host has switched off elsewhere than in their entries. */
export async function switchedOff(
  file: HostFile,
  machine: Machine,
  disk: Disk,
  note: (note: string) => void,
): Promise<(name: string) => boolean> {
  const rules = [await editorSwitches(file, machine, disk, note)]
  for (const { path, at, form } of placesIn(file.kind.off, file, machine)) {
    const value = await heldAt(path, at, 'json', disk)
    if (Array.isArray(value)) rules.push((name) => value.includes(name) === (form === 'off'))
    else if (form === 'flags') rules.push((name) => valueAt(value, [name.toLowerCase().trim(), 'enabled']) === false)
  }
  return (name) => rules.some((rule) => rule(name))
}

/** What stands at a place of another file; nothing where that cannot be read. */
async function heldAt(path: string, at: KeyPath, format: Format, disk: Disk): Promise<unknown> {
  const text = await disk.read(path).catch(() => undefined)
  const held = text === undefined ? undefined : readHostText(format, text)
  return held?.ok === true ? valueAt(held.value, at) : undefined
}

/** What their host says of single tools elsewhere than in their entries. */
export async function toolsOff(file: HostFile, machine: Machine, disk: Disk): Promise<(name: string) => RuledTools> {
  const { toolRules: said, format } = file.kind
  const places = placesIn(said?.places, file, machine)
  const rules = await Promise.all(places.map(async ({ path, at }) => rulesIn(await heldAt(path, at, format, disk))))
  return (name) => listsOf(rules.flat(), said?.prefix(name) ?? '')
}
