// Faults that are nobody's answer to a mail: a server that is silent, that does not let us in or is not there, and faults of
// our own before the first byte. None of them costs another mail, a recipient or what an agent should not know.
import { join } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { MINUTE } from '../../../../kit/clock.ts'
import { place } from '../../../store/store-fixture.ts'
import { letter, openDesk, sent } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'

const messages = (told: readonly unknown[]): readonly string[] => told.map((error) => (error as Error).message)

test('a mail server that is silent about one mail does not keep the others that are due waiting', async () => {
  const answers = Promise.withResolvers<'take'>()
  const silent = Promise.withResolvers<void>()
  const others = Promise.withResolvers<void>()
  const server = await smtpServer({
    data: ({ mail }) => {
      if (mail.subject !== 'Silence') {
        others.resolve()
        return Promise.resolve('take')
      }
      silent.resolve()
      return answers.promise
    },
  })
  const desk = await openDesk({ url: server.url }, { lookMs: 10 })
  const sendAt = new Date(desk.clock.now() + 30 * MINUTE).toISOString()
  await desk.send({ subject: 'Silence', sendAt })
  desk.clock.pass(30 * MINUTE)
  await silent.promise
  await desk.send({ sendAt: new Date(desk.clock.now() + MINUTE).toISOString() })
  desk.clock.pass(MINUTE)
  await others.promise
  answers.resolve('take')
  await expect.poll(() => desk.states()).toStrictEqual(['sent', 'sent'])
})

describe('a fault of this server before the first byte', () => {
  test('of its files puts the mail off, and it goes out when they are there again', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    desk.files.put('f1', 'offer.zip', 'application/zip', Buffer.from('12,000 €'))
    const read = vi.spyOn(desk.files, 'read').mockRejectedValue(new Error('EIO: /srv/files/f1'))
    const answer = sent(await desk.send({ attachments: ['f1'] }))
    expect(answer).toMatchObject({ status: 'scheduled', recipients: [{ state: 'deferred' }] })
    expect(JSON.stringify(answer)).not.toContain('/srv')
    expect(messages(desk.told)).toStrictEqual(['EIO: /srv/files/f1'])
    read.mockRestore()
    desk.clock.pass(MINUTE)
    await desk.outbox.work()
    expect(await desk.states()).toStrictEqual(['sent'])
    expect(server.arrived).toHaveLength(1)
  })

  test('or its end leaves a mail that certainly nobody has: another process sends it, once its holder is silent, and that one does not when it wakes', async () => {
    const server = await smtpServer()
    const file = join(place(), 'mail.db')
    const first = await openDesk({ url: server.url }, { file })
    first.files.put('f1', 'offer.zip', 'application/zip', Buffer.from('12,000 €'))
    const [reached, wakes] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const read = first.files.read.bind(first.files)
    vi.spyOn(first.files, 'read').mockImplementation(async (...which) => {
      reached.resolve()
      await wakes.promise
      return read(...which)
    })
    const sending = first.send({ attachments: ['f1'] })
    await reached.promise
    const second = await openDesk({ url: server.url }, { file, clock: first.clock })
    second.files.put('f1', 'offer.zip', 'application/zip', Buffer.from('12,000 €'))
    first.clock.pass(5 * MINUTE)
    await second.outbox.work()
    expect(await second.states()).toStrictEqual(['sent'])
    wakes.resolve()
    expect(await sending).toMatchObject({ status: 'sent' })
    expect(server.arrived).toHaveLength(1)
  })
})

describe('a mail server that does not take mail from us', () => {
  test('because the login is refused is asked again: operators are told its words once, the agent that they must act', async () => {
    let password = 'other'
    const server = await smtpServer({
      options: {
        authOptional: false,
        onAuth: (auth, _session, done) =>
          auth.password === password ? done(null, { user: 'ann' }) : done(new Error('Wrong password')),
      },
    })
    const desk = await openDesk({ url: `smtp://ann:p%40ss@127.0.0.1:${server.port}` })
    const [first, second] = [sent(await desk.send()), sent(await desk.send({ subject: 'Another' }))]
    expect([first.status, second.status]).toStrictEqual(['scheduled', 'scheduled'])
    expect(first.recipients).toMatchObject([
      { state: 'deferred', response: expect.stringMatching(/does not let this server in.*operators/) },
    ])
    expect(JSON.stringify(first.recipients)).not.toContain('535')
    expect(messages(desk.told)).toStrictEqual([
      expect.stringMatching(/535 .*Check the login in mail\.url and the sender in mail\.from/),
    ])
    password = 'p@ss'
    desk.clock.pass(MINUTE)
    await desk.outbox.work()
    expect(await desk.states()).toStrictEqual(['sent', 'sent'])
  })

  test('because it is not there is named to operators, and to the agent without its address', async () => {
    const server = await smtpServer()
    await server.close()
    const desk = await openDesk({ url: server.url })
    const answer = sent(await desk.send())
    expect(answer.recipients).toMatchObject([{ state: 'deferred', response: 'The mail server cannot be reached.' }])
    expect(JSON.stringify(answer)).not.toMatch(/127\.0\.0\.1|ECONN/)
    expect(messages(desk.told)).toStrictEqual([expect.stringMatching(/ECONNREFUSED 127\.0\.0\.1/)])
    expect(JSON.stringify(await desk.read('emails.get', { emailId: answer.emailId }))).not.toMatch(/127\.0\.0\.1|ECONN/)
  })
})

test('a connection that is lost behind the first byte is told in words without an address', async () => {
  const server = await smtpServer({ data: () => Promise.resolve('drop') })
  const desk = await openDesk({ url: server.url })
  expect(await desk.send(letter)).toMatchObject({
    code: 'delivery_unknown',
    message: expect.stringContaining('The connection to the mail server was lost before it had answered.'),
  })
})
