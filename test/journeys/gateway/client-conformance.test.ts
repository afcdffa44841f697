// The specification's own tests of clients, against the half of a gateway that is one: `wrap` in front of the suite's servers, with
// an agent and a person at its other end (`fixtures/conforming-client.ts`).
import { expect, test } from 'vitest'
import { casesOf } from '../../full.ts'
import { longest } from '../../longest.ts'
import { conformance, scenariosOf } from '../conformance.ts'
import { binary, environment, fixture } from '../processes.ts'

interface Scenario {
  readonly name: string
  /** Where it is of several versions of the protocol; else the suite takes that of the scenario. */
  readonly version?: string
  /** Why it may warn of something that the specification only recommends. */
  readonly warns?: string
}

const scenarios: readonly Scenario[] = [
  { name: 'initialize' },
  { name: 'tools_call', version: '2025-11-25' },
  { name: 'tools_call', version: '2026-07-28' },
  { name: 'elicitation-sep1034-client-defaults' },
  { name: 'sse-retry' },
  { name: 'request-metadata' },
  { name: 'sep-2322-client-request-state' },
  { name: 'http-standard-headers' },
  { name: 'http-custom-headers' },
  { name: 'http-invalid-tool-headers' },
  { name: 'json-schema-ref-no-deref' },
  { name: 'auth/metadata-default' },
  { name: 'auth/metadata-var1' },
  { name: 'auth/metadata-var2' },
  { name: 'auth/metadata-var3' },
  { name: 'auth/basic-cimd', warns: 'A gateway has no public address at which a document about it could lie.' },
  { name: 'auth/scope-from-www-authenticate' },
  { name: 'auth/scope-from-scopes-supported' },
  { name: 'auth/scope-omitted-when-undefined' },
  {
    name: 'auth/scope-step-up',
    warns: 'The person logs in before anything is called, with the scope that is asked for then.',
  },
  { name: 'auth/scope-retry-limit' },
  { name: 'auth/token-endpoint-auth-basic' },
  { name: 'auth/token-endpoint-auth-post' },
  { name: 'auth/token-endpoint-auth-none' },
  { name: 'auth/pre-registration' },
  { name: 'auth/2025-03-26-oauth-metadata-backcompat' },
  { name: 'auth/resource-mismatch' },
  { name: 'auth/offline-access-scope' },
  { name: 'auth/offline-access-not-supported' },
  { name: 'auth/authorization-server-migration' },
  { name: 'auth/iss-supported' },
  { name: 'auth/iss-not-advertised' },
  { name: 'auth/iss-supported-missing' },
  { name: 'auth/iss-wrong-issuer' },
  { name: 'auth/iss-unexpected' },
  { name: 'auth/iss-normalized' },
  { name: 'auth/metadata-issuer-mismatch' },
]

/** What is not asked of a gateway, with the reason. */
const leftOut: Readonly<Record<string, string>> = {
  'json-schema-2020-12-preservation':
    'All but `$schema` arrives. We list 2020-12 by leaving it out, as the specification lets a server do: models read it in each tool.',
  'auth/2025-03-26-oauth-endpoint-fallback':
    'Without metadata the addresses would be guessed, and a login goes to no address that nobody has named.',
  'auth/client-credentials-jwt': 'An extension: nobody agrees to anything. Whoever has a key writes it into `headers`.',
  'auth/client-credentials-basic': 'An extension, as the one before.',
  'auth/enterprise-managed-authorization': 'An extension that we do not have.',
  'auth/dpop': 'An extension that we do not have.',
  'auth/dpop-nonce': 'An extension that we do not have.',
  'auth/wif-jwt-bearer': 'An extension that we do not have.',
  'sep-2640-client-no-prefetch': 'An extension that we do not have: skills.',
  'sep-2640-client-verify-digest': 'An extension that we do not have: skills.',
  'sep-2640-client-verify-size': 'An extension that we do not have: skills.',
  'sep-2640-client-verify-frontmatter': 'An extension that we do not have: skills.',
}

const titleOf = ({ name, version }: Scenario): string => (version === undefined ? name : `${name} of ${version}`)

/** One of each kind: both generations, headers, what is asked before an answer, a login. */
const usual = [
  'initialize',
  'tools_call of 2025-11-25',
  'request-metadata',
  'sep-2322-client-request-state',
  'http-standard-headers',
  'http-invalid-tool-headers',
  'auth/iss-supported',
]

// The suite hands it to a shell.
const command = [process.execPath, ...fixture('conforming-client'), binary.at(-1)].map((each) => `"${each}"`).join(' ')

test.each(casesOf(scenarios, titleOf, usual).map((each) => [titleOf(each), each] as const))(
  'the client half of a gateway conforms to the scenario %s',
  async (_, { name, version, warns }) => {
    const env = environment()
    const line = ['client', '--command', command, '--scenario', name, '--timeout', String(longest)]
    const named = version === undefined ? [] : ['--spec-version', version]
    const { output } = await conformance([...line, ...named], { env, cwd: env['HOME'] ?? '' })
    expect(output).toMatch(/Passed: [1-9]\d*\/\d+, 0 failed/)
    expect(/[1-9]\d* warnings/.test(output)).toBe(warns !== undefined)
  },
)

test('each scenario that the suite has for clients is asked, or its reason stands here', async () => {
  const known = new Set([...scenarios.map(({ name }) => name), ...Object.keys(leftOut)])
  expect((await scenariosOf('client')).toSorted()).toEqual([...known].toSorted())
})
