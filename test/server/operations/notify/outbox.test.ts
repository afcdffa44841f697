// What is to be told is told: by one process at a time, through failures and restarts, until it arrives or its day is
// over. Two servers on one database are two deliveries here, with a clock that only the test moves.
import * as fc from 'fast-check'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import { createWebhookDelivery } from '../../../../server/operations/notify/webhook-delivery.ts'
import { send, type Attempt } from '../../../../server/operations/notify/send.ts'
import { toWebhooks, type Webhook } from '../../../../server/operations/notify/webhook.ts'
import type { NoticeDraft, NoticeEnd, Store } from '../../../../server/store/store.ts'
import { closeTables } from '../../../../server/store/dialect-locks.ts'
import { mostWaiting } from '../../../../server/store/notifications/notifications.ts'
import { DAY, HOUR, MINUTE, type Clock } from '../../../kit/clock.ts'
import { opened, openedWithClock, place } from '../../store/store-fixture.ts'
import { openReceiver } from './receiver.ts'

type Outbox = { readonly countersign_outbox: { readonly body: Uint8Array } }

const letter = (n: number | string, webhook = 'wh_1'): NoticeDraft => ({
  id: `msg_${n}_${webhook}`,
  webhook,
  subject: `approval.waiting ap_${n}`,
  tenant: 'default',
  event: 'approval.waiting',
  body: JSON.stringify({ n, secret: 'what only the receiver reads' }),
})

const webhookAt = (url: string): Webhook => {
  const [webhook] = toWebhooks([
    { url, events: ['approval.waiting'], privateNetwork: true, secret: 'sixteen letters!' },
  ])
  if (webhook === undefined) throw new Error('unreachable')
  return webhook
}

interface Told {
  readonly end: NoticeEnd
  readonly owner: string
}

/** A process's delivery; `deliver` stands for a network where a test needs no real one. */
function deliveryOf(
  store: Store,
  owner: string,
  webhooks: readonly Webhook[],
  deliver: (webhook: Webhook, letter: { readonly id: string; readonly body: string }) => Promise<Attempt>,
  now: () => number,
) {
  const told: Told[] = []
  const troubles: unknown[] = []
  const delivery = createWebhookDelivery({
    outbox: store.notifications,
    webhooks,
    send: deliver,
    owner,
    now,
    chance: () => 0,
    holdMs: 30_000,
    onAttempt: (_, __, end) => told.push({ end, owner }),
    report: (error) => troubles.push(error),
  })
  onTestFinished(() => delivery.stop())
  return {
    told,
    /** One round, and all that it has started. */
    round: async (): Promise<void> => {
      await delivery.round()
      await delivery.settled()
      expect(troubles).toStrictEqual([])
    },
  }
}

const really = (clock: Clock) => (webhook: Webhook, given: { readonly id: string; readonly body: string }) =>
  send(webhook, given, { now: clock.now, timeoutMs: 5000, agent: 'test' })

describe('the outbox', () => {
  test('keeps one subject once for each webhook, however many see it, and seals what will be sent', async () => {
    const file = `${place()}/outbox.db`
    const [one, other] = [await opened({ file }), await opened({ file })]
    const drafts = [letter(1), letter(2), letter(1, 'wh_2')]
    const added = await Promise.all([one.notifications.add(drafts), other.notifications.add(drafts)])
    expect(added.reduce((sum, each) => sum + each.added, 0)).toBe(3)
    expect((await one.notifications.due()).toSorted()).toStrictEqual(['wh_1', 'wh_2'])
    expect(await other.notifications.hold('wh_1', 'me', 1000)).toMatchObject({
      id: expect.stringMatching(/^msg_[12]_wh_1$/),
      body: expect.stringContaining('what only the receiver reads'),
      attempts: 0,
    })
    const rows = await one.db.$extendTables<Outbox>().selectFrom('countersign_outbox').selectAll().execute()
    expect(Buffer.concat(rows.map(({ body }) => body)).toString('latin1')).not.toContain('only the receiver')
  })

  test('keeps one message of a subject that eight connections see at once, under one id or under eight', async () => {
    const file = `${place()}/outbox.db`
    const stores = await Promise.all(Array.from({ length: 8 }, () => opened({ file })))
    const [first] = stores
    for (const at of Array.from({ length: 20 }, (_, n) => n)) {
      // A migration or a backup keeps them waiting; then all of them write in one instant.
      const adding = await first?.db.transaction().execute(async (trx) => {
        await closeTables(trx.$extendTables<Outbox>(), 'countersign_outbox')
        return stores.map(({ notifications }, n) =>
          notifications.add([letter(`same ${at}`), { ...letter(`own ${at}`), id: `msg_own_${at}_${n}` }]),
        )
      })
      const added = await Promise.all(adding ?? [])
      expect(added.reduce((sum, each) => sum + each.added, 0)).toBe(2)
    }
    expect(await first?.notifications.backlog()).toBe(40)
  })

  test('gives a notification to one process at a time, and to another one when the first is silent for too long', async () => {
    const { clock, store } = await openedWithClock()
    await store.notifications.add([letter(1)])
    const held = await store.notifications.hold('wh_1', 'first', 30_000)
    expect(held?.id).toBe('msg_1_wh_1')
    expect(await store.notifications.hold('wh_1', 'second', 30_000)).toBeUndefined()
    expect(await store.notifications.due()).toStrictEqual([])
    clock.pass(30_000)
    expect(await store.notifications.hold('wh_1', 'second', 30_000)).toMatchObject({ id: 'msg_1_wh_1' })
    // The first one comes back too late: it is no longer its to end.
    expect(await store.notifications.end('msg_1_wh_1', 'first', { kind: 'delivered', status: 200 })).toBe(false)
    expect(await store.notifications.end('msg_1_wh_1', 'second', { kind: 'delivered', status: 200 })).toBe(true)
    expect(await store.notifications.hold('wh_1', 'second', 30_000)).toBeUndefined()
  })

  test('has room for so many of one webhook, says what it dropped, and leaves the others alone', async () => {
    const store = await opened({ file: ':memory:' })
    const many = Array.from({ length: mostWaiting + 5 }, (_, n) => letter(n))
    expect(await store.notifications.add(many)).toStrictEqual({ added: mostWaiting, full: 5 })
    expect(await store.notifications.add([letter(1, 'wh_2')])).toStrictEqual({ added: 1, full: 0 })
    expect(await store.notifications.backlog()).toBe(mostWaiting + 1)
  })

  test('is swept: what nobody delivers ends as given up, and what has ended goes after a month', async () => {
    const { clock, store } = await openedWithClock()
    await store.notifications.add([letter(1), letter(2)])
    await store.notifications.hold('wh_1', 'me', 1000)
    await store.notifications.end('msg_1_wh_1', 'me', { kind: 'delivered', status: 204 })
    clock.pass(2 * DAY)
    await store.sweep()
    expect(await store.notifications.records(['wh_1'])).toMatchObject([
      { waiting: 0, givenUp: 1, delivered: { status: 204 }, failed: { givenUp: true } },
    ])
    clock.pass(31 * DAY)
    await store.sweep()
    expect(await store.notifications.records(['wh_1'])).toMatchObject([{ givenUp: 0, delivered: undefined }])
  })

  test('lets one process of many take a turn', async () => {
    const file = `${place()}/outbox.db`
    const stores = await Promise.all([1, 2, 3].map(() => opened({ file })))
    const turns = await Promise.all(stores.map((store) => store.notifications.takeTurn('verify 2026-01-01')))
    expect(turns.filter(Boolean)).toHaveLength(1)
    expect(await stores[0]?.notifications.takeTurn('verify 2026-01-02')).toBe(true)
  })
})

/** A receiver that answers this status, and a process that delivers to it. */
const openDelivery = async (status?: number) => {
  const { clock, store } = await openedWithClock()
  const receiver = await openReceiver(status)
  const webhook = webhookAt(receiver.url)
  return { clock, store, receiver, webhook, ...deliveryOf(store, 'me', [webhook], really(clock), clock.now) }
}

describe('delivery', () => {
  test('takes one message to its receiver once, whatever number of processes deliver', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 8 }),
        fc.array(fc.constantFrom<'one' | 'other' | 'both' | 'pass'>('one', 'other', 'both', 'pass'), {
          minLength: 1,
          maxLength: 12,
        }),
        fc.array(fc.boolean(), { minLength: 30, maxLength: 30 }),
        async (letters, steps, works) => {
          const { clock, store } = await openedWithClock()
          const webhook = webhookAt('http://127.0.0.1:1/')
          const arrived: string[] = []
          let attempts = 0
          const deliver = async (_: Webhook, { id }: { readonly id: string }): Promise<Attempt> => {
            attempts += 1
            if (works[attempts % works.length] === false)
              return { kind: 'failed', status: 500, trouble: 'It answered 500', askedMs: 0, gone: false }
            arrived.push(id)
            return { kind: 'delivered', status: 200 }
          }
          const one = deliveryOf(store, 'one', [webhook], deliver, clock.now)
          const other = deliveryOf(store, 'other', [webhook], deliver, clock.now)
          await store.notifications.add(Array.from({ length: letters }, (_, n) => letter(n, webhook.id)))
          for (const step of [...steps, ...Array.from({ length: 40 }, () => ['pass', 'both'] as const).flat()]) {
            if (step === 'pass') clock.pass(20 * MINUTE)
            if (step === 'one' || step === 'both')
              await (step === 'one' ? one.round() : Promise.all([one.round(), other.round()]))
            if (step === 'other') await other.round()
          }
          expect(arrived.toSorted()).toStrictEqual(
            Array.from({ length: letters }, (_, n) => `msg_${n}_${webhook.id}`).toSorted(),
          )
          expect(await store.notifications.backlog()).toBe(0)
        },
      ),
      { numRuns: runsOf(15) },
    )
  })

  test('tries again later with the same id and a new time, and arrives when the receiver is back', async () => {
    const { clock, store, receiver, webhook, round, told } = await openDelivery(503)
    await store.notifications.add([letter(1, webhook.id)])
    await round()
    await round()
    expect(receiver.got).toHaveLength(1)
    receiver.react(200)
    clock.pass(5000)
    await round()
    const [first, second] = receiver.got
    expect([first?.headers['webhook-id'], second?.headers['webhook-id']]).toStrictEqual([
      `msg_1_${webhook.id}`,
      `msg_1_${webhook.id}`,
    ])
    expect(second?.headers['webhook-timestamp']).not.toBe(first?.headers['webhook-timestamp'])
    expect(told.map(({ end }) => end.kind)).toStrictEqual(['later', 'delivered'])
  })

  test('ends after a day, says why, and goes on with what is newer', async () => {
    const { clock, store, receiver, webhook, round, told } = await openDelivery(500)
    await store.notifications.add([letter('old', webhook.id)])
    for (let hour = 0; hour < 26; hour++) {
      await round()
      clock.pass(HOUR)
    }
    expect(told.at(-1)?.end).toMatchObject({ kind: 'given-up', trouble: 'It answered 500', status: 500 })
    expect(await store.notifications.records([webhook.id])).toMatchObject([
      { waiting: 0, givenUp: 1, failed: { givenUp: true, trouble: 'It answered 500', event: 'approval.waiting' } },
    ])
    receiver.react(200)
    await store.notifications.add([letter('new', webhook.id)])
    await round()
    expect(told.at(-1)?.end).toStrictEqual({ kind: 'delivered', status: 200 })
  })

  test('goes to nobody that it was not configured for here', async () => {
    const { store, receiver, round } = await openDelivery()
    await store.notifications.add([letter(1, 'wh_of_another_process')])
    await round()
    expect(receiver.got).toStrictEqual([])
    expect(await store.notifications.due()).toStrictEqual(['wh_of_another_process'])
  })
})

describe('one attempt', () => {
  const once = async (url: string, more: Partial<Webhook> = {}, timeoutMs = 5000): Promise<Attempt> =>
    send(
      { ...webhookAt(url), ...more },
      { id: 'msg_1', body: '{"text":"hi"}' },
      { now: Date.now, timeoutMs, agent: 'test/1' },
    )

  test('carries its body to the byte, signed, and reads only the status of the answer', async () => {
    const receiver = await openReceiver(204)
    expect(await once(receiver.url)).toStrictEqual({ kind: 'delivered', status: 204 })
    expect(receiver.got[0]?.text).toBe('{"text":"hi"}')
    expect(receiver.got[0]?.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'user-agent': 'test/1',
      'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
    })
  })

  test('to somebody who hangs is over when its time is', async () => {
    const receiver = await openReceiver('hang')
    expect(await once(receiver.url, {}, 50)).toMatchObject({
      kind: 'failed',
      status: undefined,
      trouble: 'No answer within 0.05 seconds',
    })
  })

  test('follows no redirect', async () => {
    const elsewhere = await openReceiver()
    const receiver = await openReceiver({ status: 307, headers: { location: elsewhere.url } })
    expect(await once(receiver.url)).toMatchObject({
      kind: 'failed',
      status: 307,
      trouble: expect.stringContaining('redirect'),
    })
    expect(elsewhere.got).toStrictEqual([])
  })

  test('hears how long it shall wait, and that nobody will ever be there', async () => {
    const busy = await openReceiver({ status: 429, headers: { 'retry-after': '77' } })
    expect(await once(busy.url)).toMatchObject({ kind: 'failed', status: 429, askedMs: 77_000, gone: false })
    const gone = await openReceiver(410)
    expect(await once(gone.url)).toMatchObject({ kind: 'failed', status: 410, gone: true })
  })

  test('does not reach this machine unless that is configured, by number or by name', async () => {
    const receiver = await openReceiver()
    const { port, pathname } = new URL(receiver.url)
    for (const host of ['127.0.0.1', 'localhost', '[::ffff:127.0.0.1]', '2130706433'])
      expect([host, await once(`http://${host}:${port}${pathname}`, { privateNetwork: false })]).toStrictEqual([
        host,
        expect.objectContaining({ kind: 'failed', trouble: expect.stringContaining('private network') }),
      ])
    expect(receiver.got).toStrictEqual([])
    expect(await once(`http://localhost:${port}${pathname}`)).toMatchObject({ kind: 'delivered' })
  })

  test('says why nobody is there without quoting the address, which is a secret', async () => {
    for (const url of ['http://127.0.0.1:1/services/hush', 'http://nowhere.invalid/services/hush']) {
      const attempt = await once(url)
      expect(attempt).toMatchObject({ kind: 'failed', trouble: expect.stringMatching(/reached|resolved/) })
      expect(JSON.stringify(attempt)).not.toContain('hush')
    }
    expect(await once('ftp://127.0.0.1/')).toMatchObject({
      kind: 'failed',
      trouble: 'Its address is not http or https',
    })
  })
})
