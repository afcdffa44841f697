// A name that an agent guessed (`hs_lead_statsu`) is refused by its provider at best, and at worst makes a property that nobody
// reads. A cheatsheet knows the provider's own names, not those of one account: what it does not know is said, and no more.
import { keyName } from '../../cards/path-label.ts'
import { nearest } from '../../errors/nearest.ts'
import { pathOf } from '../rules/condition.ts'
import type { KnownObject, PropertyTable } from './property-table.ts'
import { fillValue } from './template.ts'
import type { ToolProfile } from './tool-profile.ts'

/** So many are named; a card is no list of everything that is unknown. */
const most = 5

/** A warning of a card. */
export interface UnknownNames {
  readonly title: string
  readonly text: string
}

/** What a card says of the properties of one call that the cheatsheet does not know: one warning for each object. */
export async function unknownProperties(
  tool: ToolProfile | undefined,
  input: unknown,
): Promise<readonly UnknownNames[]> {
  const table = tool?.properties && (await tool.knownProperties?.())
  if (tool?.properties === undefined || table === undefined) return []
  const unknown = new Map<KnownObject, Set<string>>()
  for (const place of tool.properties) {
    const named = fillValue(place.of, input)
    const object = typeof named === 'string' ? table.object(named) : undefined
    if (object === undefined) continue
    const names = unknown.get(object) ?? new Set()
    for (const name of namesAt(input, pathOf(place.in))) if (!object.has(name)) names.add(name)
    unknown.set(object, names)
  }
  return [...unknown].flatMap(([object, names]) => (names.size === 0 ? [] : [warningOf(table, object, [...names])]))
}

function warningOf({ provider, own }: PropertyTable, object: KnownObject, names: readonly string[]): UnknownNames {
  const shown = names.slice(0, most)
  const rest = names.length - shown.length
  const words = [...shown.map(shortName), ...(rest > 0 ? [`${rest} more`] : [])]
  const listed = words.length === 1 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1) ?? ''}`
  const meant = shown.flatMap((name) => {
    const [near] = nearest(name, object.properties, 1)
    if (near === undefined) return []
    return [`Did you mean ${near}${names.length === 1 ? '' : ` instead of ${shortName(name)}`}?`]
  })
  return {
    title: `The cheatsheet of ${provider} knows no ${names.length === 1 ? 'property' : 'properties'} ${listed} of ${object.name}.`,
    text: [...meant, own].join(' '),
  }
}

const shortName = (name: string): string => keyName(name.length > 80 ? `${name.slice(0, 80)}…` : name)

/** Names at a place: the keys of an object, a text, or a list of either. `*` on the way is each member of a list or an object. */
function* namesAt(value: unknown, [step, ...rest]: readonly string[]): Generator<string> {
  if (step === undefined) {
    if (typeof value === 'string') yield value
    else if (Array.isArray(value)) for (const each of value) yield* namesAt(each, [])
    else if (typeof value === 'object' && value !== null) yield* Object.keys(value)
  } else if (typeof value === 'object' && value !== null) {
    if (step === '*') for (const each of Object.values(value)) yield* namesAt(each, rest)
    else if (Object.hasOwn(value, step)) yield* namesAt((value as Record<string, unknown>)[step], rest)
  }
}
