// Bytes that grow. One buffer is written from front to back; a part whose length stands before it is written elsewhere first.

/** A growing run of bytes. */
export class Writer {
  #bytes: Uint8Array<ArrayBuffer>
  length = 0

  constructor(capacity = 1024) {
    this.#bytes = new Uint8Array(capacity)
  }

  /** What was written, without a copy: the next write may change it. */
  get bytes(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.length)
  }

  /** Forgets what was written and keeps the room for it. */
  clear(): void {
    this.length = 0
  }

  byte(value: number): void {
    this.#reserve(1)
    this.#bytes[this.length++] = value
  }

  copy(bytes: Uint8Array): void {
    this.#reserve(bytes.length)
    this.#bytes.set(bytes, this.length)
    this.length += bytes.length
  }

  /** An unsigned number (LEB128). */
  u32(value: number): void {
    let rest = value
    while (rest >= 0x80) {
      this.byte((rest & 0x7f) | 0x80)
      rest = Math.floor(rest / 0x80)
    }
    this.byte(rest)
  }

  /** A signed number (LEB128). */
  signed(value: bigint): void {
    let rest = value
    for (;;) {
      const byte = Number(rest & 0x7fn)
      rest >>= 7n
      const done = (rest === 0n && byte < 0x40) || (rest === -1n && byte >= 0x40)
      this.byte(done ? byte : byte | 0x80)
      if (done) return
    }
  }

  /** A part with its length before it. */
  sized(bytes: Uint8Array): void {
    this.u32(bytes.length)
    this.copy(bytes)
  }

  /** A name. */
  name(text: string): void {
    this.sized(new TextEncoder().encode(text))
  }

  #reserve(more: number): void {
    const needed = this.length + more
    if (needed <= this.#bytes.length) return
    const grown = new Uint8Array(Math.max(needed, Math.ceil(this.#bytes.length * 1.5)))
    grown.set(this.bytes)
    this.#bytes = grown
  }
}
