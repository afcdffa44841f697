// Two commands that change one file at the same moment both read it, and the one that writes last undoes the other. A lock
// of SQLite ends with its process, however that ends and on every system; so an empty database beside the file is the lock.
import { DatabaseSync } from './sqlite/node-sqlite.ts'
import { whileBusy } from './sqlite/busy.ts'

/**
 * Does the work while no other process, and nobody else in this one, changes the file. Waits up to five seconds for its turn.
 * @throws what SQLite says where the lock beside the file cannot be had
 */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  const lock = new DatabaseSync(`${file}.lock`)
  try {
    await whileBusy(() => lock.exec('begin exclusive'))
    return await work()
  } finally {
    lock.close()
  }
}
