// The specification's own tests, against a server from npm and against the same server behind Countersign: what passes
// there must pass here. They speak to tools and resources of a reference server, so most of them fail directly as well.
import { beforeAll, expect, test } from 'vitest'
import { freePort } from '../../free-port.ts'
import { casesOf } from '../../full.ts'
import { freshDatabase } from '../at-end.ts'
import { conformance, scenariosOf } from '../conformance.ts'
import { officialServer } from './reach.ts'
import { binary, start, startWeb } from '../processes.ts'

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
  const all = await scenariosOf('server')
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
  (await conformance(['server', '--url', url, '--scenario', scenario])).code === 0

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
