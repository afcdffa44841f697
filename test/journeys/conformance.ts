// The specification's own tests, as its makers publish them.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { place } from './at-end.ts'

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const suite = join(dirname(manifest), 'dist', 'index.js')

export interface Ran {
  readonly code: number | null
  readonly output: string
}

/** Runs the suite's program; it writes its results into the directory in which it runs. */
export const conformance = (
  args: readonly string[],
  { env, cwd = place() }: { readonly env?: Readonly<Record<string, string>>; readonly cwd?: string } = {},
): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...args], { cwd, env: env ?? process.env })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })

/** The names of the scenarios that the suite has of this kind. */
export async function scenariosOf(kind: 'client' | 'server'): Promise<readonly string[]> {
  const { output } = await conformance(['list', `--${kind}`])
  return [...output.matchAll(/^ +- (\S+) \[/gm)].map((match) => match[1] ?? '')
}
