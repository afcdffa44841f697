// Files of an archive in the ustar format, as our own script writes it: plain files with names of at most 100 bytes.
import type { GivenFile } from '../workspace/file-tree.ts'
import { workspaceParts } from '../workspace/paths.ts'

const block = 512

const field = (header: Uint8Array, from: number, to: number): string => {
  const bytes = header.subarray(from, to)
  const end = bytes.indexOf(0)
  return Buffer.from(end === -1 ? bytes : bytes.subarray(0, end)).toString()
}

const octal = /^[0-7]{1,12}$/

/**
 * The plain files of an archive, in its order.
 * @throws Error where the archive is damaged, or names a file by anything but a plain relative path.
 */
export function readTar(archive: Uint8Array): readonly GivenFile[] {
  const files: GivenFile[] = []
  for (let at = 0; at + block <= archive.length;) {
    const header = archive.subarray(at, at + block)
    if (header[0] === 0) break
    const size = field(header, 124, 136).trim()
    const from = at + block
    const to = from + Number.parseInt(size, 8)
    if (!octal.test(size) || to > archive.length) throw new Error(`The archive is damaged at byte ${at}.`)
    if (field(header, 156, 157) === '0') {
      const path = field(header, 0, 100)
      if (workspaceParts(path)?.join('/') !== path)
        throw new Error(`The archive names ${JSON.stringify(path)} at byte ${at}, which is no plain relative path.`)
      files.push({ path, bytes: archive.subarray(from, to) })
    }
    at = from + Math.ceil((to - from) / block) * block
  }
  return files
}
