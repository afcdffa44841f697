// One function with its charges written into it. Each takes the cost off the fuel and traps when there is not enough, before
// what it pays for runs. The fuel that is left stands in a local besides the global: the next charge takes it from there, where
// V8 has it in a register, while the global is exact at every moment at which a trap or a call of the host may read it.
import { op, skipValueType, type } from './instructions.ts'
import type { BulkUnit } from './instructions.ts'
import type { Reader } from './reader.ts'
import { chargesOf } from './segments.ts'
import type { Charge } from './segments.ts'
import type { Writer } from './writer.ts'

/** Bytes of memory for one unit of fuel, as a shift: eight. */
const bytesShift = 3n
/** Fuel for a page of memory: one for each line of the processor's cache in it. */
const pageFuel = 1024n

interface Places {
  readonly out: Writer
  /** Global that holds the fuel. */
  readonly global: number
  /** Local that holds it, too, where a function has more than one charge. */
  readonly local: number | undefined
  /** Local that holds the length of a bulk instruction. */
  readonly length: number
}

const constant = (out: Writer, value: bigint): void => {
  out.byte(op.i64Const)
  out.signed(value)
}

const indexed = (out: Writer, code: number, index: number): void => {
  out.byte(code)
  out.u32(index)
}

const pushFuel = ({ out, global, local }: Places): void => {
  if (local === undefined) indexed(out, op.globalGet, global)
  else indexed(out, op.localGet, local)
}

/** Reads the fuel that is left after others have charged: the caller, or a function that was called. */
const refresh = ({ out, global, local }: Places): void => {
  if (local === undefined) return
  indexed(out, op.globalGet, global)
  indexed(out, op.localSet, local)
}

/** With the fuel and what to take off it on the stack: takes it off, and traps below zero. */
const subtract = (places: Places): void => {
  const { out, global, local } = places
  out.byte(op.i64Subtract)
  if (local !== undefined) indexed(out, op.localTee, local)
  indexed(out, op.globalSet, global)
  pushFuel(places)
  constant(out, 0n)
  out.byte(op.i64LessThan)
  out.byte(op.if)
  out.byte(type.empty)
  out.byte(op.unreachable)
  out.byte(op.end)
}

const chargeBulk = (places: Places, unit: BulkUnit): void => {
  const { out, length } = places
  indexed(out, op.localTee, length)
  pushFuel(places)
  indexed(out, op.localGet, length)
  out.byte(op.i64FromU32)
  if (unit === 'bytes') {
    constant(out, bytesShift)
    out.byte(op.i64ShiftRight)
  }
  if (unit === 'pages') {
    constant(out, pageFuel)
    out.byte(op.i64Multiply)
  }
  subtract(places)
}

const write = (places: Places, charge: Charge): void => {
  if (charge.kind === 'called') refresh(places)
  else if (charge.kind === 'segment') {
    pushFuel(places)
    constant(places.out, BigInt(charge.cost))
    subtract(places)
  } else chargeBulk(places, charge.kind)
}

/** Writes the function that `reader` holds, of so many parameters, with its charges. */
export const meterBody = (reader: Reader, parameters: number, global: number, out: Writer): void => {
  const groups = reader.u32()
  const groupsAt = reader.at
  let locals = parameters
  for (let left = groups; left > 0; left -= 1) {
    locals += reader.u32()
    skipValueType(reader)
  }
  let copied = reader.at
  const declared = reader.bytes.subarray(groupsAt, copied)
  const charges = chargesOf(reader)
  const paid = charges.filter(({ kind }) => kind !== 'called')
  const keepsFuel = paid.length > 1
  const hasBulk = paid.some(({ kind }) => kind !== 'segment')
  out.u32(groups + Number(keepsFuel) + Number(hasBulk))
  out.copy(declared)
  const places = { out, global, local: keepsFuel ? locals : undefined, length: locals + Number(keepsFuel) }
  for (const [added, valueType] of [
    [keepsFuel, type.i64],
    [hasBulk, type.i32],
  ] as const) {
    if (!added) continue
    out.u32(1)
    out.byte(valueType)
  }
  refresh(places)
  for (const charge of charges) {
    out.copy(reader.bytes.subarray(copied, charge.at))
    copied = charge.at
    write(places, charge)
  }
  out.copy(reader.bytes.subarray(copied, reader.end))
}
