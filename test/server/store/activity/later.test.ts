// What the server does later on behalf of a call is on record as the call is: in the chain, in its story, and with whatever
// it changed, or not at all.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { LaterEntry } from '../../../../server/model/activity.ts'
import type { Store } from '../../../../server/store/store.ts'
import { createClock, DAY } from '../../../kit/clock.ts'
import { opened, place } from '../store-fixture.ts'
import { meddle, record, verdictOf } from './rows.ts'

const later = (change: Partial<LaterEntry> = {}): LaterEntry => ({
  name: 'email.external.sent',
  principal: { tenant: 'default', subject: 'ada' },
  planId: 'pl_1',
  outcome: 'applied',
  details: '{"emailId":"em_1"}',
  error: undefined,
  ...change,
})

const happens = ({ recording }: Store, ...entries: readonly LaterEntry[]): Promise<void> =>
  recording((_transaction, add) => {
    for (const entry of entries) add(entry)
    return Promise.resolve()
  })

const desk = async () => {
  const file = join(place(), 'log.db')
  return { file, store: await opened({ file }) }
}

test('belongs to the story of its call, names what happened, and is a part of the chain', async () => {
  const { store } = await desk()
  const call = await record(store, {}, { outcome: 'applied', planId: 'pl_1' })
  await happens(store, later(), later({ outcome: 'failed', error: { code: 'refused', message: 'No such user.' } }))
  const story = await store.activity.story(call)
  expect(story).toMatchObject([
    { id: call, source: 'mcp' },
    {
      source: 'later',
      tool: 'email.external.sent',
      auditEvent: 'email.external.sent',
      subject: 'ada',
      planId: 'pl_1',
      status: 'applied',
      args: '{"emailId":"em_1"}',
    },
    { source: 'later', status: 'failed', errorCode: 'refused', errorMessage: 'No such user.' },
  ])
  expect(await store.activity.verify()).toMatchObject([{ entries: 6, problem: undefined }])
})

test('is in a story with the newest of it, whose calls are all there however many mails came later', async () => {
  const { store } = await desk()
  const call = await record(store, {}, { outcome: 'applied', planId: 'pl_1' })
  const names = Array.from({ length: 230 }, (_, at) => `{"mail":${at}}`)
  await happens(store, ...names.map((details) => later({ details })))
  const again = await record(store, {}, { outcome: 'replayed', planId: 'pl_1' })
  for (const id of [call, again, 'pl_1']) {
    const story = await store.activity.story(id)
    expect(story.filter(({ source }) => source === 'mcp').map((each) => each.id)).toStrictEqual([call, again])
    expect(story.filter(({ source }) => source === 'later').map(({ args }) => args)).toStrictEqual(names.slice(-50))
  }
})

test('is not there where the work that it came with was taken back', async () => {
  const { store } = await desk()
  await record(store)
  const work = store.recording(async (_transaction, add) => {
    add(later())
    throw new Error('The disk is full.')
  })
  await expect(work).rejects.toThrow('The disk is full.')
  expect((await store.activity.page({ limit: 10 })).calls).toMatchObject([{ source: 'mcp' }])
  expect(await store.activity.verify()).toMatchObject([{ entries: 2, problem: undefined }])
})

test('is seen by whoever watches, in order, beside calls of several processes that are written at the same time', async () => {
  const { file, store } = await desk()
  const other = await opened({ file })
  const change = await store.activity.newestChange()
  await Promise.all(
    Array.from({ length: 20 }, (_, at) => [
      record(store),
      happens(other, ...Array.from({ length: 5 }, () => later({ planId: `pl_${at}` }))),
    ]).flat(),
  )
  const { calls } = await store.activity.changesSince({ change, limit: 500 })
  expect(calls.filter(({ source }) => source === 'later')).toHaveLength(100)
  expect(calls.map((call) => call.change)).toStrictEqual(calls.map((call) => call.change).toSorted((a, b) => a - b))
  expect(await store.activity.verify()).toMatchObject([{ entries: 2 * 120, problem: undefined }])
})

test.each([
  ['outcome', 'failed'],
  ['plan_id', 'pl_2'],
  ['args', '{"emailId":"em_2"}'],
  ['source', 'mcp'],
  ['tool', 'email.bulk.sent'],
] as const)('shows when its %s was changed', async (column, value) => {
  const { file, store } = await desk()
  await happens(store, later())
  await meddle(file, `update countersign_activity set ${column} = ?`, value)
  expect(await verdictOf(store)).toMatchObject({ kind: 'changed' })
})

test('loses its texts with those of the person whose call it was', async () => {
  const { store } = await desk()
  await happens(store, later())
  const { pseudonym, calls } = await store.activity.erase({ tenant: 'default', subject: 'ada' })
  expect(calls).toBe(1)
  expect((await store.activity.pageRecords({ limit: 1 })).calls).toMatchObject([
    { subject: pseudonym, args: undefined, erased: true, status: 'applied' },
  ])
  expect(await verdictOf(store)).toBeUndefined()
})

test('goes when it is old enough, and leaves a chain that is whole', async () => {
  const clock = createClock()
  const store = await opened({ file: ':memory:', now: clock.now })
  await happens(store, ...Array.from({ length: 30 }, () => later()))
  clock.pass(3 * DAY)
  await happens(store, later())
  expect(await store.activity.retain({ days: 1 })).toBe(30)
  expect(await store.activity.verify()).toMatchObject([{ entries: 62, cut: 60, problem: undefined }])
})

describe('is no call of an agent', () => {
  test('so it is not counted as one, and says nothing of why agents call', async () => {
    const { store } = await desk()
    await record(store, {}, { outcome: 'applied' })
    await happens(store, ...Array.from({ length: 20 }, () => later()))
    await record(store, { rationale: 'Because.' })
    const slice = { tenant: 'default', since: 0, until: Number.MAX_SAFE_INTEGER }
    const counts = await store.activity.figures.calls(slice)
    expect(counts.reduce((sum, { calls }) => sum + calls, 0)).toBe(2)
    const said = await store.activity.figures.rationales([slice], 2)
    expect(said.map(({ text }) => text)).toStrictEqual(['The customer asked for it by phone.', 'Because.'])
  })

  test('and a page is asked for without it, or for nothing else', async () => {
    const { store } = await desk()
    const call = await record(store)
    await happens(store, later(), later())
    const page = async (sources: readonly string[]) =>
      (await store.activity.page({ filter: { sources }, limit: 10 })).calls.map(({ source }) => source)
    expect(await page(['later'])).toStrictEqual(['later', 'later'])
    expect(await page(['mcp', 'rest', 'cli', 'approval', 'operator'])).toStrictEqual(['mcp'])
    expect(await store.activity.changesSince({ change: 0, filter: { sources: ['mcp'] }, limit: 10 })).toMatchObject({
      calls: [{ id: call }],
    })
  })
})
