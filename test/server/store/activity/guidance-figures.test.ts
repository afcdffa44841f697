// What an agent does after an error is what says whether guidance helped. The sums are compared with a plain model over
// calls in any order; what operators read of errors that nothing explains goes with the person whose calls they were.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { GuidanceGiven } from '../../../../server/model/finding.ts'
import { fingerprintOf } from '../../../../server/errors/unexplained.ts'
import type { Store } from '../../../../server/store/store.ts'
import { DAY, MINUTE, type Clock } from '../../../kit/clock.ts'
import { present } from '../../../postgres.ts'
import { openedWithClock } from '../store-fixture.ts'
import { record, verdictOf } from './rows.ts'

interface Call {
  readonly session: string
  readonly tool: string
  /** `undefined`: it went well. */
  readonly error: string | undefined
  /** Minutes after the call before. */
  readonly pause: number
}

const write = async (
  store: Store,
  clock: Clock,
  tenant: string,
  calls: readonly Call[],
  told: GuidanceGiven = 'all',
) => {
  for (const { session, tool, error, pause } of calls) {
    clock.pass(pause * MINUTE)
    await record(
      store,
      { principal: { tenant, subject: 'ada' }, tool, session, told },
      error === undefined ? {} : { outcome: 'refused', finding: { errorType: error, rule: 'some.rule' } },
    )
  }
}

/** What became of each error, newest first, by the definition: neighbours are calls of the same tool by the same session. */
function model(
  calls: readonly Call[],
): readonly (readonly [error: string, became: string, attempts: number | undefined])[] {
  let at = 0
  const timed = calls.map((call) => ({ ...call, at: (at += call.pause) }))
  return timed
    .flatMap((call, index) => {
      if (call.error === undefined) return []
      const isNear = (other: (typeof timed)[number]): boolean =>
        other.session === call.session && other.tool === call.tool && Math.abs(other.at - call.at) <= 30
      const before = timed.slice(0, index).findLast(isNear)
      const after = timed.slice(index + 1).filter(isNear)
      const [next] = after
      const worked = after.slice(0, 10).findIndex(({ error }) => error === undefined)
      const became =
        before?.error === call.error
          ? 'again'
          : next === undefined
            ? 'left'
            : next.error === undefined
              ? 'resolved'
              : next.error === call.error
                ? 'repeated'
                : 'another'
      return [[call.error, became, worked < 0 ? undefined : worked + 1] as const]
    })
    .toReversed()
}

const met = async (store: Store, tenant: string, until: number, most = 5000) =>
  (await store.activity.figures.errors({ tenant, since: 0, until }, most)).map(
    ({ errorType, became, attempts }) => [errorType, became, attempts] as const,
  )

describe('an error', () => {
  test('is judged by what its session calls next, in any order of calls', async () => {
    const { store, clock } = await openedWithClock()
    const calls = fc.array(
      fc.record({
        session: fc.constantFrom('s1', 's2'),
        tool: fc.constantFrom('orders_create', 'orders_list'),
        error: fc.constantFrom(undefined, 'validation_error', 'plan_stale'),
        pause: fc.constantFrom(0, 1, 29, 30, 31),
      }),
      { minLength: 2, maxLength: 14 },
    )
    let tenants = 0
    await fc.assert(
      fc.asyncProperty(calls, async (made) => {
        const tenant = `tenant ${tenants++}`
        await write(store, clock, tenant, made)
        expect(await met(store, tenant, clock.now() + 1)).toStrictEqual(model(made))
      }),
      { numRuns: present === 'sqlite' ? 25 : 4 },
    )
  })

  test('counts for what its session was told, and not where nobody knows its session', async () => {
    const { store, clock } = await openedWithClock()
    const error = { tool: 'orders_list', error: 'validation_error', pause: 1 }
    await write(store, clock, 'default', [{ session: 's1', ...error }], 'with')
    await write(store, clock, 'default', [{ session: 's2', ...error }], 'without')
    await record(store, {}, { outcome: 'refused', finding: { errorType: 'validation_error', rule: 'some.rule' } })
    const found = await store.activity.figures.errors({ tenant: 'default', since: 0, until: clock.now() + 1 }, 5000)
    expect(found).toStrictEqual(
      (['without', 'with'] as const).map((told, at) => ({
        session: ['s2', 's1'][at],
        errorType: 'validation_error',
        told,
        explained: true,
        became: 'left',
        attempts: undefined,
      })),
    )
  })

  test('is looked at with the newest ones, five hundred at a time, each of them once', async () => {
    const { store, clock } = await openedWithClock()
    const errors = Array.from({ length: 503 }, (_, at) => `error_${at}`)
    await Promise.all(
      errors.map((errorType) =>
        record(store, { session: errorType, told: 'all' }, { outcome: 'refused', finding: { errorType, rule: 'a.b' } }),
      ),
    )
    const newest = errors.toReversed().map((error) => [error, 'left', undefined])
    expect(await met(store, 'default', clock.now() + 1)).toStrictEqual(newest)
    expect(await met(store, 'default', clock.now() + 1, 501)).toStrictEqual(newest.slice(0, 501))
  })
})

describe('errors that no rule explains', () => {
  const failing = (text: string) => ({
    outcome: 'failed' as const,
    finding: { errorType: 'tool_error', rule: 'tool.read', unexplained: fingerprintOf(text) },
  })
  const list = (store: Store, until: number, tenant = 'default') =>
    store.activity.figures.unexplained({ tenant, since: 0, until })

  test('are counted by fingerprint and tool, with their sessions and times, the most frequent first', async () => {
    const { store, clock } = await openedWithClock()
    const first = clock.now()
    for (const [text, session] of [
      ['no order SO-1', 's1'],
      ['the disk is full', 's1'],
      ['no order SO-2', 's1'],
      ['no order SO-3', 's2'],
    ] as const) {
      await record(store, { session, told: 'all' }, failing(text))
      clock.pass(MINUTE)
    }
    await record(store, { principal: { tenant: 'other', subject: 'eve' }, session: 's9' }, failing('no order SO-4'))
    const found = await list(store, clock.now() + 1)
    expect(found).toMatchObject([
      { sample: 'no order <id>', tool: 'orders_create', times: 3, sessions: 2, first, last: first + 3 * MINUTE },
      { sample: 'the disk is full', times: 1, sessions: 1, rule: 'tool.read', errorType: 'tool_error' },
    ])
  })

  test('go with an erasure, and what is kept of the session goes with it; the chain is whole', async () => {
    const { store, clock } = await openedWithClock()
    await record(store, { session: 's1', told: 'all' }, failing('no page of Ada Lovelace'))
    await record(store, { principal: { tenant: 'default', subject: 'eve' }, session: 's2', told: 'all' }, failing('x'))
    await store.activity.erase({ tenant: 'default', subject: 'ada' })
    const found = await list(store, clock.now() + 1)
    expect(found.map(({ sample }) => sample)).toStrictEqual(['x'])
    expect(await met(store, 'default', clock.now() + 1)).toStrictEqual([['tool_error', 'left', undefined]])
    expect(await verdictOf(store)).toBeUndefined()
  })

  test('go when their rows have reached their age', async () => {
    const { store, clock } = await openedWithClock()
    await record(store, { session: 's1', told: 'all' }, failing('no order'))
    clock.pass(40 * DAY)
    await store.activity.retain({ days: 30 })
    expect(await list(store, clock.now() + 1)).toStrictEqual([])
  })
})
