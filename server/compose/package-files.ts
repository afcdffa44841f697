// What is read from this package beside its code.
import { existsSync, readFileSync } from 'node:fs'
import { join, sep } from 'node:path'
import { fail, ok, type Result } from '../errors/result.ts'
import { packageRoot } from '../package-root.ts'
import type { ComposeFailure } from './records/open-records.ts'

/** Version of this package, as its package.json says. */
export const packageVersion = (): string =>
  (JSON.parse(readFileSync(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }).version

/** The built card, as HTML. A checkout that was never built has none, and a server without a card is no server. */
export function builtCard(): Result<string, ComposeFailure> {
  const file = join(packageRoot(), 'dist', 'ui', 'card', 'index.html')
  try {
    return ok(readFileSync(file, 'utf8'))
  } catch {
    return fail({
      message: 'The confirmation card has not been built (dist/ui/card/index.html is missing).',
      next: 'Run `npm run build`.',
    })
  }
}

/** Folder of the playground's build. */
export const playgroundAssets = (): string => join(packageRoot(), 'dist', 'ui', 'playground')

/** Folder of the documentation's build. */
export const documentationAssets = (): string => join(packageRoot(), 'dist', 'docs')

/** The folder of this repository, where this runs from a clone of it: there the documentation can be built. */
export function cloneRoot(): string | undefined {
  const root = packageRoot()
  return existsSync(join(root, 'docs', '.vitepress', 'config.ts')) ? root : undefined
}

/** What starts this program again, from wherever it was started: Node and our own script, or `npx` where that brought us. */
export function ownCommand(): readonly [command: string, ...args: string[]] {
  const root = packageRoot()
  // npx clears its cache when it likes.
  if (root.split(sep).includes('_npx')) return ['npx', '-y', `countersign@${packageVersion()}`]
  return [process.execPath, join(root, 'dist', 'program', 'countersign.js')]
}

/** Where the build puts a shipped profile. */
export const profileOfBuild = (name: string): string => join(packageRoot(), 'dist', 'profiles', `${name}.json`)

/** What the build made of a shipped profile; `undefined` where this runs from its sources, which may be newer. */
export const builtProfile = (name: string): string | undefined =>
  import.meta.url.endsWith('.ts') ? undefined : profileOfBuild(name)
