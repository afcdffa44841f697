// What the functions of WASI stand on: error numbers, the guest's memory, and what one instance is given.
import { workOf } from '../instance.ts'

/** Numbers of the specification (wasi_snapshot_preview1, `errno`). */
export const errno = {
  badf: 8,
  exist: 20,
  ilseq: 25,
  inval: 28,
  isdir: 31,
  mfile: 33,
  nametoolong: 37,
  noent: 44,
  nospc: 51,
  notdir: 54,
  notempty: 55,
  notsup: 58,
  rofs: 69,
  spipe: 70,
  notcapable: 76,
} as const

/** The functions of WASI by name. Pointers and lengths are numbers, what has 64 bits is a bigint. */
// oxlint-disable-next-line typescript/no-explicit-any -- each has its own parameters, which WebAssembly checks by itself.
export type Wasi = Readonly<Record<string, (...given: any[]) => number>>

export interface WasiHost {
  readonly args: readonly string[]
  readonly environment: readonly string[]
  readonly memory: () => WebAssembly.Memory
  /** Takes fuel for work of the host. Where there is not enough it ends the program, before the work. */
  readonly pay: (units: number) => void
  /** Nanoseconds; clock 0 counts from 1970, the others from the start. */
  readonly now: (clock: number) => bigint
  /** What a program sleeps is added to its clock. */
  readonly sleep: (nanoseconds: bigint) => void
  readonly random: (into: Uint8Array) => void
  readonly write: (to: 1 | 2, bytes: Uint8Array) => void
  /** The channel of the driver: `read` waits until there is something, and gives at most so many bytes of it. */
  readonly control: {
    readonly read: (most: number) => Uint8Array
    readonly write: (bytes: Uint8Array) => void
  }
  /** Ends the program; does not return. */
  readonly exit: (code: number) => never
}

/** Where the clock of programs begins, in nanoseconds since 1970, and the times of their files. */
export const startOfTime = 1_700_000_000_000_000_000n

const mostParts = 1024

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** Memory of the guest. It moves when it grows, so that no view of it is kept. */
export class GuestMemory {
  readonly #memory: () => WebAssembly.Memory
  readonly #pay: (units: number) => void

  constructor({ memory, pay }: Pick<WasiHost, 'memory' | 'pay'>) {
    this.#memory = memory
    this.#pay = pay
  }

  get view(): DataView {
    return new DataView(this.#memory().buffer)
  }

  /** A part of it, without a copy. @throws RangeError where the guest names a place that is not there. */
  bytes(pointer: number, length: number): Uint8Array {
    return new Uint8Array(this.#memory().buffer, pointer >>> 0, length >>> 0)
  }

  /** Text; `undefined` where it is not UTF-8. */
  text(pointer: number, length: number): string | undefined {
    this.#pay(workOf.text(length >>> 0))
    try {
      return utf8.decode(this.bytes(pointer, length))
    } catch (error) {
      if (error instanceof TypeError) return undefined
      throw error
    }
  }

  u32(pointer: number, value: number): number {
    this.view.setUint32(pointer, value, true)
    return 0
  }

  u64(pointer: number, value: bigint): number {
    this.view.setBigUint64(pointer, value, true)
    return 0
  }

  /** The parts of memory that a list of pointers and lengths names. */
  list(pointer: number, count: number): readonly Uint8Array[] {
    const { view } = this
    this.#pay(workOf.text(8 * Math.min(count >>> 0, mostParts)))
    // The rest is written or read by another call, as after any short one.
    return Array.from({ length: Math.min(count >>> 0, mostParts) }, (_, index) =>
      this.bytes(view.getUint32(pointer + 8 * index, true), view.getUint32(pointer + 8 * index + 4, true)),
    )
  }

  putStrings(strings: readonly string[], list: number, buffer: number): number {
    let at = buffer
    for (const [index, text] of strings.entries()) {
      this.u32(list + 4 * index, at)
      const bytes = Buffer.from(`${text}\0`)
      this.bytes(at, bytes.length).set(bytes)
      at += bytes.length
    }
    return 0
  }

  putSizes(strings: readonly string[], count: number, size: number): number {
    this.u32(count, strings.length)
    return this.u32(
      size,
      strings.reduce((sum, text) => sum + Buffer.byteLength(text) + 1, 0),
    )
  }

  /** As many entries of a folder as there is room for, from the `cookie`th on; the last one may be cut. */
  putEntries(
    buffer: number,
    length: number,
    entries: readonly (readonly [name: string, id: number, type: number])[],
    cookie: number,
  ): number {
    const out = this.bytes(buffer, length)
    let at = 0
    for (const [index, [name, id, type]] of entries.entries()) {
      if (index < cookie) continue
      this.#pay(workOf.text(24 + name.length))
      const bytes = Buffer.from(name)
      const entry = Buffer.alloc(24 + bytes.length)
      entry.writeBigUInt64LE(BigInt(index + 1), 0)
      entry.writeBigUInt64LE(BigInt(id), 8)
      entry.writeUInt32LE(bytes.length, 16)
      entry.writeUInt8(type, 20)
      entry.set(bytes, 24)
      out.set(entry.subarray(0, length - at), at)
      at = Math.min(length, at + entry.length)
      if (at === length) break
    }
    return at
  }
}
