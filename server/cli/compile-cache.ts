// Every chat host starts the program anew, and a sixth of the CPU time of a start is compiling the same modules again. Node
// keeps what it has compiled when it is told where. Its own choice is the shared temporary directory, where another user of
// the machine could put code that would run with our rights; so it is a directory of the user alone, beside the database.
import { mkdirSync } from 'node:fs'
import { enableCompileCache, getCompileCacheDir } from 'node:module'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { dataFile } from '../store/default-file.ts'

/**
 * Keeps compiled modules for the next start. Whoever has set NODE_COMPILE_CACHE or NODE_DISABLE_COMPILE_CACHE has decided;
 * where the directory cannot be written, a start costs what it costs.
 */
export function keepCompiled(): void {
  if (getCompileCacheDir() !== undefined || process.env['NODE_DISABLE_COMPILE_CACHE'] !== undefined) return
  try {
    const directory = join(dirname(dataFile(process.env, process.platform, homedir())), 'compiled')
    mkdirSync(directory, { recursive: true, mode: 0o700 })
    enableCompileCache(directory)
  } catch {
    // A home that is read-only, or none at all.
  }
}
