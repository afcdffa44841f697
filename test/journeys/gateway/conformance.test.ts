// The specification's own tests, against a server from npm and against the same server behind Countersign: what passes
// there must pass here. They speak to tools and resources of a reference server, so most of them fail directly as well.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { freePort } from '../../free-port.ts'
import { casesOf } from '../../full.ts'
import { freshDatabase, place } from '../at-end.ts'
import { officialServer } from './reach.ts'
import { binary, start, startWeb } from '../processes.ts'

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const suite = join(dirname(manifest), 'dist', 'index.js')

interface Ran {
  readonly code: number | null
  readonly output: string
}

/** Runs the suite's program; it writes its results into the directory in which it runs. */
const conformance = (...args: readonly string[]): Promise<Ran> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, ...args], { cwd: place() })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })

/** What passes directly and not through us, with the reason. */
const reasons: Readonly<Record<string, string>> = {}

/** What a server passes that has our tools and no others: scenarios of initialize, ping, tools, resources, prompts and DNS rebinding. */
const mustPass: readonly string[] = [
  'server-initialize',
  'ping',
  'tools-list',
  'tools-call-simple-text',
  'tools-call-error',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
]

const everything = officialServer('everything')
const line = [String(everything['command']), ...(everything['args'] as string[])]
let scenarios: readonly string[]
let addresses: { readonly direct: string; readonly wrapped: string }

beforeAll(async () => {
  const listed = await conformance('list', '--server')
  const all = [...listed.output.matchAll(/^ +- ([a-z0-9-]+) \[/gm)].map((match) => match[1] ?? '')
  expect(all.length).toBeGreaterThan(25)
  scenarios = casesOf(all, String, mustPass)
  const port = await freePort()
  const direct = start([...line.slice(1), 'streamableHttp'], { env: { PORT: String(port) } })
  while (!direct.stderr().includes('listening')) await new Promise((resolve) => setTimeout(resolve, 20))
  // The suite knows its server and not us: what it calls would lack a rationale.
  const wrap = [...binary, 'wrap', '--rationale', 'optional', '--http', '0', '--db', freshDatabase()]
  const wrapped = await startWeb([...wrap, '--', ...line])
  addresses = { direct: `http://127.0.0.1:${port}/mcp`, wrapped: wrapped.mcp.href }
})

const passes = async (url: string, scenario: string): Promise<boolean> =>
  (await conformance('server', '--url', url, '--scenario', scenario)).code === 0

test('what passes directly passes through the gateway, or its reason stands here', async () => {
  const passed: string[] = []
  const lost: string[] = []
  for (const scenario of scenarios) {
    if (await passes(addresses.wrapped, scenario)) passed.push(scenario)
    else if (await passes(addresses.direct, scenario)) lost.push(scenario)
  }
  expect(lost.filter((scenario) => !Object.hasOwn(reasons, scenario))).toEqual([])
  // A reason that no longer holds is to be taken out.
  expect(Object.keys(reasons).filter((scenario) => passed.includes(scenario))).toEqual([])
  expect(passed).toEqual(expect.arrayContaining([...mustPass]))
})
