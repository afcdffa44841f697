// WebAssembly's own test suite, each module as it is and metered, side by side. The suite is on no registry: this runs where
// COUNTERSIGN_WASM_SUITE names a folder of what `wast2json` makes of its files. `every-instruction.test.ts` and
// `random-modules.test.ts` run everywhere.
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { meterWasm } from '../../../../server/sandbox/wasm/meter.ts'
import { assemble, f32, f64, i32, i64, externref, funcref, name, unsigned, v128 } from './assemble.ts'
import type { Code } from './assemble.ts'
import { outcomeOf } from './metered.ts'

const folder = process.env['COUNTERSIGN_WASM_SUITE']

interface Value {
  readonly type: string
  readonly value?: string | readonly string[]
  readonly lane_type?: string
}
interface Command {
  readonly type: string
  readonly line: number
  readonly filename?: string
  readonly module_type?: string
  readonly name?: string
  readonly as?: string
  readonly action?: {
    readonly type: string
    readonly module?: string
    readonly field: string
    readonly args?: readonly Value[]
  }
  readonly expected?: readonly Value[]
}

const types: Readonly<Record<string, number>> = { i32, i64, f32, f64, v128, externref, funcref }
const laneBytes: Readonly<Record<string, number>> = { i8: 1, i16: 2, i32: 4, i64: 8, f32: 4, f64: 8 }

const little = (value: string, size: number): readonly number[] => {
  const bits = BigInt.asUintN(size * 8, /^-?\d+$/.test(value) ? BigInt(value) : 0n)
  return Array.from({ length: size }, (_, at) => Number((bits >> BigInt(at * 8)) & 0xffn))
}

const constant = ({ type, value = '0', lane_type }: Value): Code => {
  const text = String(value)
  if (type === 'i32') return [0x41, signedLeb(BigInt.asIntN(32, BigInt(text)))]
  if (type === 'i64') return [0x42, signedLeb(BigInt.asIntN(64, BigInt(text)))]
  if (type === 'f32') return [0x43, little(text, 4)]
  if (type === 'f64') return [0x44, little(text, 8)]
  if (type === 'v128')
    return [0xfd, 12, (value as readonly string[]).flatMap((lane) => little(lane, laneBytes[lane_type ?? 'i32'] ?? 4))]
  return text === 'null' ? [0xd0, types[type] ?? funcref] : [0x23, 0]
}
const signedLeb = (value: bigint): readonly number[] => {
  const byte = Number(value & 0x7fn)
  const rest = value >> 7n
  return (rest === 0n && byte < 0x40) || (rest === -1n && byte >= 0x40) ? [byte] : [byte | 0x80, ...signedLeb(rest)]
}

/** What turns a result into numbers that JavaScript can see: bits, so that no NaN is like another. */
const bitsOf: Readonly<Record<string, readonly [type: number, code: Code]>> = {
  f32: [i32, 0xbc],
  f64: [i64, 0xbd],
}

/**
 * Calls a function by a module of its own: JavaScript can neither hand over vectors nor tell NaNs apart. Functions with several
 * results, or with vectors among them, are called so too; two lanes of a vector are two results.
 */
const callByModule = (func: unknown, args: readonly Value[], results: readonly Value[]): unknown => {
  const parameterTypes = args.map(({ type }) => types[type] ?? i32)
  const resultTypes = results.map(({ type }) => types[type] ?? i32)
  const host = args.find(({ type, value }) => type === 'externref' && value !== 'null')
  const vectors = results.some(({ type }) => type === 'v128')
  const shown = (type: string): readonly number[] =>
    type === 'v128' ? [i64, i64] : [bitsOf[type]?.[0] ?? types[type] ?? i32]
  const get = (at: number): Code => [0x20, unsigned(at)]
  const show = results.map(({ type }, at) =>
    type === 'v128' ? [get(at), 0xfd, 29, 0, get(at), 0xfd, 29, 1] : [get(at), bitsOf[type]?.[1] ?? []],
  )
  const binary = assemble({
    imports: [[name('h'), name('f'), 0, 0], ...(host ? [[name('h'), name('e'), 3, externref, 0]] : [])],
    importedTypes: [[parameterTypes, resultTypes]],
    functions: [
      {
        results: results.flatMap(({ type }) => shown(type)),
        locals: resultTypes,
        code: [
          args.map(constant),
          0x10,
          0,
          resultTypes.map((_, at) => [0x21, unsigned(resultTypes.length - 1 - at)]),
          show,
        ],
        export: 'call',
      },
    ],
  })
  expect(vectors || WebAssembly.validate(binary)).toBe(true)
  const imports = { h: { f: func as () => void, e: new WebAssembly.Global({ value: 'externref' }, host?.value) } }
  return (new WebAssembly.Instance(new WebAssembly.Module(binary), imports).exports['call'] as () => unknown)()
}

const told = (value: unknown): unknown => (typeof value === 'function' ? 'a function' : value)

class Side {
  readonly registry: Record<string, WebAssembly.ModuleImports>
  readonly named = new Map<string, WebAssembly.Instance>()
  current: WebAssembly.Instance | undefined
  readonly change: (binary: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer> | undefined

  constructor(change: Side['change']) {
    this.change = change
    const nothing = (): void => {}
    this.registry = {
      spectest: {
        ...Object.fromEntries(
          ['print', 'print_i32', 'print_i64', 'print_f32', 'print_f64', 'print_i32_f32', 'print_f64_f64'].map((of) => [
            of,
            nothing,
          ]),
        ),
        global_i32: 666,
        global_i64: new WebAssembly.Global({ value: 'i64' }, 666n),
        global_f32: 666.6,
        global_f64: 666.6,
        table: new WebAssembly.Table({ initial: 10, maximum: 20, element: 'anyfunc' }),
        memory: new WebAssembly.Memory({ initial: 1, maximum: 2 }),
      },
    }
  }

  /** How a command goes; `undefined` where this side cannot have it. */
  does(command: Command, where: string): unknown {
    const { type, action } = command
    if (type === 'register') {
      const instance = command.name === undefined ? this.current : this.named.get(command.name)
      if (instance) this.registry[command.as ?? ''] = instance.exports
      return 'registered'
    }
    if (command.filename !== undefined && command.module_type !== 'text') {
      const binary = this.change(new Uint8Array(readFileSync(join(where, command.filename))))
      if (type === 'module') this.current = undefined
      if (binary === undefined) return undefined
      return outcomeOf(() => {
        const instance = new WebAssembly.Instance(new WebAssembly.Module(binary), this.registry)
        if (type === 'module') this.current = instance
        if (type === 'module' && command.name !== undefined) this.named.set(command.name, instance)
        return Object.keys(instance.exports).filter((of) => of !== '__fuel')
      })
    }
    if (action === undefined) return undefined
    const instance = action.module === undefined ? this.current : this.named.get(action.module)
    if (instance === undefined) return undefined
    const exported = instance.exports[action.field]
    if (action.type === 'get') return outcomeOf(() => told((exported as WebAssembly.Global).value))
    const outcome = outcomeOf(() => callByModule(exported, action.args ?? [], command.expected ?? []))
    const { returned } = outcome as { returned?: unknown }
    return Array.isArray(returned) ? returned.map(told) : returned === undefined ? outcome : told(returned)
  }
}

describe.runIf(folder !== undefined)('the specification’s test suite', () => {
  const files = folder === undefined ? [] : globSync('**/*.json', { cwd: folder }).toSorted()

  let total = 0

  test('is there', () => expect(files.length).toBeGreaterThan(50))

  test.each(files)('%s', (file) => {
    const { commands } = JSON.parse(readFileSync(join(folder ?? '', file), 'utf8')) as { commands: readonly Command[] }
    const bare = new Side((binary) => binary)
    let wrong = false
    const metered = new Side((binary) => {
      const result = meterWasm(binary)
      if (result.ok) return result.value.binary
      // What the engine runs is metered, or refused by the name of what is not supported.
      if (result.failure.code === 'malformed' && !wrong) expect(WebAssembly.validate(binary)).toBe(false)
      return undefined
    })
    let compared = 0
    for (const command of commands) {
      const where = join(folder ?? '', dirname(file))
      // The suite says so, though V8 reads more than the specification lets it.
      wrong = command.type.startsWith('assert_malformed')
      const before = bare.does(command, where)
      const after = metered.does(command, where)
      if (after === undefined) continue
      compared += 1
      expect(after, `line ${command.line}, ${command.type}`).toStrictEqual(before)
    }
    total += compared
  })

  test('has been compared command by command', () => expect(total).toBeGreaterThan(20_000))
})
