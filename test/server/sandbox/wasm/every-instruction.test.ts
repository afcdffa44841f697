// Every instruction with what follows it, where control never comes: there the stack is of any type, so that each of them is
// valid. Were what follows one read too short or too long, the rest of the function would be read as something else.
import { expect, test } from 'vitest'
import { meterWasm } from '../../../../server/sandbox/wasm/meter.ts'
import { assemble, f32, funcref, i32, signed, unsigned, w } from './assemble.ts'
import type { Code } from './assemble.ts'
import { started } from './metered.ts'

const range = (first: number, last: number): readonly number[] =>
  Array.from({ length: last - first + 1 }, (_, at) => first + at)
// As a byte of its own, this one ends a block.
const ends = (length: number): Code => Array.from<number>({ length }).fill(0x0b)
const each = (codes: readonly number[], ...rest: readonly Code[]): readonly Code[] => codes.map((code) => [code, rest])
const prefixed = (prefix: number, codes: readonly number[], ...rest: readonly Code[]): readonly Code[] =>
  codes.map((code) => [prefix, unsigned(code), rest])
const place: Code = [0, 0x0b]

const instructions: readonly Code[] = [
  ...each([0x00, 0x01, 0x0f, 0x1a, 0x1b, 0xd1]),
  ...each([0x0c, 0x0d, 0x10, 0x12, 0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x3f, 0x40, 0xd2], 0),
  ...each([0x0e], [1, 0, 0]),
  ...each([0x11, 0x13], 0, 0),
  ...each([0x1c], 1, f32),
  ...each(range(0x28, 0x3e), place),
  ...each([0x41, 0x42], signed(-300)),
  ...each([0x43], ends(4)),
  ...each([0x44], ends(8)),
  ...each(range(0x45, 0xc4)),
  ...each([0xd0], funcref),
  ...prefixed(0xfc, range(0, 7)),
  ...prefixed(0xfc, [8, 10, 12, 14], 0, 0),
  ...prefixed(0xfc, [9, 11, 13, 15, 16, 17], 0),
  ...prefixed(0xfd, [...range(0, 11), 92, 93], place),
  ...prefixed(0xfd, [12, 13], ends(16)),
  ...prefixed(0xfd, range(21, 34), 1),
  ...prefixed(0xfd, range(84, 91), place, 1),
  ...prefixed(0xfd, [...range(14, 20), ...range(35, 83), ...range(94, 255)]),
]

const around = (instruction: Code): Uint8Array<ArrayBuffer> =>
  assemble({
    functions: [
      {
        parameters: [i32],
        results: [i32],
        code: [w.block(w.none, w.get(0), w.brIf(0), w.unreachable, instruction, w.unreachable), w.get(0)],
        export: 'f',
      },
    ],
    memory: [0, 1],
    tables: [[funcref, 0, 1]],
    globals: [[i32, 1, w.i32(0), 0x0b]],
    elements: [[1, 0, unsigned(1), 0]],
    data: [[1, unsigned(1), 0]],
  })

test('each instruction is passed over with what follows it', () => {
  const valid = instructions.map(around).filter((binary) => WebAssembly.validate(binary))
  // Numbers that no vector instruction has are not valid.
  expect(valid.length).toBeGreaterThan(430)
  for (const binary of valid) {
    const { outcome, spent } = started(binary).run('f', [1])
    expect({ outcome, spent }).toStrictEqual({ outcome: { returned: 1 }, spent: 3n })
  }
})

test('numbers that are no instructions are refused', () => {
  const metered = range(0, 255).filter((code) => {
    const result = meterWasm(around([code, 0, 0, 0]))
    return result.ok && !WebAssembly.validate(around([code, 0, 0, 0]))
  })
  expect(metered).toStrictEqual([])
})
