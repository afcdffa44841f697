// Everything that can be counted before the first query: in which tools and on which servers each word occurs and how
// much it weighs there, and which words say little because they lead every second name. A gateway keeps this for as long as
// it runs, so words are numbers and tables are arrays of numbers.
import { createPostings, documentsWith, type Postings } from './postings.ts'
import { FIELDS, readTool, type Field, type IndexedTool } from './tool-text.ts'
import { readTexts, type Lists, type Vocabulary } from './vocabulary.ts'
import type { Weights } from './weights.ts'

export interface Catalogue {
  readonly tools: readonly IndexedTool[]
  readonly vocabulary: Vocabulary
  /** Where the terms are in tools; marked with a `PART`. */
  readonly inTools: Postings
  readonly inServers: Postings
  /** Per tool: the terms of its name, each once, and what they weigh together. */
  readonly nameTerms: Lists
  readonly nameWeight: Float64Array
  readonly serverOf: Uint32Array
  readonly toolsOf: readonly (readonly number[])[]
  /** How much a term says about which tool is meant. */
  readonly rarity: Float64Array
  /** The same about which server. */
  readonly serverRarity: Float64Array
}

/** Where in a tool a term is. Its head is its name and its first sentence. */
export const PART = { elsewhere: 0, head: 1, name: 2 } as const

const partOf = (field: Field): number =>
  field === 'name' ? PART.name : field === 'summary' ? PART.head : PART.elsewhere

/** By what a server is known, and what a word of it counts. */
const SPOKEN: Readonly<Partial<Record<Field, number>>> = { name: 2, summary: 1, detail: 1, server: 2 }

const LEADING_SERVERS = 3

/** The terms of one field of one tool, from `from` to `to` in the items of all. */
type Bounds = (tool: number, field: number) => readonly [from: number, to: number]

/** Counts the words of all tools. */
export function createCatalogue(tools: readonly IndexedTool[], weights: Weights): Catalogue {
  const { vocabulary, lists } = readTexts(fieldsOf(tools))
  const { starts, items } = lists
  const bounds: Bounds = (tool, field) => {
    const list = tool * FIELDS.length + field
    return [starts[list]!, starts[list + 1]!]
  }
  const { serverOf, toolsOf } = readServers(tools)
  const inTools = countTools(tools.length, vocabulary.size, items, bounds, weights)
  const inServers = countServers(toolsOf, vocabulary.size, items, bounds)

  const nameTerms = listsOf(tools.map((_, tool) => new Set(items.subarray(...bounds(tool, FIELDS.indexOf('name'))))))
  const verbs = leadingTerms(nameTerms, serverOf)
  const inNames = new Set(nameTerms.items)
  for (let tool = 0; tool < tools.length; tool++)
    for (const term of items.subarray(...bounds(tool, FIELDS.indexOf('server')))) inNames.add(term)
  const rarityIn = (postings: Postings, size: number): Float64Array =>
    Float64Array.from({ length: vocabulary.size }, (_, term) => {
      const found = documentsWith(postings, term)
      const worth = (inNames.has(term) ? 1 : weights.nameless) * (verbs.has(term) ? weights.verb : 1)
      return found === 0 ? 0 : worth * Math.log(1 + (size - found + 0.5) / (found + 0.5))
    })
  const rarity = rarityIn(inTools, tools.length)
  return {
    tools,
    vocabulary,
    inTools,
    inServers,
    nameTerms,
    nameWeight: Float64Array.from(tools, (_, tool) =>
      listAt(nameTerms, tool).reduce((sum, term) => sum + rarity[term]!, 0),
    ),
    serverOf,
    toolsOf,
    rarity,
    serverRarity: rarityIn(inServers, toolsOf.length),
  }
}

/** One list of several. */
export const listAt = ({ starts, items }: Lists, at: number): Uint32Array => items.subarray(starts[at], starts[at + 1])

function listsOf(lists: readonly Iterable<number>[]): Lists {
  const items: number[] = []
  const ends = lists.map((list) => items.push(...list))
  return { starts: Uint32Array.from([0, ...ends]), items: Uint32Array.from(items) }
}

function* fieldsOf(tools: readonly IndexedTool[]): Iterable<string> {
  for (const tool of tools) {
    const texts = readTool(tool)
    for (const field of FIELDS) yield texts[field]
  }
}

function readServers(tools: readonly IndexedTool[]): { serverOf: Uint32Array; toolsOf: number[][] } {
  const numbers = new Map<string, number>()
  const toolsOf: number[][] = []
  const serverOf = Uint32Array.from(tools, ({ server }, tool) => {
    const number = numbers.get(server) ?? numbers.size
    numbers.set(server, number)
    ;(toolsOf[number] ??= []).push(tool)
    return number
  })
  return { serverOf, toolsOf }
}

/** Terms that begin names on several servers: the verbs of this catalogue, in whatever language it names its tools. */
function leadingTerms(nameTerms: Lists, serverOf: Uint32Array): ReadonlySet<number> {
  const led = new Map<number, Set<number>>()
  serverOf.forEach((server, tool) => {
    const [first] = listAt(nameTerms, tool)
    if (first !== undefined) led.set(first, (led.get(first) ?? new Set()).add(server))
  })
  return new Set([...led].filter(([, servers]) => servers.size >= LEADING_SERVERS).map(([term]) => term))
}

/** A word counts by its field, and for less in a field that is longer there than elsewhere. */
function countTools(size: number, terms: number, items: Uint32Array, bounds: Bounds, weights: Weights): Postings {
  const means = FIELDS.map((_, field) => {
    let sum = 0
    for (let tool = 0; tool < size; tool++) {
      const [from, to] = bounds(tool, field)
      sum += to - from
    }
    return sum / size || 1
  })
  const postings = createPostings(terms)
  for (let tool = 0; tool < size; tool++) {
    FIELDS.forEach((name, field) => {
      const [from, to] = bounds(tool, field)
      const each = weights.field[name] / (1 + weights.length[name] * ((to - from) / means[field]! - 1))
      for (let i = from; i < to; i++) postings.add(items[i]!, each, partOf(name))
    })
    postings.end(tool)
  }
  return postings.byTerm()
}

/** One document per server: the names and summaries of its tools, saturated and normalised for length at once. */
function countServers(
  toolsOf: readonly (readonly number[])[],
  terms: number,
  items: Uint32Array,
  bounds: Bounds,
): Postings {
  const spoken = FIELDS.flatMap((name, field) => {
    const each = SPOKEN[name]
    return each === undefined ? [] : [{ field, each }]
  })
  const lengths = toolsOf.map((tools) => {
    let length = 0
    for (const tool of tools)
      for (const { field } of spoken) {
        const [from, to] = bounds(tool, field)
        length += to - from
      }
    return length
  })
  const mean = lengths.reduce((sum, length) => sum + length, 0) / toolsOf.length || 1
  const postings = createPostings(terms)
  toolsOf.forEach((tools, server) => {
    for (const tool of tools)
      for (const { field, each } of spoken) {
        const [from, to] = bounds(tool, field)
        for (let i = from; i < to; i++) postings.add(items[i]!, each)
      }
    const length = 0.4 + (0.6 * lengths[server]!) / mean
    postings.end(server, (count) => count / (count + 2 * length))
  })
  return postings.byTerm()
}
