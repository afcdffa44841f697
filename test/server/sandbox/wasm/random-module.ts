// Random programs that are well typed and come to an end: as instructions in a tree, which the reference interpreter runs, and
// as a binary. All values are of 32 bits; what matters here is where control goes.
import { assemble, i32, name, signed, unsigned, w } from './assemble.ts'
import type { Code } from './assemble.ts'

export type Instruction =
  | { readonly kind: 'const'; readonly value: number }
  | { readonly kind: 'get' | 'set' | 'tee'; readonly local: number }
  | { readonly kind: 'binary'; readonly code: number }
  | { readonly kind: 'eqz' | 'drop' | 'nop' | 'select' | 'load' | 'store' | 'size' | 'grow' | 'fill' | 'copy' | 'init' }
  | { readonly kind: 'return' | 'unreachable' }
  | { readonly kind: 'call' | 'tail'; readonly func: number }
  | { readonly kind: 'br' | 'brIf'; readonly depth: number }
  | { readonly kind: 'brTable'; readonly depths: readonly number[]; readonly otherwise: number }
  | { readonly kind: 'block' | 'loop'; readonly results: number; readonly body: readonly Instruction[] }
  | {
      readonly kind: 'if'
      readonly results: number
      readonly body: readonly Instruction[]
      readonly otherwise: readonly Instruction[] | undefined
    }

export interface RandomFunc {
  readonly parameters: number
  readonly results: number
  readonly locals: number
  readonly body: readonly Instruction[]
}

export interface RandomModule {
  /** The last one is exported as `f`. Each calls only those before it. */
  readonly functions: readonly RandomFunc[]
}

export const dataBytes = Array.from({ length: 40 }, (_, at) => at + 1)
export const maximumPages = 3
const add = 0x6a
const binaries = [add, 0x6b, 0x6c, 0x6e, 0x71, 0x48]
const plainLocals = 4
const deepest = 4

/** Decides by given numbers; when they run out, always for the simplest. */
class Choices {
  readonly #numbers: Uint8Array
  #at = 0
  constructor(numbers: Uint8Array) {
    this.#numbers = numbers
  }
  below(limit: number): number {
    const number = this.#numbers[this.#at++]
    return number === undefined ? 0 : number % limit
  }
}

/** What stands around a place: how many values the label of each frame takes, and how many loops are open. */
interface Place {
  readonly labels: readonly number[]
  readonly loops: number
}

class Generator {
  readonly #choose: Choices
  readonly #before: readonly RandomFunc[]
  readonly #results: number

  constructor(choose: Choices, before: readonly RandomFunc[], results: number) {
    this.#choose = choose
    this.#before = before
    this.#results = results
  }

  values(count: number, place: Place): readonly Instruction[] {
    return Array.from({ length: count }, () => this.value(place)).flat()
  }

  /** Leaves one value. */
  value(place: Place): readonly Instruction[] {
    const { labels } = place
    const pick = labels.length > deepest ? this.#choose.below(2) : this.#choose.below(13)
    switch (pick) {
      case 0:
        return [{ kind: 'const', value: this.#choose.below(6) * (this.#choose.below(9) === 8 ? 30_000 : 1) }]
      case 1:
      case 2:
        return [{ kind: 'get', local: this.#choose.below(plainLocals) }]
      case 3:
      case 4:
        return [
          ...this.values(2, place),
          { kind: 'binary', code: binaries[this.#choose.below(binaries.length)] ?? add },
        ]
      case 5:
        return [...this.value(place), { kind: 'load' }]
      case 6: {
        const inside = { ...place, labels: [1, ...labels] }
        return [
          ...this.value(place),
          { kind: 'if', results: 1, body: this.bodyWithValue(inside), otherwise: this.bodyWithValue(inside) },
        ]
      }
      case 7:
        return [{ kind: 'block', results: 1, body: this.bodyWithValue({ ...place, labels: [1, ...labels] }) }]
      case 8: {
        const inside = { ...place, labels: [1, ...labels] }
        const body: readonly Instruction[] = [
          ...this.values(2, inside),
          { kind: 'brIf', depth: 0 },
          { kind: 'drop' },
          ...this.bodyWithValue(inside),
        ]
        return [{ kind: 'block', results: 1, body }]
      }
      case 9:
        return [...this.values(3, place), { kind: 'select' }]
      case 10:
        return [...this.value(place), { kind: 'eqz' }]
      case 11:
        return this.#choose.below(2) === 0 ? [{ kind: 'size' }] : [...this.value(place), { kind: 'grow' }]
      default:
        return (
          this.call(place, 1) ?? [
            { kind: 'get', local: 0 },
            { kind: 'tee', local: 1 },
          ]
        )
    }
  }

  call(place: Place, results: number, kind: 'call' | 'tail' = 'call'): readonly Instruction[] | undefined {
    const fitting = [...this.#before.keys()].filter((func) => this.#before[func]?.results === results)
    const func = fitting[this.#choose.below(2)] ?? fitting[0]
    return func === undefined ? undefined : [...this.values(2, place), { kind, func }]
  }

  bodyWithValue(place: Place): readonly Instruction[] {
    return [...this.statements(place), ...this.value(place)]
  }

  statements(place: Place): readonly Instruction[] {
    return Array.from({ length: this.#choose.below(5) }, () => this.statement(place)).flat()
  }

  /** Leaves nothing; or never comes to its end, and what follows it may leave anything. */
  statement(place: Place): readonly Instruction[] {
    const { labels } = place
    const inside = { ...place, labels: [0, ...labels] }
    const pick = labels.length > deepest ? this.#choose.below(4) : this.#choose.below(20)
    switch (pick) {
      case 0:
        return [{ kind: 'nop' }]
      case 1:
      case 2:
        return [...this.value(place), { kind: 'set', local: this.#choose.below(plainLocals) }]
      case 3:
        return [...this.value(place), { kind: 'drop' }]
      case 4:
        return [...this.values(2, place), { kind: 'store' }]
      case 5:
      case 6:
        return [{ kind: 'block', results: 0, body: this.statements(inside) }]
      case 7:
      case 8:
        return this.loop(place)
      case 9:
      case 10: {
        const otherwise = this.#choose.below(2) === 0 ? undefined : this.statements(inside)
        return [...this.value(place), { kind: 'if', results: 0, body: this.statements(inside), otherwise }]
      }
      case 11:
      case 12:
      case 13:
      case 14: {
        const depth = this.#choose.below(labels.length)
        const taken = labels[depth] ?? 0
        if (this.#choose.below(3) === 2) return [...this.values(taken, place), { kind: 'br', depth }]
        const left = Array.from({ length: taken }, (): Instruction => ({ kind: 'drop' }))
        return [...this.values(taken + 1, place), { kind: 'brIf', depth }, ...left]
      }
      case 15: {
        const depths = [...labels.keys()].filter((depth) => labels[depth] === 0)
        const otherwise = depths.at(-1)
        if (otherwise === undefined) return []
        return [...this.value(place), { kind: 'brTable', depths: depths.slice(0, this.#choose.below(4)), otherwise }]
      }
      case 16:
        return [
          ...this.values(3, place),
          { kind: (['fill', 'copy', 'init'] as const)[this.#choose.below(3)] ?? 'fill' },
        ]
      case 17:
        return this.#choose.below(2) === 0
          ? [...this.values(this.#results, place), { kind: 'return' }]
          : [{ kind: 'unreachable' }]
      case 18:
        return this.call(place, this.#results, 'tail') ?? this.call(place, 0) ?? []
      default:
        return this.call(place, 0) ?? []
    }
  }

  /** Counts down at its head, so that whatever branches back to it, it comes to an end. */
  loop(place: Place): readonly Instruction[] {
    if (place.loops >= 2) return []
    const counter = plainLocals + place.loops
    const head: readonly Instruction[] = [
      { kind: 'get', local: counter },
      { kind: 'eqz' },
      { kind: 'brIf', depth: 1 },
      { kind: 'get', local: counter },
      { kind: 'const', value: -1 },
      { kind: 'binary', code: add },
      { kind: 'set', local: counter },
    ]
    const inside = { labels: [0, 0, ...place.labels], loops: place.loops + 1 }
    const again: readonly Instruction[] = this.#choose.below(3) === 0 ? [] : [{ kind: 'br', depth: 0 }]
    const body = [...head, ...this.statements(inside), ...again]
    return [
      { kind: 'const', value: this.#choose.below(4) },
      { kind: 'set', local: counter },
      { kind: 'block', results: 0, body: [{ kind: 'loop', results: 0, body }] },
    ]
  }
}

/** The module that these numbers choose, a third of them for each of its functions. */
export const randomModule = (numbers: Uint8Array): RandomModule => {
  const functions: RandomFunc[] = []
  const share = Math.ceil(numbers.length / 3)
  for (let at = 0; at < 3; at += 1) {
    const choose = new Choices(numbers.subarray(at * share, (at + 1) * share))
    const results = at === 2 ? 2 : choose.below(3)
    const generator = new Generator(choose, [...functions], results)
    const place = { labels: [results], loops: 0 }
    const statements = Array.from({ length: 3 }, () => generator.statements(place)).flat()
    const body = [...statements, ...generator.values(results, place)]
    functions.push({ parameters: 2, results, locals: plainLocals, body })
  }
  return { functions }
}

const simple: Readonly<Record<string, Code>> = {
  eqz: [0x45],
  drop: [0x1a],
  nop: [0x01],
  select: [0x1b],
  load: [0x28, 2, 0],
  store: [0x36, 2, 0],
  size: [0x3f, 0],
  grow: [0x40, 0],
  fill: [0xfc, 11, 0],
  copy: [0xfc, 10, 0, 0],
  init: [0xfc, 8, 0, 0],
  return: [0x0f],
  unreachable: [0x00],
}

const encode = (instruction: Instruction): Code => {
  switch (instruction.kind) {
    case 'const':
      return [0x41, signed(instruction.value)]
    case 'get':
      return w.get(instruction.local)
    case 'set':
      return w.set(instruction.local)
    case 'tee':
      return w.tee(instruction.local)
    case 'binary':
      return instruction.code
    case 'call':
      return w.call(instruction.func)
    case 'tail':
      return [0x12, unsigned(instruction.func)]
    case 'br':
      return w.br(instruction.depth)
    case 'brIf':
      return w.brIf(instruction.depth)
    case 'brTable':
      return w.brTable(instruction.depths, instruction.otherwise)
    case 'block':
      return w.block(instruction.results === 1 ? i32 : w.none, instruction.body.map(encode))
    case 'loop':
      return w.loop(w.none, instruction.body.map(encode))
    case 'if':
      return w.if(
        instruction.results === 1 ? i32 : w.none,
        instruction.body.map(encode),
        instruction.otherwise?.map(encode),
      )
    default:
      return simple[instruction.kind] ?? []
  }
}

/** Its binary. */
export const binaryOf = ({ functions }: RandomModule): Uint8Array<ArrayBuffer> =>
  assemble({
    functions: functions.map(({ parameters, results, locals, body }, at) => ({
      parameters: Array.from<number>({ length: parameters }).fill(i32),
      results: Array.from<number>({ length: results }).fill(i32),
      locals: Array.from<number>({ length: locals }).fill(i32),
      code: body.map(encode),
      ...(at === functions.length - 1 ? { export: 'f' } : {}),
    })),
    memory: [1, 1, maximumPages],
    exports: [[name('memory'), 2, 0]],
    data: [[1, unsigned(dataBytes.length), dataBytes]],
  })
