// Journeys run the program from its sources, but its pages as they were built; and a page that is older than its source
// makes a journey pass here that fails for everybody else. So such pages are built first. And as every journey starts
// the program anew, what the first start compiles is kept for the others: half of what a start costs.
import { execFile, spawn } from 'node:child_process'
import { globSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import type { TestProject } from 'vitest/node'

const root = join(import.meta.dirname, '..', '..')
const pages = ['card', 'playground', 'admin'].map((name) => join(root, 'dist', 'ui', name, 'index.html'))
/** What pages are built from, with the folders: what was removed changes its folder. */
const sources = ['ui/**', 'server/{cards,confirm,testing}/**', 'vite.config.ts', 'package-lock.json']

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

export const setup = async (project: TestProject): Promise<void> => {
  const newest = Math.max(...globSync(sources, { cwd: root }).map((path) => changedAt(join(root, path))))
  if (pages.some((page) => changedAt(page) < newest)) {
    console.log('The pages in dist/ui are older than their sources: npm run build:ui')
    await promisify(execFile)('npm', ['run', '--silent', 'build:ui'], { cwd: root })
  }
  await startOnce(project.config.env)
}

/** The cache is written by a process that ends by itself; most servers of the journeys are ended. */
async function startOnce(env: NodeJS.ProcessEnv): Promise<void> {
  const line = [
    '--no-warnings',
    join(root, 'server', 'cli', 'countersign.ts'),
    'demo',
    '--port',
    '0',
    '--db',
    ':memory:',
  ]
  const child = spawn(process.execPath, line, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.on('data', (chunk: Buffer) => chunk.includes('/mcp') && child.kill('SIGTERM'))
  await new Promise((resolve) => child.once('close', resolve))
}
