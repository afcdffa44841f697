// Kept sums are worth nothing where they may be wrong. Whatever happens to a log, and however far it is summed up, what is
// counted by them is what is counted row by row.
import * as fc from 'fast-check'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { keepActivity } from '../../../../server/compose/records/activity.ts'
import { besideCalls } from '../../../../server/model/activity.ts'
import type { CallCount } from '../../../../server/store/activity/figures/counts.ts'
import { sumUp } from '../../../../server/store/activity/figures/sum-up.ts'
import type { Store } from '../../../../server/store/store.ts'
import type { Tables } from '../../../../server/store/tables.ts'
import { eventually } from '../../../eventually.ts'
import { runsOf } from '../../../full.ts'
import { DAY, HOUR, MINUTE, createClock } from '../../../kit/clock.ts'
import { present } from '../../../postgres.ts'
import { opened, place } from '../store-fixture.ts'
import { completion, entry, record, verdictOf } from './rows.ts'

interface Slice {
  readonly tenant: string
  readonly since: number
  readonly until: number
}

const tables = (store: Store) => store.db.$extendTables<Tables>()

type Kind = Pick<CallCount, 'tool' | 'verdict' | 'grant' | 'outcome' | 'errorCode' | 'errorType' | 'variant' | 'ended'>
const keyOf = ({ tool, verdict, grant, outcome, errorCode, errorType, variant, ended }: Kind): string =>
  JSON.stringify([tool, verdict, grant, outcome, errorCode, errorType, variant, ended].map((part) => part ?? null))

type Sums = Readonly<Record<string, readonly number[]>>

const added = (counts: readonly CallCount[]): Sums => {
  const sums: Record<string, number[]> = {}
  for (const count of counts) {
    const { calls, asked, said, erased } = count
    const sum = (sums[keyOf(count)] ??= [0, 0, 0, 0])
    for (const [at, value] of [calls, asked, said, erased].entries()) sum[at] = (sum[at] ?? 0) + value
  }
  return sums
}

/** The same, of every row by itself. */
const readOneByOne = async (store: Store, slice: Slice): Promise<Sums> => countOneByOne(await rowsOf(store), slice)

const rowsOf = async (store: Store) => {
  // Rows are moved to where they are read.
  await store.activity.newestChange()
  return await tables(store).selectFrom('countersign_activity').selectAll().execute()
}

function countOneByOne(rows: Awaited<ReturnType<typeof rowsOf>>, { tenant, since, until }: Slice): Sums {
  const own = rows.filter((row) => row.tenant === tenant && row.at >= since && row.at < until)
  return added(
    own
      .filter(({ source }) => !besideCalls.some((beside) => beside === source))
      .map((row) => ({
        tool: row.audit_event === null ? undefined : row.tool,
        verdict: row.verdict?.split(':')[0],
        grant: /^allow:grant:(.+)$/.exec(row.verdict ?? '')?.[1],
        outcome: row.outcome,
        errorCode: row.error_code ?? undefined,
        errorType: row.error_type ?? undefined,
        variant: row.variant ?? undefined,
        ended: row.ended ?? undefined,
        calls: 1,
        asked: row.source === 'approval' ? 0 : 1,
        said: row.rationale === null ? 0 : 1,
        erased: row.erased_at === null ? 0 : 1,
      })),
  )
}

/** What is kept, as it lies in the tables. */
const kept = async (store: Store) => ({
  sums: await tables(store).selectFrom('countersign_activity_sums').selectAll().execute(),
  summed: await tables(store).selectFrom('countersign_activity_summed').selectAll().execute(),
})

/** How many of a slice's calls are counted without reading their rows. */
const summedCalls = async (store: Store, tenant: string): Promise<number> =>
  (await kept(store)).sums
    .filter((sum) => sum.tenant === tenant && sum.length === HOUR)
    .reduce((sum, { calls }) => sum + calls, 0)

const step = (store: Store, now: number, most?: Parameters<typeof sumUp>[2]): Promise<boolean> =>
  sumUp((work) => tables(store).transaction().execute(work), now, most)

const sumAllUp = async (store: Store): Promise<void> => {
  while (await store.activity.sumUp());
}

const tenants = ['one', 'two'] as const
const tenantOf = fc.constantFrom('one', 'one', 'one', 'two')
const subjectOf = fc.constantFrom('ada', 'ada', 'bob')

const happening = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      do: fc.constant('call' as const),
      tenant: tenantOf,
      subject: subjectOf,
      tool: fc.constantFrom('orders_list', 'orders_create', undefined),
      source: fc.constantFrom('mcp', 'mcp', 'approval', 'operator', 'later'),
      reason: fc.boolean(),
      /** Else it ends with an `end`, or never. */
      ends: fc.constantFrom(true, true, false),
      error: fc.constantFrom(undefined, undefined, 'not_found'),
      /** How much time has passed since what was before. */
      after: fc.constantFrom(1, 25 * MINUTE, 61 * MINUTE, 7 * HOUR),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('end' as const), which: fc.nat(3) }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ms: fc.constantFrom(20 * MINUTE, 61 * MINUTE, 25 * HOUR, -2 * HOUR, -8 * HOUR, -26 * HOUR),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('sum up' as const),
      steps: fc.constantFrom(1, 3, 50, 50),
      rows: fc.constantFrom(1, 3, 2000),
      changes: fc.constantFrom(1, 3, 5000, 5000),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ do: fc.constant('erase' as const), tenant: tenantOf, subject: subjectOf }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('retain' as const),
      limits: fc.constantFrom({ days: 1 }, { rows: 2 }, { rows: 5 }, { rows: 0 }, { days: 3, rows: 6 }),
      /** By a process that knows nothing of sums. */
      older: fc.constantFrom(false, false, true),
    }),
  },
)

type Happening = typeof happening extends fc.Arbitrary<infer T> ? T : never

/** A log to which things happen. */
async function createLog() {
  // Half past noon: neither an hour nor a day begins there.
  const clock = createClock(Date.UTC(2026, 0, 5, 12, 30))
  const store = await opened({ file: ':memory:', now: clock.now })
  const open: { readonly id: string; readonly error: string | undefined }[] = []
  const end = async (call: (typeof open)[number] | undefined): Promise<void> => {
    if (call === undefined) return
    const { id, error } = call
    const failed = error === undefined ? undefined : { code: error, message: 'It is not there.' }
    // An erased call cannot end.
    await store.activityLog
      .complete(
        id,
        completion({
          outcome: failed === undefined ? 'ok' : 'refused',
          error: failed,
          ...(error === undefined ? {} : { finding: { errorType: error, rule: 'some.rule' } }),
        }),
      )
      .catch(() => undefined)
  }
  const happen = async (what: Happening): Promise<void> => {
    switch (what.do) {
      case 'call': {
        const { tenant, subject, tool, source, reason, ends, error, after } = what
        clock.pass(after)
        const id = await store.activityLog.begin(
          entry({
            principal: { tenant, subject },
            source,
            tool: tool ?? 'nothing_of_that_name',
            auditEvent: tool,
            rationale: reason ? 'The customer phoned.' : undefined,
          }),
        )
        if (ends) await end({ id, error })
        else open.push({ id, error })
        return
      }
      case 'end':
        return await end(open.splice(what.which, 1)[0])
      case 'pass':
        return clock.pass(what.ms)
      case 'sum up':
        for (let at = 0; at < what.steps; at++) if (!(await step(store, clock.now(), what))) return
        return
      case 'erase':
        return void (await store.activity.erase(what))
      case 'retain': {
        const before = await kept(store)
        while ((await store.activity.retain(what.limits)) > 0);
        if (what.older) await putBack(store, before)
        return
      }
      default:
        what satisfies never
    }
  }
  return { store, clock, happen }
}

const putBack = async (store: Store, { sums, summed }: Awaited<ReturnType<typeof kept>>): Promise<void> => {
  const db = tables(store)
  await db.deleteFrom('countersign_activity_sums').execute()
  await db.deleteFrom('countersign_activity_summed').execute()
  if (sums.length > 0) await db.insertInto('countersign_activity_sums').values(sums).execute()
  if (summed.length > 0) await db.insertInto('countersign_activity_summed').values(summed).execute()
}

const slicesOf = (now: number): readonly (readonly [number, number])[] => [
  [0, now + 400 * DAY],
  [now - 26 * HOUR - 7 * MINUTE, now - 3 * MINUTE],
  [now - (now % HOUR) - 4 * HOUR, now - (now % HOUR)],
  [now - (now % DAY) - DAY, now - (now % DAY)],
]

describe('kept sums', () => {
  test('say what the rows say, whatever happens to a log and however far it is summed up', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(happening, { minLength: 15, maxLength: 45 }), async (happenings) => {
        const { store, clock, happen } = await createLog()
        for (const what of happenings) {
          await happen(what)
          const rows = await rowsOf(store)
          for (const tenant of tenants)
            for (const [since, until] of slicesOf(clock.now())) {
              const slice = { tenant, since, until }
              expect(added(await store.activity.figures.calls(slice))).toStrictEqual(countOneByOne(rows, slice))
            }
        }
        expect(await verdictOf(store)).toBeUndefined()
        await store.close()
      }),
      { numRuns: runsOf(present === 'sqlite' ? 100 : 30) },
    )
  })

  test('are those of hours that are over, are made once, and are what is read', async () => {
    const { store, clock } = await createLog()
    for (const hour of [0, 0, 1, 30]) {
      clock.pass(hour * HOUR)
      await record(store)
    }
    clock.pass(2 * HOUR)
    await sumAllUp(store)
    expect(await summedCalls(store, 'default')).toBe(4)
    const before = await kept(store)
    await sumAllUp(store)
    expect(await kept(store)).toStrictEqual(before)
    await tables(store).updateTable('countersign_activity_sums').set({ calls: 100 }).execute()
    const read = await store.activity.figures.calls({ tenant: 'default', since: 0, until: clock.now() })
    // One day that is over, and one hour of the next.
    expect(read.map(({ calls }) => calls)).toStrictEqual([200])
  })

  test('are made by a server while it runs', async () => {
    const { store, clock } = await createLog()
    await record(store)
    clock.pass(2 * HOUR)
    const said: string[] = []
    const anchor = join(place(), 'anchors')
    const keeping = await keepActivity(store, { anchor }, ':memory:', (error) => said.push(String(error)), String)
    onTestFinished(() => keeping.stop())
    await eventually(async () => expect(await summedCalls(store, 'default')).toBe(1))
    expect(said).toStrictEqual([])
  })

  test('of a tenant that retention cuts by a process that knows of them, and by an older one, are made again', async () => {
    const { store, clock, happen } = await createLog()
    const call = async (): Promise<void> => {
      clock.pass(HOUR)
      await record(store)
    }
    for (let n = 0; n < 6; n++) await call()
    clock.pass(2 * HOUR)
    await sumAllUp(store)
    await happen({ do: 'retain', limits: { days: 3, rows: 6 }, older: false })
    expect(await summedCalls(store, 'default')).toBe(6)
    await happen({ do: 'retain', limits: { rows: 5 }, older: true })
    await happen({ do: 'retain', limits: { rows: 2 }, older: false })
    const slice = { tenant: 'default', since: 0, until: clock.now() }
    expect(added(await store.activity.figures.calls(slice))).toStrictEqual(await readOneByOne(store, slice))
    await sumAllUp(store)
    expect(await summedCalls(store, 'default')).toBe(2)
    await happen({ do: 'retain', limits: { rows: 0 }, older: false })
    expect((await kept(store)).sums).toStrictEqual([])
  })

  test('of a log that was emptied, and goes on under a clock that was put back, are not those of before', async () => {
    const { store, clock, happen } = await createLog()
    clock.pass(60 * DAY)
    for (let n = 0; n < 3; n++) await record(store)
    clock.pass(2 * HOUR)
    await sumAllUp(store)
    await happen({ do: 'retain', limits: { rows: 0 }, older: false })
    clock.pass(-60 * DAY)
    const slice = { tenant: 'default', since: 0, until: clock.now() + 90 * DAY }
    for (let n = 0; n < 2; n++) {
      await record(store)
      expect(added(await store.activity.figures.calls(slice))).toStrictEqual(await readOneByOne(store, slice))
      await sumAllUp(store)
      expect(added(await store.activity.figures.calls(slice))).toStrictEqual(await readOneByOne(store, slice))
      clock.pass(2 * HOUR)
    }
    await sumAllUp(store)
    expect(await summedCalls(store, 'default')).toBe(2)
  })

  test('are not those of before where the row of the newest change was removed under a clock that was put back', async () => {
    const { store, clock } = await createLog()
    const of = (tenant: string) => ({ principal: { tenant, subject: 'ada' } })
    const goesOn = clock.now()
    await record(store, of('one'))
    clock.pass(2 * HOUR)
    await sumAllUp(store)
    clock.pass(-10 * DAY)
    await record(store, of('two'))
    await sumAllUp(store)
    expect(await store.activity.retain({ days: 1 }, goesOn - 5 * DAY)).toBe(1)
    // Under the number that the removed row had.
    await record(store, of('one'))
    const slice = { tenant: 'one', since: 0, until: goesOn + DAY }
    expect(added(await store.activity.figures.calls(slice))).toStrictEqual(await readOneByOne(store, slice))
  })

  test('are made by several processes at once as by one, and none twice', async () => {
    const clock = createClock()
    const file = join(place(), 'log.db')
    const stores = await Promise.all([1, 2, 3].map(() => opened({ file, now: clock.now })))
    const [first] = stores
    for (let n = 0; n < 30; n++) {
      clock.pass(20 * MINUTE)
      await record(first as Store, { principal: { tenant: n % 3 === 0 ? 'one' : 'two', subject: 'ada' } })
    }
    clock.pass(2 * HOUR)
    await Promise.all(
      stores.map(async (store) => {
        while (await step(store, clock.now(), { rows: 1, changes: 3 }));
      }),
    )
    expect([await summedCalls(first as Store, 'one'), await summedCalls(first as Store, 'two')]).toStrictEqual([10, 20])
  })
})
