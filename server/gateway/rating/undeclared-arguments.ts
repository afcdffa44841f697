// A tool is rated by what it declares, and a schema that is not closed lets a call carry more than that: `search` with
// `{"sql": "DELETE …"}`. Where its server vouches for nothing, what a call carries beside it is what nobody has looked at.
import { flagVerb } from './argument-verbs.ts'
import { readingVerb } from './tool-name.ts'
import { verbClass } from './verbs.ts'
import { wordsOf } from './words.ts'
import { actionIn, namesHttpMethod, namesAction } from './action-names.ts'
import { namesProgram } from './code-arguments.ts'
import { listedValues, valuesAt, type Place } from './schema-places.ts'
import { argumentsOfRouters } from './router-arguments.ts'

interface Node {
  readonly below: Map<string, Node>
}

/** Where in a call's arguments something stands, as keys and indexes. */
type At = readonly (string | number)[]

/** What a call carries that its tool does not declare. */
export interface Undeclared {
  readonly at: At
  /** Whether it stands, or may stand, in a text that is written as JSON. */
  readonly inText: boolean
}

/** More of them in one call are not looked for. */
const mostFound = 20

/**
 * Finds what a call carries that its schema does not declare, at any depth; the first ones. What it is compared with is made
 * for the first call: of the tools that are rated few are called.
 */
export function undeclaredBeside(
  tool: string,
  declared: () => readonly Place[],
): (args: unknown) => readonly Undeclared[] {
  let known: ReturnType<typeof knownOf> | undefined
  return (args) => {
    const { root, routed, choices, documents } = (known ??= knownOf(tool, declared()))
    const found: Undeclared[] = choices
      .filter((choice) => choosesOther(choice, args))
      .map(({ path }) => ({ at: path, inText: false }))
    const isDocument = ([name, value]: [string, unknown]): boolean => typeof value === 'string' && documents.has(name)
    walk(Object.fromEntries(Object.entries(args ?? {}).filter((each) => !isDocument(each))), root, routed, [], found)
    return found
  }
}

function knownOf(tool: string, places: readonly Place[]) {
  const taken = argumentsOfRouters(places)
  return {
    root: treeOf(places.map(({ path }) => path)),
    routed: taken.length === 0 ? undefined : treeOf(taken),
    choices: choicesIn(places),
    documents: documentsOf(tool, places),
  }
}

/** Verbs of tools that look at a text as a whole, and names of arguments that hold it: `parse_json({ text })`. */
const examining = new Set('parse validate analyze analyse compare diff summarize summarise translate'.split(' '))
/** The whole name: a `filter_json` is JSON that says what to do. */
const documentNames = /^(?:input|source|raw)?(?:text|document|content|json|yaml|xml|html|markdown|csv)$/

/** Arguments whose text is what the tool examines: whatever that says, it is not done. */
const documentsOf = (tool: string, places: readonly Place[]): ReadonlySet<string> =>
  new Set(
    examining.has(readingVerb(tool)?.verb ?? '')
      ? places
          .filter(({ path, name }) => path.length === 1 && documentNames.test(wordsOf(name).join('')))
          .map(({ name }) => name)
      : [],
  )

/** An argument that says what a call does, and all that its schema lists for it, in every branch. */
interface Choice {
  readonly path: readonly string[]
  readonly values: readonly unknown[]
}

function choicesIn(places: readonly Place[]): readonly Choice[] {
  const byPath = Map.groupBy(
    places.filter(({ name }) => namesAction(name) !== undefined),
    ({ path }) => path.join('\n'),
  )
  return [...byPath.values()].flatMap((same) => {
    const lists = same.map(({ schema }) => listedValues(schema))
    const values = lists.flatMap((list) => list ?? [])
    const isFree = lists.includes(undefined) || values.some((value) => typeof value === 'object' && value !== null)
    const path = same[0]?.path
    return isFree || path === undefined ? [] : [{ path, values }]
  })
}

/** A check of the schema refuses that; where it cannot be run, the value is one that nobody has declared. */
const choosesOther = ({ path, values }: Choice, args: unknown): boolean =>
  valuesAt(args, path)
    .flat()
    .some((value) => value !== null && !values.includes(value))

/** Finds what a call carries at the root of its arguments that its schema does not declare, and looks no deeper. */
export function undeclaredAtRoot(declared: () => readonly Place[]): (args: unknown) => readonly Undeclared[] {
  let known: ReadonlySet<string | undefined> | undefined
  return (args) => {
    const names = (known ??= new Set(declared().map(({ path }) => path[0])))
    return Object.keys(typeof args === 'object' && args !== null ? args : {})
      .filter((key) => key === '*' || !names.has(key))
      .slice(0, mostFound)
      .map((key) => ({ at: [key], inText: false }))
  }
}

function treeOf(paths: readonly (readonly string[])[]): Node {
  const root: Node = { below: new Map() }
  for (const path of paths) {
    let node = root
    for (const key of path) {
      const next = node.below.get(key) ?? { below: new Map() }
      node.below.set(key, next)
      node = next
    }
  }
  return root
}

/** `routed`: the way to the object in which a router's sub-command gets its own arguments; a leaf of it is that object. */
function walk(value: unknown, node: Node | undefined, routed: Node | undefined, at: At, found: Undeclared[]): void {
  if (typeof value === 'string') return found.length < mostFound ? findInText(value, at, found) : undefined
  if (typeof value !== 'object' || value === null || found.length >= mostFound) return
  if (routed?.below.size === 0) return findNamedActions(value, { at, inText: false }, found)
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries())
      walk(item, node?.below.get('*'), routed?.below.get('*'), [...at, index], found)
    return
  }
  for (const [key, member] of Object.entries(value)) {
    // "*" stands for every item of a list, and is nobody's name.
    const next = key === '*' ? undefined : node?.below.get(key)
    if (next !== undefined) walk(member, next, routed?.below.get(key), [...at, key], found)
    else if (found.length < mostFound) found.push({ at: [...at, key], inText: false })
  }
}

/** What a text says that is an object or a list, written as JSON: `options: '{"method": "DELETE"}'`. */
function findInText(text: string, at: At, found: Undeclared[]): void {
  const here = { at, inText: true }
  const begun = withoutComments(text.slice(0, mostBlanks))
  if (!/^["[{]/.test(begun) && !(begun === '' && text.length > mostBlanks)) return
  // Nobody has looked at what is longer, and padding must hide nothing.
  if (text.length > longestJson) return void (begun.startsWith('"') || found.push(here))
  let value: unknown
  try {
    value = JSON.parse(text.replace(/^[\s\p{Cf}]+/u, ''))
  } catch {
    // JSON5, several objects in a row: a reader less strict than ours may take them, and nobody knows as what.
    if (opensObject.test(withoutComments(text)) || writesNamedAction(withoutComments(text))) found.push(here)
    return
  }
  // Of a name that stands twice we would judge one value, and whoever reads the text might take the other.
  if (namesWritten(text) !== namesIn(value)) return void found.push(here)
  findNamedActions(value, here, found)
}

const withoutComments = (text: string): string =>
  text.replace(/^(?:[\s\p{Cf}]|\/\/[^\n]*(?:\n|$)|\/\*(?:[^*]|\*(?!\/))*(?:\*\/|$))+/u, '')

/** An object with a name in it, or a list with one or with texts: `{sql: …`, `["a", …`. Not "[note] …", nor a `{selector="x"}`. */
const opensObject =
  /^(?:\[[\s\p{Cf}]*["'[{]|\{(?:[\s\p{Cf},]|\/\*(?:[^*]|\*(?!\/))*\*\/|\/\/[^\n]*\n)*(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|[\p{L}_$\\][\p{L}\p{N}_$\\{}-]*)(?:[\s\p{Cf}]|\/\*(?:[^*]|\*(?!\/))*\*\/)*:)/u

/** What titles begin with: "[note] …". */
const label = /^\[(?:[^\][{"':=]|(?<=\p{L})')*\]/u

/**
 * Whether what is nearly JSON, or YAML written like it, names an action: `{}{"method": …`, `[1, {sql: …`, `{method=…`. A
 * name counts behind a brace, and in a list that is more than a label.
 */
function writesNamedAction(text: string): boolean {
  const plain = text
    .replace(/\/\*(?:[^*]|\*(?!\/))*\*\//g, ' ')
    .replace(/\\u([\da-f]{4})|\\x([\da-f]{2})/gi, (_, long = '', short = '') =>
      String.fromCharCode(Number.parseInt(`${long}${short}`, 16)),
    )
  const brace = plain.indexOf('{')
  const isList = plain.startsWith('[') && !label.test(plain)
  const named =
    /(\[\s*["']?)?(?<![\p{L}\p{N}_$-])([\p{L}_$][\p{L}\p{N}_$-]{0,60})["']?[\s\p{Cf}]*[:=]\s*(true|false)?/gu
  let sometimes = false
  for (const { index, 0: written, 1: opening, 2: name = '', 3: flag } of plain.matchAll(named)) {
    if (!isList && opening === undefined && (brace === -1 || brace > index)) continue
    const says = namesAction(name) ?? (isKind(name) ? 'sometimes' : undefined)
    if (says === 'always' || isNamedAction(name, flag === undefined ? '' : true)) return true
    // Where its value ends is not known; what stands behind a later name stands behind the first one as well.
    if (says === undefined || sometimes) continue
    sometimes = true
    if (isUnambiguous(actionIn(plain.slice(index + written.length), says))) return true
  }
  return false
}

/** How many names the JSON of this text writes down. */
const namesWritten = (text: string): number =>
  [...text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)].filter(([, colon]) => colon !== undefined).length

const namesIn = (value: unknown): number =>
  typeof value !== 'object' || value === null
    ? 0
    : Object.values(value).reduce<number>(
        (sum, member) => sum + namesIn(member),
        Array.isArray(value) ? 0 : Object.keys(value).length,
      )

/** In characters, before a text begins. */
const mostBlanks = 1000
/** In characters of JSON within a text. */
const longestJson = 20_000
/** Deeper than any arguments are taken. */
const deepest = 64

const isKind = (name: string): boolean => name === 'type' || name === 'kind'

/** Of what kind something is, a noun says: "order", "message". */
const isUnambiguous = (action: ReturnType<typeof actionIn>): boolean =>
  typeof action === 'object' ? verbClass(action.verb) !== undefined : action !== undefined

function isNamedAction(name: string, value: unknown): boolean {
  if (namesProgram(name) || namesHttpMethod(name) || flagVerb(name, typeof value) !== undefined) return true
  if (isKind(name)) return isUnambiguous(actionIn(value, 'sometimes'))
  const says = namesAction(name)
  return says !== undefined && actionIn(value, says) !== undefined
}

/** What is declared nowhere, and may well be meant so: a name that says an action or a program speaks for itself. */
function findNamedActions(value: unknown, within: Undeclared, found: Undeclared[]): void {
  if (found.length >= mostFound) return
  if (typeof value === 'string') return findInText(value, within.at, found)
  if (typeof value !== 'object' || value === null) return
  if (within.at.length > deepest) return void found.push(within)
  for (const [key, member] of Object.entries(value)) {
    const here = { ...within, at: [...within.at, key] }
    if (found.length < mostFound && isNamedAction(key, member)) found.push(here)
    else findNamedActions(member, here, found)
  }
}
