// A server that is being written is started anew whenever it is saved. Editors put a new file in the place of the old one,
// so the folder is watched, and not the file.
import { statSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname, resolve } from 'node:path'

/** An editor writes a file in several steps. */
const settledMs = 150

/** Those arguments of a command that are files. */
export const filesIn = (args: readonly string[]): readonly string[] =>
  args.filter((arg) => statSync(arg, { throwIfNoEntry: false })?.isFile() === true)

/**
 * Calls back when one of these files, or anything in one of these folders, has changed. Answers how to stop that.
 * @throws what the file system throws where a path is not there.
 */
export function watchFiles(paths: readonly string[], changed: () => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(changed, settledMs)
  }
  const watchers = paths.map((path): FSWatcher => {
    if (statSync(path).isDirectory()) return watch(path, { recursive: true }, soon)
    const name = basename(path)
    return watch(dirname(resolve(path)), (_event, file) => file === name && soon())
  })
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
