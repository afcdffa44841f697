// The server runs from its sources and from `dist`; what it reads beside its code (the built card, the cheatsheets, its
// own version) lies at the package's root in both cases.
import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The folder that holds our package.json. */
export function packageRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('Countersign cannot find its own package.json; reinstall it.')
    folder = parent
  }
  return folder
}
