// Three processes send one campaign while its mail server, their database and their clocks fail and a person halts it and
// lets it go on, all at once: nobody gets two mails, and what is written down of each recipient is what became of it.
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Recording } from '../../../../../server/toolsets/toolset.ts'
import { runsOf } from '../../../../full.ts'
import { MINUTE, createClock } from '../../../../kit/clock.ts'
import { place } from '../../../store/store-fixture.ts'
import { openDesk } from '../mail-fixture.ts'
import { smtpServer } from '../smtp-fixture.ts'
import { addContacts, counts, start } from './campaign-fixture.ts'

const recipients = 100
const never = 2 ** 30

/** In what order things happen is decided by the machine, too: a seed that failed once may pass. */
test.each(fc.sample(fc.integer({ min: 1 }), runsOf(30)))('whatever happens at once (seed %i)', async (seed) => {
  const drawn = fc.sample(fc.noBias(fc.integer({ min: 0, max: 999 })), { numRuns: 5000, seed })
  let at = 0
  const chance = (): number => (drawn[(at += 1) % drawn.length] ?? 0) / 1000
  const turns = async (most: number): Promise<void> => {
    for (let left = chance() * most; left > 0; left -= 1) await turn()
  }
  let isCalm = false
  const fails = (share: number): boolean => !isCalm && chance() < share

  const server = await smtpServer({
    recipient: () => (fails(0.02) ? [550, '5.1.1 No such user'] : fails(0.05) ? [451, 'Later'] : undefined),
    async data() {
      if (fails(0.03)) return 'drop'
      if (fails(0.02)) return [421, 'Closing']
      if (fails(0.2)) await turns(50)
      return 'take'
    },
  })
  const around =
    (recording: Recording): Recording =>
    async (work) => {
      if (fails(0.08)) throw new Error('The disk is full.')
      const done = await recording(work)
      if (fails(0.15)) await turns(100)
      if (fails(0.08)) throw new Error('The connection was lost behind the commit.')
      return done
    }
  const file = join(place(), 'mail.db')
  const clock = createClock()
  const open = () => openDesk({ url: `${server.url}?maxConnections=2` }, { file, clock, lookMs: never, around })
  const desks = [await open(), await open(), await open()] as const
  const [desk] = desks
  await addContacts(desk.db, recipients)
  const { campaignId } = await start(desk)
  const person = (does: string): Promise<unknown> =>
    desk.apply(`emails.${does}_campaign`, { campaignId }).catch(() => undefined)

  const mayStop = chance() < 0.3
  await Promise.all([
    ...desks.map(async ({ campaigns }) => {
      for (let looks = 0; looks < 12; looks += 1) {
        await campaigns.work().catch(() => undefined)
        await turns(30)
      }
    }),
    (async () => {
      for (let acts = 0; acts < 25; acts += 1) {
        await turns(100)
        const does = chance()
        // Longer than a lease at times.
        if (does < 0.3) clock.pass(Math.round(chance() * 2 * MINUTE))
        else if (does < 0.5) await person('pause')
        else if (does < 0.8) await person('resume')
        else if (mayStop && acts > 12) await person('stop')
      }
    })(),
  ])
  isCalm = true
  for (let looks = 0; looks < 8; looks += 1) {
    await person('resume')
    clock.pass(61 * MINUTE)
    for (const { campaigns } of desks) await campaigns.work()
  }

  const copies = Map.groupBy(server.arrived, ({ to }) => to[0])
  const { calls } = await desk.activity.pageRecords({ order: 'oldest', limit: 1000 })
  const rows = Map.groupBy(calls, ({ args }) => (JSON.parse(args ?? '{}') as { readonly to: string }).to)
  const mails = await desk.db.selectFrom('mail_campaign_mails').select(['address', 'state']).execute()
  for (const { address, state } of mails) {
    const got = copies.get(address)?.length ?? 0
    const told = (rows.get(address) ?? []).map(({ status, args }) =>
      status === 'outcome_unknown' && args?.includes('ended before it wrote down') === true ? 'given up' : status,
    )
    // It may be given up each time that it was marked, before whoever had it says more; what is said then is the end.
    const [end = 'nothing'] = told.slice(-1)
    expect(told.slice(0, -1).every((each) => each === 'given up')).toBe(true)
    expect([state, got, end], `${address} of ${JSON.stringify(await counts(desk.db))}`).toBeOneOf([
      ['accepted', 1, 'applied'],
      ['refused', 0, 'failed'],
      ['unknown', 0, 'outcome_unknown'],
      ['unknown', 1, 'outcome_unknown'],
      ['unknown', 0, 'given up'],
      ['unknown', 1, 'given up'],
      ['stopped', 0, 'nothing'],
      ['stopped', 0, 'given up'],
    ])
  }
  const isStopped = mails.some(({ state }) => state === 'stopped')
  expect(await desk.db.selectFrom('mail_campaigns').select('state').execute()).toEqual([
    { state: isStopped ? 'stopped' : expect.stringMatching(/^(?:finished|stopped)$/) },
  ])
  expect((await desk.activity.verify()).every(({ problem }) => problem === undefined)).toBe(true)
})
