// What a campaign does with what the mail server does.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { SMTPServerOptions } from 'smtp-server'
import { DAY, HOUR, MINUTE, createClock } from '../../../../kit/clock.ts'
import { place } from '../../../store/store-fixture.ts'
import { openDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { addContacts, counts, start } from './campaign-fixture.ts'

const busy = Object.assign(new Error('Busy just now'), { responseCode: 451 })

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
        messageId: expect.stringMatching(
          new RegExp(String.raw`^<${campaignId}\.8\.[0-9a-f]{20}@acme\.example>$`),
        ) as string,
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

  test('has one row in the activity log for each mail that has ended, in the story of its call', async () => {
    const server = await smtpServer({
      recipient: (address) =>
        address.startsWith('p000002')
          ? [550, 'No such user']
          : address.startsWith('p000003')
            ? [451, 'Later']
            : undefined,
      data: ({ to }) => Promise.resolve(to[0]?.startsWith('p000004') === true ? 'drop' : 'take'),
    })
    const desk = await openDesk({ url: server.url })
    await addContacts(desk.db, 6)
    await start(desk, { run: 'pl_news' })
    await desk.db
      .updateTable('mail_contacts')
      .set({ undeliverable: '550 Gone' })
      .where('id', '=', 'ct_p000005')
      .execute()
    await desk.campaigns.work()
    const { calls } = await desk.activity.pageRecords({ order: 'oldest', limit: 100 })
    const rows = calls.map(({ tool, planId, status, args }) => {
      const { to } = JSON.parse(args ?? '{}') as { readonly to: string }
      return [to.slice(0, 7), status, tool, planId].join(' ')
    })
    expect(rows.sort()).toStrictEqual([
      'p000001 applied email.bulk.sent pl_news',
      'p000002 failed email.bulk.sent pl_news',
      'p000004 outcome_unknown email.bulk.sent pl_news',
      'p000005 refused email.bulk.sent pl_news',
      'p000006 applied email.bulk.sent pl_news',
    ])
    expect((await desk.activity.verify()).every(({ problem }) => problem === undefined)).toBe(true)
  })

  test('rests while the mail server cannot be reached, and counts no attempt', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    await addContacts(desk.db, 30)
    const { campaignId } = await start(desk)
    await server.close()
    for (let minute = 0; minute < 10; minute += 1) {
      await desk.campaigns.work()
      expect(await counts(desk.db)).toStrictEqual({ pending: 30 })
      desk.clock.pass(MINUTE)
    }
    expect(await desk.read('emails.get_campaign', { campaignId })).toMatchObject({
      campaign: { status: 'sending', rests: { code: 'mail_server_unreachable', goesOnAt: expect.any(String) } },
    })
  })

  test('pauses where the mail server takes nothing from this login, tells operators its words, and goes on when resumed', async () => {
    let isOpen = false
    const server = await smtpServer({
      options: {
        authOptional: false,
        onAuth: (_auth, _session, done) => (isOpen ? done(null, { user: 'ann' }) : done(new Error('Wrong password'))),
      },
    })
    const desk = await openDesk({ url: server.url.replace('//', '//ann:secret@') })
    await addContacts(desk.db, 30)
    const { campaignId } = await start(desk)
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ pending: 30 })
    expect(await desk.read('emails.get_campaign', { campaignId })).toMatchObject({
      campaign: {
        status: 'paused',
        rests: { code: 'mail_server_refuses_us', why: expect.stringContaining('does not let this server in') },
      },
    })
    expect(String(desk.told)).toContain('Wrong password')
    isOpen = true
    await desk.apply('emails.resume_campaign', { campaignId })
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 30 })
  })

  test('rests where the mail server puts one after the other off, and goes on once it takes mail again', async () => {
    let isBusy = true
    const server = await smtpServer({ recipient: () => (isBusy ? [450, 'Too many mails'] : undefined) })
    const desk = await openDesk({ url: server.url })
    await addContacts(desk.db, 120)
    const { campaignId } = await start(desk)
    await desk.campaigns.work()
    const { deferred = 0, pending = 0 } = await counts(desk.db)
    expect([deferred + pending, deferred < 100]).toStrictEqual([120, true])
    expect(await desk.read('emails.get_campaign', { campaignId })).toMatchObject({
      campaign: { rests: { code: 'mail_server_defers', why: expect.stringContaining('Too many mails') } },
    })
    isBusy = false
    desk.clock.pass(MINUTE)
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 120 })
    expect(await desk.db.selectFrom('mail_campaigns').select(['state', 'failure_code']).execute()).toEqual([
      { state: 'finished', failure_code: null },
    ])
  })

  test('whose mail server puts everybody off for days refuses nobody by name, and goes on once it takes mail again', async () => {
    let isBusy = true
    const server = await smtpServer({ recipient: () => (isBusy ? [451, '4.3.2 Maintenance'] : undefined) })
    const desk = await openDesk({ url: server.url })
    await addContacts(desk.db, 40)
    await start(desk)
    for (let days = 0; days < 3; days += 1)
      for (const hours of [0.02, 1, 23]) {
        desk.clock.pass(hours * HOUR)
        await desk.campaigns.work()
      }
    const asked = await desk.db.selectFrom('mail_campaign_mails').select(['state', 'attempts']).execute()
    expect(asked.every(({ state }) => state === 'pending' || state === 'deferred')).toBe(true)
    expect(Math.max(...asked.map(({ attempts }) => attempts))).toBe(0)
    isBusy = false
    desk.clock.pass(HOUR)
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 40 })
    expect(await desk.db.selectFrom('mail_campaigns').select(['state', 'failing_since']).execute()).toEqual([
      { state: 'finished', failing_since: null },
    ])
  })

  test.each([
    ['at its greeting', { onConnect: (_session, done) => done(busy) }],
    ['at the sender', { onMailFrom: (_address, _session, done) => done(busy) }],
  ] satisfies readonly (readonly [string, SMTPServerOptions])[])(
    'rests longer and longer while the mail server takes nothing %s, and waits for a person after four days',
    async (_, options) => {
      const server = await smtpServer({ options })
      const desk = await openDesk({ url: server.url })
      await addContacts(desk.db, 3)
      const { campaignId } = await start(desk)
      const rested: number[] = []
      const rests = async () =>
        (await desk.read('emails.get_campaign', { campaignId })) as {
          readonly campaign: { readonly status: string; readonly rests?: { readonly goesOnAt?: string } }
        }
      for (let looks = 0; looks < 8; looks += 1) {
        await desk.campaigns.work()
        const minutes = (Date.parse((await rests()).campaign.rests?.goesOnAt ?? '') - desk.clock.now()) / MINUTE
        rested.push(minutes)
        desk.clock.pass(minutes * MINUTE)
      }
      expect(rested).toStrictEqual([1, 1, 2, 4, 8, 16, 30, 30])
      desk.clock.pass(4 * DAY)
      await desk.campaigns.work()
      expect(await rests()).toMatchObject({
        campaign: {
          status: 'paused',
          counts: { pending: 3 },
          rests: { code: 'mail_server_defers', why: expect.stringContaining('for 4 days') },
        },
      })
      expect(String(desk.told)).toContain('Busy just now')
      expect(await desk.db.selectFrom('mail_campaign_mails').select('attempts').distinct().execute()).toEqual([
        { attempts: 0 },
      ])
    },
  )

  test('says that it rests no longer once its mail server has taken a mail, though others are on their way', async () => {
    let isBusy = true
    const held = Promise.withResolvers<'take'>()
    const server = await smtpServer({
      options: { onMailFrom: (_address, _session, done) => done(isBusy ? busy : undefined) },
      data: () => (server.arrived.length === 0 ? Promise.resolve('take') : held.promise),
    })
    const desk = await openDesk({ url: `${server.url}?maxConnections=1` }, { lookMs: 2 ** 30 })
    await addContacts(desk.db, 2)
    const { campaignId } = await start(desk)
    await desk.campaigns.work()
    const rests = async () =>
      ((await desk.read('emails.get_campaign', { campaignId })) as { readonly campaign: { readonly rests?: object } })
        .campaign.rests
    expect(await rests()).toMatchObject({ code: 'mail_server_defers' })
    isBusy = false
    desk.clock.pass(MINUTE)
    const working = desk.campaigns.work()
    await expect.poll(rests).toBeUndefined()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 1, sending: 1 })
    held.resolve('take')
    await working
  })

  test('that has been sent for days rests a minute, and not for good, when its mail server falters once more', async () => {
    let isBusy = true
    const server = await smtpServer({
      options: { onMailFrom: (_address, _session, done) => done(isBusy ? busy : undefined) },
      async data() {
        desk.clock.pass(5 * DAY)
        isBusy = true
        return 'take'
      },
    })
    const desk = await openDesk({ url: `${server.url}?maxConnections=1` }, { lookMs: 2 ** 30 })
    await addContacts(desk.db, 3)
    const { campaignId } = await start(desk)
    await desk.campaigns.work()
    isBusy = false
    desk.clock.pass(MINUTE)
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 1, pending: 2 })
    expect(await desk.read('emails.get_campaign', { campaignId })).toMatchObject({
      campaign: {
        status: 'sending',
        rests: { code: 'mail_server_defers', goesOnAt: new Date(desk.clock.now() + MINUTE).toISOString() },
      },
    })
  })

  test.each([
    [554, '5.7.1 Relaying denied', 'paused'],
    [550, 'Daily sending limit exceeded', 'paused'],
    [550, '5.1.1 No such user', 'finished'],
  ] as const)('whose mail server says %i %s to one after the other is %s', async (code, words, status) => {
    const server = await smtpServer({ recipient: () => [code, words] })
    const desk = await openDesk({ url: server.url })
    await addContacts(desk.db, 120)
    const { campaignId } = await start(desk)
    await desk.campaigns.work()
    const { refused = 0, pending = 0 } = await counts(desk.db)
    expect([refused + pending, pending > 60]).toStrictEqual([120, status === 'paused'])
    expect(await desk.read('emails.get_campaign', { campaignId })).toMatchObject({
      campaign: {
        status,
        ...(status === 'paused'
          ? { rests: { code: 'mail_server_refuses_all', why: expect.stringContaining(words) } }
          : {}),
      },
    })
  })

  test('sends nothing to a domain that operators have blocked since it was confirmed', async () => {
    const server = await smtpServer()
    const file = join(place(), 'mail.db')
    const clock = createClock()
    const before = await openDesk({ url: server.url }, { file, clock })
    await addContacts(before.db, 4, (at) => (at === 1 ? { domain: 'sub.third.example' } : {}))
    await start(before, { dueAt: new Date(clock.now() + MINUTE).toISOString() })
    await before.campaigns.work()
    expect(server.arrived).toHaveLength(0)
    const after = await openDesk({ url: server.url, policy: { blockedDomains: ['third.example'] } }, { file, clock })
    clock.pass(MINUTE)
    await after.campaigns.work()
    expect(await counts(after.db)).toStrictEqual({ accepted: 3, skipped: 1 })
  })

  test('skips a recipient for whom its template has no mail, and says which value is missing', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    await addContacts(desk.db, 3, (at) => (at === 0 ? { first_name: null } : {}))
    await start(desk, { template: { fallbacks: {} } })
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 2, skipped: 1 })
    const skipped = desk.db.selectFrom('mail_campaign_mails').select('response').where('state', '=', 'skipped')
    expect(await skipped.execute()).toEqual([{ response: 'There is no first_name, and no fallback for it.' }])
  })

  test('of two processes on one database is sent by both, each mail once', async () => {
    const server = await smtpServer()
    const file = join(place(), 'mail.db')
    const clock = createClock()
    const desks = [
      await openDesk({ url: server.url }, { file, clock }),
      await openDesk({ url: server.url }, { file, clock }),
    ] as const
    await addContacts(desks[0].db, 300)
    await start(desks[0])
    await Promise.all(desks.map(({ campaigns }) => campaigns.work()))
    clock.pass(MINUTE)
    await desks[0].campaigns.work()
    expect(await counts(desks[0].db)).toStrictEqual({ accepted: 300 })
    expect(server.arrived).toHaveLength(300)
    expect(new Set(server.arrived.map(({ to }) => to[0])).size).toBe(300)
    const { calls } = await desks[0].activity.pageRecords({ order: 'oldest', limit: 1000 })
    expect(calls).toHaveLength(300)
  })

  test('whose process is gone goes on in another one, and what that had in its hands is unknown', async () => {
    const reached = Promise.withResolvers<void>()
    let hanging = 0
    const server = await smtpServer({
      data: () => {
        if (hanging === 2) return Promise.resolve('take')
        hanging += 1
        if (hanging === 2) reached.resolve()
        return new Promise(() => undefined)
      },
    })
    const file = join(place(), 'mail.db')
    const clock = createClock()
    const gone = await openDesk({ url: `${server.url}?maxConnections=2` }, { file, clock })
    await addContacts(gone.db, 20)
    await start(gone)
    void gone.campaigns.work()
    await reached.promise
    const next = await openDesk({ url: server.url }, { file, clock })
    await next.campaigns.work()
    expect(await counts(next.db)).toStrictEqual({ accepted: 18, sending: 2 })
    clock.pass(10 * MINUTE)
    await next.campaigns.work()
    expect(await counts(next.db)).toStrictEqual({ accepted: 18, unknown: 2 })
    expect(await next.db.selectFrom('mail_campaigns').select('state').execute()).toEqual([{ state: 'finished' }])
  })

  test('whose server ends goes on at the next start at once: that the connections were closed is nobody else’s fault', async () => {
    const reached = Promise.withResolvers<void>()
    let isOpen = false
    const server = await smtpServer({
      options: {
        onConnect(_session, done) {
          if (isOpen) return done()
          reached.resolve()
        },
      },
    })
    const file = join(place(), 'mail.db')
    const clock = createClock()
    const before = await openDesk({ url: server.url }, { file, clock })
    await addContacts(before.db, 20)
    await start(before)
    const working = before.campaigns.work()
    await reached.promise
    await before.set.close()
    await working
    expect(await before.db.selectFrom('mail_campaigns').select(['state', 'failure_code']).execute()).toEqual([
      { state: 'running', failure_code: null },
    ])
    isOpen = true
    const after = await openDesk({ url: server.url }, { file, clock })
    await after.campaigns.work()
    expect(await counts(after.db)).toStrictEqual({ accepted: 20 })
  })

  test('loses no answer while the database cannot be written', async () => {
    const server = await smtpServer()
    let transactions = 0
    const desk = await openDesk(
      { url: server.url },
      {
        around: (recording) => async (work) => {
          transactions += 1
          const turn = transactions % 4
          if (turn === 1) throw new Error('The disk is full.')
          const done = await recording(work)
          if (turn === 3) throw new Error('The connection was lost behind the commit.')
          return done
        },
      },
    )
    await addContacts(desk.db, 40)
    await start(desk)
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 40 })
    expect(server.arrived).toHaveLength(40)
    expect(desk.told.length).toBeGreaterThan(0)
  })

  test('whose database takes nothing for too long ends, says so to operators, and sends nobody a second mail', async () => {
    const server = await smtpServer()
    let [isFull, fills] = [false, true]
    const desk = await openDesk(
      { url: `${server.url}?maxConnections=2` },
      {
        keepMs: 500,
        around: (recording) => async (work) => {
          const done = await recording(async (transaction, record) => {
            if (isFull) throw new Error('The disk is full.')
            return work(transaction, record)
          })
          isFull = fills
          return done
        },
      },
    )
    await addContacts(desk.db, 40)
    await start(desk)
    await desk.campaigns.work()
    expect(server.arrived).toHaveLength(2)
    expect(desk.told.map((error) => (error as Error).message)).toStrictEqual([
      expect.stringMatching(
        /^What became of 2 mails of the campaign cp_\w+ cannot be written down; it is tried again\.$/,
      ),
      expect.stringMatching(/could not be written down within .* Put the database in order\.$/),
    ])
    for (let looks = 0; looks < 6; looks += 1) {
      fills = looks < 4
      isFull = false
      desk.clock.pass(2 * MINUTE)
      await desk.campaigns.work()
    }
    expect(new Set(server.arrived.map(({ to }) => to[0])).size).toBe(server.arrived.length)
    const { unknown = 0, accepted = 0, ...others } = await counts(desk.db)
    expect([unknown >= 2, unknown + accepted, others]).toStrictEqual([true, 40, {}])
  })

  test('whose server ends while the database takes nothing says so to operators before it is closed', async () => {
    const full = Promise.withResolvers<void>()
    const server = await smtpServer()
    let isFull = false
    const desk = await openDesk(
      { url: `${server.url}?maxConnections=2` },
      {
        around: (recording) => async (work) => {
          if (isFull) {
            full.resolve()
            throw new Error('The disk is full.')
          }
          isFull = true
          return recording(work)
        },
      },
    )
    await addContacts(desk.db, 4)
    await start(desk)
    void desk.campaigns.work()
    await full.promise
    await desk.set.close()
    expect(desk.told.map((error) => (error as Error).message)).toContainEqual(
      expect.stringMatching(/^What became of 2 mails of the campaign cp_\w+ could not be written down/),
    )
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
