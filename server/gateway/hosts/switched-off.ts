// What a host has switched off, servers and tools, where it says so elsewhere than in their entries: in lists beside them,
// in other files of its own or in a database. What was off for a person stays off behind the gateway.
import { editorDatabases, editorLimits } from './editor-switches.ts'
import { placesIn, type Disk, type Format, type HostFile, type KeyPath, type Machine } from './host-kind.ts'
import { readHostText, valueAt } from './host-text.ts'
import { limitsOfBoth } from './limits.ts'
import { listsOf, rulesIn, type RuledTools } from './tool-rules.ts'

/** What the host of a file says of its servers elsewhere than in their entries; what cannot be read is noted. */
export async function saidElsewhere(
  file: HostFile,
  machine: Machine,
  disk: Disk,
  note: (note: string) => void,
): Promise<(name: string) => RuledTools> {
  const { off, toolRules, format } = file.kind
  const lists: ((name: string) => boolean)[] = []
  for (const { path, at, form } of placesIn(off, file, machine)) {
    const value = await heldAt(path, at, 'json', disk)
    if (Array.isArray(value)) lists.push((name) => value.includes(name) === (form === 'off'))
    else if (form === 'flags') lists.push((name) => valueAt(value, [name.toLowerCase().trim(), 'enabled']) === false)
  }
  const places = placesIn(toolRules?.places, file, machine)
  const rules = await Promise.all(places.map(async ({ path, at }) => rulesIn(await heldAt(path, at, format, disk))))
  const databases = await editorDatabases(file, machine, disk, note)
  return (name) => {
    const ruled = listsOf(rules.flat(), toolRules?.prefix(name) ?? '')
    const isOff = lists.some((list) => list(name))
    const limits = [ruled.limits, editorLimits(file, databases, name), isOff ? { enabled: false as const } : {}]
    return { limits: limits.reduce(limitsOfBoth), lost: ruled.lost }
  }
}

/** What stands at a place of another file; nothing where that cannot be read. */
async function heldAt(path: string, at: KeyPath, format: Format, disk: Disk): Promise<unknown> {
  const text = await disk.read(path).catch(() => undefined)
  const held = text === undefined ? undefined : readHostText(format, text)
  return held?.ok === true ? valueAt(held.value, at) : undefined
}
