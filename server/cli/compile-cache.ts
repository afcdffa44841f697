// Every chat host starts the program anew, and a sixth of the CPU time of a start is compiling the same modules again. Node
// keeps what it has compiled when it is told where. Its own choice is the shared temporary directory, where another user of
// the machine could put code that would run with our rights; so it is a directory in the user's data directory, and only where no other user can write.
import { mkdirSync, statSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { dataFile } from '../store/default-file.ts'

/**
 * Keeps compiled modules for the next start. Whoever has set NODE_COMPILE_CACHE or NODE_DISABLE_COMPILE_CACHE has decided;
 * where the directory cannot be written, or others can write it, a start costs what it costs.
 */
export function keepCompiled(): void {
  if (getCompileCacheDir() !== undefined || process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined) return
  try {
    const directory = join(dirname(dataFile(process.env, process.platform, homedir())), 'compiled')
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    if ([dirname(directory), directory].every(isOursAlone)) enableCompileCache(directory)
  } catch {
    // A home that is read-only, or none at all.
  }
}

/** A directory of this user that no other may write to. Windows gives a user's data directory to that user alone. */
function isOursAlone(directory: string): boolean {
  if (process.platform === 'win32') return true
  const { uid, mode } = statSync(directory)
  return uid === process.getuid?.() && (mode & 0o022) === 0
}
