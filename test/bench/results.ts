// What was measured is kept by commit, so that whoever makes something slower sees it: `npm run bench -- --save` writes it, and
// every run is compared with what was saved last.
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { units, type Aim } from './aims.ts'

const folder = join(import.meta.dirname, 'results')

const aimSchema = z.object({
  what: z.string(),
  aim: z.number(),
  atLeast: z.literal(true).exactOptional(),
  unit: z.enum(units),
  measured: z.number().exactOptional(),
  peer: z.number().exactOptional(),
  note: z.string().exactOptional(),
})

const resultsSchema = z.object({
  commit: z.string(),
  /** Whether something was changed and not committed. */
  changed: z.boolean(),
  at: z.iso.datetime(),
  cores: z.number(),
  /** Of the machine before the first benchmark: processes that wanted a processor, on average over a minute. */
  load: z.number(),
  aims: z.array(aimSchema),
})

/** A figure of an earlier run. */
export interface Saved {
  readonly commit: string
  readonly measured: number
}

const git = (...args: readonly string[]): string => execFileSync('git', args, { encoding: 'utf8' }).trim()

/** Of each figure what was saved last, of whatever commit. Files that hold no results are named and left out. */
export function lastResults(): ReadonlyMap<string, Saved> {
  const found = globSync('*.json', { cwd: folder }).flatMap((name) => {
    const read = resultsSchema.safeParse(readJson(join(folder, name)))
    if (!read.success) console.error(`${join(folder, name)} holds no results of a benchmark; delete it.`)
    return read.success ? [read.data] : []
  })
  const all = found
    .toSorted((one, other) => one.at.localeCompare(other.at))
    .flatMap(({ commit, aims }) =>
      aims.flatMap(({ what, measured }) => (measured === undefined ? [] : [[what, { commit, measured }] as const])),
    )
  return new Map(all)
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** Writes what was measured; of benchmarks that did not run now, what the same commit has already stays. */
export function saveResults(aims: readonly Aim[], load: number): string {
  const commit = git('rev-parse', 'HEAD')
  const file = join(folder, `${commit}.json`)
  const before = existsSync(file) ? resultsSchema.safeParse(readJson(file)).data : undefined
  const others = (before?.aims ?? []).filter(({ what }) => !aims.some((aim) => aim.what === what))
  const results = resultsSchema.parse({
    commit,
    changed: git('status', '--porcelain') !== '',
    at: new Date().toISOString(),
    cores: availableParallelism(),
    load,
    // JSON has no word for what is absent or no number.
    aims: [...others, ...aims].map(({ measured = NaN, ...aim }) => ({
      ...aim,
      ...(Number.isFinite(measured) ? { measured } : {}),
    })),
  })
  mkdirSync(folder, { recursive: true })
  writeFileSync(file, `${JSON.stringify(results, undefined, 2)}\n`)
  return file
}
