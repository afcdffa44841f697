// What a card reads on, as a host passes it between the view and the server: over stdio and over HTTP, from the first page
// to the last, and from the call to the end of what it began.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import { createCountersign } from '../../../server/index.ts'
import type { Card, CardPageRow } from '../../../server/model/card.ts'
import { mailingTool } from '../../kit/mailing-tool.ts'
import { confirm, overHttp, overStdio, ticketOf, type Agent, type Arguments } from '../agent.ts'
import { atEnd } from '../at-end.ts'
import { fixture } from '../processes.ts'

/** The card's own line to the server. */
const ask = async ({ client }: Agent, name: string, args: Arguments): Promise<CallToolResult> =>
  (await client.callTool({ name, arguments: args })) as CallToolResult

const overWeb = async (cards: boolean): Promise<Agent> => {
  const server = createCountersign({ name: 'Mails', tools: [mailingTool()], store: ':memory:' })
  const { mcpUrl } = await server.http({ port: 0 })
  atEnd(() => server.close())
  return overHttp(new URL(mcpUrl), { cards })
}

describe.each([
  ['stdio', (cards: boolean) => overStdio(fixture('mailing-server'), { cards })],
  ['HTTP', overWeb],
])('over %s', (_door, open) => {
  test('a card reads its list to the end, and a row in full; none of it is told to a model', async () => {
    const agent = await open(true)
    const preview = await agent.call('mails_send', { segment: 'all' })
    const ticket = ticketOf(preview)
    const seen: string[] = []
    let after: string | undefined = 'p002'
    while (after !== undefined) {
      const { _meta: meta = {}, ...told } = await ask(agent, 'countersign_plan_page', {
        ticket,
        list: 'recipients',
        after,
      })
      expect(JSON.stringify(told)).not.toContain('acme.example')
      const { rows, next } = meta['countersign/page'] as { rows: CardPageRow[]; next?: string }
      seen.push(...rows.map(({ key }) => key))
      after = next
    }
    expect(seen).toHaveLength(247)
    expect(seen).toStrictEqual([...new Set(seen)].toSorted())
    const row = await ask(agent, 'countersign_plan_page', { ticket, list: 'recipients', key: 'p200' })
    expect(row._meta?.['countersign/page']).toMatchObject({ blocks: [{ text: 'Dear p200 of all' }] })
    expect(row.structuredContent).toMatchObject({ plan_id: preview.planId, state: 'open' })
  })

  test('what it began is followed to its end, and its list is closed', async () => {
    const agent = await open(true)
    const preview = await agent.call('mails_send', { segment: 'all' })
    const applied = await confirm(agent, preview)
    expect(applied.card).toMatchObject({ kind: 'success', follow: true })
    const cards: Card[] = []
    do {
      const { _meta: meta } = await ask(agent, 'countersign_plan_progress', { ticket: applied.planId })
      cards.push(meta?.['countersign/card'] as Card)
    } while (cards.at(-1)?.follow)
    expect(cards.map(({ blocks }) => blocks[0])).toMatchObject([{ done: 100 }, { done: 200 }, { done: 250 }])
    const closed = await ask(agent, 'countersign_plan_page', { ticket: ticketOf(preview), list: 'recipients' })
    expect(closed).toMatchObject({ isError: true, structuredContent: { error: { code: 'confirmation_refused' } } })
  })

  test('a client without cards is not listed the two tools, and is answered as if they did not exist', async () => {
    const agent = await open(false)
    expect(agent.tools.filter(({ name }) => name.startsWith('countersign_'))).toStrictEqual([])
    const preview = await agent.call('mails_send', { segment: 'all' })
    for (const name of ['countersign_plan_page', 'countersign_plan_progress']) {
      const answer = await ask(agent, name, { ticket: preview.planId, list: 'recipients' })
      expect(answer.isError).toBe(true)
      expect(JSON.stringify(answer)).not.toContain('acme.example')
    }
  })
})
