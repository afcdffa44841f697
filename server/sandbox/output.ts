// What a program prints is kept up to a limit: of stdout the beginning, of stderr the end, where the error stands.

/** More than this many times what is kept, and the program is ended. */
export const floodFactor = 8

export class Output {
  readonly #limit: number
  readonly #keep: 'first' | 'last'
  #chunks: Uint8Array[] = []
  #kept = 0
  /** Bytes that were written in all. */
  written = 0

  constructor(limit: number, keep: 'first' | 'last') {
    this.#limit = limit
    this.#keep = keep
  }

  /** Takes a copy. */
  write(bytes: Uint8Array): void {
    this.written += bytes.length
    const room = this.#keep === 'first' ? this.#limit - this.#kept : this.#limit
    if (room <= 0) return
    const part = this.#keep === 'first' ? bytes.slice(0, room) : bytes.slice(-room)
    this.#chunks.push(part)
    this.#kept += part.length
    // Twice the limit before it is cut, so that many small writes cost no copy each.
    if (this.#kept > 2 * this.#limit || this.#chunks.length > 10_000) this.#chunks = [this.#join()]
  }

  /** Whether so much was written that the program is to be ended. */
  get floods(): boolean {
    return this.written > floodFactor * this.#limit
  }

  /** What is kept, cut between characters, and how many bytes are not. */
  read(): { readonly text: string; readonly omitted: number } {
    if (this.written === 0) return { text: '', omitted: 0 }
    const bytes = this.#join()
    if (this.written <= this.#limit) return { text: decode(bytes), omitted: 0 }
    let from = 0
    let to = bytes.length
    if (this.#keep === 'last') while (from < to && from < 4 && isInside(bytes[from])) from += 1
    else to = wholeCharacters(bytes)
    return { text: decode(bytes.subarray(from, to)), omitted: this.written - (to - from) }
  }

  #join(): Uint8Array {
    const all = new Uint8Array(this.#chunks.reduce((sum, { length }) => sum + length, 0))
    let at = 0
    for (const chunk of this.#chunks) {
      all.set(chunk, at)
      at += chunk.length
    }
    const kept = this.#keep === 'last' ? all.subarray(-this.#limit) : all
    this.#kept = kept.length
    return kept
  }
}

/** What was printed, as the end of a run tells it. */
export function printed(stdout: Output, stderr: Output) {
  const [out, err] = [stdout.read(), stderr.read()]
  return {
    stdout: out.text,
    stderr: err.text,
    omitted: { stdoutBytes: out.omitted, stderrBytes: err.omitted },
  } as const
}

const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
const decode = (bytes: Uint8Array): string => decoder.decode(bytes)

/** Whether a byte goes on with a character of UTF-8. */
const isInside = (byte: number | undefined): boolean => byte !== undefined && (byte & 0xc0) === 0x80

/** How many bytes there are without the beginning of a character at their end. */
function wholeCharacters(bytes: Uint8Array): number {
  let first = bytes.length - 1
  while (first > 0 && first > bytes.length - 4 && isInside(bytes[first])) first -= 1
  const lead = bytes[first] ?? 0
  const length = lead >= 0xf0 ? 4 : lead >= 0xe0 ? 3 : lead >= 0xc0 ? 2 : 1
  return first + length > bytes.length ? Math.max(first, 0) : bytes.length
}
