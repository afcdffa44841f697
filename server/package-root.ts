// The server runs from its sources and from `dist`; what it reads beside its code (the built card, the cheatsheets, its
// own version) lies at the package's root in both cases.
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * The folder that holds our package.json; looked for from `from` on, a folder of ours.
 * @throws where a bundler has put our code into a file of another package.
 */
export function packageRoot(from = dirname(fileURLToPath(import.meta.url))): string {
  let folder = from
  while (!existsSync(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('Countersign cannot find its own package.json; reinstall it.')
    folder = parent
  }
  const { name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as { readonly name?: unknown }
  if (name === 'countersign') return folder
  throw new Error(
    `countersign was bundled into ${typeof name === 'string' ? name : folder}, so it does not find its own files (cards, migrations, documentation). Make it external and install it beside the program: serverExternalPackages: ['countersign'] in Next.js, --external:countersign of esbuild.`,
  )
}
