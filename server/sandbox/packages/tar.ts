// Files of an archive in the ustar format, as our own script writes it: plain files with names of at most 100 bytes.
import type { GivenFile } from '../workspace/file-tree.ts'

const block = 512

const field = (header: Uint8Array, from: number, to: number): string => {
  const bytes = header.subarray(from, to)
  const end = bytes.indexOf(0)
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString()
}

/** The plain files of an archive, in its order. */
export function readTar(archive: Uint8Array): readonly GivenFile[] {
  const files: GivenFile[] = []
  for (let at = 0; at + block <= archive.length;) {
    const header = archive.subarray(at, at + block)
    if (header[0] === 0) break
    const size = Number.parseInt(field(header, 124, 136), 8)
    if (field(header, 156, 157) === '0')
      files.push({ path: field(header, 0, 100), bytes: archive.subarray(at + block, at + block + size) })
    at += block + Math.ceil(size / block) * block
  }
  return files
}
