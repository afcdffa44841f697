// What a developer sees who tests tools of their own: `connect` on a server in the same process.
import { expect, onTestFinished, test } from 'vitest'
import { createCountersign, type CountersignOptions } from '../../../server/index.ts'
import { connect, type ConnectOptions, type TestClient } from '../../../server/testing/index.ts'
import { issueTools } from './issue-tools.ts'

async function connected(
  options: ConnectOptions = {},
  settings: CountersignOptions = {},
): Promise<{ readonly client: TestClient; readonly issues: Map<string, string> }> {
  const { tools, issues } = issueTools()
  const client = await connect(
    createCountersign({ tools, store: ':memory:', secret: 'x'.repeat(32), ...settings }),
    options,
  )
  onTestFinished(() => client.close())
  return { client, issues }
}

test('a preview says what would change, and nothing has changed', async () => {
  const { client, issues } = await connected()
  const preview = await client.preview('issues_close', { id: 'ISS-1' })
  expect(preview).toMatchObject({
    status: 'previewed',
    planId: expect.stringMatching(/^pl_/),
    title: 'close ISS-1',
    summary: 'closes ISS-1.',
    effects: ['Its watchers are told.'],
    warnings: [{ title: 'It has comments.' }],
    card: { kind: 'preview', claim: 'A test asks for this call.' },
    call: { tool: 'issues_close', args: { id: 'ISS-1' } },
  })
  expect(preview.changes).toEqual([
    {
      pointer: '/state',
      label: 'State',
      before: { kind: 'text', text: 'open' },
      after: { kind: 'text', text: 'close' },
    },
  ])
  expect(issues.get('ISS-1')).toBe('open')
})

test.each(['issues_label', 'issues_close', 'issues_delete'])(
  'what a person confirms on the card of %s is applied, once',
  async (tool) => {
    const { client, issues } = await connected()
    const preview = await client.preview(tool, { id: 'ISS-1' })
    const state = tool.slice('issues_'.length)
    expect(await client.confirm(preview)).toMatchObject({ status: 'applied', result: { state } })
    expect(issues.get('ISS-1')).toBe(state)
    expect(await client.confirm(preview)).toMatchObject({ status: 'replayed', result: { state } })
  },
)

test('apply previews and confirms, with the rationale that the test gives', async () => {
  const { client } = await connected({ rationale: 'The release is out and the issue is done.' })
  const applied = await client.apply('issues_close', { id: 'ISS-1' })
  expect(applied).toMatchObject({ status: 'applied', result: { state: 'close' } })
  expect(applied.call.args).toMatchObject({ rationale: 'The release is out and the issue is done.', preview: false })
  const own = await client.preview('issues_close', { id: 'ISS-2', rationale: 'This one has words of its own.' })
  expect(own.card?.claim).toBe('This one has words of its own.')
})

test('a failure that the tool declares is a value, with its code and what to do', async () => {
  const { client } = await connected()
  expect(await client.apply('issues_close', { id: 'ISS-9' })).toMatchObject({
    status: 'failed',
    error: { code: 'no_such_issue', message: 'There is no issue ISS-9.' },
    guidance: { error_type: 'no_such_issue' },
    next: 'Use the id of an issue: ISS-1.',
  })
})

test('wrong arguments and unknown tools are refused with guidance', async () => {
  const { client } = await connected()
  expect(await client.preview('issues_close', { issue: 'ISS-1' })).toMatchObject({
    status: 'refused',
    error: { code: 'validation_error' },
  })
  expect(await client.preview('issues_clsoe', { id: 'ISS-1' })).toMatchObject({
    status: 'refused',
    error: { code: 'unknown_tool' },
    next: expect.stringContaining('issues_close'),
  })
})

test('a read answers its output, also one that has a status of its own, and its failure', async () => {
  const { client } = await connected()
  expect(await client.call('issues_find', { id: 'ISS-1' })).toMatchObject({ status: 'ok', result: { status: 'open' } })
  expect(await client.call('issues_find', { id: 'ISS-9' })).toMatchObject({
    status: 'failed',
    error: { code: 'no_such_issue' },
  })
})

test('a preview that is blocked is answered as it is when somebody confirms it', async () => {
  const { client, issues } = await connected()
  issues.set('ISS-1', 'locked')
  const preview = await client.preview('issues_close', { id: 'ISS-1' })
  expect(preview).toMatchObject({ status: 'previewed', blocked: { title: 'It is locked.' } })
  expect(await client.confirm(preview)).toBe(preview)
})

test('a state that has moved since the preview is stale, with a fresh preview', async () => {
  const { client, issues } = await connected()
  const preview = await client.preview('issues_close', { id: 'ISS-1' })
  issues.set('ISS-1', 'labelled')
  const stale = await client.confirm(preview)
  expect(stale).toMatchObject({ status: 'stale', changes: [{ before: { text: 'labelled' } }] })
  expect(await client.confirm(stale)).toMatchObject({ status: 'applied' })
})

test('an agent that repeats another call than the confirmed one is told of the mismatch', async () => {
  const { client } = await connected()
  const { apply } = await client.preview('issues_close', { id: 'ISS-1' })
  const other = await client.call('issues_close', { ...apply?.args, id: 'ISS-2' })
  expect(other).toMatchObject({ status: 'mismatch' })
})

test('a cancelled preview is gone', async () => {
  const { client } = await connected()
  const preview = await client.preview('issues_close', { id: 'ISS-1' })
  expect(await client.cancel(preview)).toEqual({ state: 'cancelled' })
  expect(await client.confirm(preview)).toMatchObject({ status: 'refused' })
})

test('a client without cards has no ticket: a yes in the chat does for medium risk, and above an operator decides', async () => {
  const { client, issues } = await connected({ cards: false })
  const medium = await client.preview('issues_label', { id: 'ISS-1' })
  expect(medium.card).toBeUndefined()
  expect(await client.confirm(medium)).toMatchObject({ status: 'applied' })
  const high = await client.confirm(await client.preview('issues_close', { id: 'ISS-2' }))
  expect(high).toMatchObject({ status: 'awaiting_approval', approval: { id: expect.stringMatching(/^ap_/) } })
  expect(issues.get('ISS-2')).toBe('open')
  expect(await client.approve(high)).toMatchObject({ status: 'applied', result: { state: 'close' } })
})

test('a host that is not trusted with the click leaves what is critical to an operator', async () => {
  const { client } = await connected({ trustedHost: false })
  expect(await client.apply('issues_close', { id: 'ISS-1' })).toMatchObject({ status: 'applied' })
  expect(await client.apply('issues_delete', { id: 'ISS-2' })).toMatchObject({ status: 'awaiting_approval' })
  const silent = await connected({}, { trustedHost: false })
  expect(await silent.client.apply('issues_delete', { id: 'ISS-1' })).toMatchObject({ status: 'awaiting_approval' })
})

test('two principals on one server do not see each other’s plans', async () => {
  const server = createCountersign({ tools: issueTools().tools, store: ':memory:' })
  const ada = await connect(server, { principal: { tenant: 'acme', subject: 'ada' } })
  const bob = await connect(server, { principal: { tenant: 'acme', subject: 'bob' } })
  const preview = await ada.preview('issues_close', { id: 'ISS-1' })
  expect(await bob.confirm(preview)).toMatchObject({ status: 'refused' })
  expect(await bob.cancel(preview)).toMatchObject({ state: undefined, error: { code: expect.any(String) } })
  await bob.close()
  expect(await ada.confirm(preview)).toMatchObject({ status: 'applied' })
  await ada.close()
})

test('a server is closed with its last client, and says so to the next one', async () => {
  const server = createCountersign({ tools: issueTools().tools, store: ':memory:' })
  const client = await connect(server)
  await client.close()
  await client.close()
  await expect(connect(server)).rejects.toThrow('Make a server for each test')
})

test('a server whose door is open is left open', async () => {
  const server = createCountersign({ tools: issueTools().tools, store: ':memory:' })
  const web = await server.http({ port: 0 })
  onTestFinished(async () => {
    await web.close()
    await server.close()
  })
  await (await connect(server)).close()
  const again = await connect(server)
  expect(await again.apply('issues_close', { id: 'ISS-1' })).toMatchObject({ status: 'applied' })
  await again.close()
})

test('something else than a server is refused with what to do', async () => {
  const other = { instructions: '', stdio: async () => {}, close: async () => {} }
  await expect(connect(other)).rejects.toThrow('connect takes what createCountersign')
})
