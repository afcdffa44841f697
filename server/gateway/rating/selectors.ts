// One tool, many actions: an argument says which (`operation: get | set`, an HTTP method, the sub-command of a router, a
// flag). Such a tool is rated by what each call names; where a call names nothing, it is rated as the worst.
import { flagVerb, writesFile } from './argument-verbs.ts'
import { leadingVerb, readingVerb } from './tool-name.ts'
import { isReading, type FoundVerb } from './verbs.ts'
import { wordsOf } from './words.ts'
import { actionIn, isPlainReading, looks, namesAction } from './action-names.ts'
import { verbEvidence, type Evidence } from './evidence.ts'
import { isSchema } from '../../tools/json-schema.ts'
import { listedValues, takesText, valuesAt, type Place } from './schema-places.ts'
import { risks } from '../../model/risk.ts'

/**
 * What one argument makes of a call. `unset`: it is not given, so the call may be the worst of it, unless the tool's name
 * reads, because then the argument filters.
 */
export type Picked = 'reads' | 'nothing' | 'unset' | Evidence

export interface Selector {
  readonly place: Place
  /** The worst that it can make of a call. */
  readonly worst: Evidence
  /** Whether some value makes a read of the call. */
  readonly mayRead: boolean
  /** Whether it is the worst in every call. */
  readonly always?: true
  pick(args: unknown): Picked
}

/** Arguments of a router's sub-command. */
const carried = ['parameters', 'params', 'arguments', 'args', 'options', 'input']

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

/** Whether this argument is a router's sub-command, and so no program by itself. */
export const isRouted = (place: Place): boolean => router(place) !== undefined

/** Where routers take the arguments of their sub-commands. */
export const argumentsOfRouters = (places: readonly Place[]): readonly (readonly string[])[] =>
  places
    .filter(isRouted)
    .flatMap(({ path, siblings }) =>
      carried.filter((name) => Object.hasOwn(siblings, name)).map((name) => [...path.slice(0, -1), name]),
    )

const highest = (evidence: readonly Evidence[]): Evidence | undefined =>
  evidence.toSorted((a, b) => risks.indexOf(b.risk) - risks.indexOf(a.risk))[0]

/** Free text may name any action. */
const mayDoAnything = (place: Place): Evidence => ({
  risk: 'critical',
  operation: 'destructive',
  reason: `Its argument "${place.name}" says what it does, and can say anything, so it may be critical.`,
})

/** A verb that acts is never below high: what creates in one call deletes in the next. */
const verbOf = (place: Place, verb: FoundVerb): Evidence =>
  verbEvidence(`Its argument "${place.name}"`, verb.risk === 'medium' ? { ...verb, risk: 'high' } : verb)

function acting(place: Place, value: unknown): Evidence | undefined {
  const verb = actionIn(value, 'sometimes')
  if (verb === undefined) return undefined
  return verb === 'unclear' ? mayDoMore(place) : verbOf(place, verb)
}

const mayDoMore = (place: Place): Evidence => ({
  risk: 'high',
  operation: 'write',
  reason: `Its argument "${place.name}" says what it does, and can say more than reading, so it is high.`,
})

/** The values that a call gives, or what its schema puts there. */
const given = ({ path, schema }: Place, args: unknown): readonly unknown[] => {
  const values = valuesAt(args, path)
  return values.length === 0 && Object.hasOwn(schema, 'default') ? [schema['default']] : values
}

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

/** The worst of what several values make of a call. */
function worstOf(values: readonly unknown[], judge: (value: unknown) => Picked, absent: Picked): Picked {
  const picked = values.map(judge)
  if (picked.length === 0) return absent
  const evidence = highest(picked.filter((each) => typeof each === 'object'))
  return (
    evidence ??
    (picked.every((each) => each === 'reads') ? 'reads' : (picked.find((each) => each !== 'reads') ?? absent))
  )
}

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

/** Whether a value asks for what its argument is named after; of free text only none at all does not. */
function isSet(value: unknown, isListed: boolean): boolean {
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  if (isListed && typeof value === 'string' && /^(?:no|none|never|false|off|keep)$/i.test(value)) return false
  return value !== undefined && value !== null && value !== false && value !== 0 && value !== ''
}

/** A command by its name beside an object with its arguments, as Azure's server has it. */
function router(place: Place): Selector | undefined {
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

/** A request whose method is free text. */
function httpMethod(place: Place): Selector | undefined {
  const { name, path, schema, siblings } = place
  const word = wordsOf(name).join('')
  if (!['method', 'httpmethod', 'requestmethod', 'verb', 'httpverb'].includes(word) || !takesText(schema))
    return undefined
  const addressed = ['url', 'uri', 'endpoint', 'path', 'href'].some((each) => Object.hasOwn(siblings, each))
  // As `fetch` has it: `{ url, options: { method } }`.
  const inOptions = ['options', 'init', 'request', 'config'].includes(path.at(-2) ?? '')
  if (!addressed && !inOptions) return undefined
  const judge = (value: unknown): Picked =>
    typeof value === 'string' && /^(?:get|head|options)$/i.test(value)
      ? 'reads'
      : (acting(place, value) ?? mayDoMore(place))
  return {
    place,
    worst: mayDoAnything(place),
    mayRead: true,
    pick: (args) => worstOf(given(place, args), judge, mayDoMore(place)),
  }
}

/** Names of what a request carries, beside those that end in "body" or "payload". */
const bodies = new Set(
  'data form json postdata postbody requestdata formdata formfields multipart urlencoded'.split(' '),
)

/** What a request carries besides its address is a write of most servers, whatever its method is called. */
function requestBody(place: Place): Selector | undefined {
  const { name, siblings } = place
  const words = wordsOf(name)
  if (!bodies.has(words.join('')) && !['body', 'payload'].includes(words.at(-1) ?? '')) return undefined
  // `include_body: true`, `max_body: 1000`: about what comes back.
  const types = [place.schema['type']].flat()
  if (types.length > 0 && types.every((type) => ['boolean', 'number', 'integer'].includes(String(type))))
    return undefined
  if (!['url', 'uri', 'endpoint', 'href'].some((each) => Object.hasOwn(siblings, each))) return undefined
  return {
    place,
    worst: mayDoMore(place),
    mayRead: false,
    pick: (args) =>
      worstOf(given(place, args), (value) => (isSet(value, false) ? mayDoMore(place) : 'nothing'), 'nothing'),
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
