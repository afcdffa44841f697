// Waiting for a disk is most of what a commit costs, and no test here cuts the power: so what tests write lies in memory
// where the system has a file system for that.
import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'

/** A folder whose files are never on a disk, where there is one with room; the temporary one otherwise. */
export const inMemory = (): string => {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 4 * 1024 ** 3 ? '/dev/shm' : tmpdir()
  } catch {
    return tmpdir()
  }
}
