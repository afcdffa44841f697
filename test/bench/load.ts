// Sixty seconds of everybody at once: does an answer get lost or handed to somebody else, and does the memory stay? A
// process that is merely warm grows, too, and a collector that has not run yet looks like a leak. So it is told to
// collect before each sample, and what counts is the slope of a line through the samples once it is warm.
import type { Aim } from './aims.ts'
import { median, quantile, slope } from './figures.ts'
import { start, withFolder, type Served } from './processes.ts'
import { openClient, type RawClient } from './raw-client.ts'

export interface LoadOptions {
  readonly callers: number
  readonly servers: number
  readonly warmMs: number
  readonly loadMs: number
  readonly sampleMs: number
}

export interface LoadReport {
  readonly answers: number
  /** Answers that did not say what was asked. */
  readonly wrong: number
  /** Milliseconds. */
  readonly p50: number
  readonly p99: number
  /** Bytes in use after a collection, one for each sample. */
  readonly heap: readonly number[]
  readonly resident: readonly number[]
  /** Bytes a minute, by least squares over the samples. */
  readonly heapSlope: number
  readonly residentSlope: number
}

/** As the issue asks for it. */
export const fullLoad: LoadOptions = { callers: 64, servers: 5, warmMs: 15_000, loadMs: 60_000, sampleMs: 2000 }

/** How often each caller asks, however slow the machine is: what was called less is not warm. */
const leastTurns = 5

interface Sample {
  readonly at: number
  readonly heap: number
  readonly resident: number
}

/** Runs it on a gateway process of its own. */
export const runLoad = (options: LoadOptions): Promise<LoadReport> =>
  withFolder(async (folder) => {
    const served = await start('serve-gateway.ts', `${folder}/load.db`, 'load', String(options.servers))
    const client = await openClient(served.url, options.callers)
    try {
      return await measure(served, client, options)
    } finally {
      client.close()
      await served.stop()
    }
  })

async function measure(served: Served, client: RawClient, options: LoadOptions): Promise<LoadReport> {
  const { callers, servers, warmMs, loadMs, sampleMs } = options
  const [took, samples]: [number[], Sample[]] = [[], []]
  let wrong = 0
  const caller = async (id: number, end: number): Promise<void> => {
    for (let turn = 0; turn < leastTurns || performance.now() < end; turn++) {
      const message = `Caller ${id}, turn ${turn}.`
      const { ms, body } = await client.call('call_tool_read', {
        name: `s${((id + turn) % servers) + 1}:echo`,
        args_json: JSON.stringify({ message }),
        intent: { operation_type: 'read', reason: 'The load run asks for it.' },
      })
      if (!body.includes(`Echo: ${message}`)) wrong++
      took.push(ms)
    }
  }
  const callersUntil = (end: number): Promise<unknown> =>
    Promise.all(Array.from({ length: callers }, (_, id) => caller(id, end)))
  await callersUntil(performance.now() + warmMs)
  took.length = 0
  const from = performance.now()
  const end = from + loadMs
  const sampling = (async () => {
    for (let next = from; next < end; next += sampleMs) {
      await new Promise((resolve) => setTimeout(resolve, Math.max(0, next - performance.now())))
      const [heap = 0, resident = 0] = await served.ask('memory')
      samples.push({ at: performance.now() - from, heap, resident })
    }
  })()
  await Promise.all([callersUntil(end), sampling])
  return {
    answers: took.length,
    wrong,
    p50: median(took),
    p99: quantile(took, 0.99),
    heap: samples.map(({ heap }) => heap),
    resident: samples.map(({ resident }) => resident),
    heapSlope: slope(samples.map(({ at, heap }) => [at / 60_000, heap])),
    residentSlope: slope(samples.map(({ at, resident }) => [at / 60_000, resident])),
  }
}

const mb = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`

/** Measures and prints. */
export async function load(): Promise<readonly Aim[]> {
  const { callers, servers, warmMs, loadMs } = fullLoad
  const report = await runLoad(fullLoad)
  const third = Math.floor(report.heap.length / 3)
  const thirds = (values: readonly number[]): string =>
    [0, 1, 2].map((at) => mb(median(values.slice(at * third, (at + 1) * third)))).join(', ')
  console.log(
    `load: ${callers} callers over ${servers} servers for ${loadMs / 1000} s, after ${warmMs / 1000} s to warm up`,
  )
  console.log(
    `  ${report.answers} answers, ${Math.round((report.answers * 1000) / loadMs)} a second; ${report.wrong} lost or crossed`,
  )
  console.log(`  p50 ${report.p50.toFixed(1)} ms, p99 ${report.p99.toFixed(1)} ms (all of them wait for two cores)`)
  console.log(
    `  heap after a collection, median of each third: ${thirds(report.heap)}; ${mb(report.heapSlope)} a minute`,
  )
  console.log(`  resident: ${thirds(report.resident)}; ${mb(report.residentSlope)} a minute`)
  return [{ what: 'answers lost or crossed under load', aim: 0, unit: 'count', measured: report.wrong }]
}
