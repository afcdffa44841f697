// What a campaign does with what the mail server does.
import { describe, expect, test } from 'vitest'
import { MINUTE } from '../../../../kit/clock.ts'
import { openDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { addContacts, counts, start } from './campaign-fixture.ts'

describe('a campaign', () => {
  test('sends each recipient one mail, as the template reads for it, and has then ended', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    await addContacts(desk.db, 200, (at) => (at === 7 ? { first_name: null } : {}))
    const { campaignId } = await start(desk, { replyTo: 'ann@acme.example' })
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 200 })
    expect(new Set(server.arrived.map(({ to }) => to[0])).size).toBe(200)
    expect(server.arrived).toHaveLength(200)
    const eighth = server.arrived.find(({ to }) => to[0] === 'p000008@other.example')
    expect(eighth).toMatchObject({
      from: 'hello@acme.example',
      mail: {
        messageId: `<${campaignId}.8@acme.example>`,
        subject: 'News for reader',
        replyTo: [{ address: 'ann@acme.example' }],
        to: [{ address: 'p000008@other.example' }],
      },
    })
    expect(eighth?.mail.html).toContain('<p>Dear reader,</p>')
    expect(await desk.db.selectFrom('mail_campaigns').select(['state', 'failure_code']).execute()).toEqual([
      { state: 'finished', failure_code: null },
    ])
    expect(desk.told).toStrictEqual([])
  })

  test('asks those again whom the server refuses for now, and nobody else', async () => {
    const seen = new Set<string>()
    const server = await smtpServer({
      recipient(address) {
        if (address.startsWith('p000003')) return [550, 'No such user']
        if (!/p00000[1-9]/.test(address) || seen.has(address)) return undefined
        seen.add(address)
        return [451, 'Later']
      },
    })
    const desk = await openDesk({ url: server.url })
    await addContacts(desk.db, 15)
    await start(desk)
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 6, deferred: 8, refused: 1 })
    await desk.campaigns.work()
    expect(server.arrived).toHaveLength(6)
    desk.clock.pass(MINUTE)
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 14, refused: 1 })
    expect(server.arrived).toHaveLength(14)
  })
})
