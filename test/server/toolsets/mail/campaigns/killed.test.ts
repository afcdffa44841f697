// A process that sends a campaign may end at any moment. Whatever it had done by then, nobody gets two mails, and whoever got
// none or may have got one is named.
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { expect, onTestFinished, test } from 'vitest'
import { isFull, runsOf } from '../../../../full.ts'
import { createClock, MINUTE } from '../../../../kit/clock.ts'
import { locate, present, testSecret } from '../../../../postgres.ts'
import { place } from '../../../store/store-fixture.ts'
import { openDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { addContacts, start } from './campaign-fixture.ts'

/** What the mail server does when it kills its client. */
const moments = ['connect', 'from', 'to', 'data', 'taken'] as const
type Moment = (typeof moments)[number]

// More than the processes have sent to when the last one is killed; on a busy machine each has sent more by then.
const recipients = isFull() ? 1000 : 120
const kills = runsOf(100)

test(`of ${recipients} recipients each gets at most one mail, although the process that sends them is killed ${kills} times`, async () => {
  const seed = Math.trunc(Math.random() * 2 ** 31)
  const plans = fc.sample(fc.record({ moment: fc.constantFrom(...moments), after: fc.integer({ min: 1, max: 3 }) }), {
    numRuns: kills,
    seed,
  })
  let child: ChildProcess | undefined
  let plan: { readonly moment: Moment; after: number } | undefined
  let killed = 0
  const passes = (moment: Moment): void => {
    if (plan?.moment !== moment) return
    plan.after -= 1
    if (plan.after > 0) return
    plan = undefined
    killed += 1
    child?.kill('SIGKILL')
  }
  const server = await smtpServer({
    options: {
      onConnect: (_session, done) => (passes('connect'), done()),
      onMailFrom: (_address, _session, done) => (passes('from'), done()),
    },
    recipient() {
      passes('to')
      return undefined
    },
    data() {
      passes('data')
      setImmediate(() => passes('taken'))
      return Promise.resolve('take')
    },
  })
  const file = join(place(), 'mail.db')
  const clock = createClock()
  // By a clock of the past, it would take what the others hold for lost, and they what it holds: it sends nothing by itself.
  const desk = await openDesk({ url: server.url }, { file, clock, lookMs: 2 ** 30 })
  await addContacts(desk.db, recipients)
  await start(desk)
  const run = async (next: typeof plan, connections: number): Promise<void> => {
    plan = next
    child = fork(
      join(import.meta.dirname, 'send-campaign.ts'),
      [await locate(file), `${server.url}?maxConnections=${connections}`, present === 'sqlite' ? '' : testSecret],
      { execArgv: ['--no-warnings'], stdio: ['ignore', 'inherit', 'inherit', 'ipc'] },
    )
    const running = child
    onTestFinished(() => void running.kill('SIGKILL'))
    await once(running, 'exit')
  }
  for (const [at, each] of plans.entries())
    await run({ ...each, after: each.moment === 'connect' ? 1 : each.after }, 1 + (at % 2))
  expect(killed, `seed ${seed}`).toBe(kills)
  await run(undefined, 5)
  clock.pass(Date.now() - clock.now() + 60 * MINUTE)
  await desk.campaigns.work()

  const arrived = Map.groupBy(server.arrived, ({ to }) => to[0])
  const mails = await desk.db.selectFrom('mail_campaign_mails').select(['address', 'state']).execute()
  expect(mails).toHaveLength(recipients)
  for (const { address, state } of mails) {
    const copies = arrived.get(address)?.length ?? 0
    expect([state, copies], `seed ${seed}: ${address}`).toBeOneOf([
      ['accepted', 1],
      ['unknown', 0],
      ['unknown', 1],
    ])
  }
  // What it costs to be killed: those who were at the mail server in that moment, and few more.
  expect(mails.filter(({ state }) => state === 'unknown').length, `seed ${seed}`).toBeLessThan(kills * 8)
  expect(await desk.db.selectFrom('mail_campaigns').select('state').execute()).toEqual([{ state: 'finished' }])
  const { calls } = await desk.activity.pageRecords({ order: 'oldest', limit: 1000 })
  expect(calls).toHaveLength(recipients)
})
