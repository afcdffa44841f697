// What a mail server does, and what is known of a mail after that: accepted, refused, asked again later, or not known.
import { fork } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { MINUTE, createClock } from '../../../../kit/clock.ts'
import { locate, present, testSecret } from '../../../../postgres.ts'
import { place } from '../../../store/store-fixture.ts'
import { failed, letter, openDesk, sent } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { fallenSilent, later } from './outbox-fixture.ts'

const three = ['bea@other.example', 'cy@other.example', 'dan@third.example']

describe('a mail that the server takes', () => {
  test('arrives as text and as HTML, from whom the settings say, with the Message-ID that the call answers', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    const answer = sent(
      await desk.send({
        to: ['Bea Ö. <bea@other.example>'],
        cc: ['cy@bücher.example'],
        bcc: ['dan@third.example'],
        replyTo: 'Ann <ann@acme.example>',
        subject: 'Angebot für „Bücher“',
        body: '# Hello\n\nThe **offer** is [here](https://acme.example/offer).',
      }),
    )
    expect(answer).toMatchObject({ status: 'sent' })
    expect(answer.recipients).toStrictEqual([
      { address: 'bea@other.example', role: 'to', state: 'accepted', response: expect.stringContaining('queued') },
      { address: 'cy@xn--bcher-kva.example', role: 'cc', state: 'accepted', response: expect.any(String) },
      { address: 'dan@third.example', role: 'bcc', state: 'accepted', response: expect.any(String) },
    ])
    expect(server.arrived).toHaveLength(1)
    const [{ from, to, mail, raw } = expect.fail('nothing arrived')] = server.arrived
    expect({ from, to }).toStrictEqual({
      from: 'hello@acme.example',
      // As this server spells what came over the line.
      to: ['bea@other.example', 'cy@bücher.example', 'dan@third.example'],
    })
    expect(mail).toMatchObject({
      messageId: answer.messageId,
      subject: 'Angebot für „Bücher“',
      from: { name: 'Acme', address: 'hello@acme.example' },
      to: [{ name: 'Bea Ö.', address: 'bea@other.example' }],
      replyTo: [{ address: 'ann@acme.example' }],
      date: new Date(desk.clock.now()).toISOString(),
    })
    expect(mail.text?.trim()).toBe('Hello\n\nThe offer is here (https://acme.example/offer).')
    expect(mail.html).toContain('<p>The <strong>offer</strong> is <a href="https://acme.example/offer">here</a>.</p>')
    expect(raw.toString()).not.toContain('dan@third.example')
    expect(raw.toString()).toContain('\r\nDate: Thu, 01 Jan 2026 12:00:00 +0000\r\n')
  })

  test('brings its attachments byte for byte, under the last part of their names', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    const [noise, lines, letterInLetter] = [
      randomBytes(200_000),
      Buffer.from('a\r\nb\n\n.\r\n'),
      Buffer.from('From: x\n\nhi'),
    ]
    desk.files.put('f1', '../../etc/offer\u202efdp.exe', 'application/pdf', noise)
    desk.files.put('f2', 'lines.txt', 'text/plain', lines)
    desk.files.put('f3', 'old.eml', 'message/rfc822', letterInLetter)
    expect(await desk.send({ attachments: ['f1', 'f2', 'f3'] })).toMatchObject({ status: 'sent' })
    const attachments = server.arrived[0]?.mail.attachments ?? []
    expect(attachments.map(({ filename, mimeType }) => [filename, mimeType])).toStrictEqual([
      ['offer_fdp.exe', 'application/pdf'],
      ['lines.txt', 'text/plain'],
      ['old.eml', 'application/octet-stream'],
    ])
    for (const [at, content] of [noise, lines, letterInLetter].entries())
      expect(Buffer.from(attachments[at]?.content as ArrayBuffer).equals(content)).toBe(true)
  })

  test('goes out once, however often its call is run with one key', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    const first = sent(await desk.send({}, 'pl_same'))
    expect(await desk.run('emails.send_external', letter, 'whatever', 'pl_same')).toStrictEqual(first)
    expect(server.arrived).toHaveLength(1)
    expect(await desk.reconcile('emails.send_external', letter, 'pl_same')).toStrictEqual({
      kind: 'applied',
      result: first,
    })
    expect(await desk.reconcile('emails.send_external', letter, 'pl_never')).toStrictEqual({ kind: 'not-applied' })
  })

  test('is being sent while a slow server has not answered, and is answered for after that', async () => {
    const taken = Promise.withResolvers<'take'>()
    const reached = Promise.withResolvers<void>()
    const server = await smtpServer({
      data: () => {
        reached.resolve()
        return taken.promise
      },
    })
    const desk = await openDesk({ url: server.url })
    const sending = desk.send({}, 'pl_slow')
    await reached.promise
    expect(await desk.states()).toStrictEqual(['sending'])
    expect(await desk.reconcile('emails.send_external', letter, 'pl_slow')).toStrictEqual({ kind: 'unknown' })
    taken.resolve('take')
    expect(await sending).toMatchObject({ status: 'sent' })
  })

  test('goes over TLS where the server takes nothing else, and with a name and a password', async () => {
    const server = await smtpServer({
      options: {
        secure: true,
        authOptional: false,
        onAuth: ({ username, password }, _session, done) =>
          username === 'ann' && password === 'p@ss' ? done(null, { user: 'ann' }) : done(new Error('Wrong password')),
      },
    })
    const at = `127.0.0.1:${server.port}?tls.rejectUnauthorized=false`
    const desk = await openDesk({ url: `smtps://ann:p%40ss@${at}` })
    expect(await desk.send()).toMatchObject({ status: 'sent' })
    const wrong = await openDesk({ url: `smtps://ann:other@${at}` })
    expect(sent(await wrong.send()).recipients).toMatchObject([
      { state: 'deferred', response: expect.stringContaining('does not let this server in') },
    ])
    const open = await openDesk({ url: `smtp://127.0.0.1:${server.port}?socketTimeout=300&greetingTimeout=300` })
    expect(sent(await open.send()).recipients).toMatchObject([{ state: 'deferred' }])
  })
})

describe('a mail that the server does not take', () => {
  test('for one of three says so of that one, in the words of the server', async () => {
    const server = await smtpServer({
      recipient: (address) => (address.startsWith('cy') ? [550, 'No such user here'] : undefined),
    })
    const desk = await openDesk({ url: server.url })
    const { status, recipients } = sent(await desk.send({ to: three }))
    expect(status).toBe('sent')
    expect(recipients.map(({ state }) => state)).toStrictEqual(['accepted', 'refused', 'accepted'])
    expect(recipients[1]?.response).toBe('550 No such user here')
    expect(server.arrived[0]?.to).toStrictEqual(['bea@other.example', 'dan@third.example'])
  })

  test('for anybody has failed, and is not tried again', async () => {
    const server = await smtpServer({ recipient: () => [550, 'Go away'] })
    const desk = await openDesk({ url: server.url })
    expect(await desk.send({ to: three })).toMatchObject({ status: 'failed' })
    desk.clock.pass(600 * MINUTE)
    await desk.outbox.work()
    expect([server.arrived, server.connections.length]).toStrictEqual([[], 1])
  })

  test('because it is too big is refused with what the server says, whenever it says so', async () => {
    const told = await smtpServer({ options: { size: 10_000 } })
    const asked = await smtpServer({ options: { size: 10_000, hideSize: true } })
    for (const server of [told, asked]) {
      const desk = await openDesk({ url: server.url })
      desk.files.put('big', 'big.bin', 'application/octet-stream', randomBytes(20_000))
      const { status, recipients } = sent(await desk.send({ attachments: ['big'] }))
      expect([status, recipients[0]?.state]).toStrictEqual(['failed', 'refused'])
      expect(recipients[0]?.response).toMatch(/^552/)
    }
  })

  test('for now is sent again by itself, only to whom it was refused, with the same Message-ID', async () => {
    let open = false
    const server = await smtpServer({
      recipient: (address) => (open || !address.startsWith('cy') ? undefined : [451, 'Greylisted, try again']),
    })
    const desk = await openDesk({ url: server.url })
    const first = sent(await desk.send({ to: three }))
    expect(first.status).toBe('scheduled')
    expect(first.recipients.map(({ state }) => state)).toStrictEqual(['accepted', 'deferred', 'accepted'])
    expect(first.recipients[1]?.response).toBe('451 Greylisted, try again')
    expect(Date.parse(first.goesOutAt ?? '')).toBe(desk.clock.now() + MINUTE)
    open = true
    await desk.outbox.work()
    expect(server.arrived).toHaveLength(1)
    desk.clock.pass(MINUTE)
    await desk.outbox.work()
    expect(server.arrived.map(({ to }) => to)).toStrictEqual([
      ['bea@other.example', 'dan@third.example'],
      ['cy@other.example'],
    ])
    expect(new Set(server.arrived.map(({ mail }) => mail.messageId)).size).toBe(1)
    desk.clock.pass(600 * MINUTE)
    await desk.outbox.work()
    expect(server.arrived).toHaveLength(2)
  })

  test('for now is asked every hour and given up after four days, and so is one whose server cannot be reached', async () => {
    const greylists = await smtpServer({ recipient: () => [451, 'Not now'] })
    const gone = await smtpServer()
    await gone.close()
    for (const server of [greylists, gone]) {
      const desk = await openDesk({ url: server.url })
      const { emailId } = sent(await desk.send())
      const began = desk.clock.now()
      const due = async () => {
        const { due_at } = await desk.db.selectFrom('mail_emails').select('due_at').executeTakeFirstOrThrow()
        return (Date.parse(due_at) - began) / MINUTE
      }
      const minutes = [await due()]
      for (let attempt = 2; attempt <= 6; attempt++) {
        expect(await desk.states()).toStrictEqual(['scheduled'])
        desk.clock.pass(60 * MINUTE)
        await desk.outbox.work()
        minutes.push((await due()) - (attempt - 1) * 60)
      }
      expect(minutes).toStrictEqual([1, 5, 15, 30, 60, 60])
      await desk.db.updateTable('mail_emails').set({ attempts: 98 }).execute()
      desk.clock.pass(60 * MINUTE)
      await desk.outbox.work()
      expect(await desk.states()).toStrictEqual(['scheduled'])
      desk.clock.pass(60 * MINUTE)
      await desk.outbox.work()
      expect(
        await desk.db.selectFrom('mail_emails').select(['state', 'attempts']).where('id', '=', emailId).execute(),
      ).toEqual([{ state: 'failed', attempts: 100 }])
      const [recipient] = await desk.db.selectFrom('mail_recipients').select(['state', 'response']).execute()
      expect(recipient).toMatchObject({
        state: 'refused',
        response: expect.stringContaining('Given up after four days'),
      })
    }
    expect(greylists.connections.length).toBeLessThanOrEqual(8)
  })
})

test('an address with quotes is told to the mail server as it is shown', async () => {
  const server = await smtpServer({
    recipient: (address) => (address.includes('@b') ? [550, 'No such user'] : undefined),
  })
  const desk = await openDesk({ url: server.url })
  const to = ['"a@b,c"@other.example', '"a\\"b"@other.example', '"a;b:c"@other.example']
  const { recipients } = sent(await desk.send({ to }))
  expect(recipients.map(({ address, state }) => [address, state])).toStrictEqual(
    to.map((address) => [address, address.includes('@b') ? 'refused' : 'accepted']),
  )
  expect(server.arrived[0]?.to).toStrictEqual(to.filter((address) => !address.includes('@b')))
})

describe('a mail of which nobody knows whether it was taken', () => {
  test('because the connection was lost behind its last byte is unknown, and is never sent again by itself', async () => {
    const server = await smtpServer({ data: () => Promise.resolve('drop') })
    const desk = await openDesk({ url: server.url })
    const { code, message } = failed(await desk.send({ to: three }, 'pl_lost'))
    expect(code).toBe('delivery_unknown')
    expect(message).toContain('is not known')
    desk.clock.pass(600 * MINUTE)
    await desk.outbox.work()
    expect(server.arrived).toHaveLength(1)
    expect(await desk.states('mail_recipients')).toStrictEqual(['unknown', 'unknown', 'unknown'])
    expect(await desk.reconcile('emails.send_external', letter, 'pl_lost')).toStrictEqual({ kind: 'unknown' })
    expect(failed(await desk.run('emails.send_external', { ...letter, to: three }, 'x', 'pl_lost')).code).toBe(
      'delivery_unknown',
    )
    expect(server.arrived).toHaveLength(1)
  })

  test('goes over a new connection at once where the old one is lost before its first byte', async () => {
    const seen = new Set<string>()
    const server = await smtpServer({
      options: {
        onMailFrom(_address, { id }, done) {
          if (seen.has(id)) server.hangUp(id)
          else done()
          seen.add(id)
        },
      },
    })
    const desk = await openDesk({ url: server.url })
    for (let mail = 0; mail < 3; mail++) expect(await desk.send()).toMatchObject({ status: 'sent' })
    expect(server.arrived).toHaveLength(3)
  })

  test('is given back where its server ends before the mail server has said anything, and opens no connection after that', async () => {
    let connections = 0
    const reached = Promise.withResolvers<void>()
    const onConnect = () => {
      connections += 1
      reached.resolve()
    }
    const server = await smtpServer({ options: { onConnect } })
    const desk = await openDesk({ url: server.url })
    const answer = desk.send()
    await reached.promise
    await desk.set.close()
    expect(await answer).toMatchObject({ status: 'scheduled', recipients: [{ state: 'deferred' }] })
    expect(connections).toBe(1)
  })

  test('because its process was killed before the answer is unknown after the restart, and never sent twice', async () => {
    const reached = Promise.withResolvers<void>()
    const never = new Promise<'take'>(() => undefined)
    const server = await smtpServer({
      data: () => {
        reached.resolve()
        return never
      },
    })
    const file = join(place(), 'mail.db')
    const child = fork(
      join(import.meta.dirname, 'send-one.ts'),
      [await locate(file), server.url, present === 'sqlite' ? '' : testSecret],
      {
        execArgv: ['--no-warnings'],
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      },
    )
    onTestFinished(() => void child.kill('SIGKILL'))
    await reached.promise
    child.kill('SIGKILL')
    await once(child, 'exit')
    const clock = createClock()
    clock.pass(Date.now() - clock.now())
    const desk = await openDesk({ url: server.url }, { file, clock })
    await desk.outbox.work()
    expect(await desk.states()).toStrictEqual(['sending'])
    clock.pass(10 * MINUTE)
    await desk.outbox.work()
    expect(await desk.states()).toStrictEqual(['unknown'])
    expect(await desk.states('mail_recipients')).toStrictEqual(['unknown'])
    clock.pass(600 * MINUTE)
    await desk.outbox.work()
    expect(server.connections).toHaveLength(1)
  })

  test('because its process slept for longer than its lease is settled by that process where it hears the answer after all', async () => {
    const { second, sending, answer } = await fallenSilent()
    await second.outbox.work()
    expect(await second.states()).toStrictEqual(['unknown'])
    answer()
    expect(await sending).toMatchObject({ status: 'sent', recipients: [{ state: 'accepted' }] })
  })
})

describe('a mail that goes out later', () => {
  test('is sent when its time has come, by one of two processes, once', async () => {
    const server = await smtpServer()
    const file = join(place(), 'mail.db')
    const clock = createClock()
    const [first, second] = [
      await openDesk({ url: server.url }, { file, clock }),
      await openDesk({ url: server.url }, { file, clock }),
    ]
    const sendAt = later(clock)
    for (let mail = 0; mail < 15; mail++)
      expect(await first.send({ sendAt })).toMatchObject({ status: 'scheduled', goesOutAt: sendAt })
    await Promise.all([first.outbox.work(), second.outbox.work()])
    expect(server.arrived).toHaveLength(0)
    clock.pass(30 * MINUTE)
    await Promise.all([first, second, first, second].map(({ outbox }) => outbox.work()))
    await expect.poll(() => new Set(server.arrived.map(({ mail }) => mail.messageId)).size).toBe(15)
    // Each desk also looks by itself every two seconds, and the last mail may be in the hands of such a look.
    await expect.poll(async () => new Set(await first.states())).toStrictEqual(new Set(['sent']))
    expect(server.arrived).toHaveLength(15)
    // Whoever sorts mail by its date finds it where it arrived.
    expect(server.arrived[0]?.mail.date).toBe(`${sendAt.slice(0, -5)}.000Z`)
  })

  test('goes out under the sender that its card showed, also where the operators have named another one since', async () => {
    const server = await smtpServer()
    const file = join(place(), 'mail.db')
    const clock = createClock()
    const before = await openDesk({ url: server.url }, { file, clock })
    await before.send({ sendAt: later(clock) })
    const after = await openDesk({ url: server.url, from: 'Other <other@acme.example>' }, { file, clock })
    clock.pass(30 * MINUTE)
    await after.outbox.work()
    expect(server.arrived.map(({ from, mail }) => [from, mail.from])).toStrictEqual([
      ['hello@acme.example', { name: 'Acme', address: 'hello@acme.example' }],
    ])
  })

  test('is not sent where the operators have forbidden its domain meanwhile', async () => {
    const server = await smtpServer()
    const file = join(place(), 'mail.db')
    const clock = createClock()
    const before = await openDesk({ url: server.url }, { file, clock })
    await before.send({ sendAt: later(clock) })
    const after = await openDesk({ url: server.url, policy: { blockedDomains: ['other.example'] } }, { file, clock })
    clock.pass(30 * MINUTE)
    await after.outbox.work()
    expect(server.arrived).toStrictEqual([])
    expect(await after.db.selectFrom('mail_emails').select(['state', 'failure_code']).execute()).toEqual([
      { state: 'failed', failure_code: 'policy_violation' },
    ])
  })

  test('that some have got already is not told as failed, and still counts, where the rest of it may not leave any more', async () => {
    const server = await smtpServer({
      recipient: (address) => (address.startsWith('cy') ? [451, 'Later'] : undefined),
    })
    const desk = await openDesk({ url: server.url, policy: { recipientsPerHour: 2 } })
    desk.files.put('f1', 'offer.txt', 'text/plain', Buffer.from('12,000 €'))
    const half = { to: ['bea@other.example', 'cy@other.example'], attachments: ['f1'] }
    expect(await desk.send(half, 'pl_half')).toMatchObject({ status: 'scheduled' })
    desk.files.put('f1', 'offer.txt', 'text/plain', Buffer.from('21,000 €'))
    desk.clock.pass(MINUTE)
    await desk.outbox.work()
    expect(await desk.reconcile('emails.send_external', letter, 'pl_half')).toMatchObject({
      result: {
        status: 'sent',
        recipients: [
          { state: 'accepted' },
          { state: 'refused', response: 'The attachment offer.txt is not any more what was confirmed.' },
        ],
      },
    })
    // Who was refused by us has not got it.
    expect(await desk.send()).toMatchObject({ status: 'sent' })
    expect(failed(await desk.send()).code).toBe('rate_limit_exceeded')
  })

  test('is not sent where an attachment is not any more what was confirmed', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    desk.files.put('f1', 'offer.txt', 'text/plain', Buffer.from('12,000 €'))
    expect(await desk.send({ sendAt: later(desk.clock), attachments: ['f1'] })).toMatchObject({ status: 'scheduled' })
    desk.files.put('f1', 'offer.txt', 'text/plain', Buffer.from('21,000 €'))
    desk.clock.pass(30 * MINUTE)
    await desk.outbox.work()
    expect(server.arrived).toHaveLength(0)
    expect(await desk.db.selectFrom('mail_emails').select(['state', 'failure_code']).execute()).toEqual([
      { state: 'failed', failure_code: 'confirmation_required' },
    ])
  })
})
