// Reads WebAssembly's binary format in place. What cannot be read or is not supported is thrown as `RefusedBinary`, which
// `meterWasm` catches: a module is either rewritten whole or refused, and never half understood.

/** Why a binary is refused, and where in it. */
export interface WasmRefusal {
  readonly code: 'malformed' | 'unsupported' | 'conflict'
  readonly message: string
  /** Byte of the binary at which it was found. */
  readonly offset: number
}

/** Carries a refusal up to `meterWasm`. */
export class RefusedBinary extends Error {
  readonly refusal: WasmRefusal

  constructor(code: WasmRefusal['code'], message: string, offset: number) {
    super(message)
    this.refusal = { code, message, offset }
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** A place in a binary that moves on with everything read. */
export class Reader {
  readonly bytes: Uint8Array
  at: number
  readonly end: number

  constructor(bytes: Uint8Array, at = 0, end = bytes.length) {
    this.bytes = bytes
    this.at = at
    this.end = end
  }

  /** One byte. */
  byte(): number {
    if (this.at >= this.end) throw this.malformed('ends in the middle of something')
    return this.bytes[this.at++] as number
  }

  /** An unsigned number of at most 32 bits (LEB128). */
  u32(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.byte()
      if (shift === 28 && byte > 15) break
      value += (byte & 0x7f) * 2 ** shift
      if (byte < 0x80) return value
    }
    throw this.malformed('holds a number of more than 32 bits where an index or a length is expected')
  }

  /** Passes over a number of any sign and of at most 64 bits. */
  skipNumber(): void {
    for (let length = 0; length < 10; length += 1) if (this.byte() < 0x80) return
    throw this.malformed('holds a number of more than 64 bits')
  }

  /** Passes over `length` bytes. */
  skip(length: number): void {
    if (length > this.end - this.at) throw this.malformed('ends in the middle of something')
    this.at += length
  }

  /** The next `length` bytes, to be read on their own. */
  part(length: number): Reader {
    const start = this.at
    this.skip(length)
    return new Reader(this.bytes, start, this.at)
  }

  /** A name, as modules, fields and custom sections have one. */
  name(): string {
    const { at, end } = this.part(this.u32())
    try {
      return utf8.decode(this.bytes.subarray(at, end))
    } catch {
      throw this.malformed('holds a name that is not UTF-8')
    }
  }

  /** The refusal of a binary that breaks the format here. */
  malformed(what: string): RefusedBinary {
    return new RefusedBinary('malformed', `The WebAssembly binary ${what} (byte ${this.at}).`, this.at)
  }

  /** The refusal of a binary that needs `what`, which is read as the byte before this place. */
  unsupported(what: string): RefusedBinary {
    const at = Math.max(0, this.at - 1)
    return new RefusedBinary(
      'unsupported',
      `The WebAssembly binary uses ${what} (byte ${at}), which is not metered.`,
      at,
    )
  }
}
