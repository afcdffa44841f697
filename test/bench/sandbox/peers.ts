// What else runs a program of somebody: QuickJS without a sandbox of ours, an isolate of V8 in this process, and Python as a
// process of the machine. None of them counts fuel, and only the isolate has a limit of its own.
import { type ChildProcessWithoutNullStreams, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { Worker } from 'node:worker_threads'
import quickJsVariant from '@jitl/quickjs-wasmfile-release-sync'
import { newQuickJSWASMModuleFromVariant, type QuickJSSyncVariant } from 'quickjs-emscripten-core'
import type { Language } from '../../../server/sandbox/sandbox.ts'
import { median, ms, quantile } from '../figures.ts'

type Rows = readonly (readonly string[])[]

export const one: Readonly<Record<Language, string>> = { python: '1 + 1', javascript: '1 + 1' }

export const loops: Readonly<Record<Language, string>> = {
  python: 's = 0\nfor i in range(1_000_000): s += i',
  javascript: '{ let s = 0; for (let i = 0; i < 1e6; i++) s += i }',
}

/** Milliseconds of some work. */
export async function timed<T>(work: () => Promise<T> | T): Promise<number> {
  const began = performance.now()
  await work()
  return performance.now() - began
}

export const several = async (times: number, measure: () => Promise<number>): Promise<readonly number[]> => {
  const all: number[] = []
  for (let n = 0; n < times; n += 1) all.push(await measure())
  return all
}

export const spread = (values: readonly number[]): readonly string[] => [ms(median(values)), ms(quantile(values, 0.99))]

const perSecond = (taken: readonly number[]): string => Math.round(1000 / median(taken)).toLocaleString('en')
const megabytes = (bytes: number): string => `${(bytes / 1024 / 1024).toFixed(1)} MB`
const many = 20

/** A thread of Node that waits, is sent a message and answers it: what any run in another thread takes at least. */
export async function threadAnswers(): Promise<readonly number[]> {
  const posted = new Int32Array(new SharedArrayBuffer(4))
  const code = `
    const { parentPort, receiveMessageOnPort, workerData } = require('node:worker_threads')
    for (;;) {
      const seen = Atomics.load(workerData, 0)
      if (receiveMessageOnPort(parentPort) === undefined) Atomics.wait(workerData, 0, seen)
      else parentPort.postMessage({ stdout: '' })
    }`
  const thread = new Worker(code, { eval: true, workerData: posted, execArgv: [] })
  const ask = () =>
    timed(async () => {
      const answered = once(thread, 'message')
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port between threads has no origin.
      thread.postMessage({ code: one.javascript })
      Atomics.add(posted, 0, 1)
      Atomics.notify(posted, 0)
      await answered
    })
  await ask()
  const taken = await several(2000, ask)
  await thread.terminate()
  return taken
}

/** QuickJS as its package has it: an instance in this thread, and nothing that stops a program. */
export async function quickJs(): Promise<Rows> {
  const variant = quickJsVariant as unknown as QuickJSSyncVariant
  const start = async () => {
    const context = (await newQuickJSWASMModuleFromVariant(variant)).newContext()
    context.unwrapResult(context.evalCode(one.javascript)).dispose()
    return context
  }
  const cold = await several(10, () => timed(start))
  const context = await start()
  const run = (code: string) => timed(() => context.unwrapResult(context.evalCode(code)).dispose())
  const warm = await several(2000, () => run(one.javascript))
  const loop = await several(3, () => run(loops.javascript))
  const before = process.memoryUsage().rss
  const kept = await Promise.all(Array.from({ length: many }, start))
  const each = (process.memoryUsage().rss - before) / kept.length
  return [
    ['quickjs-emscripten bare: new instance', ...spread(cold)],
    ['quickjs-emscripten bare: next run', ...spread(warm), perSecond(warm)],
    ['quickjs-emscripten bare: a loop of a million', ...spread(loop)],
    ['quickjs-emscripten bare: memory of an instance', megabytes(each)],
  ]
}

/** What is called of the package, which only this benchmark has. */
interface IsolatedVm {
  readonly Isolate: new (limits: { readonly memoryLimit: number }) => {
    createContextSync(): { evalSync(code: string): unknown }
    dispose(): void
  }
}

/** `isolated-vm`: V8 with its compiler, in another heap. */
export async function isolatedVm(): Promise<Rows> {
  const name: string = 'isolated-vm'
  let vm: IsolatedVm
  try {
    vm = ((await import(name)) as { readonly default: IsolatedVm }).default
  } catch (error) {
    const why = error instanceof Error ? (error.message.split('\n', 1)[0] ?? '') : String(error)
    return [[`isolated-vm: not measured (${why.slice(0, 80)})`]]
  }
  const start = () => {
    const isolate = new vm.Isolate({ memoryLimit: 128 })
    const context = isolate.createContextSync()
    context.evalSync(one.javascript)
    return { isolate, context }
  }
  const cold = await several(20, async () => {
    let made: ReturnType<typeof start> | undefined
    const took = await timed(() => void (made = start()))
    made?.isolate.dispose()
    return took
  })
  const { isolate, context } = start()
  const warm = await several(2000, () => timed(() => context.evalSync(one.javascript)))
  const loop = await several(3, () => timed(() => context.evalSync(loops.javascript)))
  isolate.dispose()
  const before = process.memoryUsage().rss
  const kept = Array.from({ length: many }, start)
  const each = (process.memoryUsage().rss - before) / kept.length
  for (const made of kept) made.isolate.dispose()
  return [
    ['isolated-vm: new isolate', ...spread(cold)],
    ['isolated-vm: next run', ...spread(warm), perSecond(warm)],
    ['isolated-vm: a loop of a million, compiled by V8', ...spread(loop)],
    ['isolated-vm: memory of an isolate', megabytes(each)],
  ]
}

/** Runs one program after the other in one namespace, as a session does, and answers each with a line. */
const loopOfPrograms = `import sys, json
scope = {}
for line in sys.stdin:
    exec(compile(json.loads(line), 'program.py', 'exec'), scope)
    print('done', flush=True)`

/** A process of the machine's own Python, which may do whatever its user may. */
export async function pythonProcess(): Promise<Rows> {
  try {
    execFileSync('python3', ['-I', '-c', one.python])
  } catch {
    return [['python3: not measured, it is not installed']]
  }
  const process = spawn('python3', ['-I', '-c', loopOfPrograms])
  try {
    return await ofProcess(process)
  } finally {
    process.kill()
  }
}

async function ofProcess(process: ChildProcessWithoutNullStreams): Promise<Rows> {
  const version = execFileSync('python3', ['--version'], { encoding: 'utf8' }).trim()
  const lines = createInterface({ input: process.stdout })
  const run = (code: string) =>
    timed(async () => {
      const answered = once(lines, 'line')
      process.stdin.write(`${JSON.stringify(code)}\n`)
      await answered
    })
  const cold = await several(10, () => timed(() => execFileSync('python3', ['-I', '-c', one.python])))
  await run(one.python)
  const warm = await several(2000, () => run(one.python))
  const loop = await several(3, () => run(loops.python))
  const status = `/proc/${process.pid}/status`
  const resident = existsSync(status) ? /VmRSS:\s+(\d+) kB/.exec(readFileSync(status, 'utf8'))?.[1] : undefined
  return [
    [`python3 process (${version}): start, run, end`, ...spread(cold)],
    ['python3 process: next run', ...spread(warm), perSecond(warm)],
    ['python3 process: a loop of a million', ...spread(loop)],
    ['python3 process: memory', resident === undefined ? 'not told here' : megabytes(Number(resident) * 1024)],
  ]
}
