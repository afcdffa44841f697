// Who calls, and what their client can show: a plan belongs to one principal, and a text must do where no card is seen.
import { beforeAll, describe, expect, test } from 'vitest'
import { confirm, overHttp, ticketOf, waitsForApproval, type Agent } from '../agent.ts'
import { freshDatabase } from '../at-end.ts'
import { agentHere, demoHere } from '../in-process.ts'

const desk = (db: string, ...more: readonly string[]) => ['demo', '--stdio', '--db', db, ...more]
const twoDesks = { customer: 'ACME', lines: [{ sku: 'DESK-01', quantity: 2 }] }

describe('two people on one database', () => {
  const db = freshDatabase()
  let ada: Agent
  let bob: Agent

  beforeAll(async () => {
    ada = await agentHere(desk(db, '--as', 'ada'))
    bob = await agentHere(desk(db, '--as', 'bob'))
  })

  const unknownTicket = `cs1_${'0'.repeat(26)}`
  const withoutTimes = (value: unknown) => JSON.stringify(value).replace(/"at":"[^"]*"/g, '"at":""')

  test("one's ticket is refused from the other in the very words of a ticket that never was", async () => {
    const preview = await ada.call('orders_create', twoDesks)
    const foreign = await confirm(bob, preview)
    const unknown = await confirm(bob, preview, { ticket: unknownTicket })
    expect(foreign).toMatchObject({ status: 'refused', isError: true })
    expect(withoutTimes(foreign.raw)).toBe(withoutTimes(unknown.raw))
    const byId = await bob.call('orders_create', { ...twoDesks, ticket: preview.planId, preview: false })
    expect(withoutTimes(byId.raw)).toBe(withoutTimes(unknown.raw))
    expect((await confirm(ada, preview)).status).toBe('applied')
    // Nor is the recorded result anybody else's.
    expect(withoutTimes((await confirm(bob, preview)).raw)).toBe(withoutTimes(unknown.raw))
  })

  test("one's card cannot be asked about, clicked or cancelled by the other", async () => {
    const preview = await ada.call('orders_create', twoDesks)
    for (const name of ['countersign_plan_status', 'countersign_plan_confirm', 'countersign_plan_cancel']) {
      const ask = (ticket: string) => bob.client.callTool({ name, arguments: { ticket } })
      expect(await ask(ticketOf(preview))).toStrictEqual(await ask(unknownTicket))
      expect(await ask(ticketOf(preview))).toMatchObject({ isError: true })
    }
    const status = await ada.client.callTool({
      name: 'countersign_plan_status',
      arguments: { ticket: ticketOf(preview) },
    })
    expect(status.structuredContent).toMatchObject({ state: 'open', clicked: false })
  })

  test('one does not supersede what the other is about to confirm', async () => {
    const hers = await ada.call('orders_fulfill', { id: 'SO-1007' })
    await bob.call('orders_fulfill', { id: 'SO-1007' })
    expect((await confirm(ada, hers)).status).toBe('applied')
  })

  test('a web client on the same database is somebody else too', async () => {
    const local = await agentHere(desk(db))
    const web = await overHttp((await demoHere(db)).mcp)
    const preview = await local.call('orders_create', twoDesks)
    expect(await confirm(web, preview)).toMatchObject({ status: 'refused', isError: true })
    expect((await confirm(local, preview)).status).toBe('applied')
  })
})

describe('a client that shows no cards', () => {
  let agent: Agent

  beforeAll(async () => {
    agent = await agentHere(desk(freshDatabase()), { cards: false })
  })

  test('gets a preview whose text stands on its own and does not speak of a card that is there', async () => {
    const preview = await agent.call('orders_create', twoDesks)
    expect(preview.text).not.toContain('The person sees this as a card')
    expect(preview.text).toContain('Create a sales order for ACME')
    expect(preview.text).toContain('DESK-01')
    expect(preview.text).toContain(`\`ticket="${preview.planId}"\` and \`preview=false\``)
  })

  test('gets through medium with a plain yes in the chat', async () => {
    const preview = await agent.call('orders_create', twoDesks)
    const said = { ...twoDesks, ticket: preview.planId, preview: false }
    expect((await agent.call('orders_create', said)).status).toBe('applied')
  })

  test('is sent to an approval at once where a plain yes is not enough', async () => {
    const reply = await agent.call('orders_modify', { id: 'SO-1005', discount_percent: 7 })
    expect(reply.data).toStrictEqual(waitsForApproval)
    expect(reply.text).toContain(`countersign approvals approve ${String(reply.data['approval_id'])}`)
    expect(reply.text).not.toContain('The person sees this as a card')
  })

  test('is told of the card where the client shows one', async () => {
    const other = await agentHere(desk(freshDatabase()))
    expect((await other.call('orders_create', twoDesks)).text).toContain('The person sees this as a card')
  })
})
