// What people and agents do with campaigns that are under way.
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../../kit/clock.ts'
import { failed, openDesk, type MailDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { addContacts, counts, start } from './campaign-fixture.ts'

const stranger = { tenant: 'other', subject: 'ada' }

/** A desk with a campaign to so many contacts, whose mail server waits with its answers until it may go on. */
async function halfway(contacts: number, goesOnAfter: number) {
  const reached = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  let seen = 0
  const server = await smtpServer({
    async data() {
      seen += 1
      if (seen > goesOnAfter) {
        reached.resolve()
        await goOn.promise
      }
      return 'take'
    },
  })
  const desk = await openDesk({ url: `${server.url}?maxConnections=2` })
  await addContacts(desk.db, contacts)
  const { campaignId } = await start(desk)
  const working = desk.campaigns.work()
  await reached.promise
  return { server, desk, campaignId, working, goOn: goOn.resolve }
}

const state = async ({ db }: MailDesk) => (await db.selectFrom('mail_campaigns').select('state').execute())[0]?.state

describe('a campaign that is under way', () => {
  test('is paused, sends nothing more, and goes on where it was when it is resumed', async () => {
    const { server, desk, campaignId, working, goOn } = await halfway(60, 20)
    expect(await desk.apply('emails.pause_campaign', { campaignId })).toMatchObject({ campaignId, status: 'paused' })
    goOn()
    await working
    const sent = server.arrived.length
    expect(sent).toBeLessThan(60)
    desk.clock.pass(HOUR)
    await desk.campaigns.work()
    expect(server.arrived).toHaveLength(sent)
    expect(await counts(desk.db)).toStrictEqual({ accepted: sent, pending: 60 - sent })
    expect(failed(await desk.apply('emails.pause_campaign', { campaignId })).code).toBe('not_possible')
    const card = await desk.preview('emails.resume_campaign', { campaignId })
    expect(card.effects?.[0]).toBe(`${60 - sent} mails go out and cannot be taken back`)
    expect(await desk.apply('emails.resume_campaign', { campaignId })).toMatchObject({ status: 'sending' })
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 60 })
    expect(new Set(server.arrived.map(({ to }) => to[0])).size).toBe(60)
    expect(await state(desk)).toBe('finished')
  })

  test('is stopped for good: who was sent it keeps it, the rest is named as stopped', async () => {
    const { server, desk, campaignId, working, goOn } = await halfway(60, 20)
    const card = await desk.preview('emails.stop_campaign', { campaignId })
    expect(card.summary).toMatch(/\d+ of 60 were sent, \d+ will not get it/)
    expect(await desk.apply('emails.stop_campaign', { campaignId })).toMatchObject({ status: 'stopped' })
    goOn()
    await working
    const sent = server.arrived.length
    expect(sent).toBeLessThan(60)
    expect(await counts(desk.db)).toStrictEqual({ accepted: sent, stopped: 60 - sent })
    desk.clock.pass(HOUR)
    await desk.campaigns.work()
    expect(server.arrived).toHaveLength(sent)
    for (const tool of ['pause', 'resume', 'stop'])
      expect(failed(await desk.apply(`emails.${tool}_campaign`, { campaignId })).code).toBe('not_possible')
  })

  test('has cards that count its mails and not whom it skips, in figures that the card formats', async () => {
    const desk = await openDesk({ url: 'smtp://127.0.0.1:1' })
    await addContacts(desk.db, 30)
    const gone = desk.db.selectFrom('mail_contacts').select('id').limit(1)
    await desk.db.updateTable('mail_contacts').set({ undeliverable: '550 gone' }).where('id', 'in', gone).execute()
    const { campaignId } = await start(desk)
    const card = await desk.preview('emails.stop_campaign', { campaignId })
    expect(card.summary).toContain('0 of 29 were sent, 29 will not get it')
    const figure = (label: string, value: string) => ({ label, value: { kind: 'number', value } })
    expect(card.blocks).toMatchObject([
      {
        fields: expect.arrayContaining([
          figure('Mails', '29'),
          figure('Accepted by the mail server', '0'),
          figure('Still to go out', '29'),
          figure('Skipped', '1'),
        ]) as unknown,
      },
    ])
    const paused = await desk.apply('emails.pause_campaign', { campaignId })
    expect(
      desk.write('emails.pause_campaign').cards?.success?.({ campaignId }, paused as object, { language: 'en' }),
    ).toMatchObject({
      subtitle: '0 of 29 mails accepted',
    })
  })

  test('that ends before its stop is confirmed makes the stop stale', async () => {
    const { desk, campaignId, working, goOn } = await halfway(30, 20)
    const basis = await desk.basis('emails.stop_campaign', { campaignId })
    goOn()
    await working
    expect(await desk.run('emails.stop_campaign', { campaignId }, basis as string)).toStrictEqual({
      kind: 'tool-stale',
    })
  })

  test('is not there for another tenant, nor among the mails', async () => {
    const { desk, campaignId, working, goOn } = await halfway(30, 20)
    goOn()
    await working
    expect(await desk.read('emails.list_campaigns', {}, stranger)).toStrictEqual({ campaigns: [] })
    expect(failed(await desk.read('emails.get_campaign', { campaignId }, stranger)).code).toBe('unknown_campaign')
    for (const tool of ['pause', 'resume', 'stop'])
      expect(failed(await desk.apply(`emails.${tool}_campaign`, { campaignId }, undefined, stranger)).code).toBe(
        'unknown_campaign',
      )
    expect(
      failed(await desk.apply('emails.settle_unknown', { id: campaignId, arrived: true }, undefined, stranger)).code,
    ).toBe('unknown_id')
    expect(await desk.read('emails.list', {})).toStrictEqual({ emails: [] })
    expect(await desk.read('emails.list_campaigns', {})).toMatchObject({
      campaigns: [{ campaignId, status: 'finished', counts: { total: 30, accepted: 30 } }],
    })
  })
})

test('campaigns and recipients are read in pages, each once', async () => {
  const server = await smtpServer({ recipient: (address) => (address.startsWith('p00000') ? [550, 'No'] : undefined) })
  const desk = await openDesk({ url: server.url })
  await addContacts(desk.db, 25)
  const ids: string[] = []
  for (let each = 0; each < 3; each += 1) {
    ids.unshift((await start(desk)).campaignId)
    desk.clock.pass(MINUTE)
  }
  await desk.campaigns.work()
  const listed: string[] = []
  let before: string | undefined
  do {
    const page = (await desk.read('emails.list_campaigns', {
      limit: 2,
      ...(before === undefined ? {} : { before }),
    })) as {
      readonly campaigns: readonly { readonly campaignId: string }[]
      readonly next?: string
    }
    listed.push(...page.campaigns.map((each) => each.campaignId))
    before = page.next
  } while (before !== undefined)
  expect(listed).toStrictEqual(ids)
  const refused: string[] = []
  let after: number | undefined
  do {
    const page = (await desk.read('emails.get_campaign', {
      campaignId: ids[0],
      state: 'refused',
      limit: 4,
      ...(after === undefined ? {} : { after }),
    })) as { readonly recipients: readonly { readonly address: string }[]; readonly next?: number }
    refused.push(...page.recipients.map(({ address }) => address))
    after = page.next
  } while (after !== undefined)
  expect(refused).toStrictEqual(Array.from({ length: 9 }, (_, at) => `p00000${at + 1}@other.example`))
})

describe('a mail of which nobody knows whether it arrived', () => {
  async function lost() {
    let isLosing = true
    const server = await smtpServer({
      data: ({ to }) => Promise.resolve(isLosing && to[0]?.startsWith('p000003') === true ? 'drop' : 'take'),
    })
    const desk = await openDesk({ url: server.url })
    await addContacts(desk.db, 5)
    const { campaignId } = await start(desk)
    await desk.campaigns.work()
    isLosing = false
    return { server, desk, campaignId }
  }

  test('is named, is not sent again by itself, and counts as sent where a person says that it arrived', async () => {
    const { server, desk, campaignId } = await lost()
    desk.clock.pass(24 * HOUR)
    await desk.campaigns.work()
    expect(server.arrived).toHaveLength(5)
    expect(await desk.read('emails.get_campaign', { campaignId })).toMatchObject({
      campaign: {
        status: 'finished',
        counts: { accepted: 4, unknown: 1 },
        unknown: [{ address: 'p000003@other.example' }],
      },
    })
    const other = { id: campaignId, arrived: true, addresses: ['p000001@other.example'] }
    expect(failed(await desk.apply('emails.settle_unknown', other)).code).toBe('not_unknown')
    expect(await desk.apply('emails.settle_unknown', { id: campaignId, arrived: true })).toMatchObject({
      settled: 1,
      state: 'accepted',
    })
    expect(await counts(desk.db)).toStrictEqual({ accepted: 5 })
    expect(failed(await desk.apply('emails.settle_unknown', { id: campaignId, arrived: true })).code).toBe(
      'not_unknown',
    )
  })

  test('goes out again only where a person says so on a critical card that says what may follow', async () => {
    const { server, desk, campaignId } = await lost()
    const again = { id: campaignId, addresses: ['P000003@other.example'], arrived: false, sendAgain: true }
    const { risk } = desk.tool('emails.settle_unknown')
    if (typeof risk === 'string') throw new Error('its risk depends on the call')
    expect([risk.of(again), risk.of({ id: campaignId, arrived: false })]).toStrictEqual(['critical', 'medium'])
    expect((await desk.preview('emails.settle_unknown', again)).warnings?.[0]?.title).toBe(
      'This person may get the same mail twice.',
    )
    await desk.apply('emails.settle_unknown', again)
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 5 })
    expect(server.arrived.filter(({ to }) => to[0] === 'p000003@other.example')).toHaveLength(2)
    expect(await state(desk)).toBe('finished')
  })

  test('of emails.send_external is settled in the same way', async () => {
    let isLosing = true
    const server = await smtpServer({ data: () => Promise.resolve(isLosing ? 'drop' : 'take') })
    const desk = await openDesk({ url: server.url })
    await desk.send({ to: ['bea@other.example', 'cy@other.example'] })
    isLosing = false
    const { id } = await desk.db.selectFrom('mail_emails').select('id').executeTakeFirstOrThrow()
    const settle = (arrived: boolean, address: string, sendAgain = false) =>
      desk.apply('emails.settle_unknown', { id, arrived, addresses: [address], ...(sendAgain ? { sendAgain } : {}) })
    await settle(true, 'bea@other.example')
    expect(await desk.states()).toStrictEqual(['unknown'])
    await settle(false, 'cy@other.example', true)
    await desk.outbox.work()
    expect(await desk.states()).toStrictEqual(['sent'])
    expect(server.arrived.map(({ to }) => to)).toStrictEqual([
      ['bea@other.example', 'cy@other.example'],
      ['cy@other.example'],
    ])
  })
})

test('a mail of a campaign that comes back marks its address, and the next campaign skips it', async () => {
  const server = await smtpServer()
  const desk = await openDesk({ url: server.url })
  await addContacts(desk.db, 3)
  const { campaignId } = await start(desk)
  await desk.campaigns.work()
  const report = (messageId: string, address: string) =>
    [
      'From: MAILER-DAEMON@mx.example',
      'MIME-Version: 1.0',
      'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
      '',
      '--b1',
      'Content-Type: message/delivery-status',
      '',
      'Reporting-MTA: dns; mx.example',
      '',
      `Final-Recipient: rfc822; ${address}`,
      'Action: failed',
      'Status: 5.1.1',
      'Diagnostic-Code: smtp; 550 5.1.1 No such user',
      '',
      '--b1',
      'Content-Type: text/rfc822-headers',
      '',
      `Message-ID: ${messageId}`,
      '',
      '--b1--',
      '',
    ].join('\r\n')
  const record = (messageId: string, address: string, as = { tenant: 'default', subject: 'ada' }) =>
    desk.apply('emails.record_bounce', { report: report(messageId, address) }, undefined, as)
  const idOf = (to: string): string =>
    server.arrived.find(({ mail }) => mail.to?.[0]?.address === to)?.mail.messageId ?? ''
  const second = [idOf('p000002@other.example'), 'p000002@other.example'] as const
  expect(failed(await record(second[0], 'p000001@other.example')).code).toBe('unknown_email')
  expect(failed(await record(second[0].replace('@acme.', '@other.'), second[1])).code).toBe('unknown_email')
  // Who got the first mail of the campaign knows nothing by which the second one is named.
  const guessed = idOf('p000001@other.example').replace(`<${campaignId}.1.`, `<${campaignId}.2.`)
  expect(guessed).toContain(`${campaignId}.2.`)
  expect(failed(await record(guessed, second[1])).code).toBe('unknown_email')
  expect(failed(await record(...second, stranger)).code).toBe('unknown_email')
  expect(await record(...second)).toMatchObject({ emailId: campaignId, undeliverable: [{ address: second[1] }] })
  expect(await counts(desk.db)).toStrictEqual({ accepted: 2, refused: 1 })
  expect((await start(desk)).counts).toStrictEqual({ pending: 2, skipped: 1 })
})
