// The built card in Chromium: values that a person changes before anything is confirmed.
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js'
import { describe, expect, test } from 'vitest'
import type { Card } from '../../server/model/card.ts'
import type { CardEdits } from '../../server/model/card-edits.ts'
import { violations } from '../kit/axe.ts'
import type { BareHost } from './bare-host.ts'
import { revisableOrder } from './cards.ts'
import { answered, button, inSightForAMoment, pill, says, useCards } from './open-card.ts'
import { scriptedPlan } from './scripted-plan.ts'

const open = useCards()

const card = revisableOrder
const CHANGED = 'Preview: call orders_create(customer="ACME", lines=[{"sku":"DESK-01","quantity":3}])'

/** A plan whose server takes any quantity but 0, and what the card has asked of it. */
function revisable() {
  const plan = scriptedPlan()
  const asked: Record<string, unknown>[] = []
  const callTool = async (name: string, args: Record<string, unknown>): Promise<CallToolResult> => {
    const answer = await plan.callTool(name, args)
    if (name !== 'countersign_plan_revise') return answer
    asked.push(args)
    const isZero = (args['set'] as Record<string, string>)['/lines/0/quantity'] === '0'
    const faults = [{ at: '/lines/0/quantity', text: 'Allowed: a number of at least 1' }]
    return plan.state === 'open'
      ? { ...answer, _meta: { 'countersign/revision': isZero ? { faults } : { message: CHANGED } } }
      : answer
  }
  return { plan, asked, callTool }
}

const recipients: CardEdits = {
  fields: [],
  lists: [
    {
      label: 'To',
      removable: true,
      members: ['ada@example.com', 'bob@example.com'].map((value, at) => ({
        at: `/to/${at}`,
        label: value,
        fields: [{ at: `/to/${at}`, label: String(at + 1), as: 'text', value }],
      })),
    },
  ],
}

const enabled = (host: BareHost, name: string) => button(host, name).and(host.card.locator(':enabled'))

describe('a card whose values may be changed', () => {
  test('has them checked by the server, sends the call that it wrote, and is not confirmed meanwhile', async () => {
    const { asked, callTool } = revisable()
    const host = await open({ card, callTool })
    await button(host, 'Edit values').click()
    expect(await button(host, 'Create order').count()).toBe(0)
    expect(await button(host, 'Preview changes').isDisabled()).toBe(true)
    // The first field has the focus, so that a keyboard goes on from there.
    expect(await host.card.getByLabel('Delivery date').evaluate((it) => it === document.activeElement)).toBe(true)

    const desk = host.card.getByRole('group', { name: 'DESK-01' })
    await desk.getByLabel('Quantity').fill('0')
    await says(host, 'Allowed: a number of at least 1')
    expect(await button(host, 'Preview changes').isDisabled()).toBe(true)
    await desk.getByLabel('Quantity').fill('3')
    await host.card.getByRole('checkbox', { name: 'LAMP-01' }).uncheck()
    // Two quick clicks are one message.
    await enabled(host, 'Preview changes').dblclick()
    await says(host, 'Sent to the chat')
    await answered(host)
    expect(host.messages).toEqual([CHANGED])
    expect(asked.findLast(({ send }) => send)).toStrictEqual({
      ticket: 'cs1_7qk2secret',
      set: { '/lines/0/quantity': '3' },
      leave_out: ['/lines/1'],
      send: true,
    })
    expect(asked.filter(({ send }) => send)).toHaveLength(1)
  })

  test('takes a day, a switch, a choice and a text as their fields have them, and what is back as it was is no change', async () => {
    const { asked, callTool } = revisable()
    const host = await open({ card, callTool })
    await button(host, 'Edit values').click()
    await host.card.getByLabel('Delivery date').fill('2027-01-31')
    await host.card.getByLabel('Express').selectOption('true')
    await host.card.getByLabel('Kind').selectOption('sample')
    await host.card.getByLabel('Note').fill('')
    await host.card.getByLabel('Quantity').first().fill('7')
    await host.card.getByLabel('Quantity').first().fill('2')
    await enabled(host, 'Preview changes').click()
    await says(host, 'Sent to the chat')
    expect(asked.at(-1)?.['set']).toStrictEqual({
      '/delivery_date': '2027-01-31',
      '/express': 'true',
      '/kind': 'sample',
      '/note': '',
    })
  })

  test('takes single values of a list, each in its field and each to be left out', async () => {
    const { asked, callTool } = revisable()
    const host = await open({ card: { ...card, edits: recipients }, callTool })
    await button(host, 'Edit values').click()
    const first = host.card.getByRole('group', { name: 'ada@example.com' })
    await host.card.getByRole('group', { name: 'bob@example.com' }).getByLabel('2').fill('bo@example.com')
    await first.getByRole('checkbox', { name: 'ada@example.com' }).uncheck()
    // What is left out is struck out where its field was.
    expect(await first.getByRole('textbox').count()).toBe(0)
    expect(await first.locator('del').innerText()).toBe('ada@example.com')
    await enabled(host, 'Preview changes').click()
    await says(host, 'Sent to the chat')
    expect(asked.at(-1)).toMatchObject({ set: { '/to/1': 'bo@example.com' }, leave_out: ['/to/0'], send: true })
  })

  test('goes back to what was proposed, which is confirmed as before', async () => {
    const { callTool } = revisable()
    const host = await open({ card, callTool, clock: true })
    await button(host, 'Edit values').click()
    await host.card.getByLabel('Quantity').first().fill('3')
    await button(host, 'Back').click()
    await inSightForAMoment(host)
    await enabled(host, 'Create order').click()
    await pill(host, 'Sent to the chat')
    expect(host.messages[0]).toMatch(/^Apply: /)
  })

  test('cancels nothing and signs nothing by a second click on Back', async () => {
    const { callTool } = revisable()
    const host = await open({ card, callTool })
    await button(host, 'Edit values').click()
    await button(host, 'Back').dblclick()
    await answered(host)
    expect(host.messages).toEqual([])
    await pill(host, 'Preview')
  })

  test('says so where the server does not answer, and can be sent again then', async () => {
    const { plan, callTool } = revisable()
    let isThere = false
    const host = await open({
      card,
      callTool: (name, args) =>
        isThere || name !== 'countersign_plan_revise'
          ? callTool(name, args)
          : { isError: true, content: [{ type: 'text', text: 'Not now.' }] },
    })
    await button(host, 'Edit values').click()
    await host.card.getByLabel('Quantity').first().fill('3')
    await enabled(host, 'Preview changes').click()
    await says(host, 'No answer yet')
    isThere = true
    await host.card.getByLabel('Quantity').first().fill('4')
    await enabled(host, 'Preview changes').click()
    await says(host, 'Sent to the chat')
    expect([host.messages, plan.state]).toEqual([[CHANGED], 'open'])
  })

  test('ends as replaced once the new preview is there', async () => {
    const { plan, callTool } = revisable()
    const host = await open({ card, callTool })
    await button(host, 'Edit values').click()
    await host.card.getByLabel('Quantity').first().fill('3')
    await enabled(host, 'Preview changes').click()
    await says(host, 'Sent to the chat')
    plan.state = 'superseded'
    await pill(host, 'Replaced')
    expect(await host.card.getByLabel('Quantity').count()).toBe(0)
  })

  test('ends as what the server says where the plan is not open any more', async () => {
    const { plan, callTool } = revisable()
    const host = await open({ card, callTool })
    await button(host, 'Edit values').click()
    await answered(host)
    plan.state = 'expired'
    await host.card.getByLabel('Quantity').first().fill('3')
    await pill(host, 'Expired')
    expect(host.messages).toEqual([])
  })

  test('says why not where the host lets it call nothing', async () => {
    const host = await open({ card })
    await says(host, 'Tell the agent what to change')
    expect(await button(host, 'Edit values').count()).toBe(0)
  })

  test('sends nothing that is no Preview message, whoever wrote it', async () => {
    const { callTool } = revisable()
    const host = await open({
      card,
      callTool: async (name, args) => {
        const answer = await callTool(name, args)
        return name === 'countersign_plan_revise'
          ? { ...answer, _meta: { 'countersign/revision': { message: 'Apply: call orders_create(preview=False)' } } }
          : answer
      },
    })
    await button(host, 'Edit values').click()
    await host.card.getByLabel('Quantity').first().fill('3')
    await enabled(host, 'Preview changes').click()
    await says(host, 'No answer yet')
    expect(host.messages).toEqual([])
  })

  test.each(['light', 'dark'] as const)('can be used by everybody, in the %s', async (theme) => {
    const { callTool } = revisable()
    const lists = [...(card.edits?.lists ?? []), ...recipients.lists]
    const all: Card = { ...card, edits: { fields: card.edits?.fields ?? [], lists } }
    const host = await open({ card: all, callTool, context: { theme, locale: 'en-GB', timeZone: 'UTC' } })
    await button(host, 'Edit values').click()
    await host.card.getByRole('checkbox', { name: 'ada@example.com' }).uncheck()
    await host.card.getByLabel('Quantity').first().fill('0')
    await says(host, 'Allowed: a number of at least 1')
    const frame = host.page.frames().at(-1)
    expect(frame && (await violations(frame))).toEqual([])
    if (process.env['SHOTS']) {
      await host.page.screenshot({ path: `${process.env['SHOTS']}/revise-${theme}.png`, fullPage: true })
    }
  })
})
