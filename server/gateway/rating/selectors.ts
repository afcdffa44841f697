// One tool, many actions: an argument says which (`operation: get | set`, an HTTP method, the sub-command of a router, a
// flag). Such a tool is rated by what each call names; where a call names nothing, it is rated as the worst.
import { flagVerb, writesFile } from './argument-verbs.ts'
import { actionIn, looks, namesAction } from './action-names.ts'
import type { Evidence } from './evidence.ts'
import { httpMethod, requestBody } from './request-arguments.ts'
import { router } from './router-arguments.ts'
import { isSchema } from '../../tools/schemas/json-schema.ts'
import { listedValues, takesText, valuesAt, type Place } from './schema-places.ts'
import {
  acting,
  given,
  highest,
  isSet,
  mayDoAnything,
  mayDoMore,
  verbOf,
  worstOf,
  type Picked,
  type Selector,
} from './selector.ts'
import { leadingVerb, readingVerb } from './tool-name.ts'

const chooses = ({ name }: Place): boolean => namesAction(name) !== undefined

/** Every argument that says what a call does. `believed`: its server marks the tool read-only, which only a verb contradicts. */
export const selectorsIn = (places: readonly Place[], believed: boolean): readonly Selector[] =>
  places.flatMap((place) => {
    const made =
      listed(place) ??
      flag(place) ??
      router(place) ??
      httpMethod(place) ??
      requestBody(place) ??
      freeText(place, believed) ??
      pipeline(place)
    return made === undefined ? [] : [made]
  })

function listed(place: Place): Selector | undefined {
  const items = place.schema['items']
  // A list of actions does each of them.
  const values = listedValues(place.schema) ?? (chooses(place) && isSchema(items) ? listedValues(items) : undefined)
  if (values === undefined) return undefined
  const verbs = new Map(values.map((value) => [value, listedVerb(place, value)]))
  const acts = [...verbs.values()].filter((evidence) => evidence !== undefined)
  const reads = values.some((value) => typeof value === 'string' && readingVerb(value)?.suffices === true)
  const unclear = chooses(place) && reads && !values.every((value) => typeof value === 'string' && looks(value))
  const worst = highest(acts) ?? (unclear ? mayDoMore(place) : undefined)
  if (worst === undefined || !(chooses(place) || reads)) return undefined
  return {
    place,
    worst,
    mayRead: values.some((value) => typeof value === 'string' && looks(value)),
    pick: (args) =>
      worstOf(
        given(place, args).flat(),
        // What is not listed is checked by the schema; where that cannot be run, it may be anything.
        (value) =>
          values.includes(value)
            ? (verbs.get(value) ?? readOr(value, mayDoMore(place)))
            : (acting(place, value) ?? mayDoMore(place)),
        'unset',
      ),
  }
}

/** Whether an argument must say what a call does, and can name readings only: `operation: list | get`. */
export const onlyReads = ({ name, path, schema, required }: Place): boolean => {
  const values = listedValues(schema) ?? []
  const isChoice = required && path.length === 1 && namesAction(name) === 'always' && values.length > 0
  return isChoice && values.every((value) => typeof value === 'string' && readingVerb(value)?.suffices === true)
}

/** What a value does that the server itself has listed. */
const listedVerb = (place: Place, value: unknown): Evidence | undefined => {
  const verb = typeof value === 'string' ? leadingVerb(value) : undefined
  // What is new beside what is old is no order to make something, where the argument need not say what is done.
  const isAdjective = value === 'new' && namesAction(place.name) !== 'always'
  return verb === undefined || isAdjective ? undefined : verbOf(place, verb)
}

const readOr = (value: unknown, otherwise: Evidence): Picked =>
  typeof value === 'string' && looks(value) ? 'reads' : otherwise

/** `delete: true`, `overwrite`, `mark_as_read`, `purge_after: "now"`, `update: {…}`. */
function flag(place: Place): Selector | undefined {
  // A flag that may be left out is a choice between yes or no and null.
  const choices = [place.schema, place.schema['anyOf'], place.schema['oneOf']].flat().filter(isSchema)
  const types = choices.flatMap((choice) => choice['type'] ?? [])
  const type = types.includes('boolean') ? 'boolean' : types.includes('object') ? 'object' : 'text'
  const { description } = place.schema
  const prose = typeof description === 'string' ? description : ''
  const writes = type === 'text' ? writesFile(place.name, prose) : undefined
  const verb = flagVerb(place.name, type) ?? writes
  if (verb === undefined) return undefined
  const worst = verbOf(place, verb)
  const isListed = listedValues(place.schema) !== undefined
  // What is saved "by default in the current directory" is saved all the same.
  const always = writes !== undefined && (place.required || /\bdefault/i.test(prose))
  if (always) return { place, worst, mayRead: false, always: true, pick: () => worst }
  return {
    place,
    worst,
    mayRead: false,
    pick: (args) => worstOf(given(place, args), (value) => (isSet(value, isListed) ? worst : 'nothing'), 'nothing'),
  }
}

/**
 * Free text that says what a call does. Under a name that always does, whatever is not plainly a reading may be more;
 * under one that may be a cursor or a speed, a verb in it counts.
 */
function freeText(place: Place, believed: boolean): Selector | undefined {
  const says = namesAction(place.name) ?? withinAction(place)
  if (says === undefined || !takesText(place.schema)) return undefined
  const judge = (value: unknown): Picked => {
    const action = actionIn(value, says)
    if (action === undefined) return 'nothing'
    if (action !== 'unclear') return verbOf(place, action)
    return believed ? 'nothing' : mayDoMore(place)
  }
  return {
    place,
    worst: mayDoAnything(place),
    mayRead: false,
    pick: (args) => worstOf(given(place, args), judge, 'nothing'),
  }
}

/** `action: { name: "delete" }`, `operations: [{ type: "delete" }]`, `then: { what: "delete" }`. */
const withinAction = ({ name, path }: Place): 'always' | 'sometimes' | undefined => {
  const around = path.slice(0, -1).filter((key) => key !== '*')
  if (!around.some((key) => namesAction(key) === 'always')) return undefined
  return ['name', 'type', 'kind'].includes(name) && namesAction(around.at(-1) ?? '') === 'always'
    ? 'always'
    : 'sometimes'
}

/** MongoDB's aggregation reads, unless a stage of it writes. */
function pipeline(place: Place): Selector | undefined {
  if (place.name !== 'pipeline') return undefined
  const worst: Evidence = {
    risk: 'high',
    operation: 'destructive',
    reason: 'Its pipeline may write with "$out" or "$merge", so it is high.',
  }
  return {
    place,
    worst,
    mayRead: false,
    pick: (args) => (/\$(?:out|merge)\b/.test(JSON.stringify(valuesAt(args, place.path))) ? worst : 'nothing'),
  }
}
