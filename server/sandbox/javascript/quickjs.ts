// QuickJS as it comes from npm, with what its build asks of the host replaced: its clock and time zone are given, its memory
// has a limit, and it prints nowhere. The names of those imports, which are single letters, and the places of what is read
// in its memory belong to this exact binary.
import loader from '@jitl/quickjs-wasmfile-release-sync/emscripten-module'
import { QuickJSFFI } from '@jitl/quickjs-wasmfile-release-sync/ffi'
import { newQuickJSWASMModuleFromVariant, newVariant } from 'quickjs-emscripten-core'
import type { QuickJSSyncVariant, QuickJSWASMModule } from 'quickjs-emscripten-core'
import type { Beginning } from './snapshot.ts'

/** Functions of the host that the build imports, by what they do. */
const imported = { now: 'p', timeZone: 'n', localTime: 'm', environment: 'e', environmentSizes: 'f' } as const

const startOfTime = 1_700_000_000_000
/** Milliseconds. The clock goes on by no more at once, whatever a program has made of its timers. */
const longestTimer = 2 ** 31 - 1

export interface LoadedQuickJs {
  readonly wasm: QuickJSWASMModule
  readonly exports: WebAssembly.Exports
  readonly clock: Clock
}

/** The given clock, in milliseconds: it goes on with each look at it, and by `pass`. */
export interface Clock {
  now: number
  readonly pass: (ms: number) => void
}

/** What the package exports, whose own way to it loads file after file. */
const build: QuickJSSyncVariant = {
  type: 'sync',
  importFFI: async () => QuickJSFFI,
  importModuleLoader: async () => loader,
}

/** Instantiates `module`, which is the metered binary of the package; its exports are used as they come through `beginning`. */
export async function quickjs(
  module: WebAssembly.Module,
  memory: WebAssembly.Memory,
  beginning?: Beginning,
): Promise<LoadedQuickJs> {
  const clock: Clock = {
    now: startOfTime,
    pass: (ms) => {
      if (ms > 0 && ms <= longestTimer) clock.now += Math.ceil(ms)
    },
  }
  let exports: WebAssembly.Exports = {}
  const view = (): DataView => new DataView(memory.buffer)
  const given = {
    [imported.now]: () => (clock.now += 1),
    [imported.timeZone]: (zone: number, daylight: number, standardName: number, daylightName: number) => {
      view().setInt32(zone, 0, true)
      view().setInt32(daylight, 0, true)
      for (const name of [standardName, daylightName]) new Uint8Array(memory.buffer, name, 4).set(Buffer.from('UTC\0'))
    },
    [imported.localTime]: (seconds: bigint, out: number) => {
      const date = new Date(Number(seconds) * 1000)
      const newYear = Date.UTC(date.getUTCFullYear(), 0, 1)
      const fields = [
        date.getUTCSeconds(),
        date.getUTCMinutes(),
        date.getUTCHours(),
        date.getUTCDate(),
        date.getUTCMonth(),
        date.getUTCFullYear() - 1900,
        date.getUTCDay(),
        Math.floor((date.getTime() - newYear) / 86_400_000),
        0,
        0,
      ]
      for (const [index, field] of fields.entries()) view().setInt32(out + 4 * index, field, true)
    },
    [imported.environment]: () => 0,
    [imported.environmentSizes]: (count: number, size: number) => {
      view().setUint32(count, 0, true)
      view().setUint32(size, 0, true)
      return 0
    },
  }
  const wasm = await newQuickJSWASMModuleFromVariant(
    newVariant(build, {
      wasmMemory: memory,
      emscriptenModule: {
        print: () => undefined,
        printErr: () => undefined,
        instantiateWasm: (
          { a }: { readonly a: WebAssembly.ModuleImports },
          done: (instance: Pick<WebAssembly.Instance, 'exports'>) => void,
        ) => {
          const instance = new WebAssembly.Instance(module, { a: { ...a, ...given } })
          exports = beginning?.through(instance.exports) ?? instance.exports
          done({ exports })
          return exports
        },
      } as object,
    }),
  )
  return { wasm, exports, clock }
}
