// Operators in a test: who may decide, and what the agent hears of it.
import { expect, onTestFinished, test } from 'vitest'
import { createCountersign, type CountersignOptions } from '../../../server/index.ts'
import { connect, type CallAnswer, type TestClient } from '../../../server/testing/index.ts'
import { issueTools } from './issue-tools.ts'

async function waiting(
  tool: string,
  settings: NonNullable<CountersignOptions['settings']> = {},
): Promise<{ readonly client: TestClient; readonly pending: CallAnswer }> {
  const server = createCountersign({ tools: issueTools().tools, store: ':memory:', settings })
  const client = await connect(server, { trustedHost: false, principal: { tenant: 'acme', subject: 'ada' } })
  onTestFinished(() => client.close())
  const pending = await client.apply(tool, { id: 'ISS-1' })
  expect(pending.status).toBe('awaiting_approval')
  return { client, pending }
}

test('an operator approves, and the call runs; the agent that repeats it hears the same', async () => {
  const { client, pending } = await waiting('issues_delete')
  expect(await client.approve(pending)).toMatchObject({ status: 'applied', result: { state: 'delete' } })
  const { tool, args } = pending.call
  const repeated = await client.call(tool, { ...args, ticket: pending.approval?.id })
  expect(repeated).toMatchObject({ status: 'replayed', result: { state: 'delete' } })
})

test('a preview that does not wait yet is asked for first', async () => {
  const server = createCountersign({ tools: issueTools().tools, store: ':memory:' })
  const client = await connect(server)
  onTestFinished(() => client.close())
  const preview = await client.preview('issues_delete', { id: 'ISS-1' })
  expect(await client.approve(preview)).toMatchObject({ status: 'applied' })
})

test('a rejection reaches the agent with its reason, and decides for good', async () => {
  const { client, pending } = await waiting('issues_delete')
  const rejected = await client.reject(pending, { reason: 'The issue is evidence.' })
  expect(rejected).toMatchObject({ status: 'refused', text: expect.stringContaining('The issue is evidence.') })
  expect(await client.approve(pending)).toMatchObject({ status: 'refused', error: { code: 'already-decided' } })
})

test('an operator who may not decide is told so', async () => {
  const { client, pending } = await waiting('issues_delete')
  const viewer = await client.approve(pending, { roles: [{ kind: 'viewer' }] })
  expect(viewer).toMatchObject({ status: 'refused', error: { code: 'not-yours-to-decide' } })
  const other = await client.approve(pending, { roles: [{ kind: 'approver', tools: ['mail_*'] }] })
  expect(other.error?.message).toBe('You approve other tools than issues_delete.')
  const elsewhere = await client.approve(pending, { tenant: 'other' })
  expect(elsewhere).toMatchObject({ status: 'refused', error: { code: 'unknown-approval' } })
})

test('with two approvers and four eyes, who asks does not count and the second vote runs it', async () => {
  const approvals = [{ tools: ['issues_*'], approvers: 2, fourEyes: true }]
  const { client, pending } = await waiting('issues_delete', { approvals })
  expect(await client.approve(pending, { name: 'Ada' })).toMatchObject({ error: { code: 'not-yours-to-decide' } })
  expect(await client.approve(pending, { name: 'Bob' })).toMatchObject({ status: 'awaiting_approval' })
  expect(await client.approve(pending, { name: 'Bob' })).toMatchObject({ error: { code: 'voted-before' } })
  expect(await client.approve(pending, { name: 'Carl' })).toMatchObject({ status: 'applied' })
})

test('a contract that asks for a second factor gets it, and refuses a wrong one', async () => {
  const { client, pending } = await waiting('issues_move')
  const wrong = await client.approve(pending, { secondFactor: 'wrong' })
  expect(wrong).toMatchObject({ status: 'refused', error: { code: 'second-factor-wrong' } })
  const none = await client.approve(pending, { secondFactor: 'none' })
  expect(none).toMatchObject({ error: { code: 'second-factor-not-enrolled' } })
  expect(await client.approve(pending)).toMatchObject({ status: 'applied' })
})
