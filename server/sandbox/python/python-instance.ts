// One CPython in this thread. It never returns: between programs it waits in a read of its channel, so that `serve` runs until
// the instance is gone.
import { endedBy, FuelGauge, GuestEnded } from '../instance.ts'
import type { InstancePort, InstanceRun, InstanceSetup } from '../instance.ts'
import { Output, printed } from '../output.ts'
import type { Ended } from '../sandbox.ts'
import { isDriver } from './driver-frames.ts'
import { driver } from './driver.ts'
import { wasi } from './wasi.ts'
import { startOfTime, type WasiHost } from './wasi-host.ts'

/** Enough for the start of CPython with its driver, a dozen times. */
const bootFuel = 20_000_000_000
/** The clock goes on by so much whenever it is read. */
const tick = 1_000_000n
/** Programs that write to the channel themselves are not listened to for long. */
const longestTold = 1000
const moduleName = /^[\p{L}\p{N}_.]{1,100}$/u

/** Runs what `port` has until the instance is gone. */
export function servePython({ module, tree, folders, limits, observe }: InstanceSetup, port: InstancePort): void {
  const instance = new WebAssembly.Instance(module, { wasi_snapshot_preview1: wasi(host(), tree, folders) })
  const { memory, _start: start } = instance.exports as { memory: WebAssembly.Memory; _start: () => void }
  const fuel = new FuelGauge(instance.exports)
  let clock = 0n
  let seed = 0x9e3779b9
  let booted = false
  let input: Uint8Array = new Uint8Array(0)
  let stdout = new Output(limits.outputBytes, 'first')
  let stderr = new Output(limits.outputBytes, 'last')
  let imports: { module: string; first: boolean; fuel: number }[] = []
  let importFrom: number | undefined
  let last: { readonly exitCode: number; readonly ended: Ended } | undefined

  function host(): WasiHost {
    return {
      args: ['python', '-B', '-X', 'utf8', '-c', driver],
      environment: ['PYTHONHASHSEED=0', 'PYTHONDONTWRITEBYTECODE=1', 'HOME=/app', 'TMPDIR=/tmp', 'PWD=/app'],
      memory: () => memory,
      pay: (units) => fuel.pay(units),
      now: (which) => (clock += tick) + (which === 0 ? startOfTime : 0n),
      sleep: (nanoseconds) => {
        clock += nanoseconds
      },
      random: (into) => {
        for (let at = 0; at < into.length; at += 1) into[at] = next()
      },
      write: (to, bytes) => {
        const out = to === 1 ? stdout : stderr
        out.write(bytes)
        if (out.floods) throw new GuestEnded('flood', 1)
      },
      control: { read, write: hear },
      exit: (code) => {
        throw new GuestEnded('exit', code)
      },
    }
  }

  /** xorshift32: the same bytes in every session. */
  function next(): number {
    seed ^= seed << 13
    seed ^= seed >>> 17
    seed ^= seed << 5
    return seed & 255
  }

  function read(most: number): Uint8Array {
    if (input.length === 0) {
      if (!isDriver()) intruded()
      if (last !== undefined) finish(last, false)
      const { code, budget } = port.next()
      const bytes = Buffer.from(code)
      input = Buffer.concat([Buffer.from(String(bytes.length).padStart(16)), bytes])
      stdout = new Output(limits.outputBytes, 'first')
      stderr = new Output(limits.outputBytes, 'last')
      imports = []
      importFrom = undefined
      last = undefined
      booted = true
      fuel.fill(budget)
    }
    const part = input.subarray(0, most)
    input = input.subarray(part.length)
    return part
  }

  function hear(bytes: Uint8Array): void {
    if (bytes.length > longestTold) return
    const [what, first = '', second = ''] = Buffer.from(bytes).toString().trimEnd().split(' ')
    if ((what === 'booted' || what === 'ended') && !isDriver()) intruded()
    if (what === 'booted' && !booted) port.booted()
    if (what === 'ended') {
      const ended = second === 'memory' ? 'out_of_memory' : Number(first) === 0 ? 'finished' : 'error'
      last = { exitCode: Number(first) & 255, ended }
    }
    if (what === 'imported') {
      countImport()
      importFrom = undefined
    }
    if (what === 'missed' && importFrom !== undefined) {
      imports.pop()
      importFrom = undefined
    }
    if ((what === 'first' || what === 'again') && imports.length < 1000 && moduleName.test(first)) {
      imports.push({ module: first, first: what === 'first', fuel: 0 })
      importFrom = fuel.used
    }
  }

  /** A program that speaks for its driver, or would take the next program for itself, ends there. */
  function intruded(): never {
    if (booted) stderr.write(Buffer.from('The program used the channel of the sandbox, and was ended.\n'))
    throw new GuestEnded('exit', 1)
  }

  /** Also of an import that a trap or the clock has cut off: what it used until then is what the run has used it for. */
  function countImport(): void {
    const one = imports.at(-1)
    if (one === undefined || importFrom === undefined) return
    const { used } = fuel
    one.fuel += used - importFrom
    importFrom = used
  }

  function finish(end: { readonly exitCode: number; readonly ended: Ended }, gone: boolean): void {
    port.ended(told(end, gone))
  }

  function told(end: { readonly exitCode: number; readonly ended: Ended }, gone: boolean): InstanceRun {
    countImport()
    const { buffer } = memory
    return { ...end, ...printed(stdout, stderr), fuel: fuel.used, memoryBytes: buffer.byteLength, imports, gone }
  }

  observe(() => told({ exitCode: 1, ended: 'timeout' }, true))
  fuel.fill(bootFuel)
  try {
    start()
    finish({ exitCode: 0, ended: 'finished' }, true)
  } catch (error) {
    finish(endedBy(error, fuel), true)
  }
}
