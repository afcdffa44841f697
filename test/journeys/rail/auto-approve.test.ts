// An operator may let a tenant's high-risk calls run without a person. Such a call runs as soon as it says `preview=false`;
// what is critical, and what another rule leaves to people, is decided as before, and the record says why it ran.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { overHttp, type Agent } from '../agent.ts'
import { freshDatabase, place } from '../at-end.ts'
import { ledgerOf } from '../gateway/ledger.ts'
import { gatewayFile, misbehavingServer } from '../gateway/reach.ts'
import { agentHere, webHere } from '../in-process.ts'
import { recordsIn } from '../records-in.ts'

describe.each([
  ['with cards', true],
  ['without cards', false],
])('a client %s of the order desk', (_, cards) => {
  const db = freshDatabase()
  let agent: Agent
  beforeAll(async () => {
    const config = join(place(), 'countersign.json')
    const approvals = [{ tools: ['cache_rebuild'], approvers: 2 }]
    writeFileSync(config, JSON.stringify({ policy: { auto_approve_high_risk: true, approvals } }))
    const { mcp } = await webHere(['demo', '--port', '0', '--db', db, '--config', config])
    agent = await overHttp(mcp, { cards })
  })
  const rowOf = async (tool: string) => (await recordsIn(db, { filter: { tools: [tool] }, limit: 1 }))[0]

  test('previews a high-risk call that does not say preview=false, and runs one that does', async () => {
    const note = { id: 'SO-1006', note: 'Ring twice' }
    const preview = await agent.call('orders_modify', note)
    expect(preview.status).toBe('previewed')
    expect(preview.text).toContain('The operators let high-risk calls run without a confirmation.')
    expect(preview.text).not.toContain('approval outside')
    const done = await agent.call('orders_modify', { ...note, preview: false })
    expect(done.status, done.text).toBe('applied')
    expect(await rowOf('orders_modify')).toMatchObject({
      status: 'applied',
      risk: 'high',
      verdict: 'allow:auto-approve-high',
      events: [{ name: 'call.auto_approved' }],
    })
    const again = await agent.call('orders_modify', { ...note, note: 'Ring once' })
    const applied = await agent.call('orders_modify', {
      ...note,
      note: 'Ring once',
      ticket: again.planId,
      preview: false,
    })
    expect(applied.status, applied.text).toBe('applied')
    expect(await rowOf('orders_modify')).toMatchObject({
      verdict: 'allow:auto-approve-high',
      events: [{ name: 'call.auto_approved' }],
    })
  })

  test('does without a person neither a critical call nor one that a rule leaves to two of them', async () => {
    const calls = [
      ['orders_delete', { id: 'SO-1006' }],
      ['cache_rebuild', {}],
    ] as const
    for (const [tool, args] of calls) {
      const first = await agent.call(tool, { ...args, preview: false })
      const asked =
        first.status === 'previewed' ? await agent.call(tool, { ...args, ticket: first.planId, preview: false }) : first
      expect(asked.data, tool).toMatchObject({ requires_human_approval: true })
      expect((await rowOf(tool))?.verdict, tool).toMatch(/^approve:/)
    }
  })
})

test('behind a gateway a high-risk call of another server runs, too, and a critical one does not', async () => {
  const [ledger, db] = [join(place(), 'ledger'), freshDatabase()]
  const tools = { echo: { risk: 'high' }, rename: { risk: 'critical' } }
  const file = gatewayFile(
    { rude: misbehavingServer('polite', ledger, { tools }) },
    { policy: { auto_approve_high_risk: true } },
  )
  const agent = await agentHere(['gateway', '--config', file, '--db', db])
  const call = (name: string, more = {}) =>
    agent.call('call_tool_write', { name, args_json: '{"n":1}', intent: { operation_type: 'write' }, ...more })
  expect((await call('rude:echo')).status).toBe('previewed')
  const done = await call('rude:echo', { preview: false })
  expect(done.status, done.text).toBe('applied')
  const critical = await call('rude:rename', { preview: false })
  expect(critical.status).toBe('previewed')
  expect(await recordsIn(db, { filter: { tools: ['rude:echo'] }, limit: 1 })).toMatchObject([
    { verdict: 'allow:auto-approve-high', events: [{ name: 'call.auto_approved' }] },
  ])
  expect(ledgerOf(ledger)).not.toContain('rename')
})
