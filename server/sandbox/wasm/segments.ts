// Where a function is charged, and how much. Charging every instruction would cost more than running it, so instructions that
// always run together are charged together, where the first of them stands. That is more than a straight line: what follows a
// block, a loop or an `if` runs as often as what precedes it, unless a branch from inside leaves it for further out, so it
// belongs to the same segment. docs/FUEL.md has the rules as wasm-seg/2.
import { op, skipBlockType, skipImmediates, skipMore, skipVector } from './instructions.ts'
import type { BulkUnit } from './instructions.ts'
import type { Reader } from './reader.ts'

/** Instructions that run as often as the one at `at`. */
export interface Segment {
  readonly kind: 'segment'
  readonly at: number
  cost: number
}

/** What is done before the instruction at `at`: a segment is charged, or the length of a bulk instruction, or others have charged. */
export type Charge = Segment | { readonly kind: BulkUnit | 'called'; readonly at: number }

interface Frame {
  readonly code: number
  /** What was charged when it was entered; absent where it is never reached. */
  readonly entered: Segment | undefined
  hasElse: boolean
  /** Its end is reached by a branch. */
  targeted: boolean
  /** The frame furthest out that a branch from inside goes to. */
  outermost: number
}

class SegmentFinder {
  readonly charges: Charge[] = []
  readonly #reader: Reader
  readonly #frames: Frame[] = []
  /** What the next instruction belongs to; absent where it is never reached. */
  #current: Segment | undefined

  constructor(reader: Reader) {
    this.#reader = reader
  }

  find(): void {
    this.#begin()
    this.#enter(op.block)
    while (this.#frames.length > 0) this.#instruction(this.#reader.at, this.#reader.byte())
    if (this.#reader.at !== this.#reader.end) throw this.#reader.malformed('goes on after the end of a function')
  }

  #begin(): void {
    this.#current = { kind: 'segment', at: this.#reader.at, cost: 0 }
    this.charges.push(this.#current)
  }

  #enter(code: number): void {
    this.#frames.push({
      code,
      entered: this.#current,
      hasElse: false,
      targeted: false,
      outermost: this.#frames.length,
    })
    if (this.#current !== undefined && code !== op.block) this.#begin()
  }

  #pay(): void {
    if (this.#current !== undefined) this.#current.cost += 1
  }

  #branch(depth: number): void {
    const target = this.#frames.length - 1 - depth
    const frame = this.#frames[target]
    const inner = this.#frames.at(-1)
    if (frame === undefined || inner === undefined)
      throw this.#reader.malformed('branches to a label that is not there')
    if (this.#current === undefined) return
    frame.targeted = true
    inner.outermost = Math.min(inner.outermost, target)
  }

  /** Returns are branches to the function's own label. */
  #return(): void {
    this.#branch(this.#frames.length - 1)
    this.#current = undefined
  }

  #else(): void {
    const frame = this.#frames.at(-1)
    if (frame?.code !== op.if || frame.hasElse) throw this.#reader.malformed('has an else without an if')
    frame.hasElse = true
    if (this.#current !== undefined) frame.targeted = true
    this.#current = frame.entered
    if (this.#current !== undefined) this.#begin()
  }

  #leave(): void {
    const frame = this.#frames.pop()
    const outer = this.#frames.at(-1)
    if (frame === undefined || outer === undefined) return
    outer.outermost = Math.min(outer.outermost, frame.outermost)
    const skipped = frame.code === op.if && !frame.hasElse && frame.entered !== undefined
    const reached = this.#current !== undefined || skipped || (frame.targeted && frame.code !== op.loop)
    if (!reached) this.#current = undefined
    else if (frame.outermost >= this.#frames.length) this.#current = frame.entered
    else this.#begin()
  }

  #instruction(at: number, code: number): void {
    const reader = this.#reader
    switch (code) {
      case op.block:
      case op.loop:
        skipBlockType(reader)
        this.#enter(code)
        return
      case op.if:
        this.#pay()
        skipBlockType(reader)
        this.#enter(code)
        return
      case op.else:
        this.#else()
        return
      case op.end:
        this.#leave()
        return
      case op.br:
        this.#pay()
        this.#branch(reader.u32())
        this.#current = undefined
        return
      case op.brIf:
        this.#pay()
        this.#branch(reader.u32())
        if (this.#current !== undefined) this.#begin()
        return
      case op.brTable:
        this.#pay()
        // One more than it says: the default.
        for (let left = reader.u32(); left >= 0; left -= 1) this.#branch(reader.u32())
        this.#current = undefined
        return
      case op.return:
        this.#return()
        return
      case op.returnCall:
      case op.returnCallIndirect:
        this.#pay()
        skipImmediates(reader, code)
        this.#return()
        return
      case op.unreachable:
        this.#current = undefined
        return
      case op.nop:
      case op.drop:
        return
      default:
        this.#pay()
        this.#plain(at, code)
    }
  }

  /** An instruction after which the next one runs. */
  #plain(at: number, code: number): void {
    const reader = this.#reader
    if (code === op.simd) skipVector(reader)
    else if (code === op.more) {
      const unit = skipMore(reader)
      if (unit !== undefined) this.#also(unit, at)
    } else {
      skipImmediates(reader, code)
      if (code === op.memoryGrow) this.#also('pages', at)
      if (code === op.call || code === op.callIndirect) this.#also('called', reader.at)
    }
  }

  #also(kind: BulkUnit | 'called', at: number): void {
    if (this.#current !== undefined) this.charges.push({ kind, at })
  }
}

/** Everything to be done in a function whose instructions `reader` stands before, in the order of their places. */
export const chargesOf = (reader: Reader): readonly Charge[] => {
  const finder = new SegmentFinder(reader)
  finder.find()
  return finder.charges.filter((charge) => charge.kind !== 'segment' || charge.cost > 0)
}
