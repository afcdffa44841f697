// PostgreSQL is restarted, crashes, or an administrator ends our connections, in the middle of applies. Whatever happens:
// no plan runs twice, no ending that somebody heard of is lost, and what is not certain is said to be so.
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { eventually } from '../../eventually.ts'
import { startPostgres, type PostgresServer } from '../../postgres-server.ts'
import { scene, settled, several } from './postgres-scene.ts'

let server: PostgresServer

beforeAll(async () => {
  server = await startPostgres({ durable: true })
})
afterAll(() => server.stop())

describe.each([
  ['with effects elsewhere', false],
  ['with effects in the transaction of the plan', true],
])('in the middle of applies %s', (_, transactional) => {
  test('connections that are ended again and again cost nobody anything', async () => {
    const stage = await scene(server, {}, 20, transactional)
    const previews = await several(stage, 60)
    const cutting = (async () => {
      // Each time after a few more have come through: a second try is not met by all of them.
      for (let times = 0; times < 12; times++) {
        await eventually(() => expect(stage.book.length).toBeGreaterThanOrEqual(times * 4), { interval: 5 })
        await stage.cut()
      }
    })()
    const answers = await Promise.all(
      previews.map(async (preview, at) => {
        await sleep(at * 10)
        return stage.apply(preview)
      }),
    )
    await cutting
    await settled(stage, previews, answers)
    // The server was there all the time, so a second try always came through.
    expect(new Set(answers.map(({ outcome }) => outcome))).toStrictEqual(new Set(['applied']))
  })

  test.each(['halt', 'crash'] as const)(
    'a server that stops (%s) and comes back loses nothing and does nothing twice',
    async (way) => {
      const stage = await scene(server, {}, 100, transactional)
      const previews = await several(stage, 40)
      const applying = Promise.all(
        previews.map(async (preview, at) => {
          await sleep(at * 15)
          return stage.apply(preview)
        }),
      )
      await sleep(250)
      await server[way]()
      await sleep(700)
      await server.resume()
      await settled(stage, previews, await applying)
    },
  )
})

describe('a server that stays away', () => {
  test('is answered in time: nothing was run, or it is not known; and the record learns of it later', async () => {
    const halted = Promise.withResolvers<void>()
    const stage = await scene(server, { leaseMs: 1500 }, halted.promise)
    const [running, waiting] = await several(stage, 2)
    if (running === undefined || waiting === undefined) throw new Error('no previews')
    const begun = stage.apply(running)
    await eventually(async () =>
      expect(await stage.store.plans.find({ by: 'id', id: running.planId ?? '' })).toMatchObject({
        state: 'applying',
      }),
    )
    await server.halt()
    halted.resolve()
    try {
      const [first, second] = await Promise.all([begun, stage.apply(waiting)])
      expect(first).toMatchObject({ outcome: 'outcome_unknown' })
      expect(first.text).toContain('could not record it')
      expect(second).toMatchObject({ outcome: 'failed', guidance: { error_type: 'store_unavailable' } })
      expect(second.text).toContain('Nothing was changed by this call')
    } finally {
      await server.resume()
    }
    expect(stage.book).toHaveLength(1)
    await eventually(async () => expect((await stage.apply(running)).outcome).toBe('replayed'), { interval: 500 })
    expect((await stage.apply(waiting)).outcome).toBe('applied')
    expect(stage.book).toHaveLength(2)
  })
})
