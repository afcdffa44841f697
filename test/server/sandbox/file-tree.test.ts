// Files in memory: what is given back to the quota holds no memory of the machine either.
import { expect, test } from 'vitest'
import { FileTree } from '../../../server/sandbox/workspace/file-tree.ts'

test('a file that is made short again, or deleted, holds no more than twice its size', () => {
  const tree = new FileTree({ bytes: 1_000_000, entries: 10 })
  const root = tree.folder()
  const file = tree.add(root, 'a', 'file')
  if (typeof file === 'string' || file.kind !== 'file') throw new Error('unreachable')
  expect(tree.write(file, 0, new TextEncoder().encode('kept'))).toBe(true)
  expect(tree.resize(file, 900_000)).toBe(true)
  expect(tree.resize(file, 4)).toBe(true)
  expect(file.buffer.length).toBeLessThanOrEqual(8)
  expect(new TextDecoder().decode(file.buffer.subarray(0, file.size))).toBe('kept')
  expect(tree.resize(file, 900_000)).toBe(true)
  expect(file.buffer.subarray(4, 900_000).every((byte) => byte === 0)).toBe(true)
  tree.remove(root, 'a')
  expect(file.buffer).toHaveLength(0)
  // And the quota has room for another.
  const other = tree.add(root, 'b', 'file')
  expect(typeof other === 'object' && other.kind === 'file' && tree.resize(other, 1_000_000)).toBe(true)
})
