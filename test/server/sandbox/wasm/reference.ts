// Runs random programs by the rules of docs/FUEL.md, word for word and slowly: from the tree, and with none of the code that it
// is a reference for.
import { dataBytes, maximumPages } from './random-module.ts'
import type { Instruction, RandomModule } from './random-module.ts'

const page = 65_536

export interface Ending {
  readonly outcome: { readonly returned: readonly number[] } | { readonly trapped: string }
  readonly spent: number
  /** Instructions that ran, and what bulk instructions cost: what a program that ends in order has spent. */
  readonly ran: number
  readonly memory: Uint8Array
}

class Trap extends Error {}

/** More steps than a test should take. */
export class TooLong extends Error {}

type Body = readonly Instruction[]
/** What a construct does with control. */
interface Facts {
  /** Its end is reached, by falling through or by a branch to its label. */
  readonly ends: boolean
  /** A branch from inside leaves it for further out. */
  readonly escaped: boolean
}

const free = new Set<Instruction['kind']>(['nop', 'drop', 'block', 'loop', 'return', 'unreachable'])

class Analysis {
  readonly facts = new Map<Instruction, Facts>()

  /** Whether the end of a body falls through, and how far out the branches in it go: 0 is its own label. */
  body(body: Body): { falls: boolean; targets: Set<number> } {
    const targets = new Set<number>()
    for (const one of body) {
      switch (one.kind) {
        case 'brIf':
          targets.add(one.depth)
          break
        case 'br':
          targets.add(one.depth)
          return { falls: false, targets }
        case 'brTable':
          for (const depth of [...one.depths, one.otherwise]) targets.add(depth)
          return { falls: false, targets }
        case 'return':
        case 'tail':
          targets.add(Infinity)
          return { falls: false, targets }
        case 'unreachable':
          return { falls: false, targets }
        case 'block':
        case 'loop':
        case 'if': {
          const inside = this.body(one.body)
          const other = one.kind === 'if' && one.otherwise !== undefined ? this.body(one.otherwise) : undefined
          const all = new Set([...inside.targets, ...(other?.targets ?? [])])
          const skipped = one.kind === 'if' && one.otherwise === undefined
          const falls = inside.falls || other?.falls === true || skipped
          const ends = falls || (one.kind !== 'loop' && all.has(0))
          this.facts.set(one, { ends, escaped: [...all].some((depth) => depth > 0) })
          for (const depth of all) if (depth > 0) targets.add(depth - 1)
          if (!ends) return { falls: false, targets }
          break
        }
        default:
      }
    }
    return { falls: true, targets }
  }

  /** The cost of the segment that begins at a place, and whether it goes on behind the body. */
  segment(body: Body, from: number): { cost: number; goesOn: boolean } {
    let cost = 0
    for (const one of body.slice(from)) {
      if (!free.has(one.kind)) cost += 1
      if (['br', 'brIf', 'brTable', 'return', 'tail', 'unreachable'].includes(one.kind)) return { cost, goesOn: false }
      const facts = this.facts.get(one)
      if (one.kind === 'block') cost += this.segment(one.body, 0).cost
      if (facts !== undefined && (facts.escaped || !facts.ends)) return { cost, goesOn: false }
    }
    return { cost, goesOn: true }
  }
}

/** Where control goes on: behind the frame so many further out. Absent: to the next instruction. */
type Jump = number | undefined

class Run {
  memory = new Uint8Array(page)
  spent = 0
  ran = 0
  readonly #module: RandomModule
  readonly #budget: number
  readonly #analysis = new Analysis()
  readonly #stack: number[] = []

  constructor(module: RandomModule, budget: number) {
    this.#module = module
    this.#budget = budget
    for (const func of module.functions) this.#analysis.body(func.body)
  }

  call(at: number, parameters: readonly number[]): readonly number[] {
    const func = this.#module.functions[at]
    if (func === undefined) throw new Error(`There is no function ${at}.`)
    const locals = [...parameters, ...Array.from<number>({ length: func.locals }).fill(0)]
    const height = this.#stack.length
    this.#pay(func.body, 0)
    this.#body(func.body, locals)
    const results = this.#stack.slice(this.#stack.length - func.results)
    this.#stack.length = height
    return func.results === 0 ? [] : results
  }

  #pay(body: Body, from: number): void {
    this.#spend(this.#analysis.segment(body, from).cost)
  }

  #spend(cost: number): void {
    this.spent += cost
    if (this.spent > this.#budget) throw new Trap('unreachable')
  }

  #pop(): number {
    const value = this.#stack.pop()
    if (value === undefined) throw new Error('The stack is empty.')
    return value
  }

  #body(body: Body, locals: number[]): Jump {
    for (const [at, one] of body.entries()) {
      if (!free.has(one.kind)) this.ran += 1
      if (this.ran > 20_000) throw new TooLong()
      const jump = this.#step(one, locals)
      if (jump !== undefined) return jump
      if (one.kind === 'brIf' || this.#analysis.facts.get(one)?.escaped === true) this.#pay(body, at + 1)
    }
    return undefined
  }

  /** A construct: what it leaves is what its label takes. */
  #frame(results: number, run: () => Jump): Jump {
    const height = this.#stack.length
    const jump = run()
    if (jump === undefined) return undefined
    if (jump > 0) return jump - 1
    const kept = results === 0 ? [] : this.#stack.slice(-results)
    this.#stack.length = height
    this.#stack.push(...kept)
    return undefined
  }

  #step(one: Instruction, locals: number[]): Jump {
    const stack = this.#stack
    switch (one.kind) {
      case 'const':
        stack.push(one.value | 0)
        return undefined
      case 'get':
        stack.push(locals[one.local] ?? 0)
        return undefined
      case 'set':
        locals[one.local] = this.#pop()
        return undefined
      case 'tee':
        locals[one.local] = stack.at(-1) ?? 0
        return undefined
      case 'binary': {
        const right = this.#pop()
        stack.push(operate(one.code, this.#pop(), right))
        return undefined
      }
      case 'eqz':
        stack.push(this.#pop() === 0 ? 1 : 0)
        return undefined
      case 'drop':
        this.#pop()
        return undefined
      case 'select': {
        const first = this.#pop() !== 0
        const second = this.#pop()
        const value = this.#pop()
        stack.push(first ? value : second)
        return undefined
      }
      case 'block':
        return this.#frame(one.results, () => this.#body(one.body, locals))
      case 'if': {
        const body = this.#pop() === 0 ? one.otherwise : one.body
        if (body === undefined) return undefined
        this.#pay(body, 0)
        return this.#frame(one.results, () => this.#body(body, locals))
      }
      case 'loop':
        for (;;) {
          this.#pay(one.body, 0)
          const jump = this.#body(one.body, locals)
          if (jump !== 0) return jump === undefined ? undefined : jump - 1
        }
      case 'br':
        return one.depth
      case 'brIf':
        return this.#pop() === 0 ? undefined : one.depth
      case 'brTable': {
        const index = this.#pop() >>> 0
        return one.depths[index] ?? one.otherwise
      }
      case 'return':
        return Infinity
      case 'call':
      case 'tail': {
        const parameters = [0, 0].map(() => this.#pop()).toReversed()
        stack.push(...this.call(one.func, parameters))
        return one.kind === 'tail' ? Infinity : undefined
      }
      case 'unreachable':
        throw new Trap('unreachable')
      case 'nop':
        return undefined
      default:
        this.#memory(one.kind)
        return undefined
    }
  }

  #bounds(at: number, length: number, of: number): void {
    if (at + length > of) throw new Trap('memory access out of bounds')
  }

  #bulk(units: number): void {
    this.ran += units
    this.#spend(units)
  }

  #memory(kind: 'load' | 'store' | 'size' | 'grow' | 'fill' | 'copy' | 'init'): void {
    const size = this.memory.length
    const view = new DataView(this.memory.buffer)
    if (kind === 'size') this.#stack.push(size / page)
    else if (kind === 'load') {
      const at = this.#pop() >>> 0
      this.#bounds(at, 4, size)
      this.#stack.push(view.getInt32(at, true))
    } else if (kind === 'store') {
      const value = this.#pop()
      const at = this.#pop() >>> 0
      this.#bounds(at, 4, size)
      view.setInt32(at, value, true)
    } else if (kind === 'grow') {
      const more = this.#pop() >>> 0
      this.#bulk(more * 1_024)
      const fits = size / page + more <= maximumPages
      this.#stack.push(fits ? size / page : -1)
      if (!fits) return
      const grown = new Uint8Array(size + more * page)
      grown.set(this.memory)
      this.memory = grown
    } else {
      const length = this.#pop() >>> 0
      const second = this.#pop()
      const at = this.#pop() >>> 0
      this.#bulk(Math.floor(length / 8))
      if (kind !== 'fill') this.#bounds(second >>> 0, length, kind === 'copy' ? size : dataBytes.length)
      this.#bounds(at, length, size)
      const from = second >>> 0
      if (kind === 'fill') this.memory.fill(second & 0xff, at, at + length)
      else if (kind === 'copy') this.memory.copyWithin(at, from, from + length)
      else this.memory.set(dataBytes.slice(from, from + length), at)
    }
  }
}

const operate = (code: number, left: number, right: number): number => {
  switch (code) {
    case 0x6a:
      return (left + right) | 0
    case 0x6b:
      return (left - right) | 0
    case 0x6c:
      return Math.imul(left, right)
    case 0x6e:
      if (right === 0) throw new Trap('divide by zero')
      return Math.floor((left >>> 0) / (right >>> 0)) | 0
    case 0x71:
      return left & right
    case 0x48:
      return left < right ? 1 : 0
    default:
      throw new Error(`There is no operation ${code}.`)
  }
}

/** How the last function ends on this budget. */
export const runByTheRules = (module: RandomModule, parameters: readonly number[], budget = 2 ** 50): Ending => {
  const run = new Run(module, budget)
  const ending = (outcome: Ending['outcome']): Ending => ({
    outcome,
    spent: run.spent,
    ran: run.ran,
    memory: run.memory,
  })
  try {
    return ending({ returned: run.call(module.functions.length - 1, parameters) })
  } catch (error) {
    if (error instanceof Trap) return ending({ trapped: error.message })
    throw error
  }
}
