// In a clone the documentation is built when somebody first opens it: half a minute that a build, a start and a test run do not
// wait for (ADR 96). In the package it is there.
import { execFile } from 'node:child_process'
import { globSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { cloneRoot, documentationAssets } from '../../compose/package-files.ts'
import { fail, ok, type Result } from '../../errors/result.ts'
import type { DocumentationOptions } from '../../http/documentation.ts'

const changedAt = (path: string): number => statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0

/** Of a build that takes half a minute. */
const longestMs = 600_000

let running: Promise<Result<void, { message: string; next: string }>> | undefined

/** Builds the documentation of a clone where it is missing, or older than its pages; nothing anywhere else. */
export const buildDocs: NonNullable<DocumentationOptions['build']> = () => {
  if (running !== undefined) return running
  const root = cloneRoot()
  if (root === undefined) return undefined
  // The last that a build writes.
  const written = changedAt(join(documentationAssets(), 'index.html.br'))
  const sources = globSync('{*.md,docs/{*,guides/*,recipes/*,examples/*,adr/*}.md,docs/.vitepress/*.ts}', { cwd: root })
  if (sources.every((source) => changedAt(join(root, source)) <= written)) return undefined
  running = new Promise((resolve) => {
    execFile(
      'npm',
      ['run', '--silent', 'build:docs'],
      { cwd: root, shell: process.platform === 'win32', timeout: longestMs },
      (error, stdout, stderr) => {
        if (error === null) return resolve(ok(undefined))
        // Half of a site is none.
        rmSync(join(documentationAssets(), 'index.html'), { force: true })
        const said = `${stdout}\n${stderr}`.trim()
        process.stderr.write(`countersign: The documentation could not be built. ${said || error.message}\n`)
        // A visitor may be anybody, and hears nothing of the files here.
        resolve(
          fail({
            message: 'The documentation could not be built.',
            next: 'Run `npm run build:docs` where this server was cloned; it says why.',
          }),
        )
      },
    )
  })
  return running
}
