// What follows each instruction's code, so that a body can be read from front to back, and what it costs. The list of
// WebAssembly 2.0 with tail calls; whatever is not in it is refused by name.
import type { Reader } from './reader.ts'

/** Instructions that begin, end or leave a straight line. */
export const op = {
  unreachable: 0x00,
  nop: 0x01,
  block: 0x02,
  loop: 0x03,
  if: 0x04,
  else: 0x05,
  end: 0x0b,
  br: 0x0c,
  brIf: 0x0d,
  brTable: 0x0e,
  return: 0x0f,
  returnCall: 0x12,
  returnCallIndirect: 0x13,
  call: 0x10,
  callIndirect: 0x11,
  drop: 0x1a,
  localGet: 0x20,
  localSet: 0x21,
  localTee: 0x22,
  globalGet: 0x23,
  globalSet: 0x24,
  memoryGrow: 0x40,
  i32Const: 0x41,
  i64Const: 0x42,
  i64LessThan: 0x53,
  i64Subtract: 0x7d,
  i64Multiply: 0x7e,
  i64ShiftRight: 0x88,
  i64FromU32: 0xad,
  /** First of two bytes: bulk memory, tables, saturating conversions. */
  more: 0xfc,
  simd: 0xfd,
} as const

/** The empty type of a block, and the types of values that our own code needs. */
export const type = { empty: 0x40, i32: 0x7f, i64: 0x7e } as const

// What is not set is refused.
const nothing = 1
const index = 2
const twoIndexes = 3
const memoryPlace = 4
const number = 5
const fourBytes = 6
const eightBytes = 7
const zeroByte = 8
const listOfTypes = 9
const referenceType = 10

const immediates = new Uint8Array(256)
const set = (kind: number, first: number, last = first): void => {
  immediates.fill(kind, first, last + 1)
}
set(nothing, 0x00, 0x01)
set(index, 0x10) // call
set(twoIndexes, 0x11) // call_indirect
set(index, 0x12) // return_call
set(twoIndexes, 0x13) // return_call_indirect
set(nothing, 0x1a, 0x1b) // drop, select
set(listOfTypes, 0x1c) // select t
set(index, 0x20, 0x26) // local.*, global.*, table.get, table.set
set(memoryPlace, 0x28, 0x3e) // loads, stores
set(zeroByte, 0x3f, 0x40) // memory.size, memory.grow
set(number, 0x41, 0x42)
set(fourBytes, 0x43)
set(eightBytes, 0x44)
set(nothing, 0x45, 0xc4) // comparisons, arithmetic, conversions
set(referenceType, 0xd0) // ref.null
set(nothing, 0xd1) // ref.is_null
set(index, 0xd2) // ref.func

const proposals: readonly (readonly [first: number, last: number, what: string])[] = [
  [0x06, 0x0a, 'exceptions'],
  [0x14, 0x17, 'typed function references'],
  [0x18, 0x19, 'exceptions'],
  [0x1f, 0x1f, 'exceptions'],
  [0xd3, 0xd6, 'garbage collection or typed function references'],
  [0xfb, 0xfb, 'garbage collection'],
  [0xfe, 0xfe, 'threads'],
]

const hex = (code: number): string => `0x${code.toString(16).padStart(2, '0')}`

/** Passes over a type of values. */
export const skipValueType = (reader: Reader): void => {
  const code = reader.byte()
  const known = (code >= 0x7b && code <= 0x7f) || code === 0x70 || code === 0x6f
  if (!known) throw reader.unsupported(`a type of values of a later proposal (${hex(code)})`)
}

/** Passes over the type of a block. */
export const skipBlockType = (reader: Reader): void => {
  const code = reader.bytes[reader.at]
  if (code === type.empty) reader.skip(1)
  // A negative number is a type of values, another one an index of a type.
  else if (code !== undefined && code < 0x80 && code >= 0x40) skipValueType(reader)
  else reader.skipNumber()
}

const skipMemoryPlace = (reader: Reader): void => {
  if (reader.u32() >= 0x40) throw reader.unsupported('more than one memory')
  // A 64-bit offset stands only in modules of memory64, which are refused where their memory is declared.
  reader.u32()
}

/** Passes over what follows an instruction that neither begins, ends nor leaves a straight line. */
export const skipImmediates = (reader: Reader, code: number): void => {
  switch (immediates[code]) {
    case nothing:
      return
    case index:
      reader.u32()
      return
    case twoIndexes:
      reader.u32()
      reader.u32()
      return
    case memoryPlace:
      skipMemoryPlace(reader)
      return
    case number:
      reader.skipNumber()
      return
    case fourBytes:
      reader.skip(4)
      return
    case eightBytes:
      reader.skip(8)
      return
    case zeroByte:
      if (reader.byte() !== 0) throw reader.unsupported('more than one memory')
      return
    case listOfTypes:
      for (let left = reader.u32(); left > 0; left -= 1) skipValueType(reader)
      return
    case referenceType:
      skipValueType(reader)
      return
    default: {
      const what = proposals.find(([first, last]) => code >= first && code <= last)?.[2] ?? 'an instruction'
      throw reader.unsupported(`${what} (${hex(code)})`)
    }
  }
}

/** What a bulk instruction is charged by: its length, in this unit, besides the one for itself. */
export type BulkUnit = 'bytes' | 'elements' | 'pages'

/** Passes over an instruction of two bytes that begins with 0xfc, and says what its length is counted in. */
export const skipMore = (reader: Reader): BulkUnit | undefined => {
  const code = reader.u32()
  if (code <= 7) return undefined // saturating conversions
  if (code > 17) throw reader.unsupported(`an instruction (0xfc ${hex(code)})`)
  reader.u32()
  // memory.init, memory.copy, table.init and table.copy name two things; memory.fill and the rest one.
  if (code === 8 || code === 10 || code === 12 || code === 14) reader.u32()
  if (code === 8 || code === 10 || code === 11) return 'bytes'
  return code === 12 || code === 14 || code === 15 || code === 17 ? 'elements' : undefined
}

/** Passes over an instruction of vectors, which begins with 0xfd. */
export const skipVector = (reader: Reader): void => {
  const code = reader.u32()
  if (code > 0xff) {
    // Their results may differ between machines, and a run is to be the same on each.
    throw reader.unsupported(code < 0x114 ? `relaxed SIMD (0xfd ${hex(code)})` : `an instruction (0xfd ${hex(code)})`)
  }
  if (code <= 11 || code === 92 || code === 93) skipMemoryPlace(reader)
  else if (code <= 13) reader.skip(16)
  else if (code >= 21 && code <= 34) reader.skip(1)
  else if (code >= 84 && code <= 91) {
    skipMemoryPlace(reader)
    reader.skip(1)
  }
}
