// From what stands in the database to what is to be told, once, and only while it matters.
import { expect, test } from 'vitest'
import { createWatch } from '../../../../server/operations/notify/watch.ts'
import { toWebhooks } from '../../../../server/operations/notify/webhook.ts'
import type { ApprovalDraft } from '../../../../server/model/approvals.ts'
import type { Store } from '../../../../server/store/store.ts'
import { HOUR, MINUTE } from '../../../kit/clock.ts'
import { draft, openedWithClock } from '../../store/store-fixture.ts'

const [webhook] = toWebhooks([
  {
    url: 'https://hooks.example/x',
    events: ['approval.waiting', 'approval.expiring', 'feedback.high', 'rationale.missing'],
    privateNetwork: false,
  },
])

const watchOf = (store: Store, now: () => number, graceUntil?: string) =>
  createWatch({
    store,
    webhooks: webhook === undefined ? [] : [webhook],
    address: () => 'https://c.example',
    redact: (text) => text,
    now,
    graceUntil,
    full: () => {
      throw new Error('There is room.')
    },
  })

/** What is to be told, oldest first; each is told by looking. */
async function toldBy(store: Store): Promise<readonly { readonly event: string; readonly body: string }[]> {
  const all: { event: string; body: string }[] = []
  for (;;) {
    const held = await store.notifications.hold(webhook?.id ?? '', 'me', 1000)
    if (held === undefined) return all
    all.push({ event: held.event, body: held.body })
    await store.notifications.end(held.id, 'me', { kind: 'delivered', status: 200 })
  }
}

async function waits(store: Store, id: string, ttlMs: number): Promise<void> {
  await store.plans.open(draft({ id: `pl_${id}`, ticketHash: id, digest: id, ttlMs }))
  const asked: ApprovalDraft = {
    id: `ap_${id}`,
    planId: `pl_${id}`,
    digest: id,
    principal: { tenant: 'default', subject: 'ada' },
    client: 'test',
    tool: 'orders_delete',
    risk: 'critical',
    summary: 'Deletes an order.',
    rationale: 'Nobody else is told of this.',
    card: '{}',
    stepUp: false,
    approvers: 1,
    fourEyes: true,
    ttlMs,
  }
  await store.approvals.request(asked)
}

test('an approval is told when it waits and once more before it expires, by whoever looks, and never after', async () => {
  const { clock, store } = await openedWithClock()
  await waits(store, 'one', 8 * HOUR)
  const looks = [watchOf(store, clock.now), watchOf(store, clock.now)]
  const look = async () => {
    for (const watch of looks) await watch.approvals()
    return (await toldBy(store)).map(({ event }) => event)
  }
  expect(await look()).toStrictEqual(['approval.waiting'])
  clock.pass(6 * HOUR + 59 * MINUTE)
  expect(await look()).toStrictEqual([])
  clock.pass(MINUTE)
  expect(await look()).toStrictEqual(['approval.expiring'])
  expect(await look()).toStrictEqual([])
  // A watch that has just started knows from the database what was told.
  await watchOf(store, clock.now).approvals()
  expect(await toldBy(store)).toStrictEqual([])
  await waits(store, 'two', 4 * MINUTE)
  clock.pass(HOUR)
  expect(await look()).toStrictEqual([])
})

test('what was decided is told no more', async () => {
  const { clock, store } = await openedWithClock()
  await waits(store, 'one', HOUR)
  await store.plans.cancel('pl_one')
  await watchOf(store, clock.now).approvals()
  expect(await toldBy(store)).toStrictEqual([])
})

test('a message says what is asked and by whom, and neither why nor with which arguments', async () => {
  const { clock, store } = await openedWithClock()
  await waits(store, 'one', HOUR)
  await watchOf(store, clock.now).approvals()
  const [told] = await toldBy(store)
  expect(told?.body).toContain('https://c.example/admin/approvals/ap_one')
  expect(told?.body).not.toMatch(/Nobody else|ACME|pl_one/)
})

test('a caller without a rationale is told again the next day, as long as the grace period lasts', async () => {
  const { clock, store } = await openedWithClock()
  const until = new Date(clock.now() + 40 * HOUR).toISOString()
  const watch = watchOf(store, clock.now, until)
  const calls = () => store.grace.note({ principal: { tenant: 'default', subject: 'ada' }, client: 'job', tool: 'a' })
  const look = async () => {
    await watch.grace()
    return (await toldBy(store)).length
  }
  expect(await look()).toBe(0)
  await calls()
  expect([await look(), await look()]).toStrictEqual([1, 0])
  clock.pass(24 * HOUR)
  expect(await look()).toBe(0)
  await calls()
  expect(await look()).toBe(1)
  clock.pass(24 * HOUR)
  await calls()
  expect(await look()).toBe(0)
})

test('a caller’s first call of a day without a rationale is told from all others, whatever tools it calls', async () => {
  const { clock, store } = await openedWithClock()
  const calls = (client: string, tool: string) =>
    store.grace.note({ principal: { tenant: 'default', subject: 'ada' }, client, tool })
  expect([await calls('job', 'a'), await calls('job', 'a'), await calls('job', 'b')]).toStrictEqual([
    true,
    false,
    false,
  ])
  expect(await calls('another', 'a')).toBe(true)
  clock.pass(24 * HOUR)
  const first = await Promise.all(Array.from({ length: 4 }, () => calls('job', 'a')))
  expect(first.filter(Boolean)).toHaveLength(1)
})

test('of a flood of approvals each is told, and those about to expire as well, however many came after them', async () => {
  const { clock, store } = await openedWithClock()
  await waits(store, 'first', HOUR)
  for (let i = 0; i < 510; i += 1) await waits(store, `later ${i}`, 8 * HOUR)
  const watch = watchOf(store, clock.now)
  await watch.approvals()
  expect(await toldBy(store)).toHaveLength(511)
  clock.pass(46 * MINUTE)
  await watch.approvals()
  expect(await toldBy(store)).toMatchObject([{ event: 'approval.expiring' }])
  await watch.approvals()
  expect(await toldBy(store)).toStrictEqual([])
})

test('a flood of feedback is told to its end, over several turns, with what came meanwhile', async () => {
  const { clock, store } = await openedWithClock()
  const watch = watchOf(store, clock.now)
  const complain = async (id: string): Promise<void> => {
    clock.pass(1000)
    await store.feedback.add({
      id,
      principal: { tenant: 'default', subject: 'ada' },
      severity: 'high',
      attemptedAction: `Tried ${id}.`,
      expectedOutcome: 'It works.',
      actualOutcome: 'It does not.',
      toolCalled: undefined,
      errorSeen: undefined,
      rationale: 'It was asked for.',
    })
  }
  for (let i = 0; i < 1010; i += 1) await complain(`fb_${i}`)
  await watch.feedback()
  const first = await toldBy(store)
  await complain('fb_meanwhile')
  await watch.feedback()
  await watch.feedback()
  const bodies = [...first, ...(await toldBy(store))].map(({ body }) => body)
  const told = new Set(bodies.map((body) => /Tried (fb_\w+)\./.exec(body)?.[1]))
  expect([bodies.length, told.size, told.has('fb_0'), told.has('fb_meanwhile')]).toStrictEqual([1011, 1011, true, true])
  await watch.feedback()
  expect(await toldBy(store)).toStrictEqual([])
})
