// What `emails.bulk_send` promises, and what its card says of a campaign that has been confirmed.
import { describe, expect, test } from 'vitest'
import { ada, failed, failuresOf, openDesk, sendsMail } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { bulk, desk, nowhere, started } from './bulk-fixture.ts'

describe('the contract', () => {
  test('is critical, never autonomous, and cannot do without its dry run', async () => {
    const contract = (await openDesk(nowhere)).write(bulk)
    expect(contract).toMatchObject({
      ...sendsMail,
      permissions: ['emails:send', 'contacts:read', 'templates:read'],
      auditEvent: 'email.campaign.started',
    })
    expect(failuresOf(contract)).toStrictEqual([
      'confirmation_required: none',
      'invalid_recipient: none',
      'rate_limit_exceeded: none',
      'policy_violation: none',
      'delivery_unknown: unknown',
      'unknown_template: none',
      'unknown_segment: none',
      'invalid_template: none',
      'invalid_values: none',
    ])
  })

  test('asks for a second factor by how many can get it', async () => {
    const needs = async (campaignRecipients: number, segmentId = 'sg_1') => {
      const opened = await desk({ stepUp: { campaignRecipients } })
      const rule = opened.write(bulk).stepUp
      return typeof rule === 'object' && (await rule.when({ ...opened.input, segmentId }, ada))
    }
    expect(await needs(1)).toBe(true)
    // The third of them gets no mail.
    expect(await needs(2)).toBe(false)
    expect(await needs(0, 'sg_none')).toBe(false)
  })
})

test('a confirmed campaign goes out to those who were counted, once however often the call is repeated', async () => {
  const server = await smtpServer()
  const { run, basis, input, campaigns, reconcile } = await desk({ url: server.url })
  const seen = (await basis(bulk, input)) as string
  const first = started(await run(bulk, input, seen, 'pl_once'))
  expect(first).toMatchObject({ status: 'finished', counts: { total: 3, accepted: 2, skipped: 1 } })
  await campaigns.work()
  expect(started(await run(bulk, input, seen, 'pl_once')).campaignId).toBe(first.campaignId)
  await campaigns.work()
  expect(new Set(server.arrived.map(({ to }) => to[0]))).toStrictEqual(new Set(['ann@one.example', 'bea@two.example']))
  expect(server.arrived).toHaveLength(2)
  expect(new Set(server.arrived.map(({ mail }) => mail.subject))).toStrictEqual(
    new Set(['Ann, the news', 'Hello, the news']),
  )
  expect(await reconcile(bulk, input, 'pl_once')).toMatchObject({ kind: 'applied' })
})

test('the card of a campaign that every mail server has refused does not say that it was sent', async () => {
  const server = await smtpServer({ recipient: () => [550, '5.1.1 No such user'] })
  const { write, run, basis, input, follow } = await desk({ url: server.url })
  const answer = started(await run(bulk, input, (await basis(bulk, input)) as string))
  expect(answer).toMatchObject({ status: 'finished', counts: { accepted: 0, refused: 2 } })
  const refused = { title: 'Nobody got the campaign' }
  expect(write(bulk).cards?.success?.({}, answer, { language: 'en' })).toMatchObject({ ...refused, failed: true })
  expect(await follow(bulk, input, answer)).toMatchObject({ ...refused, done: true })
})

test('a campaign of which nobody knows whether anybody got it is told so, and stays unknown', async () => {
  const server = await smtpServer({ data: async () => 'drop' })
  const { run, basis, input, reconcile } = await desk({ url: server.url })
  const seen = (await basis(bulk, input)) as string
  expect(failed(await run(bulk, input, seen, 'pl_lost')).code).toBe('delivery_unknown')
  expect(await reconcile(bulk, input, 'pl_lost')).toStrictEqual({ kind: 'unknown' })
})

test('its card follows it to the end, and offers what can be done meanwhile', async () => {
  const server = await smtpServer()
  const opened = await desk({ url: server.url })
  const { campaignId, ...answer } = started(
    await opened.apply(bulk, { ...opened.input, sendAt: '2027-06-01T09:00:00Z' }),
  )
  const shown = () => opened.follow(bulk, opened.input, { campaignId, ...answer })
  expect(await shown()).toMatchObject({
    done: false,
    title: 'Campaign scheduled',
    offers: [{ tool: 'emails_stop_campaign', arguments: { campaignId } }],
  })
  await opened.db.updateTable('mail_campaigns').set({ due_at: '2026-01-01T00:00:00.000Z' }).execute()
  expect(await shown()).toMatchObject({
    title: 'Campaign is going out',
    // Not how many had it when the call was answered.
    subtitle: 'Newsletter · Readers',
    blocks: [{ kind: 'progress', done: 0, total: 2 }, {}],
    offers: [{ tool: 'emails_pause_campaign' }, { tool: 'emails_stop_campaign' }],
  })
  await opened.db.updateTable('mail_campaigns').set({ state: 'finished' }).execute()
  expect(await shown()).toMatchObject({ done: true, title: 'Campaign sent', offers: [] })
  await opened.db.updateTable('mail_campaign_mails').set({ state: 'stopped' }).where('position', '=', 2).execute()
  // Whom a stop has kept from getting it is not done.
  expect(await shown()).toMatchObject({ blocks: [{ kind: 'progress', done: 0, total: 2 }, {}] })
  const stranger = { tenant: 'other', subject: 'ada' }
  expect(await opened.follow(bulk, opened.input, { campaignId, ...answer }, stranger)).toStrictEqual({
    done: true,
    blocks: [],
  })
})
