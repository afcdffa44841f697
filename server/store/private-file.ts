// Secrets of ours lie in files that only their owner may read. Two processes that start at once must agree on one, so a new
// file is written in full under another name and then linked: the link either creates it or finds the other process's.
import { randomBytes } from 'node:crypto'
import { link, open, rename, rm, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { errnoOf } from './failure.ts'

/** Creates the file with this content, for the user alone; one that is there stays as it is. Durable when it returns. */
export const createPrivateFile = async (file: string, content: string | Uint8Array): Promise<void> => {
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.sync()
    await link(draft, file)
  } catch (error) {
    if (errnoOf(error) !== 'EEXIST') throw error
  } finally {
    await handle.close()
    await rm(draft, { force: true })
  }
  // Also where another process has made it, which may not have come to this yet.
  await syncFolder(file)
}

/** Writes the file in one step: who reads it meanwhile has the old content or the new, whole. `mode`: its permissions. */
export const replaceFile = async (file: string, content: string | Uint8Array, mode = 0o600): Promise<void> => {
  const draft = `${file}.${process.pid}.${randomBytes(6).toString('hex')}`
  const handle = await open(draft, 'wx', 0o600)
  try {
    await handle.writeFile(content)
    await handle.chmod(mode)
    await handle.sync()
    await handle.close()
    await rename(draft, file)
    await syncFolder(file)
  } catch (error) {
    await handle.close().catch(() => undefined)
    await rm(draft, { force: true })
    throw error
  }
}

/**
 * Waits until the name of a file is on the disk: its content is there before, and a power cut would take it for want of a
 * name. A system that cannot do that for a folder (Windows) needs no asking.
 */
const syncFolder = async (file: string): Promise<void> => {
  try {
    const folder = await open(dirname(file), 'r')
    try {
      await folder.sync()
    } finally {
      await folder.close()
    }
  } catch (error) {
    if (errnoOf(error) === undefined) throw error
  }
}

/** The permissions of a file that others may read, in octal; `undefined` where only its owner may. */
export const exposedMode = async (file: string): Promise<string | undefined> => {
  const { mode } = await stat(file)
  // Windows keeps no such bits; the user's own profile folder is the protection there.
  const exposed = process.platform !== 'win32' && (mode & 0o077) !== 0
  return exposed ? (mode & 0o777).toString(8).padStart(4, '0') : undefined
}
