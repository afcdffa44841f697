// A module section by section. Nothing is renumbered: the global of the fuel comes after all others, so that every index in
// code, names and elements says what it said.
import { meterBody } from './body.ts'
import { op, skipValueType, type } from './instructions.ts'
import { Reader, RefusedBinary } from './reader.ts'
import { Writer } from './writer.ts'

/** The exported global that holds the fuel that is left. */
export const fuelExport = '__fuel'

/** The first table, where it is asked for. */
export const tableExport = '__table'

/** Fuel before anybody has set it: what a start function spends, and all that a module without a budget ever will. */
export const unlimitedFuel = 2n ** 63n - 1n

const id = {
  custom: 0,
  type: 1,
  import: 2,
  function: 3,
  table: 4,
  memory: 5,
  global: 6,
  export: 7,
  start: 8,
  element: 9,
  code: 10,
  data: 11,
  dataCount: 12,
  tag: 13,
} as const

/** The order in which sections stand. */
const order: readonly number[] = [
  id.type,
  id.import,
  id.function,
  id.table,
  id.memory,
  id.tag,
  id.global,
  id.export,
  id.start,
  id.element,
  id.dataCount,
  id.code,
  id.data,
]

const importKind = { function: 0, table: 1, memory: 2, global: 3 } as const
const mutable = 1
const largestMemory = 65_536

/** Custom sections that name places in the code, which are elsewhere in what is written. */
const namesPlaces = /^(?:\.debug_.*|reloc\..*|metadata\.code\..*|linking|sourceMappingURL|external_debug_info)$/

export interface MeterOptions {
  /** Memory never grows beyond this many pages of 64 KiB. */
  readonly memoryMaxPages?: number
  /** A table of the module's own is exported as `__table`, so that the host can add functions of its own. */
  readonly exportsTable?: boolean
}

interface Section {
  readonly id: number
  readonly content: Reader
}

/** The sections of a binary; of globals and of exports there is one in any case, empty where the binary has none. */
export const sectionsOf = (binary: Uint8Array): readonly Section[] => {
  const reader = new Reader(binary)
  const header = [0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00]
  if (!header.every((byte) => reader.at < reader.end && reader.byte() === byte))
    throw reader.malformed('does not begin as a WebAssembly module of version 1')
  const sections: Section[] = []
  let last = -1
  while (reader.at < reader.end) {
    const id = reader.byte()
    if (id !== 0) {
      const place = order.indexOf(id)
      if (place < 0) throw reader.unsupported(`a section of a later proposal (${id})`)
      if (place <= last) throw reader.malformed(`has section ${id} twice or in the wrong place`)
      last = place
    }
    sections.push({ id, content: reader.part(reader.u32()) })
  }
  for (const needed of [id.global, id.export]) {
    if (sections.some((section) => section.id === needed)) continue
    const after = sections.findIndex((section) => order.indexOf(section.id) > order.indexOf(needed))
    const empty = { id: needed, content: new Reader(new Uint8Array([0])) }
    sections.splice(after < 0 ? sections.length : after, 0, empty)
  }
  return sections
}

/** What is rewritten, and what of the sections before decides how. */
export class ModuleRewriter {
  readonly dropped: string[] = []
  readonly #out: Writer
  readonly #options: MeterOptions
  /** How many parameters a function of each type has. */
  readonly #parameters: number[] = []
  /** The type of each function that has a body. */
  readonly #functionTypes: number[] = []
  #tables = 0
  #memories = 0
  #globals = 0

  constructor(out: Writer, options: MeterOptions) {
    this.#out = out
    this.#options = options
  }

  /** Writes one section. */
  write(section: Section): void {
    const { content } = section
    const { bytes, at, end } = content
    const rewritten = this.#rewrite(section)
    if (rewritten === 'dropped') return
    this.#out.byte(section.id)
    this.#out.sized(rewritten === 'as it is' ? bytes.subarray(at, end) : rewritten.bytes)
  }

  #rewrite({ id: which, content }: Section): Writer | 'as it is' | 'dropped' {
    switch (which) {
      case id.custom: {
        const name = content.name()
        if (!namesPlaces.test(name)) return 'as it is'
        this.dropped.push(name)
        return 'dropped'
      }
      case id.type:
        for (let left = content.u32(); left > 0; left -= 1) this.#functionType(content)
        return 'as it is'
      case id.import:
        return this.#imports(content)
      case id.function:
        for (let left = content.u32(); left > 0; left -= 1) this.#functionTypes.push(content.u32())
        return 'as it is'
      case id.table:
        this.#tables = content.u32()
        for (let left = this.#tables; left > 0; left -= 1) skipTable(content)
        return 'as it is'
      case id.memory: {
        const out = new Writer()
        const count = content.u32()
        out.u32(count)
        for (let left = count; left > 0; left -= 1) this.#memory(content, out)
        return out
      }
      case id.global: {
        const out = longerList(content, 1, (count) => (this.#globals += count))
        out.byte(type.i64)
        out.byte(mutable)
        out.byte(op.i64Const)
        out.signed(unlimitedFuel)
        out.byte(op.end)
        return out
      }
      case id.export: {
        const exportsTable = this.#options.exportsTable === true && this.#tables > 0
        const out = longerList(content, exportsTable ? 2 : 1, (count) => refuseExports(content, count))
        if (exportsTable) {
          out.name(tableExport)
          out.byte(importKind.table)
          out.u32(0)
        }
        out.name(fuelExport)
        out.byte(importKind.global)
        out.u32(this.#globals)
        return out
      }
      case id.code:
        return this.#code(content)
      case id.tag:
        throw content.unsupported('exceptions (section 13)')
      default:
        return 'as it is'
    }
  }

  #functionType(content: Reader): void {
    if (content.byte() !== 0x60) throw content.unsupported('a type that is no function’s (garbage collection)')
    const parameters = content.u32()
    for (let left = parameters; left > 0; left -= 1) skipValueType(content)
    for (let left = content.u32(); left > 0; left -= 1) skipValueType(content)
    this.#parameters.push(parameters)
  }

  #imports(content: Reader): Writer {
    const out = new Writer(content.end - content.at + 64)
    let copied = content.at
    for (let left = content.u32(); left > 0; left -= 1) {
      content.name()
      content.name()
      const kind = content.byte()
      if (kind === importKind.function) content.u32()
      else if (kind === importKind.table) skipTable(content)
      else if (kind === importKind.memory) {
        out.copy(content.bytes.subarray(copied, content.at))
        this.#memory(content, out)
        copied = content.at
      } else if (kind === importKind.global) {
        skipValueType(content)
        content.byte()
        this.#globals += 1
      } else throw content.unsupported(`an import of kind ${kind}`)
    }
    out.copy(content.bytes.subarray(copied, content.end))
    return out
  }

  #memory(content: Reader, out: Writer): void {
    this.#memories += 1
    if (this.#memories > 1) throw content.unsupported('more than one memory')
    const flags = limitFlags(content, 'a memory')
    const minimum = content.u32()
    const declared = flags === 1 ? content.u32() : undefined
    const wanted = this.#options.memoryMaxPages
    const maximum = wanted === undefined ? declared : Math.min(wanted, declared ?? largestMemory)
    if (maximum !== undefined && maximum < minimum && wanted !== undefined) {
      const message = `The WebAssembly binary begins with ${minimum} pages of memory, which is more than the ${wanted} that it may have.`
      throw new RefusedBinary('conflict', message, content.at)
    }
    out.byte(maximum === undefined ? 0 : 1)
    out.u32(minimum)
    if (maximum !== undefined) out.u32(maximum)
  }

  #code(content: Reader): Writer {
    const count = content.u32()
    if (count !== this.#functionTypes.length) throw content.malformed('has other bodies than functions')
    const out = new Writer(Math.ceil((content.end - content.at) * 1.5) + 64)
    out.u32(count)
    const body = new Writer()
    for (const functionType of this.#functionTypes) {
      const parameters = this.#parameters[functionType]
      if (parameters === undefined)
        throw content.malformed(`has a function of type ${functionType}, which is not there`)
      body.clear()
      meterBody(content.part(content.u32()), parameters, this.#globals, body)
      out.sized(body.bytes)
    }
    return out
  }
}

const limitFlags = (content: Reader, of: string): number => {
  const flags = content.byte()
  if (flags > 1) throw content.unsupported(`${of} that is shared or of 64 bits (threads, memory64)`)
  return flags
}

const skipTable = (content: Reader): void => {
  skipValueType(content)
  const flags = limitFlags(content, 'a table')
  content.u32()
  if (flags === 1) content.u32()
}

/** A list as it is, but for its length; `read` gets the length that it had, and stands before its first item. */
const longerList = (content: Reader, more: number, read: (count: number) => void): Writer => {
  const out = new Writer(content.end - content.at + 64)
  const count = content.u32()
  out.u32(count + more)
  out.copy(content.bytes.subarray(content.at, content.end))
  read(count)
  return out
}

const refuseExports = (content: Reader, count: number): void => {
  for (let left = count; left > 0; left -= 1) {
    const { at } = content
    const name = content.name()
    if (name === fuelExport || name === tableExport) {
      const message = `The WebAssembly binary exports ${name} already: it is metered, or means something else by it.`
      throw new RefusedBinary('conflict', message, at)
    }
    content.byte()
    content.u32()
  }
}
