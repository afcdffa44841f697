// QuickJS makes a context and runs our prelude before a first program can run, and does exactly the same each time. A snapshot
// is what its memory holds after that. The host has objects of its own for what lies there, so it begins as it always does;
// its calls are answered with what QuickJS answered when the snapshot was taken, and QuickJS itself runs nothing.

/** A call of the host: the name of an export, what it was given, and what it answered. */
type Call = readonly [name: string, given: readonly number[], answer: number | null]

export interface Snapshot {
  /** In the order in which the host made them. */
  readonly calls: readonly Call[]
  /** What the given clock says. */
  readonly now: number
  /** What memory holds besides zeros. */
  readonly pieces: readonly Piece[]
}

interface Piece {
  readonly at: number
  readonly bytes: Uint8Array
}

/** What stands between the host and the exports of an instance while that begins. */
export interface Beginning {
  /** The exports as the host gets them. */
  readonly through: (exports: WebAssembly.Exports) => WebAssembly.Exports
}

type Run = (...given: readonly unknown[]) => unknown

const wrapped = (exports: WebAssembly.Exports, wrap: (name: string, run: Run) => Run): WebAssembly.Exports =>
  Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [
      name,
      typeof value === 'function' ? (wrap(name, value as Run) as WebAssembly.ExportValue) : value,
    ]),
  )

/** As WebAssembly takes it: the package gives some functions `false` for 0, or leaves out what they do not read. */
const numberOf = (given: unknown): number => Number(given) || 0

/** Writes down what is called. */
export class Recording implements Beginning {
  readonly calls: Call[] = []

  through(exports: WebAssembly.Exports): WebAssembly.Exports {
    return wrapped(exports, (name, run) => (...given) => {
      const answer = run(...given)
      this.calls.push([name, given.map(numberOf), answer === undefined ? null : Number(answer)])
      return answer
    })
  }
}

/** Answers in place of QuickJS until its memory is what it was, and throws where the host does not begin as it did then. */
export class Replay implements Beginning {
  readonly #snapshot: Snapshot
  #next = 0
  #over = false

  constructor(snapshot: Snapshot) {
    this.#snapshot = snapshot
  }

  through(exports: WebAssembly.Exports): WebAssembly.Exports {
    return wrapped(
      exports,
      (name, run) =>
        (...given) =>
          this.#over ? run(...given) : this.#answer(name, given),
    )
  }

  /**
   * Fills memory, in which the host may have written meanwhile. From now on QuickJS runs.
   * @throws where the host has called less than it did.
   */
  finish(memory: WebAssembly.Memory, clock: { now: number }): void {
    const { calls, pieces, now } = this.#snapshot
    if (this.#next !== calls.length) throw new Error(`The host made ${this.#next} calls of ${calls.length}.`)
    const all = new Uint8Array(memory.buffer)
    for (const { at, bytes } of pieces) all.set(bytes, at)
    clock.now = now
    this.#over = true
  }

  #answer(name: string, given: readonly unknown[]): number | undefined {
    const [known, before, answer] = this.#snapshot.calls[this.#next] ?? []
    if (known !== name || before?.some((each, at) => each !== numberOf(given[at])) !== false)
      throw new Error(`Call ${this.#next} of the host is ${name}, and was ${known}.`)
    this.#next += 1
    return answer ?? undefined
  }
}

const wordBytes = 8
/** Zeros between two pieces that are not worth two. */
const gapWords = 512

/** What memory holds besides zeros. */
export function piecesOf({ buffer }: WebAssembly.Memory): readonly Piece[] {
  const words = new BigUint64Array(buffer)
  const pieces: Piece[] = []
  let from = words.findIndex((word) => word !== 0n)
  while (from >= 0) {
    let to = from
    for (let at = from; at < words.length && at - to <= gapWords; at += 1) if (words[at] !== 0n) to = at
    pieces.push({ at: from * wordBytes, bytes: new Uint8Array(buffer, from * wordBytes, (to + 1 - from) * wordBytes) })
    const next = words.subarray(to + 1).findIndex((word) => word !== 0n)
    from = next < 0 ? next : to + 1 + next
  }
  return pieces
}

/** How long the text is that says what the bytes behind it are. */
const headBytes = 4

interface Head extends Pick<Snapshot, 'calls' | 'now'> {
  readonly places: readonly (readonly [at: number, length: number])[]
}

/** A snapshot as a file. */
export function encodeSnapshot({ calls, now, pieces }: Snapshot): Buffer<ArrayBuffer> {
  const head: Head = { calls, now, places: pieces.map(({ at, bytes }) => [at, bytes.length]) }
  const text = Buffer.from(JSON.stringify(head))
  const length = Buffer.alloc(headBytes)
  length.writeUInt32LE(text.length)
  return Buffer.concat([length, text, ...pieces.map(({ bytes }) => bytes)])
}

/** The same, of a file whose digest is known. */
export function decodeSnapshot(file: Uint8Array): Snapshot {
  const bytes = Buffer.from(file.buffer, file.byteOffset, file.byteLength)
  let end = headBytes + bytes.readUInt32LE(0)
  const { calls, now, places } = JSON.parse(bytes.toString('utf8', headBytes, end)) as Head
  const pieces = places.map(([at, length]) => {
    const from = end
    end += length
    return { at, bytes: file.subarray(from, end) }
  })
  return { calls, now, pieces }
}
