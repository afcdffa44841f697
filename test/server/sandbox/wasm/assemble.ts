// WebAssembly binaries by hand: an array of bytes an instruction, so that a test says exactly what is in a module.

export const i32 = 0x7f
export const i64 = 0x7e
export const f32 = 0x7d
export const f64 = 0x7c
export const v128 = 0x7b
export const funcref = 0x70
export const externref = 0x6f

/** Bytes, or lists of them, as deep as it reads well. */
export type Code = number | readonly Code[]

/** An unsigned number. */
export const unsigned = (value: number): readonly number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(Math.floor(value / 0x80))]

/** A signed number. */
export const signed = (value: bigint | number): readonly number[] => {
  const wide = BigInt(value)
  const byte = Number(wide & 0x7fn)
  const rest = wide >> 7n
  const done = (rest === 0n && byte < 0x40) || (rest === -1n && byte >= 0x40)
  return done ? [byte] : [byte | 0x80, ...signed(rest)]
}

export const name = (text: string): Code => vector([...Buffer.from(text)])
export const vector = (items: readonly Code[]): Code => [unsigned(items.length), items]

const flat = (code: Code): readonly number[] => (typeof code === 'number' ? [code] : code.flatMap(flat))
const sized = (code: Code): Code => {
  const bytes = flat(code)
  return [unsigned(bytes.length), bytes]
}

export interface Func {
  readonly parameters?: readonly number[]
  readonly results?: readonly number[]
  readonly locals?: readonly number[]
  /** Without its `end`. */
  readonly code: Code
  readonly export?: string
}

export interface Module {
  /** Functions of the host, before all others. */
  readonly imports?: readonly Code[]
  readonly importedTypes?: readonly (readonly [parameters: readonly number[], results: readonly number[]])[]
  readonly functions?: readonly Func[]
  readonly tables?: readonly Code[]
  readonly memory?: Code
  readonly globals?: readonly Code[]
  readonly exports?: readonly Code[]
  readonly start?: number
  readonly elements?: readonly Code[]
  readonly data?: readonly Code[]
  /** Further types: of blocks, of indirect calls. They follow those of imports and of functions. */
  readonly types?: readonly (readonly [parameters: readonly number[], results: readonly number[]])[]
  readonly custom?: readonly (readonly [name: string, bytes: readonly number[]])[]
}

/** The binary of a module. Each function has a type of its own, of the same number. */
export const assemble = (module: Module): Uint8Array<ArrayBuffer> => {
  const { imports = [], importedTypes = [], functions = [], types = [], data = [] } = module
  const all = [
    ...importedTypes,
    ...functions.map((one) => [one.parameters ?? [], one.results ?? []] as const),
    ...types,
  ]
  const section = (id: number, items: readonly Code[]): Code => (items.length === 0 ? [] : [id, sized(vector(items))])
  const exported = functions.flatMap((one, at) =>
    one.export === undefined ? [] : [[name(one.export), 0, unsigned(importedTypes.length + at)]],
  )
  return Uint8Array.from(
    flat([
      [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
      section(
        1,
        all.map(([parameters, results]) => [0x60, vector(parameters), vector(results)]),
      ),
      section(2, imports),
      section(
        3,
        functions.map((_, at) => unsigned(importedTypes.length + at)),
      ),
      section(4, module.tables ?? []),
      section(5, module.memory === undefined ? [] : [module.memory]),
      section(6, module.globals ?? []),
      section(7, [...exported, ...(module.exports ?? [])]),
      module.start === undefined ? [] : [8, sized(unsigned(module.start))],
      section(9, module.elements ?? []),
      data.length === 0 ? [] : [12, sized(unsigned(data.length))],
      section(
        10,
        functions.map(({ locals = [], code }) => sized([vector(locals.map((local) => [1, local])), code, 0x0b])),
      ),
      section(11, data),
      (module.custom ?? []).map(([of, bytes]) => [0, sized([name(of), bytes])]),
    ]),
  )
}

/** Constants, locals, globals and calls, by name. */
export const w = {
  i32: (value: number): Code => [0x41, signed(value | 0)],
  i64: (value: bigint): Code => [0x42, signed(value)],
  get: (local: number): Code => [0x20, unsigned(local)],
  set: (local: number): Code => [0x21, unsigned(local)],
  tee: (local: number): Code => [0x22, unsigned(local)],
  call: (func: number): Code => [0x10, unsigned(func)],
  block: (type: Code, ...code: readonly Code[]): Code => [0x02, type, code, 0x0b],
  loop: (type: Code, ...code: readonly Code[]): Code => [0x03, type, code, 0x0b],
  if: (type: Code, then: Code, otherwise?: Code): Code => [
    0x04,
    type,
    then,
    otherwise === undefined ? [] : [0x05, otherwise],
    0x0b,
  ],
  br: (depth: number): Code => [0x0c, unsigned(depth)],
  brIf: (depth: number): Code => [0x0d, unsigned(depth)],
  brTable: (depths: readonly number[], otherwise: number): Code => [
    0x0e,
    vector(depths.map(unsigned)),
    unsigned(otherwise),
  ],
  none: 0x40,
  unreachable: 0x00,
  nop: 0x01,
  return: 0x0f,
  drop: 0x1a,
  add: 0x6a,
  subtract: 0x6b,
  divide: 0x6d,
} as const
