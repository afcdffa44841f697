// Routers: one tool takes the name of a command and an object with its arguments, as Azure's server has it. Such a tool is
// rated by the command's name.
import { isPlainReading } from './action-names.ts'
import { takesText, type Place } from './schema-places.ts'
import { acting, given, mayDoAnything, mayDoMore, worstOf, type Picked, type Selector } from './selector.ts'
import { readingVerb } from './tool-name.ts'
import { isReading } from './verbs.ts'
import { wordsOf } from './words.ts'

/** Arguments of a router's sub-command. */
const carried = ['parameters', 'params', 'arguments', 'args', 'options', 'input']

/** A command by its name beside an object with its arguments, as Azure's server has it. */
export function router(place: Place): Selector | undefined {
  const { name, schema, siblings } = place
  if (!['command', 'subcommand', 'tool', 'toolname'].includes(wordsOf(name).join('')) || !takesText(schema))
    return undefined
  const carries = carried.some((each) => {
    const beside = siblings[each]
    return (
      typeof beside === 'object' && beside !== null && [(beside as { type?: unknown }).type].flat().includes('object')
    )
  })
  if (!carries) return undefined
  return {
    place,
    worst: mayDoAnything(place),
    mayRead: true,
    pick: (args) => worstOf(given(place, args), (value) => routed(place, value), mayDoMore(place)),
  }
}

/** What a query would run stands among the arguments of the command, which nobody here can read. */
function routed(place: Place, value: unknown): Picked {
  const acts = acting(place, value)
  if (acts !== undefined) return acts
  if (typeof value !== 'string' || !isPlainReading(value)) return mayDoMore(place)
  const words = wordsOf(value)
  const ends = isReading(words.at(-1) ?? '') || isReading(words[0] ?? '')
  return readingVerb(value) !== undefined && ends && !words.includes('query') ? 'reads' : mayDoMore(place)
}

/** Whether this argument is a router's sub-command, and so no program by itself. */
export const isRouted = (place: Place): boolean => router(place) !== undefined

/** Where routers take the arguments of their sub-commands. */
export const argumentsOfRouters = (places: readonly Place[]): readonly (readonly string[])[] =>
  places
    .filter(isRouted)
    .flatMap(({ path, siblings }) =>
      carried.filter((name) => Object.hasOwn(siblings, name)).map((name) => [...path.slice(0, -1), name]),
    )
