// The disk of the tests that cut the power, asked of journals that are written here: what it may lose, and what it may not.
import { expect, test } from 'vitest'
import { createDisk, type Disk } from '../../../kit/power-cut/disk.ts'
import type { Change } from '../../../kit/power-cut/journal.ts'
import { seeded } from '../../../kit/seeded.ts'

const made = (file: number, name: string): Change => ({ kind: 'created', file, name })
const write = (file: number, at: number, text: string): Change => ({
  kind: 'written',
  file,
  at,
  bytes: Buffer.from(text),
})
const size = (file: number, to: number): Change => ({ kind: 'sized', file, size: to })
const sync = (file: number): readonly Change[] => [
  { kind: 'sync-began', file, thread: 1 },
  { kind: 'sync-ended', file, thread: 1 },
]
const syncFolder = (name = ''): readonly Change[] => [
  { kind: 'folder-sync-began', name, thread: 1 },
  { kind: 'folder-sync-ended', name, thread: 1 },
]

const diskAfter = (...changes: readonly Change[]): Disk => {
  const disk = createDisk()
  for (const change of changes) disk.happen(change)
  return disk
}

/** All that two hundred cuts leave, each way once: names with their contents, and `tell` says of a content what matters. */
const waysOf = (disk: Disk, tell = (content: Buffer): string => content.toString()): readonly string[] => {
  const ways = Array.from({ length: 200 }, (_, seed) =>
    [...disk.afterCut(seeded(seed))].map(([name, content]) => `${name}=${tell(content)}`).join(' '),
  )
  return [...new Set(ways)].sort()
}

test('keeps what a sync has covered, by the name that a sync of its folder has covered', () => {
  expect(waysOf(diskAfter(made(1, 'a'), write(1, 0, 'one'), ...sync(1), ...syncFolder()))).toStrictEqual(['a=one'])
})

test('may lose, keep or shorten what was written since; where a size came without its data, there are zeros', () => {
  const disk = diskAfter(made(1, 'a'), write(1, 0, 'one'), ...sync(1), ...syncFolder(), write(1, 3, ' two'))
  expect(waysOf(disk)).toStrictEqual(['a=one', 'a=one\0\0\0\0', 'a=one two'])
  expect(disk.seen().get('a')?.toString()).toBe('one two')
})

test('a file that was emptied and begun anew has all of what was there before, or nothing of it', () => {
  const old = '0'.repeat(4 * 512)
  const disk = diskAfter(made(1, 'a'), write(1, 0, old), ...sync(1), ...syncFolder(), size(1, 0), write(1, 0, '1'))
  // Where the first sector has come without the byte that was written, it is zero.
  expect(waysOf(disk)).toStrictEqual(['a=', 'a=\0', `a=${old}`, 'a=1'])
})

test('a sync does not cover what was written while it lasted', () => {
  const [began, ended] = sync(1)
  if (began === undefined || ended === undefined) throw new Error('There is no sync.')
  const written = [made(1, 'a'), ...syncFolder(), write(1, 0, 'one')]
  expect(waysOf(diskAfter(...written, began, write(1, 0, 'two'), ended))).toStrictEqual(['a=one', 'a=two'])
  // Nor anything before it has ended.
  expect(waysOf(diskAfter(...written, began))).toContain('a=')
})

test('a sector is as it was at one of the moments since the last sync, and the ones around it at others', () => {
  const sectors = (first: string, second: string): string => first.repeat(512) + second.repeat(512)
  const disk = diskAfter(
    made(1, 'a'),
    write(1, 0, sectors('0', '0')),
    ...sync(1),
    ...syncFolder(),
    write(1, 0, sectors('1', '1')),
    write(1, 0, sectors('2', '2')),
  )
  const tell = (content: Buffer): string => {
    const text = content.toString()
    expect(text).toMatch(/^(\d)\1{511}(\d)\2{511}$/)
    return `${text[0]}${text[512]}`
  }
  expect(waysOf(disk, tell)).toStrictEqual(
    ['00', '01', '02', '10', '11', '12', '20', '21', '22'].map((each) => `a=${each}`),
  )
})

test('a file that was made shorter may be as long as it was', () => {
  const disk = diskAfter(made(1, 'a'), write(1, 0, 'one two'), ...sync(1), ...syncFolder(), size(1, 3))
  expect(waysOf(disk)).toStrictEqual(expect.arrayContaining(['a=one', 'a=one two']))
  expect(
    waysOf(diskAfter(made(1, 'a'), write(1, 0, 'one two'), size(1, 3), ...sync(1), ...syncFolder())),
  ).toStrictEqual(['a=one'])
})

test('a name may be lost with all that was synced below it, until its folder is synced', () => {
  const synced = [made(1, 'a'), write(1, 0, 'one'), ...sync(1)]
  expect(waysOf(diskAfter(...synced))).toStrictEqual(['', 'a=one'])
  // Unless the file system promises more.
  const better = createDisk(undefined, 'of synced files, too')
  for (const change of [...synced, made(2, 'b')]) better.happen(change)
  expect(waysOf(better)).toStrictEqual(['a=one', 'a=one b='])
})

test('a file that takes the place of another is the new one or the old one', () => {
  const old = [made(1, 'a'), write(1, 0, 'old'), ...sync(1), ...syncFolder()]
  const draft = [made(2, 'draft'), write(2, 0, 'new'), ...sync(2)]
  const disk = diskAfter(...old, ...draft, { kind: 'renamed', name: 'draft', to: 'a' })
  expect(waysOf(disk)).toStrictEqual(['a=new', 'a=old', 'a=old draft=new'])
  for (const change of syncFolder()) disk.happen(change)
  expect(waysOf(disk)).toStrictEqual(['a=new'])
})

test('a file that was removed may come back, and a sync of another folder says nothing about it', () => {
  const there = [made(1, 'in/a'), write(1, 0, 'one'), ...sync(1), ...syncFolder('in')]
  const disk = diskAfter(...there, { kind: 'removed', name: 'in/a' }, ...syncFolder())
  expect(waysOf(disk)).toStrictEqual(['', 'in/a=one'])
})

test('a link gives a content a second name, and a number that is used again is another file', () => {
  const linked = diskAfter(
    made(1, 'draft'),
    write(1, 0, 'one'),
    ...sync(1),
    { kind: 'linked', name: 'draft', to: 'a' },
    { kind: 'removed', name: 'draft' },
    ...syncFolder(),
  )
  expect(waysOf(linked)).toStrictEqual(['a=one'])
  for (const change of [made(1, 'b'), write(1, 0, 'two'), ...sync(1), ...syncFolder()]) linked.happen(change)
  expect(waysOf(linked)).toStrictEqual(['a=one b=two'])
})

test('what was shared in a mapping is gone, or noise', () => {
  const disk = diskAfter(made(1, 'a'), size(1, 64), { kind: 'mapped', file: 1 }, ...sync(1), ...syncFolder())
  expect(waysOf(disk, (content) => String(content.length))).toStrictEqual(['', 'a=64'])
  expect(waysOf(disk).length).toBeGreaterThan(50)
  expect(disk.seen().size).toBe(0)
})

test('the same seed makes the same cut', () => {
  const disk = diskAfter(made(1, 'a'), write(1, 0, 'x'.repeat(20_000)), ...syncFolder())
  const cut = (seed: number): string => disk.afterCut(seeded(seed)).get('a')?.toString() ?? 'none'
  expect(Array.from({ length: 50 }, (_, seed) => cut(seed))).toStrictEqual(
    Array.from({ length: 50 }, (_, seed) => cut(seed)),
  )
})
