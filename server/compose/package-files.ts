// What is read from this package beside its code.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../package-root.ts'

/** Version of this package, as its package.json says. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version

/** Folder of the playground's build. */
export const playgroundAssets = (): string => join(packageRoot(), 'dist', 'ui', 'playground')
