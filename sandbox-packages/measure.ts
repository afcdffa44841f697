// Writes packages.json: what importing each package consumes in a fresh session, and what importing it again does.
// `node sandbox-packages/measure.ts`, after `build.ts`, a change of the driver or of the way fuel is counted.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { openSandbox } from '../server/sandbox/open-sandbox.ts'
import type { PackageInfo, RunResult } from '../server/sandbox/sandbox.ts'
import { shipped, type Shipped } from './packages.ts'

const owner = { tenant: 'sandbox', subject: 'measure' }

/** The row of a package, from the first run that imports it in a session and a second one. */
export const rowOf = (
  { name, version, licence, modules, note }: Shipped,
  first: RunResult,
  next: RunResult,
): PackageInfo => ({
  language: 'python',
  name,
  version,
  licence,
  modules,
  firstImport: { fuel: first.imports[0]?.fuel ?? 0, ms: Math.round(first.durationMs) },
  nextImport: { fuel: next.imports[0]?.fuel ?? 0, ms: Math.round(next.durationMs) },
  ...(note === undefined ? {} : { note }),
})

/** Imports a package twice in a session of its own. */
export async function measured(one: Shipped, sandbox = openSandbox()): Promise<PackageInfo> {
  const created = await sandbox.createSession(owner, { language: 'python' })
  if (!created.ok) throw new Error(created.failure.message)
  const { sessionId } = created.value
  const run = async (): Promise<RunResult> => {
    const code = `import ${one.measured ?? one.modules[0] ?? one.name}`
    const ran = await sandbox.run(owner, { language: 'python', code, sessionId, budget: 100_000_000_000 })
    if (!ran.ok) throw new Error(ran.failure.message)
    if (ran.value.exitCode !== 0) throw new Error(`${one.name} does not import: ${ran.value.stderr}`)
    return ran.value
  }
  const row = rowOf(one, await run(), await run())
  await sandbox.destroySession(owner, sessionId)
  return row
}

if (process.argv[1] === import.meta.filename) {
  const sandbox = openSandbox()
  const rows: PackageInfo[] = []
  for (const one of shipped) rows.push(await measured(one, sandbox))
  writeFileSync(join(import.meta.dirname, 'packages.json'), `${JSON.stringify(rows, undefined, 2)}\n`)
  await sandbox.close()
}
