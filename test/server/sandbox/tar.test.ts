// The reader of the archives in which packages ship: it gives back what was put in, and never goes on for long or leads out.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readTar } from '../../../server/sandbox/packages/tar.ts'

interface Member {
  readonly path: string
  readonly bytes: Uint8Array
}

/** An archive as POSIX.1-1988 (ustar) has it. */
function tarOf(members: readonly Member[]): Buffer {
  const padded = (bytes: Uint8Array): Buffer => Buffer.concat([bytes], Math.ceil(bytes.length / 512) * 512)
  const headerOf = ({ path, bytes }: Member): Buffer => {
    const header = Buffer.alloc(512)
    const fields = [
      [0, path],
      [100, '0000644\0'],
      [124, `${bytes.length.toString(8).padStart(11, '0')}\0`],
      [148, '        '],
      [156, '0'],
      [257, 'ustar\u000000'],
    ] as const
    for (const [at, text] of fields) header.write(text, at)
    header.write(
      `${header
        .reduce((sum, byte) => sum + byte, 0)
        .toString(8)
        .padStart(6, '0')}\0 `,
      148,
    )
    return header
  }
  return Buffer.concat([...members.flatMap((member) => [headerOf(member), padded(member.bytes)]), Buffer.alloc(1024)])
}

const name = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9_.-]{0,15}$/)
const members = fc.array(
  fc.record({
    path: fc.array(name, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('/')),
    bytes: fc.uint8Array({ maxLength: 1500 }),
  }),
  { maxLength: 5 },
)

test('an archive gives back the files that were put into it, in their order', () => {
  fc.assert(
    fc.property(members, (given) => {
      expect(readTar(tarOf(given)).map(({ path, bytes }) => [path, [...bytes]])).toStrictEqual(
        given.map(({ path, bytes }) => [path, [...bytes]]),
      )
    }),
  )
})

const sizes = ['-0000001000', '7777777777777', '', 'x', '99', '00000000010']
const paths = ['../x', '/etc/passwd', '/app/x', 'a/../../x', '.', 'a//b', 'a\u202eb']
const hostile = fc.record({
  members: fc
    .array(members, { minLength: 1, maxLength: 1 })
    .map(([given = []]) => [...given, { path: 'a', bytes: new Uint8Array(9) }]),
  at: fc.nat({ max: 8 }),
  change: fc.oneof(
    fc.constantFrom(...sizes).map((text) => ({ from: 124, bytes: Buffer.from(text.padEnd(12, '\0')) })),
    fc.constantFrom(...paths).map((text) => ({ from: 0, bytes: Buffer.from(text.padEnd(100, '\0')) })),
    fc.record({ from: fc.nat({ max: 511 }), bytes: fc.uint8Array({ minLength: 1, maxLength: 20 }) }),
  ),
})

test('of an archive with a hostile header nothing leads out or lies beyond its end, and the reader ends', () => {
  fc.assert(
    fc.property(hostile, ({ members: given, at, change }) => {
      const archive = tarOf(given)
      change.bytes.forEach((byte, index) => {
        archive[Math.min(at * 512 + change.from + index, archive.length - 1)] = byte
      })
      let files: ReturnType<typeof readTar> = []
      try {
        files = readTar(archive)
      } catch (error) {
        expect((error as Error).message).toMatch(/^The archive (?:is damaged|names ".*") at byte \d+/)
      }
      for (const { path, bytes } of files) {
        expect(path).toMatch(/^(?!\/)(?!(?:.*\/)?\.{0,2}(?:\/|$))/)
        expect(bytes.length).toBeLessThanOrEqual(archive.length)
      }
    }),
    { numRuns: 300 },
  )
})
