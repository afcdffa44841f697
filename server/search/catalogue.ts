// Everything that can be counted before the first query: in which tools and on which servers each word occurs and how
// much it weighs there, and which words say little because they lead every second name.
import { FIELDS, readTool, type IndexedTool, type ToolText } from './tool-text.ts'
import type { Weights } from './weights.ts'
import { terms } from './words.ts'

/** Where one word occurs: parallel lists of position and weight. */
interface Postings {
  readonly at: number[]
  readonly weight: number[]
}

export interface Catalogue {
  readonly tools: readonly IndexedTool[]
  /** What a call must bring and which names the prose mentions. The words themselves are counted and let go. */
  readonly needs: readonly Pick<ToolText, 'required' | 'mentions'>[]
  readonly vocabulary: ReadonlySet<string>
  readonly inTools: ReadonlyMap<string, Postings>
  /** Tools whose name holds the word. */
  readonly inNames: ReadonlyMap<string, readonly number[]>
  /** Tools whose name or summary holds the word. */
  readonly inHeads: ReadonlyMap<string, readonly number[]>
  readonly inServers: ReadonlyMap<string, Postings>
  /** Per tool: the terms of its name, and what they weigh together. */
  readonly nameTerms: readonly (readonly string[])[]
  readonly nameWeight: Float64Array
  readonly serverOf: Uint32Array
  readonly toolsOf: readonly (readonly number[])[]
  /** How much a word says about which tool is meant. */
  rarity(term: string): number
  /** The same about which server. */
  serverRarity(term: string): number
}

const LEADING_SERVERS = 3

/** Counts the words of all tools. */
export function createCatalogue(tools: readonly IndexedTool[], weights: Weights): Catalogue {
  const texts = tools.map(readTool)
  const vocabulary = new Set<string>()
  for (const { words } of texts) for (const field of FIELDS) for (const word of words[field]) vocabulary.add(word)
  const fields = FIELDS.map((field) => texts.map((text) => terms(text.words[field], vocabulary)))
  const { serverOf, toolsOf } = readServers(tools)

  const inTools = new Map<string, Postings>()
  const means = fields.map((lists) => lists.reduce((sum, list) => sum + list.length, 0) / tools.length || 1)
  for (let tool = 0; tool < tools.length; tool++) {
    const counted = new Map<string, number>()
    FIELDS.forEach((field, f) => {
      const list = fields[f]![tool]!
      const each = weights.field[field] / (1 + weights.length[field] * (list.length / means[f]! - 1))
      for (const term of list) counted.set(term, (counted.get(term) ?? 0) + each)
    })
    for (const [term, weight] of counted) post(inTools, term, tool, weight)
  }

  const names = fields[FIELDS.indexOf('name')]!
  const nameTerms = names.map((list) => [...new Set(list)])
  const summaries = fields[FIELDS.indexOf('summary')]!
  const inNames = holders(nameTerms)
  const inHeads = holders(names.map((list, tool) => [...new Set([...list, ...summaries[tool]!])]))
  const serverNames = new Set(fields[FIELDS.indexOf('server')]!.flat())
  const verbs = leadingTerms(names, serverOf)
  const inServers = countServers(fields, toolsOf)
  const worth = (term: string): number =>
    (inNames.has(term) || serverNames.has(term) ? 1 : weights.nameless) * (verbs.has(term) ? weights.verb : 1)
  const rarity = numberIn(rarityIn(inTools, tools.length, worth))
  return {
    tools,
    needs: texts.map(({ required, mentions }) => ({ required, mentions })),
    vocabulary,
    inTools,
    inNames,
    inHeads,
    inServers,
    nameTerms,
    nameWeight: Float64Array.from(nameTerms, (list) => list.reduce((sum, term) => sum + rarity(term), 0)),
    serverOf,
    toolsOf,
    rarity,
    serverRarity: numberIn(rarityIn(inServers, toolsOf.length, worth)),
  }
}

/** A function of its own: one that is made among the words of all tools would keep them. */
const numberIn =
  (numbers: ReadonlyMap<string, number>) =>
  (term: string): number =>
    numbers.get(term) ?? 0

function post(postings: Map<string, Postings>, term: string, at: number, weight: number): void {
  let list = postings.get(term)
  if (list === undefined) postings.set(term, (list = { at: [], weight: [] }))
  list.at.push(at)
  list.weight.push(weight)
}

function holders(lists: readonly (readonly string[])[]): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>()
  lists.forEach((list, tool) => {
    for (const term of list) {
      const known = found.get(term)
      if (known === undefined) found.set(term, [tool])
      else known.push(tool)
    }
  })
  return found
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

/** Words that begin names on several servers: the verbs of this catalogue, in whatever language it names its tools. */
function leadingTerms(names: readonly (readonly string[])[], serverOf: Uint32Array): ReadonlySet<string> {
  const led = new Map<string, Set<number>>()
  names.forEach(([first], tool) => {
    if (first !== undefined) led.set(first, (led.get(first) ?? new Set()).add(serverOf[tool]!))
  })
  return new Set([...led].filter(([, servers]) => servers.size >= LEADING_SERVERS).map(([term]) => term))
}

/** One document per server: the names and summaries of its tools, saturated and normalised for length at once. */
function countServers(fields: string[][][], toolsOf: readonly (readonly number[])[]): Map<string, Postings> {
  const spoken = (
    [
      ['name', 2],
      ['summary', 1],
      ['detail', 1],
      ['server', 2],
    ] as const
  ).map(([field, each]) => [fields[FIELDS.indexOf(field)]!, each] as const)
  const lengths = toolsOf.map((tools) =>
    tools.reduce((sum, tool) => sum + spoken.reduce((length, [lists]) => length + lists[tool]!.length, 0), 0),
  )
  const mean = lengths.reduce((sum, length) => sum + length, 0) / toolsOf.length || 1
  const postings = new Map<string, Postings>()
  toolsOf.forEach((tools, server) => {
    const counted = new Map<string, number>()
    for (const [lists, each] of spoken)
      for (const tool of tools) for (const term of lists[tool]!) counted.set(term, (counted.get(term) ?? 0) + each)
    const length = 0.4 + (0.6 * lengths[server]!) / mean
    for (const [term, count] of counted) post(postings, term, server, count / (count + 2 * length))
  })
  return postings
}

function rarityIn(postings: Map<string, Postings>, size: number, worth: (term: string) => number): Map<string, number> {
  return new Map(
    [...postings].map(([term, { at }]) => [
      term,
      worth(term) * Math.log(1 + (size - at.length + 0.5) / (at.length + 0.5)),
    ]),
  )
}
