// Tests run the server from its sources, but its pages as they were built; and a page that is older than its source makes a test
// pass here that fails for everybody else. So such pages are built first.
import { execFile } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

const root = join(import.meta.dirname, '..')
const pages = ['card', 'playground', 'admin'].map((name) => join(root, 'dist', 'ui', name, 'index.html'))
/** What pages are built from, with the folders: what was removed changes its folder. */
const sources = ['ui/**', 'server/{cards,confirm,testing}/**', 'vite.config.ts', 'package-lock.json']

/** When a file changed last, in epoch milliseconds; 0 where there is none. */
export const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** When one of the files that fit changed last, in epoch milliseconds. */
export const newest = (patterns: readonly string[]): number =>
  Math.max(...globSync(patterns, { cwd: root }).map((path) => changedAt(join(root, path))))

export const setup = async (): Promise<void> => {
  const changed = newest(sources)
  if (pages.every((page) => changedAt(page) >= changed)) return
  console.log('The pages in dist/ui are older than their sources: npm run build:ui')
  await promisify(execFile)('npm', ['run', '--silent', 'build:ui'], {
    cwd: root,
    env: { ...process.env, NODE_ENV: 'production' },
  })
}
