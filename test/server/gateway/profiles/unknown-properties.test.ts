// A property that the cheatsheet does not know is said on the card of a recorded HubSpot server's tool, and stops nothing.
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { profileFor } from '../../../../server/compose/profiles/profiles.ts'
import { pinTools } from '../../../../server/gateway/upstream/definitions/pins.ts'
import { confirmed, createStage } from '../../rail/rail-fixture.ts'
import { contractsOf, startOne } from '../servers.ts'

const server = fileURLToPath(new URL('../fixtures/recorded-server.ts', import.meta.url))
const list = fileURLToPath(new URL('../../../profiles/recorded/hubspot.json', import.meta.url))

async function hubspot() {
  const upstream = await startOne({ command: process.execPath, args: [server, list], profile: 'hubspot' })
  const known = await profileFor(upstream.config, '/')
  if (!known.ok) throw new Error(known.failure.message)
  const pins = { get: async () => [], put: async () => undefined, accept: async () => false }
  const pinned = await pinTools(upstream.name, upstream.tools().tools, pins)
  const stage = await createStage(contractsOf(upstream, pinned, { wireName: (tool) => tool, known: known.value }))
  const update = (objectType: string, ...records: readonly Readonly<Record<string, string>>[]) =>
    stage.ask('hubspot-batch-update-objects', {
      objectType,
      inputs: records.map((properties, at) => ({ id: String(at + 1), properties })),
    })
  return { stage, update }
}

const warnings = (preview: {
  readonly card?: { readonly blocks: readonly unknown[] } | undefined
}): readonly string[] =>
  (preview.card?.blocks ?? []).flatMap((block) => {
    const { kind, severity, title, text } = block as Readonly<Record<string, string | undefined>>
    return kind === 'alert' && severity === 'warning' && title?.startsWith('The cheatsheet') === true
      ? [`${title} ${text ?? ''}`]
      : []
  })

test('a slip is named with what was meant, and the call can be confirmed all the same', async () => {
  const { stage, update } = await hubspot()
  const preview = await update('contacts', { hs_lead_statsu: 'OPEN' })
  expect(warnings(preview)).toEqual([
    'The cheatsheet of HubSpot knows no property hs_lead_statsu of contacts. Did you mean hs_lead_status? A property of your own account is not in it; hubspot-list-properties lists them all.',
  ])
  expect((await stage.repeat(confirmed(preview))).outcome).toBe('applied')
})

test('several are one warning, each name once, in all records of the call', async () => {
  const { update } = await hubspot()
  const said = warnings(await update('0-3', { deal_name: 'A', amount: '1' }, { deal_name: 'B', dealstagee: 'x' }))
  expect(said).toHaveLength(1)
  expect(said[0]).toContain('knows no properties deal_name and dealstagee of deals.')
  expect(said[0]).toContain('Did you mean dealname instead of deal_name? Did you mean dealstage instead of dealstagee?')
})

test('known names and objects that the cheatsheet does not have are silent', async () => {
  const { update } = await hubspot()
  expect(warnings(await update('companies', { name: 'ACME', hs_lead_status: 'NEW' }))).toEqual([])
  expect(warnings(await update('2-4711', { anything: 'x' }))).toEqual([])
})

test('names that are no names are shown so that nothing of them can be mistaken, and only the first few', async () => {
  const { update } = await hubspot()
  const names = [
    'a, b and\u202E c',
    '__proto__x',
    'x'.repeat(200),
    ...Array.from({ length: 40 }, (_, at) => `unknown_${at}`),
  ]
  const [said = ''] = warnings(await update('contacts', Object.fromEntries(names.map((name) => [name, '1']))))
  expect(said).toContain('"a,\\u0020b\\u0020and\\u202E\\u0020c"')
  expect(said).toContain('and 38 more of contacts')
  expect(said.length).toBeLessThan(600)
})
