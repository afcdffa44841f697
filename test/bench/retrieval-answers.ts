// What an agent gets from `retrieve_tools`: how many tokens it reads, and how often "nothing fits" is right. Tasks that
// nothing serves are made by leaving out every server with a tool that the task needs; another server may serve some of
// them all the same, so what is found of those is a lower bound. Beside the annotated tasks stand short queries of our own
// (`short-queries.json`, written before anything was measured with them): half of them no server of this data serves.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { cardText } from '../../server/cards/card-text.ts'
import { upstreamTools } from '../../server/gateway/contract/upstream-contracts.ts'
import { createRetriever, retrieveTool } from '../../server/gateway/call-tools/retrieve.ts'
import { defaultLifecycle } from '../../server/gateway/upstream/connection/lifecycle-options.ts'
import { definitionDigest, readDefinition } from '../../server/gateway/upstream/definitions/definition.ts'
import { stdioServerSchema } from '../../server/gateway/upstream/settings/upstream-config.schema.ts'
import { createUpstream } from '../../server/gateway/upstream/upstream.ts'
import type { Card } from '../../server/model/card.ts'
import type { ReadContract, RunContext } from '../../server/tools/contract.ts'
import { FIT_LIMITS, isEnough, type FitLimits } from '../../server/search/fit.ts'
import { createToolIndex, type ToolIndex } from '../../server/search/tool-index.ts'
import { bareName, type IndexedTool } from '../../server/search/tool-text.ts'
import { quantile, table } from './figures.ts'
import { parsed } from '../kit/schemas.ts'

// Installed for benchmarks only (`package.json` beside this file), so the types of this tree cannot be made of it.
const { countTokens } = createRequire(import.meta.url)('gpt-tokenizer/encoding/o200k_base') as {
  readonly countTokens: (text: string) => number
}

export interface Query {
  readonly query: string
  /** Names of the tools that it needs; none where no tool of the data serves it. */
  readonly tools: readonly string[]
}

/** Short queries as agents write them. */
export const shortQueries = (): readonly Query[] =>
  JSON.parse(readFileSync(new URL('short-queries.json', import.meta.url), 'utf8')) as Query[]

/** Prints what the answers cost, in tokens of o200k_base. */
export async function printAnswers(tools: readonly IndexedTool[], queries: readonly Query[]): Promise<void> {
  const servers = new Map<string, IndexedTool[]>()
  for (const tool of tools) servers.set(tool.server, [...(servers.get(tool.server) ?? []), tool])
  const config = stdioServerSchema.parse({ command: 'never-started' })
  const all = [...servers].flatMap(([name, listed]) =>
    upstreamTools(
      createUpstream(name, config, { ...defaultLifecycle, version: '0', now: Date.now }),
      listed.flatMap((tool) => {
        const read = readDefinition({ ...tool, annotations: tool.annotations ?? undefined, name: bareName(tool) })
        return read.ok ? [{ definition: read.value, digest: definitionDigest(read.value.raw) }] : []
      }),
    ),
  )
  const contract = retrieveTool({ retriever: createRetriever(() => all), missing: () => [], late: () => undefined })
  const costs = async (more: object) => {
    const read: { json: number; text: number }[] = []
    for (const { query } of queries) {
      const asked = parsed(contract.input, { query, ...more })
      const answer = await contract.run(asked, { now: Date.now } as RunContext)
      const { cards } = contract as ReadContract
      const card = { blocks: [], ...cards?.result?.(asked, answer, { language: 'en' }) }
      read.push({ json: countTokens(JSON.stringify(answer)), text: countTokens(cardText(card as unknown as Card)) })
    }
    return read
  }
  const row = (name: string, counts: readonly number[]): string[] => [
    name,
    (counts.reduce((sum, count) => sum + count, 0) / counts.length).toFixed(0),
    quantile(counts, 0.95).toFixed(0),
    Math.max(...counts).toFixed(0),
  ]
  const [short, many, full] = [await costs({}), await costs({ limit: 100 }), await costs({ detail: 'full' })]
  console.log(`retrieval: tokens of an answer, ${queries.length} queries, ${all.length} tools`)
  console.log(
    table([
      ['', 'mean', 'p95', 'max'],
      row(
        'short, as JSON',
        short.map(({ json }) => json),
      ),
      row(
        'short, as text',
        short.map(({ text }) => text),
      ),
      row(
        'short, limit 100',
        many.map(({ json }) => json),
      ),
      row(
        'full, as JSON',
        full.map(({ json }) => json),
      ),
    ]),
  )
  console.log()
}

/** One query against one catalogue. */
interface Case {
  readonly query: number
  readonly size: number
  readonly kind: 'served' | 'left out' | 'served by none'
  /** Served, and among the ten best. */
  readonly isFound: boolean
  fits(limits: FitLimits): boolean
}

const sizes = [3, 12, Infinity]
/** Which other servers a catalogue has is drawn so often; a word that two servers share by chance weighs less. */
const draws = 3
const folds = 5
const grid: readonly FitLimits[] = [0.5, 1, 2, 3].flatMap((rarest) =>
  [0, 0.1, 0.2, 0.3, 0.4].flatMap((perSize) =>
    Array.from({ length: 30 }, (_, step) => ({ rarest, perSize, least: step / 10 - 1 })),
  ),
)
/** Of tools that would be found, so many may be withheld where limits are chosen. */
const mostWithheld = 0.04

/** Prints how often "nothing fits" is said, rightly and wrongly, with our limits and with limits chosen on other queries. */
export function printNothingFits(tools: readonly IndexedTool[], queries: readonly Query[], random: () => number): void {
  const cases = Array.from({ length: draws }, () =>
    queries.flatMap((query, at) => casesOf(tools, query, at, random)),
  ).flat()
  const chosen = Array.from({ length: folds }, (_, fold) => choose(cases.filter((each) => each.query % folds !== fold)))
  const silent = (given: readonly Case[], limitsOf: (of: Case) => FitLimits): number =>
    given.filter((each) => !each.fits(limitsOf(each))).length
  const row = (name: string, given: readonly Case[], limitsOf: (of: Case) => FitLimits): string[] => {
    const served = given.filter(({ isFound }) => isFound)
    const left = given.filter(({ kind }) => kind === 'left out')
    const none = given.filter(({ kind }) => kind === 'served by none')
    const [wrong, right] = [silent(served, limitsOf), silent([...left, ...none], limitsOf)]
    return [
      name,
      percent(right, right + wrong),
      percent(silent(none, limitsOf), none.length),
      percent(silent(left, limitsOf), left.length),
      percent(wrong, served.length),
    ]
  }
  const ours = (): FitLimits => FIT_LIMITS
  console.log(
    `retrieval: "nothing fits", ${queries.length} queries, each against ${draws} catalogues of ${sizes.join(', ')} servers`,
  )
  console.log(
    table([
      ['', 'precision', 'recall, served by none', 'recall, left out', 'withheld'],
      row('ours', cases, ours),
      ...sizes.map((size) =>
        row(
          `ours, ${size} servers`,
          cases.filter((each) => each.size === size),
          ours,
        ),
      ),
      row(`${folds}-fold`, cases, ({ query }) => chosen[query % folds]!),
    ]),
  )
  console.log(
    '  precision        of the answers "nothing fits", those to a query that nothing serves or whose servers were left out',
  )
  console.log(
    '  withheld         of the tools that would be among the ten best, those that "nothing fits" hides behind their names',
  )
  console.log(
    `  ${folds}-fold           limits chosen on the other folds: ${chosen.map((limits) => Object.values(limits).join('/')).join(', ')}`,
  )
  console.log()
}

const percent = (part: number, whole: number): string => (whole === 0 ? '–' : `${((100 * part) / whole).toFixed(0)} %`)

/** Says "nothing fits" as often as it can where it is right, while it withholds few tools. */
function choose(cases: readonly Case[]): FitLimits {
  const served = cases.filter(({ isFound }) => isFound)
  const unserved = cases.filter(({ kind }) => kind !== 'served')
  const silent = (given: readonly Case[], limits: FitLimits): number =>
    given.filter((each) => !each.fits(limits)).length
  return grid
    .filter((limits) => silent(served, limits) <= mostWithheld * served.length)
    .reduce((best, limits) => (silent(unserved, limits) > silent(unserved, best) ? limits : best), grid[0]!)
}

/** A query against catalogues of several sizes, with a server that serves it and without all that do. */
function casesOf(
  tools: readonly IndexedTool[],
  { query, tools: needed }: Query,
  at: number,
  random: () => number,
): Case[] {
  const wanted = new Set(needed)
  const all = [...new Set(tools.map(({ server }) => server))]
  const serving = all.filter((server) => tools.some((tool) => tool.server === server && wanted.has(bareName(tool))))
  const others = shuffled(
    all.filter((server) => !serving.includes(server)),
    random,
  )
  const indexOf = (servers: readonly string[]): ToolIndex => {
    const among = new Set(servers)
    return createToolIndex(tools.filter(({ server }) => among.has(server)))
  }
  const caseOf = (index: ToolIndex, size: number, kind: Case['kind']): Case => {
    const hits = index.search(query)
    const isFound = kind === 'served' && hits.some(({ tool }) => wanted.has(bareName(tool)))
    const evidence = index.evidence(query, hits)
    return { query: at, size, kind, isFound, fits: (limits) => isEnough(evidence, limits) }
  }
  return sizes.flatMap((size) => {
    if (needed.length === 0) return [caseOf(indexOf(others.slice(0, size)), size, 'served by none')]
    const few = shuffled(serving, random).slice(0, Math.min(2, size))
    return [
      caseOf(indexOf(others.slice(0, size)), size, 'left out'),
      caseOf(indexOf(size === Infinity ? all : [...few, ...others.slice(0, size - few.length)]), size, 'served'),
    ]
  })
}

const shuffled = <T>(given: readonly T[], random: () => number): T[] =>
  given
    .map((each) => ({ each, at: random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ each }) => each)
