// A mail has its room within a quota when it is scheduled. Where operators lower the quota so far that no span ever holds it,
// it must not wait for ever, nor keep the room of others meanwhile.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { DAY, HOUR, MINUTE, createClock } from '../../../../kit/clock.ts'
import { place } from '../../../store/store-fixture.ts'
import { failed, openDesk, sent } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { later } from './outbox-fixture.ts'

describe('a mail that was scheduled for more recipients than a quota that was lowered since', () => {
  const three = { to: ['ann@other.example', 'bea@other.example', 'cy@other.example'] }

  /** The mail goes out in half an hour by a quota of ten, and another process has that quota lowered to two. */
  async function lowered() {
    const server = await smtpServer()
    const file = join(place(), 'mail.db')
    const clock = createClock()
    const open = (recipientsPerHour: number) =>
      openDesk({ url: server.url, policy: { recipientsPerHour } }, { file, clock, lookMs: 2 ** 30 })
    const before = await open(10)
    const { emailId } = sent(await before.send({ ...three, sendAt: later(clock) }, 'pl_large'))
    return { server, clock, emailId, desk: await open(2) }
  }

  test('fails when its time has come, says which rule and what to do, and is on record', async () => {
    const { server, clock, emailId, desk } = await lowered()
    await desk.outbox.work()
    expect(await desk.states()).toStrictEqual(['scheduled'])
    clock.pass(30 * MINUTE)
    await Promise.all([desk, desk].map(({ outbox }) => outbox.work()))
    expect(server.arrived).toHaveLength(0)
    const why =
      '3 recipients are more than may ever get mail within an hour. The operators of this server allow 2. Send it to fewer.'
    expect(await desk.read('emails.get', { emailId })).toMatchObject({
      email: { status: 'failed', recipients: three.to.map(() => ({ state: 'refused', response: why })) },
    })
    expect((await desk.activity.page({ limit: 5 })).calls).toMatchObject([
      {
        tool: 'email.external.sent',
        source: 'later',
        planId: 'pl_large',
        status: 'refused',
        errorCode: 'rate_limit_exceeded',
      },
    ])
    clock.pass(DAY)
    await desk.outbox.work()
    expect((await desk.activity.page({ limit: 5 })).calls).toHaveLength(1)
  })

  test('keeps no other mail from its room, neither before its time nor behind it', async () => {
    const { server, clock, desk } = await lowered()
    expect(sent(await desk.send()).status).toBe('sent')
    clock.pass(30 * MINUTE)
    expect(sent(await desk.send()).status).toBe('sent')
    await desk.outbox.work()
    clock.pass(HOUR)
    expect(sent(await desk.send()).status).toBe('sent')
    expect(server.arrived).toHaveLength(3)
  })

  test('is not sent again by a person either, whose card says why', async () => {
    const file = join(place(), 'mail.db')
    const clock = createClock()
    const server = await smtpServer({ data: () => Promise.resolve('drop') })
    const open = (recipientsPerHour: number) =>
      openDesk({ url: server.url, policy: { recipientsPerHour } }, { file, clock, lookMs: 2 ** 30 })
    failed(await (await open(10)).send(three))
    const desk = await open(2)
    const { id } = await desk.db.selectFrom('mail_emails').select('id').executeTakeFirstOrThrow()
    expect(await desk.preview('emails.settle_unknown', { id, arrived: false, sendAgain: true })).toMatchObject({
      blocked: { code: 'rate_limit_exceeded', title: '3 recipients are more than may ever get mail within an hour.' },
    })
    expect((await desk.preview('emails.settle_unknown', { id, arrived: false })).blocked).toBeUndefined()
  })
})
