// What stands around the sending: mails that were sent, contacts, and mails that came back.
import { describe, expect, test } from 'vitest'
import { HOUR, MINUTE } from '../../../kit/clock.ts'
import { failed, letter, openDesk, sent, type MailDesk } from './mail-fixture.ts'
import { report } from './bounces/report-fixture.ts'
import { smtpServer } from './smtp-fixture.ts'

const nowhere = { url: 'smtp://127.0.0.1:1' }
const send = 'emails.send_external'
const stranger = { tenant: 'other', subject: 'ada' }
const at = ({ clock }: MailDesk, minutes: number) => new Date(clock.now() + minutes * MINUTE).toISOString()

describe('mails', () => {
  test('are listed the newest first, in pages, by state, and to their own tenant alone', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    const ids: string[] = []
    for (let each = 0; each < 5; each++) {
      ids.unshift(
        sent(await desk.send({ subject: `Offer ${each}`, ...(each === 2 ? { sendAt: at(desk, 90) } : {}) })).emailId,
      )
      if (each !== 3) desk.clock.pass(MINUTE)
    }
    const pages: string[] = []
    let before: string | undefined
    do {
      const page = (await desk.read('emails.list', { limit: 2, ...(before === undefined ? {} : { before }) })) as {
        readonly emails: readonly { readonly emailId: string }[]
        readonly next?: string
      }
      pages.push(...page.emails.map(({ emailId }) => emailId))
      before = page.next
    } while (before !== undefined)
    expect(pages.toSorted()).toStrictEqual(ids.toSorted())
    expect(pages[0]).not.toBe(ids[4])
    expect(await desk.read('emails.list', { status: 'scheduled' })).toMatchObject({
      emails: [{ emailId: ids[2], status: 'scheduled', recipientCount: 1, firstRecipient: 'bea@other.example' }],
    })
    expect(await desk.read('emails.list', {}, stranger)).toStrictEqual({ emails: [] })
    expect(failed(await desk.read('emails.get', { emailId: ids[0] }, stranger)).code).toBe('unknown_email')
    expect(await desk.read('emails.get', { emailId: ids[0] })).toMatchObject({
      email: {
        status: 'sent',
        subject: 'Offer 4',
        body: letter.body,
        createdBy: 'ada',
        recipients: [{ state: 'accepted' }],
      },
    })
  })

  test('belong to the project that their call names, as the card has said', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    const input = { ...letter, projectId: 'spring' }
    expect(JSON.stringify((await desk.preview('emails.send_external', input)).blocks)).toContain(
      '{"label":"Project","value":{"kind":"text","text":"spring"}}',
    )
    const { emailId } = sent(await desk.send(input))
    expect(await desk.read('emails.get', { emailId })).toMatchObject({ email: { projectId: 'spring' } })
  })

  test('whose process is gone are unknown to whoever reads them, before anybody has written that down', async () => {
    const reached = Promise.withResolvers<void>()
    const server = await smtpServer({
      data: () => {
        reached.resolve()
        return new Promise(() => undefined)
      },
    })
    const desk = await openDesk({ url: server.url })
    desk.send().catch(() => undefined)
    await reached.promise
    expect(await desk.read('emails.list', { status: 'sending' })).toMatchObject({ emails: [{ status: 'sending' }] })
    desk.clock.pass(HOUR)
    expect(await desk.read('emails.list', { status: 'sending' })).toStrictEqual({ emails: [] })
    expect(await desk.read('emails.list', { status: 'unknown' })).toMatchObject({ emails: [{ status: 'unknown' }] })
  })

  test('that are to go out are cancelled, and then do not', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    const { emailId } = sent(await desk.send({ sendAt: at(desk, 30) }))
    const cancel = 'emails.cancel_scheduled'
    expect(failed(await desk.apply(cancel, { emailId }, undefined, stranger)).code).toBe('unknown_email')
    expect((await desk.preview(cancel, { emailId })).effects).toStrictEqual(['1 recipient does not get it'])
    expect(await desk.apply(cancel, { emailId })).toStrictEqual({ emailId, status: 'cancelled', cancelled: 1 })
    desk.clock.pass(HOUR)
    await desk.outbox.work()
    expect(server.arrived).toStrictEqual([])
    expect(await desk.states('mail_recipients')).toStrictEqual(['cancelled'])
    expect(failed(await desk.apply(cancel, { emailId })).code).toBe('not_scheduled')
  })

  test('that have gone out since the card are not cancelled, and those to whom a server said later get no more', async () => {
    const server = await smtpServer({
      recipient: (address) => (address.startsWith('cy') ? [451, 'Later'] : undefined),
    })
    const desk = await openDesk({ url: server.url })
    const cancel = 'emails.cancel_scheduled'
    const first = { emailId: sent(await desk.send({ sendAt: at(desk, 30) })).emailId }
    const before = await desk.basis(cancel, first)
    desk.clock.pass(HOUR)
    await desk.outbox.work()
    expect(await desk.run(cancel, first, before as string)).toStrictEqual({ kind: 'tool-stale' })
    const half = { emailId: sent(await desk.send({ to: ['bea@other.example', 'cy@other.example'] })).emailId }
    expect(await desk.apply(cancel, half)).toStrictEqual({ ...half, status: 'sent', cancelled: 1 })
    desk.clock.pass(HOUR)
    await desk.outbox.work()
    expect(server.arrived).toHaveLength(2)
  })
})

describe('contacts', () => {
  const create = (desk: MailDesk, input: Readonly<Record<string, unknown>>) =>
    desk.apply('contacts.create', input) as Promise<{ readonly contact: { readonly contactId: string } }>

  test('are added once, found by words of name, company and address, and by nobody of another tenant', async () => {
    const desk = await openDesk(nowhere)
    await create(desk, { address: 'Bea Lee <bea@other.example>', company: 'Other 100%' })
    await create(desk, { address: 'cy@Bücher.example', firstName: 'Cy' })
    const found = async (query?: string) =>
      (
        (await desk.read('contacts.search', query === undefined ? {} : { query })) as {
          readonly contacts: readonly { readonly address: string }[]
        }
      ).contacts.map(({ address }) => address)
    expect(await found()).toStrictEqual(['bea@other.example', 'cy@xn--bcher-kva.example'])
    expect(await found('LEE other')).toStrictEqual(['bea@other.example'])
    expect(await found('100%')).toStrictEqual(['bea@other.example'])
    expect(await found('1%0')).toStrictEqual([])
    expect(await found('cy')).toStrictEqual(['cy@xn--bcher-kva.example'])
    expect(await desk.read('contacts.search', {}, stranger)).toStrictEqual({ contacts: [], more: false })
    expect(failed(await create(desk, { address: 'BEA@other.example' })).code).toBe('contact_exists')
    expect(failed(await create(desk, { address: 'bea' })).code).toBe('invalid_address')
    expect((await desk.preview('contacts.create', { address: 'x@оther.example' })).warnings).toMatchObject([
      { title: expect.stringContaining('mixes Latin and Cyrillic letters') },
    ])
  })

  test('are added once by several at once, and the others hear that it is there', async () => {
    const desk = await openDesk({ url: 'smtp://127.0.0.1:1' })
    // Which of them meet in the database is for it to say: so there are many.
    for (let person = 0; person < 10; person += 1) {
      const contact = { address: `p${person}@other.example` }
      const basis = (await desk.basis('contacts.create', contact)) as string
      const answers = await Promise.all(Array.from({ length: 8 }, () => desk.run('contacts.create', contact, basis)))
      const [added, ...others] = answers.toSorted((a, b) => Number('kind' in Object(a)) - Number('kind' in Object(b)))
      expect(added).toMatchObject({ contact })
      for (const other of others) expect(failed(other).code).toBe('contact_exists')
    }
  })

  test('have their names on the card of a mail, which is stale once one is changed', async () => {
    const desk = await openDesk(nowhere)
    const { contact } = await create(desk, { address: 'bea@other.example', name: 'Bea Lee' })
    const { blocks } = await desk.preview(send, letter)
    expect(blocks?.[0]).toMatchObject({ sample: [{ name: 'Bea Lee', address: 'bea@other.example' }] })
    const before = await desk.basis(send, letter)
    const change = { contactId: contact.contactId, name: 'Boss', company: 'Other' }
    expect((await desk.preview('contacts.update', change)).changes).toMatchObject([
      { label: 'Name', before: { text: 'Bea Lee' }, after: { text: 'Boss' } },
      { label: 'Company', before: { kind: 'unset' }, after: { text: 'Other' } },
    ])
    expect(await desk.apply('contacts.update', change)).toMatchObject({ previous: { name: 'Bea Lee', company: null } })
    expect(await desk.run(send, letter, before as string)).toStrictEqual({ kind: 'tool-stale' })
    expect(failed(await desk.apply('contacts.update', change)).code).toBe('nothing_to_change')
    expect(failed(await desk.apply('contacts.update', change, undefined, stranger)).code).toBe('unknown_contact')
  })
})

describe('a mail that came back', () => {
  const record = 'emails.record_bounce'

  test('marks its address as undeliverable, so that no mail goes there until a person takes that back', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    const { messageId, emailId } = sent(await desk.send())
    const input = { report: report(messageId, 'Bea@Other.example') }
    expect((await desk.preview(record, input)).title).toBe('Mark bea@other.example as undeliverable')
    expect(await desk.apply(record, input)).toStrictEqual({
      emailId,
      undeliverable: [{ address: 'bea@other.example', why: '550 5.1.1 No such user' }],
    })
    expect(failed(await desk.send())).toMatchObject({
      code: 'invalid_recipient',
      message: '"bea@other.example" is marked as undeliverable: 550 5.1.1 No such user.',
    })
    expect(await desk.read('emails.get', { emailId })).toMatchObject({
      email: { recipients: [{ state: 'refused', response: 'Came back: 550 5.1.1 No such user' }] },
    })
    const { contacts } = (await desk.read('contacts.search', { undeliverable: true })) as {
      readonly contacts: readonly { readonly contactId: string }[]
    }
    await desk.apply('contacts.update', { contactId: contacts[0]?.contactId, deliverable: true })
    expect(await desk.send()).toMatchObject({ status: 'sent' })
  })

  test('does not count where nothing of the kind was sent, where it is only late, or where it is no report', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    const { messageId } = sent(await desk.send())
    const code = async (text: string, as = { tenant: 'default', subject: 'ada' }) =>
      failed(await desk.apply(record, { report: text }, undefined, as)).code
    expect(await code(report('<em_other@acme.example>', 'bea@other.example'))).toBe('unknown_email')
    expect(await code(report(messageId, 'cy@other.example'))).toBe('unknown_email')
    expect(await code(report(messageId, 'bea@other.example'), stranger)).toBe('unknown_email')
    expect(await code(report(messageId, 'bea@other.example', '4.4.7'))).toBe('nothing_failed')
    expect(await code(report(messageId, 'bea@other.example', '5.1.1', 'delayed'))).toBe('nothing_failed')
    expect(await code('Subject: Bea has left\r\n\r\nDelivery to bea@other.example failed.')).toBe('not_a_report')
  })

  test('does not count without what each report of a mail server has, or before the mail has gone out', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    const { messageId } = sent(await desk.send())
    const whole = report(messageId, 'bea@other.example')
    const code = async (text: string) => failed(await desk.apply(record, { report: text })).code
    expect(await code(whole.replace(/Reporting-MTA.*/, 'Arrival-Date: today'))).toBe('not_a_report')
    expect(await code(whole.replace('multipart/report; report-type=delivery-status', 'multipart/mixed'))).toBe(
      'not_a_report',
    )
    expect(await code(whole.replace(/Final-Recipient/, 'Original-Recipient'))).toBe('nothing_failed')
    expect(await code(whole.replace(/Status: .*/, 'Status: who knows'))).toBe('nothing_failed')
    const later = sent(await desk.send({ sendAt: at(desk, 30) }))
    expect(await code(report(later.messageId, 'bea@other.example'))).toBe('unknown_email')
  })

  test('is shown with what is not proven of it, and what does not fit', async () => {
    const server = await smtpServer()
    const desk = await openDesk({ url: server.url })
    const { messageId } = sent(await desk.send())
    const honest = await desk.preview(record, { report: report(messageId, 'bea@other.example') })
    const unproven = { title: 'It is not proven that a mail server wrote this report.', text: expect.any(String) }
    expect(honest.warnings).toStrictEqual([unproven])
    expect(JSON.stringify(honest.blocks)).toContain('MAILER-DAEMON@mx.example')
    const odd = report(messageId, 'bea@other.example', '5.1.1', 'failed', 'Another').replace(
      'From: MAILER-DAEMON',
      'Date: Wed, 01 Jan 2025 12:00:00 +0000\r\nReturn-Path: <eve@evil.example>\r\nFrom: MAILER-DAEMON',
    )
    expect((await desk.preview(record, { report: odd })).warnings).toStrictEqual([
      unproven,
      { title: 'It is dated before the mail went out.' },
      { title: 'It came with an address to answer to; mail servers send reports without one.' },
      { title: 'The subject of the mail that it returns is another one.' },
    ])
  })
})
