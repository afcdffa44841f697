// Bounces that are read from a mailbox, at a real IMAP server of this process.
import { once } from 'node:events'
import type { Server } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { openDesk as openServer } from '../../../http/auth/serve-protected.ts'
import { watchBounces } from '../../../../../server/toolsets/mail/bounces/mailbox.ts'
import { openDesk, sent, type MailDesk } from '../mail-fixture.ts'
import { report } from './report-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'

interface Message {
  readonly raw: string
  flags?: string[]
}

/** As far as a test needs it; the package has no types. */
interface Hoodiecrow {
  listen(port: number, host: string): Server
  readonly server: Server
  appendMessage(folder: string, flags: readonly string[], date: string | undefined, raw: string): void
  getMailbox(folder: string): { readonly messages: readonly Message[] }
}

/** A mailbox with these messages. */
async function mailbox(messages: readonly string[] = [], host = '127.0.0.1') {
  const name: string = 'hoodiecrow-imap'
  const { default: create } = (await import(name)) as { readonly default: (options: object) => Hoodiecrow }
  const imap = create({
    plugins: ['ID', 'LITERALPLUS', 'NAMESPACE', 'UNSELECT', 'ENABLE', 'SPECIAL-USE'],
    users: { 'ann@acme.example': { password: 'p@ss' } },
    storage: { INBOX: { messages: messages.map((raw) => ({ raw })) } },
  })
  imap.listen(0, host)
  await once(imap.server, 'listening')
  onTestFinished(() => void imap.server.close())
  const address = imap.server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  return {
    url: `imap://ann%40acme.example:p%40ss@${host.includes(':') ? `[${host}]` : host}:${port}`,
    arrive: (raw: string) => imap.appendMessage('INBOX', [], undefined, raw),
    read: () => imap.getMailbox('INBOX').messages.map(({ flags = [] }) => flags.includes(String.raw`\Seen`)),
  }
}

const undeliverable = async (desk: MailDesk) =>
  ((await desk.read('contacts.search', { undeliverable: true })) as { readonly contacts: readonly object[] }).contacts

test('a report on a mail that went from here marks its address, once, and is marked as read', async () => {
  const server = await smtpServer()
  const box = await mailbox(['Subject: Lunch?\r\nContent-Type: text/plain\r\n\r\nAt noon.'])
  const desk = await openDesk({ url: server.url, bounces: box.url })
  const { messageId, emailId } = sent(await desk.send())
  box.arrive(report(messageId, 'Bea@Other.example'))
  await desk.set.bounces?.look()
  expect(await undeliverable(desk)).toMatchObject([
    { address: 'bea@other.example', undeliverable: '550 5.1.1 No such user' },
  ])
  expect(await desk.read('emails.get', { emailId })).toMatchObject({
    email: { recipients: [{ state: 'refused', response: 'Came back: 550 5.1.1 No such user' }] },
  })
  expect(box.read()).toStrictEqual([false, true])
  // A person takes it back, and the report says nothing new.
  const [contact] = (await undeliverable(desk)) as readonly { readonly contactId: string }[]
  await desk.apply('contacts.update', { contactId: contact?.contactId, deliverable: true })
  box.arrive(report(messageId, 'Bea@Other.example'))
  await desk.set.bounces?.look()
  expect(await undeliverable(desk)).toStrictEqual([])
})

test('a mailbox at an address of IPv6 is read like any other', async () => {
  const server = await smtpServer()
  const box = await mailbox([], '::1')
  const desk = await openDesk({ url: server.url, bounces: box.url })
  const { messageId } = sent(await desk.send())
  box.arrive(report(messageId, 'bea@other.example'))
  await desk.set.bounces?.look()
  expect(await undeliverable(desk)).toHaveLength(1)
})

test('what anybody may have written marks nobody, and stays unread for a person', async () => {
  const server = await smtpServer()
  const box = await mailbox()
  const desk = await openDesk({ url: server.url, bounces: box.url })
  const { messageId } = sent(await desk.send())
  box.arrive(report('<em_other@acme.example>', 'bea@other.example'))
  box.arrive(report(messageId, 'cy@other.example'))
  box.arrive(report(messageId, 'bea@other.example', '4.4.7'))
  // The mail server that delivers writes above what the sender has written.
  box.arrive(`Return-Path: <eve@evil.example>\r\nReturn-Path: <>\r\n${report(messageId, 'bea@other.example')}`)
  for (const _ of [1, 2]) await desk.set.bounces?.look()
  expect(await undeliverable(desk)).toStrictEqual([])
  expect(box.read()).toStrictEqual([false, false, false, false])
})

test('a report that cannot be parsed stays unread, and those behind it are recorded', async () => {
  const server = await smtpServer()
  const box = await mailbox()
  const desk = await openDesk({ url: server.url, bounces: box.url })
  const { messageId } = sent(await desk.send())
  const part = (at: number, type = 'mixed'): string =>
    `Content-Type: multipart/${type}; boundary=b${at}\r\n\r\n--b${at}\r\n`
  const nested = Array.from({ length: 300 }, (_, at) => part(at + 1)).join('')
  box.arrive(`${part(0, 'report; report-type=delivery-status')}${nested}`)
  box.arrive(report(messageId, 'bea@other.example'))
  await desk.set.bounces?.look()
  expect(await undeliverable(desk)).toHaveLength(1)
  expect(box.read()).toStrictEqual([false, true])
})

test('two processes that read one mailbox record a report once, on record once', async () => {
  const server = await smtpServer()
  const box = await mailbox()
  const desk = await openDesk({ url: server.url, bounces: box.url })
  const { messageId } = sent(await desk.send())
  box.arrive(report(messageId, 'bea@other.example'))
  const other = await watchBounces({
    url: box.url,
    db: desk.db,
    recording: desk.recording,
    now: desk.clock.now,
    report: String,
  })
  onTestFinished(() => other.close())
  await Promise.all([desk.set.bounces?.look(), other.look()])
  expect(await undeliverable(desk)).toHaveLength(1)
  const { calls } = await desk.activity.pageRecords({ order: 'oldest', limit: 10 })
  expect(calls.map(({ tool, source, subject, status }) => ({ tool, source, subject, status }))).toStrictEqual([
    { tool: 'email.bounced', source: 'later', subject: 'mailbox', status: 'applied' },
  ])
})

test('a mailbox that cannot be read says so, and takes nothing from the sending of mail', async () => {
  const server = await smtpServer()
  const box = await mailbox()
  const desk = await openDesk({ url: server.url, bounces: box.url.replace('p%40ss', 'wrong') })
  await expect(desk.set.bounces?.look()).rejects.toThrow()
  expect(await desk.send()).toMatchObject({ status: 'sent' })
})

test('operators see that bounces are read, and not by which password', async () => {
  const mail = { url: 'smtp://127.0.0.1:1', from: 'hello@agency.example', bounces: 'imap://ann:hunter22@127.0.0.1:1' }
  const { text, body } = await (await openServer({ mail })).admin('GET', '/api/v1/settings')
  expect(body).toMatchObject({ settings: { mail: { readsBounces: true } } })
  expect(text).not.toContain('hunter22')
})
