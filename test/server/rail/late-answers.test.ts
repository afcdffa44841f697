// The last step before a run asks whether the lease is still held. The answer is true of the moment in which it was given, and
// the process may sleep while it is on its way: others settle the plan meanwhile, and then nothing may run. One of two clocks
// alone misses that: the steady one stands still while a machine sleeps, the other one can be set.
import { afterEach, describe, expect, test, vi } from 'vitest'
import { confirmed, openBook } from './rail-fixture.ts'

afterEach(() => void vi.restoreAllMocks())

/** What the sleep takes from the store's clock and from one clock of this process, in leases. */
const LONG = 2

describe.each([
  ['Date', () => Date, () => vi.spyOn(Date, 'now')],
  ['performance', () => performance, () => vi.spyOn(performance, 'now')],
] as const)('a process that sleeps through the answer about its lease, as %s.now() alone tells', (_, clock, spyOn) => {
  test.each([
    ['holds', 1],
    ['renew', 1],
    ['renew', 2],
  ] as const)('does not start its run (%s, answer %i)', async (late, nth) => {
    const real = clock().now.bind(clock())
    let slept = 0
    spyOn().mockImplementation(() => real() + slept)
    let message = ''
    let answers = 0
    /** Others take the silent run for lost, look for its effect, find none, and say so. */
    const denied = async (): Promise<void> => {
      for (let times = 0; times < 2; times++) {
        stage.clock.pass(LONG * stage.engine.settings.leaseMs)
        await stage.repeat(message)
      }
      expect((await stage.repeat(message)).text).toContain('failed without effect')
    }
    const sleeping = async (answer: boolean): Promise<boolean> => {
      slept += LONG * stage.engine.settings.leaseMs
      answers += 1
      if (answers === nth) await denied()
      return answer
    }
    const { stage, book } = await openBook(
      { reconcile: () => ({ kind: 'not-applied' }) },
      {
        wrap: (plans) => ({
          ...plans,
          // As on a database that goes by another machine's clock.
          claim: async (...asked) => {
            const claim = await plans.claim(...asked)
            return claim.kind === 'claimed' ? { kind: 'claimed', plan: claim.plan } : claim
          },
          holds: async (...asked) => late === 'holds' && sleeping(await plans.holds(...asked)),
          renew: async (...asked) => {
            const answer = await plans.renew(...asked)
            return late === 'renew' ? sleeping(answer) : answer
          },
        }),
      },
    )
    message = confirmed(await stage.ask('notes_write', { text: 'x' }))
    expect(await stage.repeat(message)).toMatchObject({ outcome: 'refused' })
    expect(answers).toBeGreaterThanOrEqual(nth)
    expect(book).toStrictEqual([])
  })
})

test('a process that is awake for the second answer starts its run', async () => {
  let answers = 0
  let slept = 0
  const real = Date.now.bind(Date)
  vi.spyOn(Date, 'now').mockImplementation(() => real() + slept)
  const { stage, book } = await openBook(
    {},
    {
      wrap: (plans) => ({
        ...plans,
        claim: async (...asked) => {
          const claim = await plans.claim(...asked)
          return claim.kind === 'claimed' ? { kind: 'claimed', plan: claim.plan } : claim
        },
        holds: () => Promise.resolve(false),
        renew: async (...asked) => {
          const answer = await plans.renew(...asked)
          if (++answers === 1) slept += LONG * stage.engine.settings.leaseMs
          return answer
        },
      }),
    },
  )
  expect(await stage.repeat(confirmed(await stage.ask('notes_write', { text: 'x' })))).toMatchObject({
    outcome: 'applied',
  })
  expect([answers, book.length]).toStrictEqual([2, 1])
})
