// A quota is a promise to whoever's mail server it is: no more recipients get mail within its span, by whichever tool.
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { plainSentence } from '../../../../server/cards/figures.ts'
import { runsOf } from '../../../full.ts'
import { DAY, HOUR, MINUTE, createClock } from '../../../kit/clock.ts'
import { place } from '../../store/store-fixture.ts'
import { bulk, putCampaign, started } from './campaigns/bulk-fixture.ts'
import { addContacts, counts, start } from './campaigns/campaign-fixture.ts'
import { failed, letter, openDesk, sent, type MailDesk } from './mail-fixture.ts'
import { fallenSilent } from './outbox/outbox-fixture.ts'
import { holdingSmtpServer, smtpServer } from './smtp-fixture.ts'

describe('a campaign to more than a quota lets get mail', () => {
  test('says so before it is signed, goes out bit by bit, and says meanwhile why nothing goes out', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url, policy: { recipientsPerHour: 5, recipientsPerDay: 100 } })
    await addContacts(desk.db, 12)
    const input = await putCampaign(desk)
    const shown = await desk.preview(bulk, input)
    expect(shown.estimatedDurationMs).toBe(2 * HOUR)
    expect(shown.effects?.map(plainSentence).join('\n')).toContain(
      'The quota of this server lets 5 within an hour and 100 within a day get mail: they go out bit by bit, the last about 2 hours after the first',
    )
    const { campaignId } = started(await desk.apply(bulk, input))
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 5, pending: 7 })
    expect(await desk.read('emails.get_campaign', { campaignId })).toMatchObject({
      campaign: {
        status: 'sending',
        rests: {
          code: 'quota_used_up',
          why: expect.stringContaining('5 within an hour'),
          goesOnAt: expect.any(String),
        },
      },
    })
    desk.clock.pass(59 * MINUTE)
    await desk.campaigns.work()
    expect(server.arrived).toHaveLength(5)
    desk.clock.pass(2 * MINUTE)
    await desk.campaigns.work()
    expect(server.arrived).toHaveLength(10)
    desk.clock.pass(HOUR + MINUTE)
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ accepted: 12 })
    expect(await desk.db.selectFrom('mail_campaigns').select(['state', 'failure_code']).execute()).toEqual([
      { state: 'finished', failure_code: null },
    ])
  })

  test('and whose mail server is gone behind its quota rests a minute: the quota was no fault of that server', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url, policy: { recipientsPerHour: 5 } })
    await addContacts(desk.db, 12)
    const { campaignId } = await start(desk)
    await desk.campaigns.work()
    await server.close()
    desk.clock.pass(HOUR + MINUTE)
    await desk.campaigns.work()
    expect(await desk.read('emails.get_campaign', { campaignId })).toMatchObject({
      campaign: {
        rests: {
          code: 'mail_server_unreachable',
          goesOnAt: new Date(desk.clock.now() + MINUTE).toISOString(),
        },
      },
    })
  })

  test('leaves the room of mails that are scheduled, and takes what is left', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url, policy: { recipientsPerHour: 5 } })
    const sendAt = new Date(desk.clock.now() + 30 * MINUTE).toISOString()
    await desk.send({ to: ['ann@one.example', 'bea@one.example'], sendAt })
    await addContacts(desk.db, 12)
    await start(desk)
    await desk.campaigns.work()
    expect(await counts(desk.db)).toMatchObject({ accepted: 3 })
    desk.clock.pass(30 * MINUTE)
    await desk.outbox.work()
    expect(server.arrived).toHaveLength(4)
  })

  test('says on the card that resumes it how long the rest takes', async () => {
    const desk = await openDesk({ url: 'smtp://127.0.0.1:1', policy: { recipientsPerHour: 5 } })
    await addContacts(desk.db, 12)
    const { campaignId } = await start(desk)
    await desk.apply('emails.pause_campaign', { campaignId })
    const shown = await desk.preview('emails.resume_campaign', { campaignId })
    expect(shown.estimatedDurationMs).toBe(2 * HOUR)
    expect(shown.effects?.map(plainSentence).join('\n')).toContain('bit by bit')
  })
})

test('a mail that has no room hears when there is, and is taken then', async () => {
  const server = await smtpServer()
  const desk = await openDesk({ url: server.url, policy: { recipientsPerHour: 1 } })
  await desk.send()
  const { code, message } = failed(await desk.send())
  expect([code, message]).toStrictEqual(['rate_limit_exceeded', expect.stringContaining('There is room from')])
  const [, sendAt] = /from (\S+) on/.exec(message.replaceAll('\u2011', '-')) ?? []
  expect(await desk.send({ sendAt })).toMatchObject({ status: 'scheduled' })
})

test('a mail that is asked again, or sent again by a person, waits for room', async () => {
  let how: 'take' | 'drop' = 'drop'
  const server = await smtpServer({ data: () => Promise.resolve(how) })
  const desk = await openDesk({ url: server.url, policy: { recipientsPerHour: 2 } })
  failed(await desk.send({}, 'pl_lost'))
  how = 'take'
  expect(sent(await desk.send()).status).toBe('sent')
  const { id } = await desk.db
    .selectFrom('mail_emails')
    .select('id')
    .where('run', '=', 'pl_lost')
    .executeTakeFirstOrThrow()
  const again = { id, arrived: false, sendAgain: true }
  const shown = await desk.preview('emails.settle_unknown', again)
  expect(shown.effects?.map(plainSentence).join('\n')).toContain('The quota of this server is used up')
  await desk.apply('emails.settle_unknown', again)
  await desk.outbox.work()
  expect(server.arrived).toHaveLength(2)
  desk.clock.pass(HOUR + MINUTE)
  await desk.outbox.work()
  expect(server.arrived).toHaveLength(3)
})

describe('for a quota counts', () => {
  const refusedFor = 'rate_limit_exceeded'

  test('a mail that may have gone out when its process fell silent', async () => {
    const { second, sending, answer } = await fallenSilent(undefined, { recipientsPerHour: 2 })
    await second.outbox.work()
    expect(await second.states()).toStrictEqual(['unknown'])
    expect(failed(await second.send({ to: ['a@other.example', 'b@other.example'] })).code).toBe(refusedFor)
    answer()
    await sending
    // Once, also where that process hears the answer after all.
    expect(sent(await second.send()).status).toBe('sent')
  })

  test('mails of a campaign that may have gone out with the process that had them', async () => {
    const server = await holdingSmtpServer()
    const file = join(place(), 'mail.db')
    const clock = createClock()
    const options = { url: `${server.url}?maxConnections=1`, policy: { recipientsPerHour: 5 } }
    const gone = await openDesk(options, { file, clock, lookMs: 2 ** 30 })
    await addContacts(gone.db, 1)
    await start(gone)
    const working = gone.campaigns.work()
    await server.reached
    const next = await openDesk(options, { file, clock, lookMs: 2 ** 30 })
    const others = { to: Array.from({ length: 5 }, (_, at) => `other${at}@other.example`) }
    // In its hands, and then lost.
    expect(failed(await next.send(others)).code).toBe(refusedFor)
    clock.pass(10 * MINUTE)
    await next.campaigns.work()
    expect(await counts(next.db)).toStrictEqual({ unknown: 1 })
    expect(failed(await next.send(others)).code).toBe(refusedFor)
    // Once, also where that process hears the answer after all.
    server.answer()
    await working
    expect(await counts(next.db)).toStrictEqual({ accepted: 1 })
    expect(sent(await next.send({ to: others.to.slice(1) })).status).toBe('sent')
  })

  test('who was refused, and not who was put off', async () => {
    const server = await smtpServer({
      recipient: (address) => (address.startsWith('p') ? [451, 'Later'] : [550, '5.1.1 No such user']),
    })
    const desk = await openDesk({ url: server.url, policy: { recipientsPerHour: 2 } })
    await addContacts(desk.db, 2)
    await start(desk)
    await desk.campaigns.work()
    expect(await counts(desk.db)).toStrictEqual({ deferred: 2 })
    expect(sent(await desk.send({ to: ['a@other.example', 'b@other.example'] })).status).toBe('failed')
    expect(failed(await desk.send()).code).toBe(refusedFor)
  })

  test('nothing of another tenant', async () => {
    const held = Promise.withResolvers<'take'>()
    const reached = Promise.withResolvers<void>()
    const server = await smtpServer({
      data: ({ to: [to = ''] }) => {
        if (!to.startsWith('p')) return Promise.resolve('take')
        reached.resolve()
        return held.promise
      },
    })
    const desk = await openDesk({ url: server.url, policy: { recipientsPerHour: 3 } })
    await addContacts(desk.db, 1)
    await desk.send()
    const sendAt = new Date(desk.clock.now() + 20 * MINUTE).toISOString()
    await desk.send({ sendAt })
    await start(desk)
    const working = desk.campaigns.work()
    await reached.promise
    expect(failed(await desk.send()).code).toBe(refusedFor)
    const three = { ...letter, to: ['a@other.example', 'b@other.example', 'c@other.example'] }
    const eve = { tenant: 'elsewhere', subject: 'eve' }
    expect(sent(await desk.apply('emails.send_external', three, undefined, eve)).status).toBe('sent')
    held.resolve('take')
    await working
  })
})

test.each([
  ['an hour', { recipientsPerHour: 1 }, HOUR, MINUTE],
  ['a day', { recipientsPerDay: 1 }, DAY, 10 * MINUTE],
])('what left within %s counts, from whatever second on', async (_, policy, span, grain) => {
  const server = await smtpServer()
  const desk = await openDesk({ url: server.url, policy })
  // Not at the beginning of what departures are counted by.
  desk.clock.pass(grain - 1)
  await desk.send()
  desk.clock.pass(span - 1)
  expect(failed(await desk.send()).code).toBe('rate_limit_exceeded')
  desk.clock.pass(1 + grain)
  expect(sent(await desk.send()).status).toBe('sent')
})

test('what left is remembered for a day, whatever leaves meanwhile', async () => {
  const server = await smtpServer()
  const desk = await openDesk({ url: server.url, policy: { recipientsPerDay: 2 } })
  await desk.send()
  desk.clock.pass(DAY - HOUR)
  await desk.send()
  expect(failed(await desk.send()).code).toBe('rate_limit_exceeded')
})

test.each([
  ['campaigns', async (desk: MailDesk) => void (await addContacts(desk.db, 20), await start(desk), await start(desk))],
  [
    'mails',
    async (desk: MailDesk) => {
      const sendAt = new Date(desk.clock.now() + MINUTE).toISOString()
      for (let at = 0; at < 8; at += 1) await desk.send({ to: [`s${at}@other.example`], sendAt })
      desk.clock.pass(2 * MINUTE)
    },
  ],
])('two processes that send %s of one tenant at once keep to its quota together', async (_, prepare) => {
  const server = await smtpServer()
  const file = join(place(), 'mail.db')
  const clock = createClock()
  const open = (recipientsPerHour: number) =>
    openDesk({ url: server.url, policy: { recipientsPerHour } }, { file, clock, lookMs: 2 ** 30 })
  await prepare(await open(100))
  const desks = [await open(3), await open(3)]
  await Promise.all(desks.flatMap(({ campaigns, outbox }) => [campaigns.work(), outbox.work()]))
  expect(server.arrived).toHaveLength(3)
})

test('a mail waits for the mails of a campaign that another process is just marking, and for their room', async () => {
  let how: 'take' | 'drop' = 'drop'
  const server = await smtpServer({ data: () => Promise.resolve(how) })
  const file = join(place(), 'mail.db')
  const clock = createClock()
  const marked = Promise.withResolvers<void>()
  const commits = Promise.withResolvers<void>()
  let isFirst = true
  const options = { url: server.url, policy: { recipientsPerHour: 1 } }
  const slow = await openDesk(options, {
    file,
    clock,
    lookMs: 2 ** 30,
    around: (recording) => (work) =>
      recording(async (transaction, record) => {
        const done = await work(transaction, record)
        if (isFirst) {
          isFirst = false
          marked.resolve()
          await commits.promise
        }
        return done
      }),
  })
  const desk = await openDesk(options, { file, clock, lookMs: 2 ** 30 })
  failed(await desk.send({}, 'pl_lost'))
  const { id } = await desk.db.selectFrom('mail_emails').select('id').executeTakeFirstOrThrow()
  clock.pass(2 * HOUR)
  how = 'take'
  await addContacts(slow.db, 1)
  await start(slow)
  const campaign = slow.campaigns.work()
  await marked.promise
  // Not when something has happened: on SQLite, which takes one write at a time, what follows waits for this commit.
  setTimeout(commits.resolve, 200)
  await desk.apply('emails.settle_unknown', { id, arrived: false, sendAgain: true })
  await desk.outbox.work()
  await campaign
  expect(server.arrived.slice(1).map(({ to }) => to[0])).toStrictEqual(['p000001@other.example'])
})

type Command =
  | { readonly does: 'send'; readonly many: number; readonly inMinutes: number }
  | { readonly does: 'campaign'; readonly inMinutes: number }
  | { readonly does: 'pause' | 'resume' | 'settle' }
  | { readonly does: 'server'; readonly how: 'take' | 'defer' | 'drop' }
  | { readonly does: 'work'; readonly minutes: number }

const commands: fc.Arbitrary<readonly Command[]> = fc.array(
  fc.oneof(
    fc.record({
      does: fc.constant('send'),
      many: fc.integer({ min: 1, max: 4 }),
      inMinutes: fc.constantFrom(0, 0, 20, 70),
    }),
    fc.record({ does: fc.constant('campaign'), inMinutes: fc.constantFrom(0, 30) }),
    fc.record({ does: fc.constantFrom('pause', 'resume', 'settle') }),
    fc.record({ does: fc.constant('server'), how: fc.constantFrom('take', 'defer', 'drop') }),
    {
      weight: 4,
      arbitrary: fc.record({ does: fc.constant('work'), minutes: fc.constantFrom(0, 1, 10, 45, 70) }),
    },
  ),
  { minLength: 4, maxLength: 16 },
)

test('whatever is sent, resumed and sent again in whatever order, no span has more recipients than its quota', async () => {
  const [perHour, perDay] = [5, 12]
  await fc.assert(
    fc.asyncProperty(commands, async (all) => {
      let how: 'take' | 'defer' | 'drop' = 'take'
      const left: number[] = []
      const server = await smtpServer({
        recipient: () => (how === 'defer' ? [451, 'Later'] : undefined),
        data: ({ to }) => {
          left.push(...to.map(() => desk.clock.now()))
          return Promise.resolve(how === 'drop' ? 'drop' : 'take')
        },
      })
      const desk = await openDesk(
        { url: server.url, policy: { recipientsPerHour: perHour, recipientsPerDay: perDay } },
        { lookMs: 2 ** 30 },
      )
      await addContacts(desk.db, 7)
      const ids: string[] = []
      const at = (minutes: number): string => new Date(desk.clock.now() + minutes * MINUTE).toISOString()
      const act = async (command: Command): Promise<unknown> => {
        switch (command.does) {
          case 'send':
            return desk.send({
              ...letter,
              to: Array.from({ length: command.many }, (_, each) => `s${each}@other.example`),
              ...(command.inMinutes === 0 ? {} : { sendAt: at(command.inMinutes) }),
            })
          case 'campaign':
            return ids.push((await start(desk, { dueAt: at(command.inMinutes) })).campaignId)
          case 'pause':
          case 'resume':
            return desk.apply(`emails.${command.does}_campaign`, { campaignId: ids[0] ?? 'cp_none' })
          case 'settle': {
            const lost = await desk.db.selectFrom('mail_emails').select('id').where('state', '=', 'unknown').execute()
            for (const id of [...ids, ...lost.map((each) => each.id)])
              await desk.apply('emails.settle_unknown', { id, arrived: false, sendAgain: true })
            return undefined
          }
          case 'server':
            return (how = command.how)
          case 'work':
            desk.clock.pass(command.minutes * MINUTE)
            await desk.outbox.work()
            return desk.campaigns.work()
          default:
            return command satisfies never
        }
      }
      for (const command of all) await act(command)
      const most = (span: number): number =>
        Math.max(0, ...left.map((begin) => left.filter((each) => each >= begin && each < begin + span).length))
      expect(most(HOUR)).toBeLessThanOrEqual(perHour)
      expect(most(DAY)).toBeLessThanOrEqual(perDay)
      await desk.close()
      await server.close()
    }),
    { numRuns: runsOf(200) },
  )
})
