// The promise of the chain: whatever the owner of the file does to it without the key, the first row that is not as it
// was written gets named.
import { appendFileSync } from 'node:fs'
import { join } from 'node:path'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { runsOf } from '../../../full.ts'
import { appendAnchors, readAnchors, type Store } from '../../../../server/store/store.ts'
import { draft, opened, place } from '../store-fixture.ts'
import { completion, entry, meddle, places, record, verdictOf } from './rows.ts'
import { anyCharacter } from '../../../kit/any-character.ts'

const desk = async () => {
  const file = join(place(), 'log.db')
  const store = await opened({ file })
  const ids = []
  for (let at = 0; at < 6; at++) ids.push(await record(store, { args: `{"call":${at}}` }))
  return { file, store, ids }
}

/** What verification names; once the rows were moved to where the log is read, as far as they can be, it names the same. */
const namedIn = async (store: Store) => {
  const problem = await verdictOf(store)
  await store.activity.newestChange().catch(() => undefined)
  expect(await verdictOf(store)).toStrictEqual(problem)
  return problem
}

describe('a chain that nobody touched', () => {
  test('is whole, also with calls that overlap, fail, never end, and with events of tools', async () => {
    const { store } = await desk()
    const first = await store.activityLog.begin(entry())
    const second = await store.activityLog.begin(entry({ principal: { tenant: 'other', subject: 'bob' } }))
    await store.activityLog.event(first, { name: 'email.external.sent', data: '{"to":"a@example.org"}' })
    await store.activityLog.complete(second, completion({ outcome: 'failed', error: { code: 'x', message: 'No.' } }))
    await store.activityLog.begin(entry())
    await store.activityLog.complete(first, completion())
    expect(await store.activity.verify()).toMatchObject([
      { tenant: 'default', entries: 16, problem: undefined },
      { tenant: 'other', entries: 2, problem: undefined },
    ])
  })

  test('is whole whatever texts a caller sends', async () => {
    const store = await opened({ file: ':memory:' })
    const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.constantFrom('\0', '\ud800', 'a\0b', '', '\u2028'))
    await fc.assert(
      fc.asyncProperty(text, text, text, text, async (tenant, subject, given, other) => {
        const principal = { tenant, subject }
        const id = await store.activityLog.begin(
          entry({ principal, tool: given, rationale: other, args: given, client: other, notes: [given] }),
        )
        await store.activityLog.event(id, { name: given, data: other })
        await store.activityLog.complete(id, completion({ result: given, error: { code: other, message: given } }))
      }),
      { numRuns: runsOf(100) },
    )
    expect(await verdictOf(store)).toBeUndefined()
  })

  test('is walked with word of how far that has got', async () => {
    const { store, ids } = await desk()
    await store.activityLog.begin(entry({ principal: { tenant: 'other', subject: 'bob' } }))
    const walked: unknown[] = []
    await store.activity.verify([], (...step) => walked.push(step))
    expect(walked).toStrictEqual([
      [0, 2 * ids.length, 'default'],
      [0, 1, 'other'],
    ])
  })

  test('is whole after many processes wrote at once', async () => {
    const { file, store } = await desk()
    const others = await Promise.all([opened({ file }), opened({ file }), opened({ file })])
    await Promise.all([store, ...others].flatMap((each) => Array.from({ length: 25 }, () => record(each))))
    expect(await store.activity.verify()).toMatchObject([{ entries: 2 * 106, problem: undefined }])
  })
})

test('an intent is kept and vouched for as it was declared, whatever it says', async () => {
  const { file, store } = await desk()
  const intent = { operation_type: 'modify \u0000', data_sensitivity: '["mine"]', reason: 'why \ud800'.toWellFormed() }
  const id = await record(store, { variant: 'call_tool_write', intent })
  expect(await store.activity.find(id)).toMatchObject({ intent, variant: 'call_tool_write' })
  expect((await store.activity.page({ limit: 1 })).calls).toMatchObject([{ id, intent }])
  expect(await verdictOf(store)).toBeUndefined()
  await meddle(file, 'update countersign_activity set intent = ? where id = ?', '{"operation_type":"read"}', id)
  expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id })
})

describe.each(places)('a row of $table that was changed', ({ table, change }) => {
  test.each([
    ['at', 5],
    ['subject', 'eve'],
    ['pseudonym', 'erased_x'],
    ['client', 'Another chat'],
    ['source', 'cli'],
    ['tool', 'orders_delete'],
    ['variant', 'call_tool_read'],
    ['operation', 'read'],
    ['operation_source', 'declared'],
    ['declared_risk', 'low'],
    ['audit_event', 'nothing'],
    ['outcome', 'failed'],
    ['outcome', 'open'],
    ['verdict', 'deny:frozen'],
    ['risk', 'low'],
    ['plan_id', 'pl_2'],
    ['approval_id', 'ap_2'],
    ['ended_at', 5],
    ['duration_ms', 99],
    ['error_code', 'x'],
    ['rationale', 'Somebody told me to.'],
    ['intent', '{}'],
    ['args', '{"call":9}'],
    ['notes', '["x"]'],
    ['result', '{}'],
    ['error_message', 'x'],
    ['salt', 'x'],
    ['begin_digest', 'x'],
    ['begin_link', 'x'],
    ['end_digest', 'x'],
    ['end_link', 'x'],
    ['tenant', 'other'],
  ])('is named when its %s becomes %j', async (column, value) => {
    const { file, store, ids } = await desk()
    await change(file, `update ${table} set ${column} = ? where id = ?`, value, ids[2] ?? '')
    const problem = await namedIn(store)
    expect(problem).toBeDefined()
    // A row that moved to another tenant is missing here; all else is named as what it is.
    expect(problem).toMatchObject(
      column === 'tenant' ? { kind: 'removed', id: ids[1] } : { kind: 'changed', id: ids[2] },
    )
  })

  test('is named when its texts are taken away as if they had been erased', async () => {
    const { file, store, ids } = await desk()
    await change(
      file,
      `update ${table} set salt = null, subject = pseudonym, rationale = null, intent = null, args = null,
       notes = null, result = null, error_message = null, erased_at = 5 where id = ?`,
      ids[3] ?? '',
    )
    expect(await namedIn(store)).toMatchObject({ kind: 'changed', id: ids[3] })
  })

  test('is named when it still runs and somebody writes its end', async () => {
    const { file, store } = await desk()
    const id = await store.activityLog.begin(entry())
    await change(file, `update ${table} set outcome = 'ok' where id = ?`, id)
    expect(await namedIn(store)).toMatchObject({ kind: 'changed', id })
  })

  test('is named when two rows change places', async () => {
    const { file, store, ids } = await desk()
    const swap = async (from: string, to: string) =>
      await change(file, `update ${table} set begin_seq = ${to}, end_seq = ${to} + 1 where begin_seq = ${from}`)
    await swap('3', '100')
    await swap('5', '3')
    await swap('100', '5')
    expect(await namedIn(store)).toMatchObject({ kind: 'changed', seq: 3, id: ids[2] })
  })
})

describe('a row that was changed', () => {
  test('is named when an open row names another plan than its call has claimed, or none any more', async () => {
    const { file, store } = await desk()
    const id = await store.activityLog.begin(entry())
    await store.plans.open(draft({ id: 'pl_1' }))
    await store.plans.claim('pl_1', 'me', 60_000, id)
    expect(await store.activity.find(id)).toMatchObject({ status: 'open', planId: 'pl_1', events: [] })
    expect(await verdictOf(store)).toBeUndefined()
    for (const plan of ['pl_2', null]) {
      await meddle(file, 'update countersign_activity set plan_id = ? where id = ?', plan, id)
      expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id })
    }
    await meddle(file, 'update countersign_activity set plan_id = ? where id = ?', 'pl_1', id)
    // An end that knows of no plan does not take it away, and neither does an erasure.
    await store.activityLog.complete(id, completion({ outcome: 'failed' }))
    await store.activity.erase({ tenant: 'default', subject: 'ada' })
    expect(await store.activity.find(id)).toMatchObject({ status: 'failed', planId: 'pl_1', erased: true })
    expect(await verdictOf(store)).toBeUndefined()
    const other = await store.activityLog.begin(entry())
    await expect(store.activityLog.event(other, { name: 'plan.claimed:pl_2', data: '{}' })).rejects.toThrow('claimed')
  })

  test('is named when an event of a tool was changed or removed', async () => {
    const { file, store } = await desk()
    const id = await store.activityLog.begin(entry())
    await store.activityLog.event(id, { name: 'email.external.sent', data: '{}' })
    await store.activityLog.complete(id, completion())
    await meddle(file, `update countersign_activity_events set data = '{"to":"eve"}'`)
    expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id })
    await meddle(file, 'delete from countersign_activity_events')
    expect(await verdictOf(store)).toMatchObject({ kind: 'removed', id })
  })
})

describe.each(places)('a row of $table that was removed', ({ table, change }) => {
  test.each([0, 2, 5])('is missed, and the last row before the gap is named (row %i)', async (at) => {
    const { file, store, ids } = await desk()
    await change(file, `delete from ${table} where id = ?`, ids[at] ?? '')
    expect(await namedIn(store)).toMatchObject({ kind: 'removed', seq: at * 2 + 1, id: ids[at - 1] })
  })
})

describe('a row that was removed', () => {
  test('is missed when its head is set back too, once a head has left the database', async () => {
    const { file, store, ids } = await desk()
    const anchors = await store.activity.heads()
    await meddle(file, 'delete from countersign_activity where id = ?', ids[5] ?? '')
    await meddle(
      file,
      'update countersign_activity_heads set seq = 10, link = (select end_link from countersign_activity where end_seq = 10)',
    )
    expect(await verdictOf(store)).toBeUndefined()
    expect(await verdictOf(store, anchors)).toMatchObject({ kind: 'cut', seq: 10, id: ids[4] })
  })

  test('is missed when all of a tenant is gone, once a head has left the database', async () => {
    const { file, store } = await desk()
    const anchors = await store.activity.heads()
    await meddle(file, 'delete from countersign_activity')
    await meddle(file, 'delete from countersign_activity_heads')
    expect(await verdictOf(store, anchors)).toMatchObject({ kind: 'cut', tenant: 'default', seq: 0 })
  })
})

describe.each(places)('a row that was inserted into $table', ({ table, change }) => {
  const copied = (other: Readonly<Record<string, string>>) => {
    const names =
      'id change at tenant subject pseudonym client source tool outcome begin_seq begin_digest begin_link end_seq end_digest end_link salt args risk declared_risk'.split(
        ' ',
      )
    return `insert into ${table} (${names.join(', ')})
      select ${names.map((name) => other[name] ?? name).join(', ')} from ${table} where begin_seq = 3`
  }
  test.each([
    ['behind the head', '100', '101', 'inserted'],
    ['before the first', '0', '-1', 'inserted'],
    ['without an end of its own', '50', 'null', 'inserted'],
    ['in the place of an end', '4', '200', 'inserted'],
  ])('is named %s', async (_, begin, end, kind) => {
    const { file, store } = await desk()
    await change(file, copied({ id: `'ac_forged'`, begin_seq: begin, end_seq: end }))
    expect(await namedIn(store)).toMatchObject({ kind, id: 'ac_forged' })
  })

  test('is named in a tenant that has no chain', async () => {
    const { file, store } = await desk()
    await change(file, copied({ id: `'ac_forged'`, tenant: `'ghost'` }))
    expect(await namedIn(store)).toMatchObject({ kind: 'inserted', tenant: 'ghost', id: 'ac_forged' })
  })
})

test('a chain that was written anew with the right key does not fit a head that has left the database', async () => {
  const { store } = await desk()
  const anchors = (await store.activity.heads()).map((head) => ({ ...head, seq: 4 }))
  expect(await verdictOf(store, anchors)).toMatchObject({ kind: 'rebuilt', seq: 4 })
})

test('a row that another key wrote is named', async () => {
  const { file, store, ids } = await desk()
  const other = await opened({ file: ':memory:' })
  await record(other)
  const [head] = await other.activity.heads()
  await meddle(file, 'update countersign_activity set begin_link = ? where id = ?', head?.link ?? '', ids[0] ?? '')
  expect(await verdictOf(store)).toMatchObject({ kind: 'changed', id: ids[0] })
})

describe('an anchor file', () => {
  test('says what was appended, whatever else was cut off at its end', async () => {
    const { store } = await desk()
    const file = join(place(), 'anchors')
    const heads = await store.activity.heads()
    await appendAnchors(file, heads)
    await record(store)
    await appendAnchors(file, await store.activity.heads())
    appendFileSync(file, '{"at":"2026-01-0')
    const read = await readAnchors(file)
    expect(read).toMatchObject({ ok: true, value: [{ seq: 12 }, { seq: 14 }] })
    expect(read.ok && (await verdictOf(store, read.value))).toBeUndefined()
  })

  test.each([
    ['', 1],
    ['{"at":"2026-01-0', 1],
    ['{}\n', 1],
  ])('that holds %j proves nothing, and is refused', async (text, line) => {
    const file = join(place(), 'anchors')
    appendFileSync(file, text)
    expect(await readAnchors(file)).toMatchObject({
      ok: false,
      failure: { message: `Line ${line} of ${file} is not an anchor.` },
    })
  })

  test('that is not there is said so', async () => {
    expect(await readAnchors(join(place(), 'none'))).toMatchObject({ ok: false })
  })
})
