// What the outbox does by itself is in the activity log: one row for each mail that it has ended, in the story of its call.
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MINUTE, createClock } from '../../../../kit/clock.ts'
import { place } from '../../../store/store-fixture.ts'
import { openDesk, sent, type MailDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { fallenSilent, later } from './outbox-fixture.ts'

/** What is on record beside calls, oldest first. The fixture's calls are none: they do not go through the engine. */
async function onRecord({ activity }: Pick<MailDesk, 'activity'>) {
  const { calls } = await activity.pageRecords({ order: 'oldest', limit: 100 })
  expect((await activity.verify()).every(({ problem }) => problem === undefined)).toBe(true)
  return calls.map(({ tool, source, subject, planId, status, args, errorCode }) => ({
    tool,
    source,
    subject,
    planId,
    status,
    errorCode,
    details: JSON.parse(args ?? '{}') as { readonly emailId: string; readonly recipients: readonly object[] },
  }))
}

test('a mail that goes out when its time has come is on record once, whichever of two processes sends it', async () => {
  const server = await smtpServer()
  const file = join(place(), 'mail.db')
  const clock = createClock()
  // What their timers had begun, the test could not wait for.
  const alone = { file, clock, lookMs: 60 * MINUTE }
  const [first, second] = [await openDesk({ url: server.url }, alone), await openDesk({ url: server.url }, alone)]
  const mails = []
  for (let mail = 0; mail < 8; mail++)
    mails.push(sent(await first.send({ sendAt: later(clock) }, `pl_${mail}`)).emailId)
  clock.pass(30 * MINUTE)
  await Promise.all([first, second, first, second].map(({ outbox }) => outbox.work()))
  const rows = await onRecord(first)
  expect(rows).toHaveLength(8)
  expect(rows[0]).toMatchObject({
    tool: 'email.external.sent',
    source: 'later',
    subject: 'ada',
    status: 'applied',
    details: { recipients: [{ address: 'bea@other.example', state: 'accepted', response: expect.any(String) }] },
  })
  expect(new Map(rows.map(({ planId, details }) => [planId, details.emailId]))).toStrictEqual(
    new Map(mails.map((id, at) => [`pl_${at}`, id])),
  )
})

test('a mail that its call sends is in the row of the call alone', async () => {
  const server = await smtpServer()
  const desk = await openDesk({ url: server.url })
  expect(await desk.send()).toMatchObject({ status: 'sent' })
  expect(await onRecord(desk)).toStrictEqual([])
})

test('a mail that is put off is on record when it has ended, with what became of each recipient', async () => {
  const server = await smtpServer({ recipient: (address) => (address.startsWith('cy') ? [451, 'Not now'] : undefined) })
  const desk = await openDesk({ url: server.url })
  await desk.send({ to: ['bea@other.example', 'cy@other.example'] })
  for (const wait of [1, 5, 15]) {
    desk.clock.pass(wait * MINUTE)
    await desk.outbox.work()
  }
  expect(await onRecord(desk)).toStrictEqual([])
  await desk.db.updateTable('mail_emails').set({ attempts: 99 }).execute()
  desk.clock.pass(60 * MINUTE)
  await desk.outbox.work()
  await desk.outbox.work()
  expect(await onRecord(desk)).toMatchObject([
    { status: 'applied', details: { attempts: 100, recipients: [{ state: 'accepted' }, { state: 'refused' }] } },
  ])
})

test('a mail that may not leave any more is on record as refused, with the rule', async () => {
  const server = await smtpServer()
  const file = join(place(), 'mail.db')
  const clock = createClock()
  const before = await openDesk({ url: server.url }, { file, clock })
  await before.send({ sendAt: later(clock) })
  const after = await openDesk({ url: server.url, policy: { blockedDomains: ['other.example'] } }, { file, clock })
  clock.pass(30 * MINUTE)
  await after.outbox.work()
  expect(await onRecord(after)).toMatchObject([{ status: 'refused', errorCode: 'policy_violation' }])
})

test('a mail whose process fell silent is on record as unknown, and once more when that process knows', async () => {
  const { second, sending, answer } = await fallenSilent('pl_slow')
  await Promise.all([second, second].map(({ outbox }) => outbox.work()))
  expect(await onRecord(second)).toMatchObject([
    { planId: 'pl_slow', status: 'outcome_unknown', details: { recipients: [{ state: 'unknown' }] } },
  ])
  answer()
  await sending
  expect(await onRecord(second)).toMatchObject([
    { status: 'outcome_unknown' },
    { planId: 'pl_slow', status: 'applied' },
  ])
})
