// A process may sleep, or its database may, for longer than others wait for it. What it has in its hands then is others'
// to decide about, and what it finds out late is not lost.
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { Recording } from '../../../../../server/toolsets/toolset.ts'
import { HOUR, MINUTE, createClock } from '../../../../kit/clock.ts'
import { place } from '../../../store/store-fixture.ts'
import { openDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { addContacts, counts, start } from './campaign-fixture.ts'

const never = 2 ** 30

/** The answer of the first commit comes when the test says so. */
function slowCommit() {
  const written = Promise.withResolvers<void>()
  const answered = Promise.withResolvers<void>()
  let isFirst = true
  const around =
    (recording: Recording): Recording =>
    async (work) => {
      const waits = isFirst
      isFirst = false
      const done = await recording(work)
      if (waits) {
        written.resolve()
        await answered.promise
      }
      return done
    }
  return { around, written: written.promise, answer: answered.resolve, fail: answered.reject }
}

/** A process that sleeps in its first commit of a campaign, and one that has worked an hour later. */
async function asleepAndAwake(url: string, contacts: number) {
  const file = join(place(), 'mail.db')
  const clock = createClock()
  const commit = slowCommit()
  const asleep = await openDesk({ url }, { file, clock, lookMs: never, around: commit.around })
  const awake = await openDesk({ url }, { file, clock, lookMs: never })
  await addContacts(asleep.db, contacts)
  await start(asleep)
  const working = asleep.campaigns.work()
  await commit.written
  clock.pass(HOUR)
  await awake.campaigns.work()
  return { clock, commit, awake, working }
}

test('mails that a sleeping process had not begun go out when it wakes, though the campaign had ended without them', async () => {
  const server = await smtpServer()
  const { commit, awake, working } = await asleepAndAwake(server.url, 20)
  expect(await counts(awake.db)).toStrictEqual({ accepted: 15, unknown: 5 })
  expect(await awake.db.selectFrom('mail_campaigns').select('state').execute()).toEqual([{ state: 'finished' }])
  commit.answer()
  await working
  await awake.campaigns.work()
  expect(await counts(awake.db)).toStrictEqual({ accepted: 20 })
  expect(server.arrived).toHaveLength(20)
  expect(await awake.db.selectFrom('mail_campaigns').select(['state', 'ended_at']).execute()).toEqual([
    { state: 'finished', ended_at: expect.any(String) },
  ])
})

test('and are asked again later where the mail server puts them off then', async () => {
  let isBusy = false
  const server = await smtpServer({ recipient: () => (isBusy ? [451, 'Later'] : undefined) })
  const { clock, commit, awake, working } = await asleepAndAwake(server.url, 8)
  isBusy = true
  commit.answer()
  await working
  expect(await counts(awake.db)).toStrictEqual({ accepted: 3, deferred: 5 })
  isBusy = false
  clock.pass(MINUTE)
  await awake.campaigns.work()
  expect(await counts(awake.db)).toStrictEqual({ accepted: 8 })
})

test('mails of a commit whose answer was lost are stopped with their campaign', async () => {
  const server = await smtpServer()
  const commit = slowCommit()
  const desk = await openDesk({ url: server.url }, { lookMs: never, around: commit.around })
  await addContacts(desk.db, 20)
  const { campaignId } = await start(desk)
  const working = desk.campaigns.work()
  await commit.written
  await desk.apply('emails.stop_campaign', { campaignId })
  commit.fail(new Error('The connection was lost behind the commit.'))
  await working
  expect(await counts(desk.db)).toStrictEqual({ stopped: 20 })
})

test('a mail that others have given up is not sent by whoever had it, though that renews the rest', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  const hung = Promise.withResolvers<'take'>()
  const reached = Promise.withResolvers<void>()
  const begun = 10
  let taken = 0
  const server = await smtpServer({
    data: () => {
      taken += 1
      if (taken === begun) reached.resolve()
      return taken >= begun && !isOther ? hung.promise : Promise.resolve('take')
    },
  })
  let isOther = false
  const file = join(place(), 'mail.db')
  const [clock, later] = [createClock(), createClock()]
  const url = `${server.url}?maxConnections=1`
  const asleep = await openDesk({ url }, { file, clock, lookMs: never })
  const awake = await openDesk({ url }, { file, clock: later, lookMs: never })
  await addContacts(asleep.db, 30)
  const { campaignId } = await start(asleep)
  const working = asleep.campaigns.work()
  await reached.promise
  // The next ones are taken up while this one hangs. Those before it are recorded first: until then they count as being sent.
  await expect.poll(() => counts(asleep.db), { timeout: 10_000 }).toMatchObject({ accepted: begun - 1, sending: 3 })
  isOther = true
  later.pass(HOUR)
  await awake.campaigns.work()
  const given = await counts(awake.db)
  expect(given['unknown']).toBeGreaterThan(2)
  await awake.apply('emails.settle_unknown', { id: campaignId, arrived: true })
  clock.pass(2 * MINUTE)
  await vi.advanceTimersByTimeAsync(20_000)
  await asleep.db.selectFrom('mail_campaigns').select('id').execute()
  const before = server.arrived.length
  hung.resolve('take')
  await working
  // The one at the mail server, and the one that waits for its connection.
  expect(server.arrived.length - before).toBeLessThanOrEqual(2)
})
