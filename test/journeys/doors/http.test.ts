// The rail over Streamable HTTP: several clients at one address, sessions that are values and not entries in a map, and
// everything that a client may do there that it cannot do over stdio.
import { beforeAll, describe, expect, test } from 'vitest'
import { buttonText, confirm, overHttp, ticketOf, waitsForApproval, type Agent } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { demoHere } from '../in-process.ts'
import { startDemo } from '../processes.ts'
import { packedWords } from '../../../server/cards/card-words.ts'
import { wordsIn } from '../../../server/demo/orders/words.ts'
import { wordsMetaKey } from '../../../server/tools/names.ts'
import { besideEnglish, saidOn } from '../../kit/languages.ts'

const twoDesks = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }] }

const ordersOf = async (agent: Agent) =>
  (await agent.call('orders_list')).data['orders'] as readonly { readonly id: string }[]

/** What a caller wrote, and names of the desk. */
const written = /c\.lee@contoso\.example|Ring twice \(\w+\)|Contoso|[A-Z]+-\d+|Oak desk 160/g

describe('the rail over Streamable HTTP', () => {
  let mcp: URL
  let agent: Agent

  beforeAll(async () => {
    mcp = (await demoHere(freshDatabase())).mcp
    agent = await overHttp(mcp)
  })

  test('previews, applies once, replays, and the order is there', async () => {
    const before = await ordersOf(agent)
    const preview = await agent.call('orders_create', twoDesks)
    expect(preview).toMatchObject({ status: 'previewed', isError: false })
    expect(await ordersOf(agent)).toStrictEqual(before)
    expect((await confirm(agent, preview)).status).toBe('applied')
    expect((await confirm(agent, preview)).status).toBe('replayed')
    expect(await ordersOf(agent)).toHaveLength(before.length + 1)
  })

  test.each([
    ['tlh, de-AT;q=0.8, en;q=0.5', 'de', /^Auftrag (SO-\d+) angelegt$/, /^Auf der Karte bestätigt/],
    ['pt-BR, en;q=0.5', 'pt', /^Pedido (SO-\d+) criado$/, /^Confirmado no cartão/],
  ])(
    'writes both cards of a call for a reader who asks for %s in that language whole',
    async (asked, language, done, signed) => {
      const reader = await overHttp(mcp, { headers: { 'accept-language': asked } })
      const order = {
        ...twoDesks,
        customer: 'Contoso',
        contact: 'c.lee@contoso.example',
        note: `Ring twice (${language})`,
      }
      const cardsFor = async (by: Agent) => {
        const preview = await by.call('orders_create', order)
        await by.client.callTool({ name: 'countersign_plan_confirm', arguments: { ticket: ticketOf(preview) } })
        return [preview, await confirm(by, preview)] as const
      }
      const english = await cardsFor(agent)
      expect(english[0].card).not.toHaveProperty('language')
      const own = await cardsFor(reader)
      expect(own[0].card?.title).toBe(wordsIn(language).create.title('Contoso'))
      expect(own[1].card?.title).toMatch(done)
      expect(own[1].card).toMatchObject({ signed: expect.stringMatching(signed) })
      for (const [at, { card, raw }] of own.entries()) {
        expect(card?.language).toBe(language)
        expect(raw._meta?.[wordsMetaKey]).toBe(packedWords(language))
        const left = besideEnglish(saidOn(english[at]?.card), saidOn(card), written)
        expect(left.flatMap(({ text, left: words }) => (words.length === 0 ? [] : [text]))).toStrictEqual(
          language === 'pt' ? ['Total'] : [],
        )
      }
    },
  )

  test('asks for the proofs that every door asks for', async () => {
    const medium = await agent.call('orders_create', { ...twoDesks, customer: 'Initech' })
    const byId = { ...twoDesks, customer: 'Initech', ticket: medium.planId, preview: false }
    expect((await agent.call('orders_create', byId)).status).toBe('applied')
    const high = await agent.call('orders_modify', { id: 'SO-1005', discount_percent: 9 })
    const highById = { id: 'SO-1005', discount_percent: 9, ticket: high.planId, preview: false }
    expect((await agent.call('orders_modify', highById)).data).toStrictEqual(waitsForApproval)
    expect((await confirm(agent, high)).status).toBe('applied')
    const critical = await agent.call('orders_delete', { id: 'SO-1008' })
    await agent.client.callTool({ name: 'countersign_plan_confirm', arguments: { ticket: ticketOf(critical) } })
    expect((await confirm(agent, critical)).data).toStrictEqual(waitsForApproval)
  })

  test('refuses other arguments than the confirmed ones, and brings a fresh preview', async () => {
    const preview = await agent.call('orders_create', { ...twoDesks, customer: 'Globex' })
    const reply = await confirm(agent, preview, { customer: 'ACME' })
    expect(reply).toMatchObject({ status: 'mismatch', isError: true, card: { kind: 'preview', state: 'ready' } })
    expect(reply.guidance?.field_errors).toMatchObject([{ pointer: '/customer', received: 'ACME' }])
  })

  test('finds a preview stale when another client changed the order in between', async () => {
    const preview = await agent.call('orders_modify', { id: 'SO-1006', note: 'mine' })
    const other = await overHttp(mcp)
    expect((await confirm(other, await other.call('orders_modify', { id: 'SO-1006', note: 'theirs' }))).status).toBe(
      'applied',
    )
    expect(await confirm(agent, preview)).toMatchObject({
      status: 'stale',
      data: {
        changes: [
          {
            pointer: '/note',
            saw: { kind: 'unset' },
            before: { kind: 'text', text: 'theirs' },
            after: { kind: 'text', text: 'mine' },
          },
        ],
      },
    })
  })

  test('lets the card cancel what it shows', async () => {
    const preview = await agent.call('orders_create', { ...twoDesks, customer: 'Contoso' })
    await agent.client.callTool({ name: 'countersign_plan_cancel', arguments: { ticket: ticketOf(preview) } })
    expect((await confirm(agent, preview)).text).toContain('cancelled')
  })

  test('remembers of each client whether it shows cards, though it keeps no session', async () => {
    const plain = await overHttp(mcp, { cards: false })
    const [seen, read] = await Promise.all([agent, plain].map((each) => each.call('orders_fulfill', { id: 'SO-1007' })))
    expect(seen?.text).toContain('The person sees this as a card')
    expect(read?.text).not.toContain('The person sees this as a card')
  })

  test('serves twenty clients at once, each with its own answers', async () => {
    const agents = await Promise.all(Array.from({ length: 20 }, () => overHttp(mcp)))
    const skus = (await agent.call('products_search')).data['products'] as readonly { readonly sku: string }[]
    const answers = await Promise.all(
      agents.map((each, at) =>
        each.call('orders_create', {
          customer: 'Fabrikam',
          lines: [{ sku: skus[at % skus.length]?.sku, quantity: at + 1 }],
        }),
      ),
    )
    for (const [at, answer] of answers.entries())
      expect(buttonText(answer, 'confirm')).toContain(`{"sku":"${skus[at % skus.length]?.sku}","quantity":${at + 1}}`)
  })
})

test('a restart on the same database ends no session and loses no plan', async () => {
  const db = freshDatabase()
  const first = await startDemo(db)
  const agent = await overHttp(first.mcp)
  const preview = await agent.call('orders_create', twoDesks)
  const session = (agent.client.transport as { sessionId?: string }).sessionId ?? ''
  first.child.kill('SIGTERM')
  expect(await first.ended).toMatchObject({ code: 0, stdout: '' })
  const second = await startDemo(db)
  const response = await fetch(second.mcp, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-session-id': session,
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'orders_create',
        arguments: {
          ...twoDesks,
          rationale: 'Repeats what was confirmed.',
          ticket: ticketOf(preview),
          preview: false,
        },
      },
    }),
  })
  expect(response.status).toBe(200)
  expect(await response.json()).toMatchObject({ result: { structuredContent: { status: 'applied' } } })
})
