// How long sessions take to start and programs to run, and what a session holds of memory, beside QuickJS without a sandbox
// and a python3 process where there is one.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import quickJsVariant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core'
import { openSandbox } from '../../server/sandbox/open-sandbox.ts'
import type { Language, RunResult, Sandbox } from '../../server/sandbox/sandbox.ts'
import { median, ms, quantile, table } from './figures.ts'

const owner = { tenant: 'bench', subject: 'bench' }
const one: Readonly<Record<Language, string>> = { python: '1 + 1', javascript: '1 + 1' }

async function timed<T>(work: () => Promise<T> | T): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

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

const several = async (times: number, measure: () => Promise<number>): Promise<readonly number[]> => {
  const all: number[] = []
  for (let n = 0; n < times; n += 1) all.push(await measure())
  return all
}

const spread = (values: readonly number[]): readonly string[] => [ms(median(values)), ms(quantile(values, 0.99))]

/** A worker waits booted for whoever comes next: this is the time in which the next one gets ready. */
const pause = (wait: number): Promise<void> => new Promise((go) => setTimeout(go, wait))

async function starts(cacheFolder: string, language: Language): Promise<readonly (readonly string[])[]> {
  const prepared = await several(2, async () => {
    const sandbox = openSandbox({ cacheFolder })
    const took = await timed(() => run(sandbox, language, one[language]))
    await sandbox.close()
    return took
  })
  const sandbox = openSandbox({ cacheFolder })
  await run(sandbox, language, one[language])
  const pooled = await several(20, async () => {
    await pause(language === 'python' ? 1500 : 300)
    return timed(() => run(sandbox, language, one[language]))
  })
  const cold = await several(10, () => timed(() => run(sandbox, language, one[language])))
  const sessionId = await open(sandbox, language)
  await run(sandbox, language, one[language], sessionId)
  const warm = await several(2000, () => timed(() => run(sandbox, language, one[language], sessionId)))
  await sandbox.close()
  const perSecond = Math.round(1000 / median(warm)).toLocaleString('en')
  return [
    [`${language}: first of a process, nothing kept on disk`, ms(prepared[0] ?? Number.NaN), ''],
    [`${language}: first of a process, metered binary kept`, ms(prepared[1] ?? Number.NaN), ''],
    [`${language}: new session, worker waiting`, ...spread(pooled)],
    [`${language}: new session, one after the other`, ...spread(cold)],
    [`${language}: next run of a session (${perSecond}/s)`, ...spread(warm)],
  ]
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

async function bareQuickJs(): Promise<readonly (readonly string[])[]> {
  const variant = quickJsVariant as unknown as QuickJSSyncVariant
  const cold = await several(5, () =>
    timed(async () => {
      const context = (await newQuickJSWASMModuleFromVariant(variant)).newContext()
      context.unwrapResult(context.evalCode('1 + 1')).dispose()
    }),
  )
  const context = (await newQuickJSWASMModuleFromVariant(variant)).newContext()
  const warm = await several(2000, () => timed(() => context.unwrapResult(context.evalCode('1 + 1')).dispose()))
  return [
    ['quickjs-emscripten bare: instance, no thread', ...spread(cold)],
    ['quickjs-emscripten bare: next evaluation', ...spread(warm)],
  ]
}

async function pythonProcess(): Promise<readonly (readonly string[])[]> {
  const start = (code: string): Promise<number> => timed(() => execFileSync('python3', ['-I', '-c', code]))
  try {
    return [
      ['python3 process: 1 + 1', ...spread(await several(10, () => start('1 + 1')))],
      ['python3 process: a loop of a million', ...spread(await several(3, () => start(loops.python)))],
    ]
  } catch {
    return [['python3 process', 'not installed', '']]
  }
}

const loops: Readonly<Record<Language, string>> = {
  python: 's = 0\nfor i in range(1_000_000): s += i',
  javascript: 'let s = 0; for (let i = 0; i < 1e6; i++) s += i',
}

async function loop(cacheFolder: string, language: Language): Promise<readonly string[]> {
  const sandbox = openSandbox({ cacheFolder })
  const all = await several(3, async () => (await run(sandbox, language, loops[language])).durationMs)
  await sandbox.close()
  return [`${language}: a loop of a million`, ...spread(all)]
}

/** Prints what sessions cost. */
export async function sessionCosts(): Promise<void> {
  const cacheFolder = mkdtempSync(join(tmpdir(), 'countersign-bench-sandbox-'))
  console.log(`Sessions (Node ${process.version}, load ${loadavg()[0]?.toFixed(1)})`)
  try {
    const rows = [['', 'p50', 'p99']] as (readonly string[])[]
    for (const language of ['javascript', 'python'] as const) {
      rows.push(...(await starts(cacheFolder, language)), await loop(cacheFolder, language))
      rows.push(await memoryPerSession(cacheFolder, language))
    }
    rows.push(...(await bareQuickJs()), ...(await pythonProcess()))
    console.log(table(rows))
  } finally {
    rmSync(cacheFolder, { recursive: true })
  }
}
