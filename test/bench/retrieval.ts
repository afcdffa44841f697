// `retrieve_tools` is worth what it finds, so its ranking is measured on tasks that people annotated, against plain BM25
// in the same run. The tasks are not part of this repository: `--data DIR` or COUNTERSIGN_RETRIEVAL_DATA names a folder
// with `tools.json` ([{server, name, description, inputSchema, annotations}]) and one or more `queries*.json`
// ([{query, tools: [name, …]}]). A task's tools count by name: whichever server's tool of that name is found.
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createToolIndex } from '../../server/search/tool-index.ts'
import { bareName, type IndexedTool } from '../../server/search/tool-text.ts'
import { WEIGHTS, type Weights } from '../../server/search/weights.ts'
import { seeded } from '../kit/seeded.ts'
import type { Aim } from './aims.ts'
import { median, ms, quantile, table } from './figures.ts'
import { printAnswers, printNothingFits, shortQueries, type Query } from './retrieval-answers.ts'

/** The names found for a query, best first; several servers may offer the same name. */
type Ranking = (query: string) => readonly string[]

interface Quality {
  readonly recall5: number
  readonly recall10: number
  readonly mrr: number
}

const measures = ['recall5', 'recall10', 'mrr'] as const
const depth = 50
const folds = 5
const settings = 60
const resamples = 10_000
const manyTools = 10_000
const warmUp = 5
const rounds = 21

/** Measures and prints. */
export async function retrieval(): Promise<readonly Aim[]> {
  const { values } = parseArgs({ options: { data: { type: 'string' }, build: { type: 'boolean' } }, strict: false })
  const folder = typeof values['data'] === 'string' ? values['data'] : process.env['COUNTERSIGN_RETRIEVAL_DATA']
  if (folder === undefined || !existsSync(join(folder, 'tools.json'))) {
    console.log(`retrieval: not measured, ${folder === undefined ? 'no data given' : `no tools.json in ${folder}`}`)
    console.log('  pass --data DIR or set COUNTERSIGN_RETRIEVAL_DATA to a folder with tools.json and queries*.json')
    return []
  }
  const listed = readJson(join(folder, 'tools.json')) as IndexedTool[]
  const tools = listed.map((tool): IndexedTool => ({ ...tool, name: `${tool.server}:${tool.name}` }))
  if (values['build'] === true) {
    console.log(processorSeconds(() => createToolIndex(manyOf(tools))))
    return []
  }
  const files = readdirSync(folder).filter((name) => /^queries.*\.json$/.test(name))
  for (const file of files) {
    const queries = readQueries(folder, file)
    console.log(`retrieval: ${queries.length} tasks of ${file}, ${tools.length} tools`)
    printQuality(tools, queries)
    console.log()
  }
  const short = shortQueries()
  console.log('retrieval: short queries of short-queries.json that a tool of this data serves')
  printQuality(
    tools,
    short.filter((each) => each.tools.length > 0),
  )
  console.log()
  const asked = [...files.flatMap((file) => readQueries(folder, file)), ...short]
  await printAnswers(tools, asked)
  printNothingFits(tools, asked, seeded(3))
  return printSpeed(
    tools,
    files.flatMap((file) => readQueries(folder, file).map(({ query }) => query)),
    folder,
  )
}

const readJson = (file: string): unknown => JSON.parse(readFileSync(file, 'utf8'))
const readQueries = (folder: string, name: string): Query[] => readJson(join(folder, name)) as Query[]

function printQuality(tools: readonly IndexedTool[], queries: readonly Query[]): void {
  const plain = measure(plainBm25(tools), queries)
  const ours = measure(rankingOf(tools, WEIGHTS), queries)
  const bare = measure(rankingOf(tools, { ...WEIGHTS, neighbour: 0 }), queries)
  const crossed = crossValidate(tools, queries)
  const row = (name: string, quality: readonly Quality[]): string[] => [
    name,
    ...measures.map((measure) => mean(quality, measure).toFixed(3)),
  ]
  const gain = (name: string, quality: readonly Quality[]): string[] => [
    name,
    ...measures.map((measure) => interval(quality, plain, measure)),
  ]
  console.log(
    table([
      ['', 'recall@5', 'recall@10', 'MRR'],
      row('plain BM25', plain),
      row('ours', ours),
      row('ours, no thesaurus', bare),
      row(`ours, ${folds}-fold`, crossed),
      gain('ours − plain', ours),
      gain(`${folds}-fold − plain`, crossed),
    ]),
  )
  console.log()
  console.log('  plain BM25   lower-case words of name, description and schema; k1 1.2, b 0.75')
  console.log(`  ${folds}-fold       weights chosen from ${settings} random settings on the other folds only`)
  console.log(`  differences  mean and 95 % interval of a paired bootstrap over tasks, ${resamples} resamples`)
}

function rankingOf(tools: readonly IndexedTool[], weights: Weights): Ranking {
  const index = createToolIndex(tools, weights)
  return (query) => index.search(query, { limit: depth }).map(({ tool }) => bareName(tool))
}

function measure(ranking: Ranking, queries: readonly Query[]): readonly Quality[] {
  return queries.map(({ query, tools }) => {
    const found = ranking(query)
    const wanted = new Set(tools)
    const recall = (at: number): number => new Set(found.slice(0, at)).intersection(wanted).size / wanted.size
    const first = found.findIndex((name) => wanted.has(name))
    return { recall5: recall(5), recall10: recall(10), mrr: first === -1 ? 0 : 1 / (first + 1) }
  })
}

const mean = (quality: readonly Quality[], measure: (typeof measures)[number]): number =>
  quality.reduce((sum, each) => sum + each[measure], 0) / quality.length

/** What one would get by tuning on some tasks and expecting others: no task is measured with weights it helped to choose. */
function crossValidate(tools: readonly IndexedTool[], queries: readonly Query[]): readonly Quality[] {
  const random = seeded(7)
  const tried = Array.from({ length: settings }, () => measure(rankingOf(tools, randomWeights(random)), queries))
  const worth = (quality: readonly Quality[], fold: number): number =>
    quality.reduce(
      (sum, { recall5, recall10, mrr }, at) => sum + (at % folds === fold ? 0 : recall5 + recall10 + mrr),
      0,
    )
  const chosen = Array.from({ length: folds }, (_, fold) =>
    tried.reduce((best, each) => (worth(each, fold) > worth(best, fold) ? each : best)),
  )
  return queries.map((_, at) => chosen[at % folds]![at]!)
}

function randomWeights(random: () => number): Weights {
  const between = (least: number, most: number): number => least + random() * (most - least)
  return {
    ...WEIGHTS,
    field: {
      name: between(1, 5),
      summary: between(0.5, 3),
      detail: between(0.2, 1.5),
      parameter: between(0.2, 1.5),
      parameterText: between(0.1, 1),
      server: between(0.5, 3),
    },
    saturation: between(0.5, 2.5),
    neighbour: between(0.1, 0.8),
    nameless: between(0.4, 1),
    verb: between(0.2, 1),
    coverage: between(0, 0.9),
    serverFit: between(0, 2),
    step: between(0, 1),
    path: between(0.2, 1.5),
    now: between(0, 1.2),
    prerequisite: between(0, 0.9),
    resemblance: between(0, 0.6),
    sameServer: between(0.8, 1),
  }
}

/** The mean difference with its interval: tasks are drawn anew with replacement, both rankings on the same ones. */
function interval(ours: readonly Quality[], plain: readonly Quality[], measure: (typeof measures)[number]): string {
  const random = seeded(11)
  const differences = ours.map((each, at) => each[measure] - plain[at]![measure])
  const means = Array.from({ length: resamples }, () => {
    let sum = 0
    for (let i = 0; i < differences.length; i++) sum += differences[Math.floor(random() * differences.length)]!
    return sum / differences.length
  })
  const signed = (value: number): string => `${value < 0 ? '−' : '+'}${Math.abs(value).toFixed(3)}`
  const middle = differences.reduce((sum, each) => sum + each, 0) / differences.length
  return `${signed(middle)} [${signed(quantile(means, 0.025))}, ${signed(quantile(means, 0.975))}]`
}

/** The yardstick: Okapi BM25 over everything that a tool's definition says, as one bag of words. */
function plainBm25(tools: readonly IndexedTool[]): Ranking {
  const words = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  const documents = tools.map((tool) =>
    words(`${bareName(tool)} ${tool.description} ${JSON.stringify(tool.inputSchema)}`),
  )
  const length = documents.reduce((sum, document) => sum + document.length, 0) / documents.length
  const counts = documents.map((document) => {
    const count = new Map<string, number>()
    for (const word of document) count.set(word, (count.get(word) ?? 0) + 1)
    return count
  })
  const holding = new Map<string, number>()
  for (const count of counts) for (const word of count.keys()) holding.set(word, (holding.get(word) ?? 0) + 1)
  return (query) => {
    const asked = new Set(words(query))
    const scored = counts.map((count, at) => {
      let score = 0
      for (const word of asked) {
        const often = count.get(word) ?? 0
        const docs = holding.get(word) ?? 0
        const rarity = Math.log(1 + (documents.length - docs + 0.5) / (docs + 0.5))
        score += (rarity * often * 2.2) / (often + 1.2 * (0.25 + (0.75 * documents[at]!.length) / length))
      }
      return { at, score }
    })
    return scored
      .filter(({ score }) => score > 0)
      .toSorted((a, b) => b.score - a.score || a.at - b.at)
      .slice(0, depth)
      .map(({ at }) => bareName(tools[at]!))
  }
}

/** The same tools on many servers. */
const manyOf = (tools: readonly IndexedTool[]): readonly IndexedTool[] =>
  Array.from({ length: manyTools }, (_, at): IndexedTool => {
    const tool = tools[at % tools.length]!
    const copy = Math.floor(at / tools.length)
    const server = copy === 0 ? tool.server : `${tool.server}-${copy}`
    return { ...tool, server, name: `${server}:${bareName(tool)}` }
  })

function processorSeconds(work: () => void): number {
  const before = process.cpuUsage()
  work()
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1e6
}

/** Builds the index in a process that has done nothing before. */
const coldBuild = (folder: string): number =>
  Number(execFileSync(process.execPath, [fileURLToPath(import.meta.url), '--data', folder, '--build']))

function printSpeed(tools: readonly IndexedTool[], queries: readonly string[], folder: string): readonly Aim[] {
  const many = manyOf(tools)
  const builds = Array.from({ length: 5 }, () => coldBuild(folder))
  const index = createToolIndex(many)
  const taken = queries.map((query) =>
    Array.from({ length: warmUp + rounds }, () => {
      const start = performance.now()
      index.fits(query, index.search(query))
      return performance.now() - start
    }).slice(warmUp),
  )
  const row = (name: string, times: readonly number[]): string[] => [
    name,
    ...[0.5, 0.95, 0.99].map((share) => ms(quantile(times, share))),
  ]
  console.log(`retrieval: ${many.length} tools (the same ones on many servers, every task as a query)`)
  console.log(
    table([['', 'p50', 'p95', 'p99'], row('every run', taken.flat()), row('median per task', taken.map(median))]),
  )
  console.log(
    `  build             ${builds.map((each) => each.toFixed(2)).join(', ')} s of the processor, each in a new process`,
  )
  console.log(`  every run         ${rounds} of each task, whatever else the machine did meanwhile`)
  return [
    { what: `a search in ${many.length} tools, p95`, aim: 5, unit: 'ms', measured: quantile(taken.flat(), 0.95) },
    {
      what: `an index of ${many.length} tools, built, of the processor`,
      aim: 1,
      unit: 'seconds',
      measured: median(builds),
    },
  ]
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await retrieval()
