// A server that is being written is started anew whenever it is saved. Editors put a new file in the place of the old one,
// so the folder is watched, and not the file.
import { statSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname, extname, resolve } from 'node:path'

/** An editor writes a file in several steps. */
const settledMs = 150

/** What a server writes itself while it runs, and what others bring: a restart for it would be one after another. */
const isOther = (path: string): boolean =>
  path.split(/[\\/]/).some((part) => part.startsWith('.') || part === 'node_modules' || part === '__pycache__') ||
  extname(path) === '.log' ||
  extname(path).startsWith('.db')

/** Those arguments of a command that are files. */
export const filesIn = (args: readonly string[]): readonly string[] =>
  args.filter((arg) => statSync(arg, { throwIfNoEntry: false })?.isFile() === true)

/**
 * Calls back when one of these files, or anything in one of these folders that may be part of a program, has changed.
 * Answers how to stop that. `failed` takes what the file system says later on: that a folder can be watched no more.
 * @throws what the file system throws where a path is not there.
 */
export function watchFiles(paths: readonly string[], changed: () => void, failed: (error: Error) => void): () => void {
  let timer: NodeJS.Timeout | undefined
  const soon = (): void => {
    clearTimeout(timer)
    timer = setTimeout(changed, settledMs)
  }
  const watchers = paths.map((path): FSWatcher => {
    if (statSync(path).isDirectory())
      return watch(path, { recursive: true }, (_event, file) => (file === null || !isOther(file)) && soon())
    const name = basename(path)
    return watch(dirname(resolve(path)), (_event, file) => file === name && soon())
  })
  for (const watcher of watchers) watcher.on('error', failed)
  return () => {
    clearTimeout(timer)
    for (const watcher of watchers) watcher.close()
  }
}
