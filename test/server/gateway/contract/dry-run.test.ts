// A server whose calls are dry runs unless they say otherwise: nobody is told that something was done which was only tried.
import { expect, test } from 'vitest'
import type { Answer } from '../../../../server/rail/answers/outcome.ts'
import { pinTools } from '../../../../server/gateway/upstream/definitions/pins.ts'
import { confirmed, createStage } from '../../rail/rail-fixture.ts'
import { answerResult, startWorkingServer } from '../fixtures/working-server.ts'
import { contractsOf, startOne } from '../servers.ts'

/** A server with one tool `prune`, whose rule names `name` as the argument that makes a dry run. */
async function pruning(name: string, argument: object, value: unknown, rule: object = {}) {
  const flag = { type: 'boolean', default: true }
  const inputSchema = {
    type: 'object',
    properties: { path: { type: 'string' }, [name]: argument },
    $defs: { Flag: flag, Same: { $ref: '#/$defs/Flag' }, Other: { type: 'boolean', default: false } },
  }
  const annotations = { readOnlyHint: false, destructiveHint: true }
  const server = await startWorkingServer(answerResult, [{ name: 'prune', annotations, inputSchema }])
  const tools = { prune: { dry_run: { parameter: name, value }, ...rule } }
  const upstream = await startOne({ url: server.url, type: 'http', tools })
  const store = { get: async () => [], put: async () => undefined, accept: async () => false }
  const pinned = await pinTools(upstream.name, upstream.tools().tools, store)
  const stage = await createStage(contractsOf(upstream, pinned, { wireName: (tool) => tool }))
  return { stage, received: server.received, last: () => server.received.at(-1) }
}

const said = (answer: Answer) => `${answer.text} ${JSON.stringify(answer.card)}`

test.each([
  ['in its schema', { type: 'boolean', default: true }],
  ['behind a reference', { $ref: '#/$defs/Flag' }],
  ['behind two references', { $ref: '#/$defs/Same' }],
  ['beside a reference that says otherwise', { $ref: '#/$defs/Other', default: true }],
])(
  'a call that leaves out what is a dry run by its default, %s, confirms the real call and shows it',
  async (_, flag) => {
    const { stage, last } = await pruning('dryRun', flag, true)
    const preview = await stage.ask('prune', { path: 'a' })
    expect(preview).toMatchObject({ outcome: 'previewed', dryRunForm: true })
    expect(last()).toEqual({ path: 'a', dryRun: true })
    expect(confirmed(preview)).toContain('dryRun=false')
    const applied = await stage.repeat(confirmed(preview))
    expect([applied.outcome, applied.card?.title]).toEqual(['applied', 'prune ran on it'])
    expect(last()).toEqual({ path: 'a', dryRun: false })
  },
)

test('it is no dry run where the default is behind a reference and says so', async () => {
  const { stage, last } = await pruning('dryRun', { $ref: '#/$defs/Other' }, true)
  const preview = await stage.ask('prune', { path: 'a', dryRun: true })
  expect((await stage.repeat(confirmed(preview))).outcome).toBe('applied')
  expect(last()).toEqual({ path: 'a' })
})

test('it is never applied without its preview, whatever else it says, and may be repeated as it was with the confirmation', async () => {
  const autonomous = { risk: 'medium', autonomous: true }
  const { stage, received, last } = await pruning('dryRun', { $ref: '#/$defs/Flag' }, true, autonomous)
  const preview = await stage.ask('prune', { path: 'a', preview: false })
  expect(preview.outcome).toBe('previewed')
  expect(received.every((args) => (args as { readonly dryRun?: boolean }).dryRun === true)).toBe(true)
  const repeated = await stage.ask('prune', { path: 'a', preview: false, ticket: preview.planId })
  expect(repeated.outcome).toBe('applied')
  expect(last()).toEqual({ path: 'a', dryRun: false })
})

test.each([
  ['leaves it to its default', {}],
  ['asks for it', { mode: 'plan' }],
])('a call that %s, where nobody can know the opposite, is called a dry run before and after', async (_, mode) => {
  const { stage, last } = await pruning('mode', { enum: ['plan', 'run', 'force'], default: 'plan' }, 'plan')
  const preview = await stage.ask('prune', { path: 'a', ...mode })
  expect(said(preview)).toContain('This call is a dry run itself.')
  expect(said(preview)).not.toContain('does for real')
  const applied = await stage.repeat(confirmed(preview))
  expect(applied.card?.title).toBe('prune ran on it, as a dry run')
  expect(last()).toEqual({ path: 'a', ...mode })
})

test('a call that says which of several others it means is none', async () => {
  const { stage } = await pruning('mode', { enum: ['plan', 'run', 'force'], default: 'plan' }, 'plan')
  const preview = await stage.ask('prune', { path: 'a', mode: 'run' })
  expect(said(preview)).not.toContain('dry run itself')
  expect((await stage.repeat(confirmed(preview))).card?.title).toBe('prune ran on it')
})
