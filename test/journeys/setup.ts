// Journeys start hundreds of processes of the program. So it is bundled from its sources, and what its first start compiles is
// kept for the others: most of what a start costs is the loading of a thousand modules. Packed and unpacked as npm does it, it runs in `operation/container.test.ts`.
import { spawn } from 'node:child_process'
import { cpSync, existsSync, globSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { build } from 'vite'
import type { TestProject } from 'vitest/node'
import { changedAt, newest } from '../built-pages.ts'
import { bundled, bundledServer, bundles, officialServers, publishedServer } from './bundles.ts'

const root = join(import.meta.dirname, '..', '..')
const fixtures = 'test/{journeys,server/gateway}/fixtures/*.ts'
const programSources = ['server/**', fixtures, 'test/journeys/setup.ts', 'test/kit/tools.ts', 'package-lock.json']

export const setup = async (project: TestProject): Promise<void> => {
  if (changedAt(bundled('countersign')) < newest(programSources)) await bundle()
  await startOnce(project.config.env)
}

async function bundle(): Promise<void> {
  const entries = ['server/cli/countersign.ts', 'server/index.ts', ...globSync(fixtures, { cwd: root })]
  const input = Object.fromEntries(entries.map((path) => [basename(path, '.ts'), join(root, path)]))
  // They are looked for beside the chunk that starts them.
  for (const path of globSync('server/sandbox/*/*-worker.ts', { cwd: root }))
    input[`chunks/${basename(path, '.ts')}`] = join(root, path)
  for (const name of officialServers) {
    const out = dirname(bundledServer(name))
    await bundleInto(out, { index: join(root, publishedServer(name)) }, { codeSplitting: false })
    // It reads them from beside the folders of its modules.
    const docs = join(root, dirname(publishedServer(name)), 'docs')
    if (existsSync(docs)) cpSync(docs, join(out, '..', 'docs'), { recursive: true })
  }
  await bundleInto(bundles, input, { chunkFileNames: 'chunks/[name]-[hash].js' })
}

async function bundleInto(outDir: string, input: Record<string, string>, output: object): Promise<void> {
  await build({
    configFile: false,
    root,
    logLevel: 'warn',
    // One unpacks a browser and the other loads WebAssembly, from where they lie; flydrive names packages that are not here.
    ssr: { noExternal: true, external: ['playwright-core', 'libpg-query', 'flydrive', 'openai', '@anthropic-ai/sdk'] },
    build: {
      ssr: true,
      outDir,
      // Another run may be starting processes from what is there.
      emptyOutDir: false,
      target: 'node22',
      copyPublicDir: false,
      rollupOptions: { input, output: { entryFileNames: '[name].js', ...output } },
    },
  })
}

/** The cache is written by a process that ends by itself; most servers of the journeys are ended. */
async function startOnce(env: NodeJS.ProcessEnv): Promise<void> {
  const line = ['--no-warnings', bundled('countersign'), 'demo', '--port', '0', '--db', ':memory:']
  const child = spawn(process.execPath, line, { env: { ...process.env, ...env }, stdio: ['ignore', 'ignore', 'pipe'] })
  child.stderr.on('data', (chunk: Buffer) => chunk.includes('/mcp') && child.kill('SIGTERM'))
  await new Promise((resolve) => child.once('close', resolve))
}
