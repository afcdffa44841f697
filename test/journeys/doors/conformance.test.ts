// The specification's own tests, those that need no tools of their own making, against the real web server.
import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { freshDatabase, place } from '../at-end.ts'
import { demoHere } from '../in-process.ts'

const scenarios = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'dns-rebinding-protection',
  'server-sse-multiple-streams',
]

const manifest = createRequire(import.meta.url).resolve('@modelcontextprotocol/conformance/package.json')
const suite = join(dirname(manifest), 'dist', 'index.js')

/** Runs one scenario; the suite writes its results into the directory in which it runs. */
const conformance = (url: URL, scenario: string): Promise<{ code: number | null; output: string }> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [suite, 'server', '--url', url.href, '--scenario', scenario], {
      cwd: place(),
    })
    let output = ''
    child.stdout.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()))
    child.once('error', reject)
    child.once('close', (code) => resolve({ code, output }))
  })

let mcp: URL

beforeAll(async () => {
  mcp = (await demoHere(freshDatabase())).mcp
})

test.each(scenarios)('the web server conforms to the scenario %s', async (scenario) => {
  const { code, output } = await conformance(mcp, scenario)
  expect(output).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/)
  expect(output).not.toMatch(/[1-9]\d* warnings/)
  expect(code).toBe(0)
})
