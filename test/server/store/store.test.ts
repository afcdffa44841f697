import { join } from 'node:path'
import { expect, test } from 'vitest'
import { present } from '../../postgres.ts'
import { DAY, HOUR, MINUTE } from '../../kit/clock.ts'
import { draft, opened, openedWithClock, place } from './store-fixture.ts'

const fresh = async () => {
  const { clock, store } = await openedWithClock()
  return { clock, store, plans: store.plans }
}

const applied = { kind: 'applied', result: '{"id":"SO-1"}' } as const
const failure = { kind: 'failed', failure: { code: 'out_of_stock', message: 'None left.' } } as const

test('gives back a plan as it was opened, by its id and by its ticket', async () => {
  const { clock, plans } = await fresh()
  const { plan, superseded, appliedAt } = await plans.open(draft())
  const { ttlMs, ...kept } = draft()
  expect(plan).toStrictEqual({
    ...kept,
    state: 'open',
    createdAt: clock.now(),
    expiresAt: clock.now() + ttlMs,
    changedAt: clock.now(),
    click: undefined,
    ending: undefined,
    resultErased: false,
  })
  expect([superseded, appliedAt]).toStrictEqual([undefined, undefined])
  expect(await plans.find({ by: 'id', id: plan.id })).toStrictEqual(plan)
  expect(await plans.find({ by: 'ticket', ticketHash: plan.ticketHash })).toStrictEqual(plan)
})

test('knows no plan that was never opened', async () => {
  const { plans } = await fresh()
  expect(await plans.find({ by: 'id', id: 'pl_9' })).toBeUndefined()
  expect(await plans.find({ by: 'ticket', ticketHash: 'x' })).toBeUndefined()
  expect(await plans.claim('pl_9', 'me', HOUR)).toStrictEqual({ kind: 'gone' })
  expect(await plans.cancel('pl_9')).toBeUndefined()
  expect(await plans.click('pl_9', true, MINUTE)).toBeUndefined()
  expect(await plans.finish('pl_9', 'me', applied)).toBe(false)
})

test('keeps a plan without a basis, and text of every kind', async () => {
  const { plans } = await fresh()
  const args = JSON.stringify({ text: '", preview=False)\n\u0000\u202E\uFEFF🙂' })
  const large = 'x'.repeat(100_000)
  await plans.open(draft({ basis: undefined, args, shown: large, rationale: '' }))
  expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject({
    basis: undefined,
    args,
    shown: large,
    rationale: '',
  })
})

test('supersedes the older open plan of the same call by the same principal, and no other', async () => {
  const { plans } = await fresh()
  await plans.open(draft())
  await plans.open(draft({ id: 'pl_tenant', principal: { tenant: 'other', subject: 'ada' } }))
  await plans.open(draft({ id: 'pl_subject', principal: { tenant: 'default', subject: 'bob' } }))
  await plans.open(draft({ id: 'pl_digest', digest: 'another call' }))
  expect((await plans.open(draft({ id: 'pl_2' }))).superseded).toBe('pl_1')
  const states = await Promise.all(
    ['pl_1', 'pl_tenant', 'pl_subject', 'pl_digest', 'pl_2'].map(
      async (id) => (await plans.find({ by: 'id', id }))?.state,
    ),
  )
  expect(states).toStrictEqual(['superseded', 'open', 'open', 'open', 'open'])
})

test('leaves a plan that expired or runs as it is when the same call is previewed again', async () => {
  const { clock, plans } = await fresh()
  await plans.open(draft())
  clock.pass(15 * MINUTE)
  expect((await plans.open(draft({ id: 'pl_2' }))).superseded).toBeUndefined()
  await plans.claim('pl_2', 'me', HOUR)
  expect((await plans.open(draft({ id: 'pl_3' }))).superseded).toBeUndefined()
  expect((await plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('expired')
  expect((await plans.find({ by: 'id', id: 'pl_2' }))?.state).toBe('applying')
})

test('says when the same call was applied within the last ten minutes', async () => {
  const { clock, plans } = await fresh()
  await plans.open(draft())
  await plans.claim('pl_1', 'me', HOUR)
  await plans.finish('pl_1', 'me', applied)
  const at = clock.now()
  clock.pass(2 * MINUTE)
  expect((await plans.open(draft({ id: 'pl_2' }))).appliedAt).toBe(at)
  expect((await plans.open(draft({ id: 'pl_3', digest: 'another call' }))).appliedAt).toBeUndefined()
  await plans.claim('pl_2', 'me', HOUR)
  await plans.finish('pl_2', 'me', applied)
  expect((await plans.open(draft({ id: 'pl_again' }))).appliedAt).toBe(clock.now())
  const stranger = { tenant: 'default', subject: 'bob' }
  expect((await plans.open(draft({ id: 'pl_4', principal: stranger }))).appliedAt).toBeUndefined()
  clock.pass(10 * MINUTE)
  expect((await plans.open(draft({ id: 'pl_5' }))).appliedAt).toBeUndefined()
})

test('hands an open plan to the first who claims it, and to nobody else', async () => {
  const { plans } = await fresh()
  await plans.open(draft())
  expect(await plans.claim('pl_1', 'me', HOUR)).toMatchObject({ kind: 'claimed', plan: { state: 'applying' } })
  expect(await plans.claim('pl_1', 'me', HOUR)).toMatchObject({ kind: 'taken', plan: { state: 'applying' } })
  expect(await plans.claim('pl_1', 'you', HOUR)).toMatchObject({ kind: 'taken', plan: { state: 'applying' } })
})

test('reads an open plan past its expiry as expired, and hands it to nobody', async () => {
  const { clock, plans } = await fresh()
  const { plan } = await plans.open(draft())
  clock.pass(15 * MINUTE)
  const expired = { state: 'expired', changedAt: plan.expiresAt }
  expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject(expired)
  expect(await plans.claim('pl_1', 'me', HOUR)).toMatchObject({ kind: 'taken', plan: expired })
  expect(await plans.cancel('pl_1')).toMatchObject(expired)
  expect(await plans.click('pl_1', true, HOUR)).toMatchObject({ ...expired, click: undefined })
})

test('lets an open plan expire before its time, for good, and no other', async () => {
  const { clock, plans } = await fresh()
  await plans.open(draft())
  clock.pass(MINUTE)
  await plans.expire('pl_1')
  await plans.keep('pl_1', HOUR)
  const expired = { state: 'expired', changedAt: clock.now() }
  expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject(expired)
  expect(await plans.claim('pl_1', 'me', HOUR)).toMatchObject({ kind: 'taken', plan: expired })

  await plans.open(draft({ id: 'pl_2' }))
  await plans.claim('pl_2', 'me', HOUR)
  await plans.expire('pl_2')
  expect(await plans.find({ by: 'id', id: 'pl_2' })).toMatchObject({ state: 'applying' })
})

test.for([applied, failure, { kind: 'stale' } as const, { ...failure, kind: 'unknown' } as const])(
  'keeps the ending "$kind" for a replay',
  async (ending) => {
    const { clock, plans } = await fresh()
    await plans.open(draft())
    await plans.claim('pl_1', 'me', HOUR)
    clock.pass(MINUTE)
    expect(await plans.finish('pl_1', 'me', ending)).toBe(true)
    expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject({
      state: ending.kind,
      ending,
      changedAt: clock.now(),
      resultErased: false,
    })
    expect((await plans.claim('pl_1', 'me', HOUR)).kind).toBe('taken')
  },
)

test('lets nobody but the owner finish or renew a run', async () => {
  const { plans } = await fresh()
  await plans.open(draft())
  expect(await plans.finish('pl_1', 'me', applied)).toBe(false)
  await plans.claim('pl_1', 'me', HOUR)
  expect(await plans.finish('pl_1', 'you', applied)).toBe(false)
  expect(await plans.renew('pl_1', 'you', HOUR)).toBe(false)
  expect(await plans.settle('pl_1', applied)).toBe(false)
  expect(await plans.finish('pl_1', 'me', applied)).toBe(true)
  expect(await plans.finish('pl_1', 'me', failure)).toBe(false)
  expect(await plans.renew('pl_1', 'me', HOUR)).toBe(false)
})

test('keeps a run whose lease lapsed as unknown, and says why', async () => {
  const { clock, plans } = await fresh()
  await plans.open(draft())
  await plans.claim('pl_1', 'me', MINUTE)
  clock.pass(MINUTE - 1)
  expect((await plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('applying')
  clock.pass(1)
  const lost = {
    state: 'unknown',
    ending: { kind: 'unknown', failure: { code: 'owner_lost' } },
    changedAt: clock.now(),
  }
  expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject(lost)
  clock.pass(HOUR)
  expect(await plans.claim('pl_1', 'you', MINUTE)).toMatchObject({ kind: 'taken', plan: { state: 'unknown' } })
  expect(await plans.renew('pl_1', 'me', MINUTE)).toBe(false)
})

test('keeps a renewed run alive', async () => {
  const { clock, plans } = await fresh()
  await plans.open(draft())
  await plans.claim('pl_1', 'me', MINUTE)
  clock.pass(MINUTE - 1)
  expect(await plans.renew('pl_1', 'me', MINUTE)).toBe(true)
  clock.pass(MINUTE - 1)
  expect((await plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('applying')
  clock.pass(1)
  expect(await plans.renew('pl_1', 'me', MINUTE)).toBe(false)
})

test.each([
  [0, true],
  [1 / 3, true],
  [1 / 2, false],
  [0.99, false],
  [1, false],
])('says of a run of whose lease a share of %s has passed that two thirds are left: %s', async (passed, isHeld) => {
  const { clock, plans } = await fresh()
  await plans.open(draft())
  await plans.claim('pl_1', 'me', MINUTE)
  clock.pass(passed * MINUTE)
  expect(await plans.holds('pl_1', 'me', MINUTE)).toBe(isHeld)
  expect(await plans.holds('pl_1', 'you', MINUTE)).toBe(false)
  await plans.finish('pl_1', 'me', applied)
  expect(await plans.holds('pl_1', 'me', MINUTE)).toBe(false)
})

test('keeps a lease of a year, the longest that settings allow', async () => {
  const { plans } = await fresh()
  await plans.open(draft())
  await plans.claim('pl_1', 'me', 366 * DAY)
  expect(await plans.holds('pl_1', 'me', 366 * DAY)).toBe(true)
  expect(await plans.renew('pl_1', 'me', 366 * DAY)).toBe(true)
})

test('believes an owner that comes late', async () => {
  const { clock, plans } = await fresh()
  await plans.open(draft())
  await plans.claim('pl_1', 'me', MINUTE)
  clock.pass(HOUR)
  expect((await plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('unknown')
  expect(await plans.finish('pl_1', 'you', failure)).toBe(false)
  expect(await plans.finish('pl_1', 'me', applied)).toBe(true)
  expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject({ state: 'applied', ending: applied })
})

test('settles an unknown run once, also when nobody has read that its lease lapsed', async () => {
  const { clock, plans } = await fresh()
  await plans.open(draft())
  expect(await plans.settle('pl_1', applied)).toBe(false)
  await plans.claim('pl_1', 'me', MINUTE)
  clock.pass(MINUTE)
  expect(await plans.settle('pl_1', { ...failure, kind: 'unknown' })).toBe(false)
  expect(await plans.settle('pl_1', failure)).toBe(true)
  expect(await plans.settle('pl_1', applied)).toBe(false)
  expect(await plans.finish('pl_1', 'me', applied)).toBe(false)
  expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject({ state: 'failed', ending: failure })
})

test('cancels an open plan, and nothing that has started', async () => {
  const { plans } = await fresh()
  await plans.open(draft())
  expect((await plans.cancel('pl_1'))?.state).toBe('cancelled')
  expect((await plans.cancel('pl_1'))?.state).toBe('cancelled')
  expect(await plans.claim('pl_1', 'me', HOUR)).toMatchObject({ kind: 'taken', plan: { state: 'cancelled' } })
  await plans.open(draft({ id: 'pl_2' }))
  await plans.claim('pl_2', 'me', HOUR)
  expect((await plans.cancel('pl_2'))?.state).toBe('applying')
})

test('records the first click and extends the plan by it once', async () => {
  const { clock, plans } = await fresh()
  const { plan } = await plans.open(draft())
  clock.pass(MINUTE)
  const at = clock.now()
  const clicked = { click: { at, trusted: true }, expiresAt: plan.expiresAt + 5 * MINUTE }
  expect(await plans.click('pl_1', true, 5 * MINUTE)).toMatchObject(clicked)
  clock.pass(MINUTE)
  expect(await plans.click('pl_1', true, 5 * MINUTE)).toMatchObject(clicked)
  expect(await plans.click('pl_1', false, 5 * MINUTE)).toMatchObject(clicked)
})

test('lets a trusted click take the place of an untrusted one, without a second extension', async () => {
  const { clock, plans } = await fresh()
  const { plan } = await plans.open(draft())
  await plans.click('pl_1', false, 5 * MINUTE)
  clock.pass(MINUTE)
  const trusted = { click: { at: clock.now(), trusted: true }, expiresAt: plan.expiresAt + 5 * MINUTE }
  expect(await plans.click('pl_1', true, 5 * MINUTE)).toMatchObject(trusted)
  await plans.claim('pl_1', 'me', HOUR)
  expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject(trusted)
})

test('hands out no result past its retention, whether it was swept or not', async () => {
  const { clock, plans, store } = await fresh()
  await plans.open(draft())
  await plans.claim('pl_1', 'me', HOUR)
  await plans.finish('pl_1', 'me', applied)
  clock.pass(DAY - 1)
  expect(await store.sweep()).toStrictEqual({ erased: 0, removed: 0 })
  expect((await plans.find({ by: 'id', id: 'pl_1' }))?.ending).toStrictEqual(applied)
  clock.pass(1)
  const erased = { state: 'applied', ending: undefined, resultErased: true }
  expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject(erased)
  expect(await store.sweep()).toStrictEqual({ erased: 1, removed: 0 })
  expect(await store.sweep()).toStrictEqual({ erased: 0, removed: 0 })
  expect(await plans.find({ by: 'id', id: 'pl_1' })).toMatchObject(erased)
})

test('sweeps what ended a month ago in small steps, but nothing that somebody still has to settle', async () => {
  const { clock, plans, store } = await fresh()
  for (const id of ['pl_a', 'pl_b', 'pl_c']) await plans.open(draft({ id, digest: id }))
  await plans.cancel('pl_a')
  await plans.open(draft({ id: 'pl_lost', digest: 'lost' }))
  await plans.claim('pl_lost', 'me', MINUTE)
  clock.pass(30 * DAY + 15 * MINUTE)
  await plans.open(draft({ id: 'pl_new', digest: 'new' }))
  expect(await store.sweep(2)).toStrictEqual({ erased: 0, removed: 2 })
  expect(await store.sweep(2)).toStrictEqual({ erased: 0, removed: 1 })
  expect(await store.sweep(2)).toStrictEqual({ erased: 0, removed: 0 })
  expect((await plans.find({ by: 'id', id: 'pl_lost' }))?.state).toBe('unknown')
  expect((await plans.find({ by: 'id', id: 'pl_new' }))?.state).toBe('open')
})

test('keeps everything over a restart', async () => {
  const file = join(place(), 'plans.db')
  const first = await opened({ file })
  const { plan } = await first.plans.open(draft())
  await first.plans.claim('pl_1', 'me', HOUR)
  await first.plans.finish('pl_1', 'me', applied)
  await first.close()
  const second = await opened({ file })
  expect(await second.plans.find({ by: 'id', id: 'pl_1' })).toMatchObject({
    args: plan.args,
    state: 'applied',
    ending: applied,
  })
})

test('derives keys for other purposes that every process on the database shares', async () => {
  const file = join(place(), 'plans.db')
  const [one, two] = [await opened({ file }), await opened({ file })]
  expect(one.deriveKey('sessions')).toHaveLength(32)
  expect(one.deriveKey('sessions')).toStrictEqual(two.deriveKey('sessions'))
  expect(one.deriveKey('sessions')).not.toStrictEqual(one.deriveKey('cookies'))
  const store = await opened({ file: ':memory:', secret: 'the secret of another database' })
  expect(store.deriveKey('sessions')).not.toStrictEqual(one.deriveKey('sessions'))
})

test('waits for what is running when it is closed, also when it is closed twice', async () => {
  const { store, plans } = await fresh()
  const open = plans.open(draft())
  await Promise.all([store.close(), store.close()])
  expect((await open).plan.state).toBe('open')
  await expect(plans.find({ by: 'id', id: 'pl_1' })).rejects.toThrow('destroyed')
})

test('lends its connection to tables of a toolset, and takes a transaction of theirs back when it throws', async () => {
  const { store, plans } = await fresh()
  type Shelf = { readonly shelf: { readonly sku: string; readonly left: number; readonly open: boolean } }
  const db = store.db.$extendTables<Shelf>()
  await db.schema
    .createTable('shelf')
    .addColumn('sku', 'text')
    .addColumn('left', 'integer')
    .addColumn('open', present === 'sqlite' ? 'integer' : 'boolean')
    .execute()
  await db.insertInto('shelf').values({ sku: 'DESK-01', left: 2, open: true }).execute()
  const sale = db.transaction().execute(async (trx) => {
    const { numUpdatedRows } = await trx.updateTable('shelf').set({ left: 0 }).executeTakeFirst()
    throw new Error(`${numUpdatedRows} shelf was emptied by mistake`)
  })
  const [, , rows] = await Promise.all([
    expect(sale).rejects.toThrow('1 shelf was emptied by mistake'),
    plans.open(draft()),
    db.selectFrom('shelf').selectAll().execute(),
  ])
  expect(rows).toMatchObject([{ sku: 'DESK-01', left: 2, open: present === 'sqlite' ? 1 : true }])
  expect((await plans.find({ by: 'id', id: 'pl_1' }))?.state).toBe('open')
})
