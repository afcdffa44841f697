import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { meterWasm, unlimitedFuel } from '../../../../server/sandbox/wasm/meter.ts'
import { assemble, funcref, i32, name, unsigned, w } from './assemble.ts'
import type { Code, Module } from './assemble.ts'
import { metered, started } from './metered.ts'

const one = (code: Code, rest: Module = {}, locals: readonly number[] = []): Uint8Array<ArrayBuffer> =>
  assemble({ ...rest, functions: [{ parameters: [i32], results: [i32], locals, code, export: 'f' }] })

/** Counts its argument down to zero: 7 instructions for each turn, and 1 to end. */
const countdownCode = [w.loop(w.none, w.get(0), w.i32(1), w.subtract, w.tee(0), w.i32(0), 0x4a, w.brIf(0)), w.get(0)]
const countdown = one(countdownCode)

describe('what a program has cost', () => {
  test('is its instructions, of which nop, drop, block, end, return and unreachable are free', () => {
    const code = [w.nop, w.block(w.none, w.get(0), w.drop), w.get(0), w.return]
    expect(started(one(code)).run('f', [5])).toStrictEqual({ outcome: { returned: 5 }, spent: 2n })
  })

  test('grows by each turn of a loop', () => {
    const { run } = started(countdown)
    expect([1, 2, 100].map((turns) => run('f', [turns]).spent)).toStrictEqual([8n, 15n, 701n])
  })

  test('holds the branch of an if that was taken, and not the other', () => {
    const { run } = started(one([w.get(0), w.if(i32, [w.get(0), w.i32(1), w.add], w.i32(7))]))
    expect(run('f', [5])).toStrictEqual({ outcome: { returned: 6 }, spent: 5n })
    expect(run('f', [0])).toStrictEqual({ outcome: { returned: 7 }, spent: 3n })
  })

  test('holds the instructions of what it calls', () => {
    const binary = assemble({
      functions: [
        { parameters: [i32], results: [i32], code: [w.get(0), w.i32(1), w.add] },
        { parameters: [i32], results: [i32], code: [w.get(0), w.call(0), w.call(0)], export: 'f' },
      ],
    })
    expect(started(binary).run('f', [5])).toStrictEqual({ outcome: { returned: 7 }, spent: 9n })
  })

  test('is the whole segment where it traps, the same each time', () => {
    const { run } = started(one([w.i32(1), w.get(0), w.divide, w.i32(1), w.add]))
    expect(run('f', [1]).spent).toBe(5n)
    expect([run('f', [0]), run('f', [0])]).toStrictEqual([
      { outcome: { trapped: 'divide by zero' }, spent: 5n },
      { outcome: { trapped: 'divide by zero' }, spent: 5n },
    ])
  })

  test('says nothing of code that is never reached', () => {
    const dead = [w.get(0), w.get(0), w.add, w.drop]
    expect(started(one([w.get(0), w.return, dead, dead, w.unreachable])).run('f', [1]).spent).toBe(1n)
    const never = [w.loop(w.none, w.i32(1), w.get(0), w.divide, w.drop, w.br(0)), w.get(0)]
    expect(started(one(never)).run('f', [0]).spent).toBe(4n)
  })
})

describe('a program whose fuel is used up', () => {
  test('traps with each budget below its need, and returns with its need', () => {
    const { run } = started(countdown)
    for (let budget = 0n; budget < 36n; budget += 1n)
      expect(run('f', [5], budget).outcome).toStrictEqual({ trapped: 'unreachable' })
    expect(run('f', [5], 36n)).toStrictEqual({ outcome: { returned: 0 }, spent: 36n })
  })

  test('ends though it loops or calls itself for ever', () => {
    const forever = one([w.loop(w.none, w.br(0)), w.unreachable])
    const itself = one([w.get(0), w.call(0)])
    const ending = { trapped: 'unreachable' }
    expect(started(forever).run('f', [0], 10_000n).outcome).toStrictEqual(ending)
    expect(started(itself).run('f', [0], 1_000n).outcome).toStrictEqual(ending)
  })

  test('does not run again before it gets more', () => {
    const { run, fuel, exports } = started(countdown)
    run('f', [5], 10n)
    expect(fuel.value).toBeLessThan(0n)
    expect(() => (exports['f'] as (turns: number) => number)(1)).toThrow('unreachable')
    expect(run('f', [1]).outcome).toStrictEqual({ returned: 0 })
  })

  test('does not run the instructions that it cannot pay for', () => {
    const touch = [w.i32(0), w.get(0), 0x36, 2, 0, w.get(0)]
    const binary = one(touch, { memory: [0, 1], exports: [[name('memory'), 2, 0]] })
    const { run, exports } = started(binary)
    expect(run('f', [42], 3n).outcome).toStrictEqual({ trapped: 'unreachable' })
    expect(new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer)[0]).toBe(0)
  })
})

describe('bulk instructions cost by their length, before they run', () => {
  const memory = { memory: [0, 2], data: [[1, unsigned(100), Array.from<number>({ length: 100 }).fill(9)]] } as const
  const cases = [
    ['memory.fill', [w.i32(0), w.i32(7), w.get(0), [0xfc, 11, 0], w.i32(0)], 64, 5n + 8n],
    ['memory.copy', [w.i32(0), w.i32(4), w.get(0), [0xfc, 10, 0, 0], w.i32(0)], 7, 5n],
    ['memory.init', [w.i32(0), w.i32(0), w.get(0), [0xfc, 8, 0, 0], w.i32(0)], 100, 5n + 12n],
    ['memory.grow', [w.get(0), [0x40, 0]], 3, 2n + 3_072n],
    ['memory.fill that is too long', [w.i32(0), w.i32(7), w.get(0), [0xfc, 11, 0], w.i32(0)], -8, 5n + 536_870_911n],
  ] as const
  test.each(cases)('%s', (_, code, length, spent) => {
    expect(started(one(code, memory)).run('f', [length]).spent).toBe(spent)
  })

  const tables = {
    tables: [[funcref, 0, 50]],
    elements: [[1, 0, unsigned(3), 0, 0, 0]],
  } as const
  test.each([
    ['table.grow', [[0xd0, funcref], w.get(0), [0xfc, 15, 0]], 20, 3n + 20n],
    ['table.fill', [w.i32(0), [0xd0, funcref], w.get(0), [0xfc, 17, 0], w.i32(0)], 50, 5n + 50n],
    ['table.copy', [w.i32(0), w.i32(9), w.get(0), [0xfc, 14, 0, 0], w.i32(0)], 4, 5n + 4n],
    ['table.init', [w.i32(0), w.i32(0), w.get(0), [0xfc, 12, 0, 0], w.i32(0)], 3, 5n + 3n],
  ] as const)('%s', (_, code, length, spent) => {
    expect(started(one(code, tables)).run('f', [length]).spent).toBe(spent)
  })

  test('what they cannot pay for is not done', () => {
    const fill = [w.i32(0), w.i32(7), w.get(0), [0xfc, 11, 0], w.i32(0)]
    const { run, exports } = started(one(fill, { ...memory, exports: [[name('memory'), 2, 0]] }))
    expect(run('f', [800], 104n).outcome).toStrictEqual({ trapped: 'unreachable' })
    expect(new Uint8Array((exports['memory'] as WebAssembly.Memory).buffer)[0]).toBe(0)
    expect(run('f', [800], 105n).outcome).toStrictEqual({ returned: 0 })
  })
})

describe('memory', () => {
  const grow = one([w.get(0), [0x40, 0]], { memory: [0, 1] })

  test('does not grow beyond the pages that it may have', () => {
    const { run } = started(grow, {}, { memoryMaxPages: 3 })
    expect([run('f', [2]).outcome, run('f', [1]).outcome]).toStrictEqual([{ returned: 1 }, { returned: -1 }])
  })

  test('keeps a lower maximum of its own', () => {
    const { run } = started(one([w.get(0), [0x40, 0]], { memory: [1, 1, 2] }), {}, { memoryMaxPages: 100 })
    expect([run('f', [2]).outcome, run('f', [1]).outcome]).toStrictEqual([{ returned: -1 }, { returned: 1 }])
  })

  test('that is imported has to have that maximum, too', () => {
    const binary = one([w.get(0), [0x40, 0]], { imports: [[name('m'), name('memory'), 2, 0, 1]] })
    const giving = (maximum: number): WebAssembly.Imports => ({
      m: { memory: new WebAssembly.Memory({ initial: 1, maximum }) },
    })
    expect(() => started(binary, giving(4), { memoryMaxPages: 3 })).toThrow('maximum')
    expect(started(binary, giving(3), { memoryMaxPages: 3 }).run('f', [9]).outcome).toStrictEqual({ returned: -1 })
  })

  test('that begins with more than it may have is refused', () => {
    expect(meterWasm(one(w.get(0), { memory: [0, 9] }), { memoryMaxPages: 8 })).toMatchObject({
      ok: false,
      failure: { code: 'conflict', message: expect.stringContaining('9 pages') },
    })
  })
})

describe('a module', () => {
  test('has its start function run, and counted', () => {
    const start = { code: [w.i32(1), [0x24, 0]] }
    const binary = assemble({
      functions: [start],
      start: 0,
      globals: [[i32, 1, w.i32(0), 0x0b]],
      exports: [[name('g'), 3, 0]],
    })
    const { exports, fuel } = started(binary)
    expect((exports['g'] as WebAssembly.Global).value).toBe(1)
    expect(unlimitedFuel - fuel.value).toBe(2n)
  })

  test('calls the host with its fuel exact, and goes on with what the host leaves', () => {
    const module: Module = {
      imports: [[name('h'), name('see'), 0, 0]],
      importedTypes: [[[], []]],
      functions: [{ results: [i32], code: [w.call(0), w.loop(w.none, w.call(0)), w.i32(1)], export: 'f' }],
    }
    const seen: bigint[] = []
    const running = started(assemble(module), {
      h: {
        see: () => {
          seen.push(running.fuel.value)
          running.fuel.value = 50n
        },
      },
    })
    running.run('f', [], 100n)
    expect({ seen, left: running.fuel.value }).toStrictEqual({ seen: [98n, 49n], left: 50n })
  })

  test('keeps names and what else does not name places in its code, and says what it lost', () => {
    const custom = [
      ['name', [0, 2, 1, 109]],
      ['producers', [0]],
      ['.debug_line', [1]],
      ['sourceMappingURL', [1, 97]],
      ['metadata.code.branch_hint', [0]],
    ] as const
    const { binary, droppedSections } = metered(assemble({ custom }))
    const module = new WebAssembly.Module(binary)
    const left = custom.filter(([of]) => WebAssembly.Module.customSections(module, of).length > 0)
    expect(left.map(([of]) => of)).toStrictEqual(['name', 'producers'])
    expect(droppedSections).toStrictEqual(['.debug_line', 'sourceMappingURL', 'metadata.code.branch_hint'])
  })

  test('comes with the digests of both binaries, the model and the version', () => {
    const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')
    const { binary, ...facts } = metered(countdown)
    expect(facts).toStrictEqual({
      fuelModel: 'wasm-seg/2',
      instrumenterVersion: 1,
      inputDigest: sha256(countdown),
      outputDigest: sha256(binary),
      droppedSections: [],
    })
  })

  test('of no section at all is metered, too', () => {
    expect(WebAssembly.validate(metered(assemble({})).binary)).toBe(true)
  })

  test('keeps multi-value blocks, tail calls and indirect calls', () => {
    const module: Module = {
      functions: [
        { parameters: [i32], results: [i32], code: [w.get(0), w.i32(1), w.add] },
        { parameters: [i32], results: [i32], code: [w.get(0), 0x12, 0], export: 'tail' },
        { parameters: [i32], results: [i32], code: [w.get(0), w.i32(0), 0x13, 0, 0], export: 'tailIndirect' },
        {
          parameters: [i32],
          results: [i32],
          code: [w.get(0), w.i32(2), w.block(unsigned(4), w.i32(3), w.add, w.add)],
          export: 'multi',
        },
      ],
      types: [[[i32, i32], [i32]]],
      tables: [[funcref, 0, 1]],
      elements: [[0, w.i32(0), 0x0b, unsigned(1), 0]],
    }
    const { run } = started(assemble(module))
    expect(['tail', 'tailIndirect', 'multi'].map((of) => run(of, [5]))).toStrictEqual([
      { outcome: { returned: 6 }, spent: 5n },
      { outcome: { returned: 6 }, spent: 6n },
      { outcome: { returned: 10 }, spent: 5n },
    ])
  })
})

test('where it is asked for, the table is exported and takes functions of the host', () => {
  const table = { types: [[[i32], [i32]]], tables: [[funcref, 0, 1]] } as const
  const { exports, run } = started(one([w.get(0), w.i32(1), [0x11, 1, 0]], table), {}, { exportsTable: true })
  const more = started(one([w.get(0), w.i32(1), w.add])).exports['f']
  expect((exports['__table'] as WebAssembly.Table).grow(1, more)).toBe(1)
  expect(run('f', [5]).outcome).toStrictEqual({ returned: 6 })
  expect(metered(countdown, { exportsTable: true })).toStrictEqual(metered(countdown))
})

describe('what is refused, with the place', () => {
  const refusal = (binary: Uint8Array<ArrayBuffer>): unknown => {
    const result = meterWasm(binary)
    return result.ok ? 'metered' : `${result.failure.code}: ${result.failure.message}`
  }
  const body = (...code: readonly Code[]): Uint8Array<ArrayBuffer> => one([code, w.i32(0)])

  test.each([
    ['threads', body(0xfe, 0x03, 0x00), 'threads (0xfe)'],
    ['exceptions', body(0x08, 0x00), 'exceptions (0x08)'],
    ['try_table', body(0x1f, 0x40, 0x00), 'exceptions (0x1f)'],
    ['garbage collection', body(0xfb, 0x00, 0x00), 'garbage collection (0xfb)'],
    ['typed function references', body(0x14, 0x00), 'typed function references (0x14)'],
    ['relaxed SIMD', body(0xfd, 0x80, 0x02), 'relaxed SIMD (0xfd 0x100)'],
    ['a memory of 64 bits', one(w.get(0), { memory: [4, 1] }), 'memory64'],
    ['shared memory', one(w.get(0), { memory: [3, 1, 1] }), 'threads'],
    ['a table of 64 bits', one(w.get(0), { tables: [[funcref, 4, 1]] }), 'memory64'],
    ['an instruction that nobody knows', body(0xff), 'an instruction (0xff)'],
    ['a module of components', Uint8Array.of(0x00, 0x61, 0x73, 0x6d, 0x0d, 0x00, 0x01, 0x00), 'does not begin as'],
    ['an empty file', new Uint8Array(), 'does not begin as'],
    ['a second time', metered(countdown).binary, 'exports __fuel already'],
  ])('%s', (_, binary, words) => {
    expect(refusal(binary)).toContain(words)
    expect(refusal(binary)).toMatch(/^(?:unsupported|malformed|conflict): /)
  })

  test('a binary that is cut off anywhere', () => {
    for (let length = 0; length < countdown.length; length += 1) {
      const cut = countdown.subarray(0, length)
      const result = meterWasm(cut)
      if (result.ok) expect(WebAssembly.validate(cut)).toBe(true)
      else expect(result.failure.code).toBe('malformed')
    }
  })

  // The global and the locals that are added would be theirs.
  test.each([
    ['writes the global behind its last', one([w.i64(9n), [0x24, 0], w.get(0)])],
    ['exports the global behind its last', one(w.get(0), { exports: [[name('g'), 3, 0]] })],
    ['writes the local behind its last', one([w.i64(9n), w.set(1), countdownCode])],
    ['leaves a value too many', one([w.get(0), w.get(0)])],
  ])('a program that is not valid: it %s', (_, binary) => {
    expect(refusal(binary)).toBe('malformed: The WebAssembly binary is not valid.')
  })
})
