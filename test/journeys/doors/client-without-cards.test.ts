// A client that did not announce cards may print a result's `_meta` to its model, ticket included. So it gets none.
import { describe, expect, test } from 'vitest'
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { overHttp, rationale, toReply, type Agent } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { agentHere, demoHere } from '../in-process.ts'
import { letIn } from '../processes.ts'

const secret = 'cs1_'

const twoDesks = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }] }

async function expectNoCards(agent: Agent): Promise<void> {
  expect(agent.tools.map(({ name }) => name)).toContain('orders_create')
  expect(agent.tools.map(({ name }) => name).filter((name) => name.startsWith('countersign_'))).toStrictEqual([])
  const replies = [
    await agent.call('orders_create', { ...twoDesks, ticket: 'pl_0000000000000000' }),
    await agent.call('orders_fulfill', { id: 'SO-1007' }),
    await agent.call('orders_create', twoDesks),
  ]
  for (const { raw } of replies) {
    expect(JSON.stringify(raw)).not.toContain(secret)
    expect(raw._meta ?? {}).not.toHaveProperty(['countersign/card'])
  }
  const planId = replies[2]?.planId ?? ''
  const applied = await agent.call('orders_create', { ...twoDesks, ticket: planId, preview: false })
  expect(applied).toMatchObject({ status: 'applied', card: undefined })
  const status = await agent.client.callTool({ name: 'countersign_plan_status', arguments: { ticket: planId } })
  expect(toReply(status as CallToolResult).text).toContain('unknown_tool')
}

describe('a client that announces no cards', () => {
  test('over stdio gets no card, no ticket and no tools for cards, and still applies what was previewed', async () => {
    const desk = ['demo', '--stdio', '--db', freshDatabase()]
    await expectNoCards(await agentHere(desk, { cards: false }))
  })

  test('over HTTP neither', async () => {
    const { mcp } = await demoHere(freshDatabase())
    await expectNoCards(await overHttp(mcp, { cards: false }))
    const shows = await overHttp(mcp)
    expect((await shows.call('orders_create', twoDesks)).card?.plan?.ticket).toContain(secret)
  })
})

test('REST answers hold no ticket', async () => {
  const { mcp } = await demoHere(freshDatabase())
  const answer = await fetch(letIn('/api/v1/tools/orders_create', mcp), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ...twoDesks, rationale }),
  })
  const text = await answer.text()
  expect(text).toContain('previewed')
  expect(text).not.toContain(secret)
})
