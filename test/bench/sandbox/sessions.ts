// How long sessions take to start and programs to run, and what a session holds of memory: of the sandbox alone, through
// `execute_code` with all that a call goes through, and of what else runs programs (peers.ts).
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSandbox } from '../../../server/sandbox/open-sandbox.ts'
import type { Language, RunResult, Sandbox } from '../../../server/sandbox/sandbox.ts'
import { median, ms, quantile, table } from '../figures.ts'
import { openCodeCalls } from '../guidance/execute-code.ts'
import type { Aim } from '../aims.ts'
import { isolatedVm, loops, one, pythonProcess, quickJs, several, spread, threadAnswers, timed } from './peers.ts'

const owner = { tenant: 'bench', subject: 'bench' }
async function run(sandbox: Sandbox, language: Language, code: string, sessionId?: string): Promise<RunResult> {
  const ran = await sandbox.run(owner, { language, code, sessionId, budget: 100_000_000_000, timeoutMs: 120_000 })
  if (!ran.ok) throw new Error(ran.failure.message)
  return ran.value
}

async function open(sandbox: Sandbox, language: Language): Promise<string> {
  const created = await sandbox.createSession(owner, { language })
  if (!created.ok) throw new Error(created.failure.message)
  return created.value.sessionId
}

/** A worker waits booted for whoever comes next: this is the time in which the next one gets ready. */
const pause = (wait: number): Promise<void> => new Promise((go) => setTimeout(go, wait))

interface Starts {
  readonly rows: readonly (readonly string[])[]
  readonly pooled: readonly number[]
  /** The next runs of a session, from its second on. */
  readonly next: readonly number[]
  /** Those after as many: all that is called has been compiled by then. */
  readonly warm: readonly number[]
}

const nextRuns = 2000

async function starts(cacheFolder: string, language: Language): Promise<Starts> {
  // The first one of JavaScript is in the table above.
  const prepared = await several(language === 'python' ? 2 : 0, async () => {
    const sandbox = openSandbox({ cacheFolder })
    const took = await timed(() => run(sandbox, language, one[language]))
    await sandbox.close()
    return took
  })
  const sandbox = openSandbox({ cacheFolder })
  await run(sandbox, language, one[language])
  const pooled = await several(24, async () => {
    await pause(language === 'python' ? 1500 : 600)
    return timed(() => run(sandbox, language, one[language]))
  })
  const cold = await several(10, () => timed(() => run(sandbox, language, one[language])))
  const sessionId = await open(sandbox, language)
  await run(sandbox, language, one[language], sessionId)
  const go = (): Promise<number> => timed(() => run(sandbox, language, one[language], sessionId))
  const next = await several(nextRuns, go)
  const before = process.cpuUsage()
  const warm = await several(nextRuns, go)
  const { user, system } = process.cpuUsage(before)
  await sandbox.close()
  const rows = [
    ...prepared.map((took, at) => [
      `${language}: first run, ${at === 0 ? 'nothing' : 'metered binary'} kept on disk`,
      ms(took),
    ]),
    [`${language}: new session, worker waiting`, ...spread(pooled)],
    [`${language}: new session, one after the other`, ...spread(cold)],
    [
      `${language}: next run of a session, its first ${nextRuns.toLocaleString('en')}`,
      ...spread(next),
      perSecond(next),
    ],
    [
      `${language}: next run of a session, those after`,
      ...spread(warm),
      perSecond(warm),
      ms((user + system) / 1000 / warm.length),
    ],
  ]
  return { rows, pooled, next, warm }
}

async function memoryPerSession(cacheFolder: string, language: Language): Promise<readonly string[]> {
  const sandbox = openSandbox({ cacheFolder, limits: { sessionsPerOwner: 20 } })
  const first = await open(sandbox, language)
  await run(sandbox, language, one[language], first)
  await pause(2000)
  const before = process.memoryUsage().rss
  for (let n = 0; n < 6; n += 1) await run(sandbox, language, one[language], await open(sandbox, language))
  await pause(2000)
  const each = (process.memoryUsage().rss - before) / 6 / 1024 / 1024
  await sandbox.close()
  return [`${language}: memory of a session`, `${each.toFixed(1)} MB`, '']
}

async function loop(cacheFolder: string, language: Language): Promise<readonly string[]> {
  const sandbox = openSandbox({ cacheFolder })
  const all = await several(3, async () => (await run(sandbox, language, loops[language])).durationMs)
  await sandbox.close()
  return [`${language}: a loop of a million`, ...spread(all)]
}

/** The same through the whole way of a call: contract, gate, activity log in a file, card. */
async function throughExecuteCode(folder: string, language: Language): Promise<readonly (readonly string[])[]> {
  const calls = await openCodeCalls(folder)
  await calls.run(language, one[language])
  await pause(2000)
  const fresh = await several(8, async () => {
    await pause(language === 'python' ? 1500 : 600)
    return timed(() => calls.run(language, one[language]))
  })
  const sessionId = await calls.session(language)
  await calls.run(language, one[language], sessionId)
  const warm = await several(400, () => timed(() => calls.run(language, one[language], sessionId)))
  await calls.close()
  return [
    [`${language}: execute_code, new session, worker waiting`, ...spread(fresh)],
    [`${language}: execute_code, next run of a session`, ...spread(warm), perSecond(warm)],
  ]
}

const perSecond = (taken: readonly number[]): string => Math.round(1000 / median(taken)).toLocaleString('en')

/** Prints what sessions cost. */
export async function sessionCosts(): Promise<readonly Aim[]> {
  const cacheFolder = mkdtempSync(join(tmpdir(), 'countersign-bench-sandbox-'))
  console.log(`Sessions (Node ${process.version}, load ${loadavg()[0]?.toFixed(1)})`)
  try {
    const rows = [['', 'p50', 'p99', 'a second', 'processor, mean']] as (readonly string[])[]
    const measured = new Map<Language, Starts>()
    for (const language of ['javascript', 'python'] as const) {
      const started = await starts(cacheFolder, language)
      measured.set(language, started)
      rows.push(...started.rows, await loop(cacheFolder, language))
      rows.push(await memoryPerSession(cacheFolder, language), ...(await throughExecuteCode(cacheFolder, language)))
    }
    const answers = await threadAnswers()
    rows.push(['a thread of Node: a message and its answer', ...spread(answers), perSecond(answers)])
    rows.push(...(await quickJs()), ...(await isolatedVm()), ...(await pythonProcess()))
    // A row has as many cells as it has figures.
    console.log(table(rows.map((row) => [...row, '', '', '', ''].slice(0, 5))))
    const [javascript, python] = [measured.get('javascript'), measured.get('python')]
    const high = (values: readonly number[] = []): number => quantile(values, 0.99)
    return [
      {
        what: 'JavaScript, next run of a session, p99',
        aim: 1,
        unit: 'ms',
        measured: high(javascript?.warm),
        peer: high(answers),
        note: `peer: a thread of Node that answers a message. ${ms(high(javascript?.next))} in the first ${nextRuns.toLocaleString('en')} runs of a session, while V8 compiles what is called`,
      },
      { what: 'Python, new session, worker waiting, p50', aim: 20, unit: 'ms', measured: median(python?.pooled ?? []) },
      { what: 'Python, new session, worker waiting, p99', aim: 20, unit: 'ms', measured: high(python?.pooled) },
      { what: 'Python, next run of a session, p99', aim: 10, unit: 'ms', measured: high(python?.warm) },
    ]
  } finally {
    rmSync(cacheFolder, { recursive: true })
  }
}
