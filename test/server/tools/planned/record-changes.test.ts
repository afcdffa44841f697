// The card of a planned write is made of two records. Whatever they hold, nothing that differs may be left out of it.
import * as fc from 'fast-check'
import { isDeepStrictEqual } from 'node:util'
import { describe, expect, test } from 'vitest'
import { recordChanges, recordName } from '../../../../server/tools/planned/record-changes.ts'

const text = (said: string) => ({ kind: 'text', text: said }) as const
const unset = { kind: 'unset' } as const

describe('what a card shows of a record before and after', () => {
  test('names each member by its words, and values by what they are', () => {
    const before = { id: 'A-1', due_date: null, open: true, hours: 1.5, address: { city: 'Oslo', zip: '0150' } }
    const after = {
      ...before,
      due_date: '2026-12-01',
      open: false,
      hours: 2e21,
      address: { city: 'Bergen', zip: '0150' },
    }
    expect(recordChanges(before, after)).toStrictEqual({
      changes: [
        {
          pointer: '/due_date',
          label: 'Due date',
          before: unset,
          after: { kind: 'date', iso: '2026-12-01', precision: 'day' },
        },
        {
          pointer: '/open',
          label: 'Open',
          before: { kind: 'boolean', value: true },
          after: { kind: 'boolean', value: false },
        },
        {
          pointer: '/hours',
          label: 'Hours',
          before: { kind: 'number', value: '1.5' },
          after: { kind: 'number', value: '2000000000000000000000' },
        },
        { pointer: '/address/city', label: 'Address · City', before: text('Oslo'), after: text('Bergen') },
      ],
      unchanged: [
        { label: 'Id', value: text('A-1') },
        { label: 'Address · Zip', value: text('0150') },
      ],
      records: [],
    })
  })

  test('calls and shows members as their tool says, wherever they stand', () => {
    const money = (cents: number) => ({ kind: 'money', amount: (cents / 100).toFixed(2), currency: 'EUR' }) as const
    const fields = { price: { label: 'Unit price', value: money }, sku: 'Article' }
    const { changes, records } = recordChanges(
      { price: 100, lines: [] },
      { price: 250, lines: [{ sku: 'X', price: 5 }] },
      fields,
    )
    expect(changes).toStrictEqual([{ pointer: '/price', label: 'Unit price', before: money(100), after: money(250) }])
    expect(records).toStrictEqual([
      { label: 'Lines', id: 'X', change: 'added', fields: [{ label: 'Unit price', value: money(5) }] },
    ])
  })

  test('compares entries by their ids, and says where they have changed places', () => {
    const [one, two, three] = [
      { id: 1, name: 'Ada', role: 'member' },
      { id: 2, name: 'Bo', role: 'member' },
      { id: 3, name: 'Cy', role: 'member' },
    ] as const
    const { changes, records } = recordChanges(
      { people: [one, two, three] },
      { people: [three, { ...one, role: 'admin' }, { id: 4, name: 'Di', role: 'member' }] },
    )
    expect(records).toMatchObject([
      {
        change: 'changed',
        label: 'Ada',
        id: '1',
        changes: [{ pointer: '/people/1/role', label: 'Role', before: text('member'), after: text('admin') }],
      },
      { change: 'removed', label: 'Bo', id: '2' },
      { change: 'added', label: 'Di', id: '4' },
    ])
    expect(changes).toMatchObject([{ label: 'People', before: { items: [{ value: '1' }, { value: '3' }] } }])
  })

  test('does not take an empty text for none, nor "1" for 1', () => {
    expect(recordChanges({ a: '', b: '1' }, { a: null, b: 1 }).changes).toMatchObject([
      { before: { kind: 'code', text: '""' }, after: { kind: 'code', text: 'null' } },
      { before: { kind: 'code', text: '"1"' }, after: { kind: 'code', text: '1' } },
    ])
    const [early, late] = ['2026-12-01T10:00:05Z', '2026-12-01T11:00:45+01:00']
    expect(recordChanges({ at: early }, { at: late }).changes).toMatchObject([
      { after: { text: JSON.stringify(late) } },
    ])
  })

  test('shows something wherever the values of two records differ, and nothing where the records are alike', () => {
    const record = fc.dictionary(
      fc.constantFrom('id', 'name', 'lines', 'due', '__proto__', 'toString', 'a/b'),
      fc.oneof(
        fc.jsonValue({ maxDepth: 3 }),
        fc.array(fc.record({ id: fc.integer({ min: 0, max: 3 }), n: fc.jsonValue({ maxDepth: 1 }) }), { maxLength: 4 }),
      ),
      { noNullPrototype: true },
    )
    fc.assert(
      fc.property(record, record, (before, after) => {
        const { changes, records } = recordChanges(before, after)
        if (!isDeepStrictEqual(valuesOf(before) ?? {}, valuesOf(after) ?? {}))
          expect(changes.length + records.length).toBeGreaterThan(0)
        for (const change of changes) expect(change.before).not.toStrictEqual(change.after)
        expect(recordChanges(before, before)).toMatchObject({ changes: [], records: [] })
      }),
      { numRuns: 1000 },
    )
  })
})

/** Without members that have no value: null is shown as what is absent. */
function valuesOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(valuesOf)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, valuesOf(member)] as const)
  const kept = members.filter(([, member]) => member !== null && member !== undefined)
  return members.length > 0 && kept.length === 0 ? undefined : Object.fromEntries(kept)
}

test('a record is known by its id, and called by its title', () => {
  expect(recordName({ id: 7, title: 'Launch' })).toStrictEqual({ id: '7', title: 'Launch' })
  expect(recordName({ name: 'plan', text: 'x' })).toStrictEqual({ title: 'plan' })
  expect(recordName({ name: 'Stripe', key: 'sk_live', code: 'f()' })).toStrictEqual({ title: 'Stripe' })
  expect(recordName({ title: 'two\nlines' })).toStrictEqual({})
  expect(recordName({ text: 'x' })).toStrictEqual({})
  expect(recordName('plan')).toStrictEqual({})
})

describe('a value that its tool shows in its own way', () => {
  const mask = { pin: { value: () => text('••••') } }

  test('is never written out, and that it changes is said where both sides read alike', () => {
    expect(recordChanges({ pin: '4711' }, { pin: '9876' }, mask).changes).toStrictEqual([
      { pointer: '/pin', label: 'Pin', before: text('••••'), after: text('•••• (changed)') },
    ])
    const whole = { price: { value: (cents: number) => ({ kind: 'number', value: String(Math.round(cents / 100)) }) } }
    expect(recordChanges({ price: 100 }, { price: 104 }, whole as never).changes).toMatchObject([
      { before: { kind: 'number', value: '1' }, after: { items: [{ value: '1' }, text('(changed)')] } },
    ])
    const lists = recordChanges({ log: [{ pin: '4711' }] }, { log: [{ pin: '9876' }, { pin: 1 }] }, mask)
    expect(lists.changes).toMatchObject([{ after: { kind: 'code', text: '[{"pin":"••••"},{"pin":"••••"}]' } }])
    const one = recordChanges({ log: [{ pin: '4711' }] }, { log: [{ pin: '9876' }] }, mask).changes
    expect(one).toMatchObject([{ before: { text: '[{"pin":"••••"}]' }, after: { items: [{}, text('(changed)')] } }])
  })

  test('that is a date and is none comes to the card as it is, which says so', () => {
    const broken = { at: { value: (at: number) => ({ kind: 'date', iso: `x${at}`, precision: 'minute' }) as const } }
    expect(recordChanges({ at: 1 }, { at: 2 }, broken).changes).toMatchObject([{ before: { iso: 'x1' } }])
  })
})

test('of members that are hidden nothing is shown but where they change', () => {
  const secret = fc.integer({ min: 0, max: 3 }).map((n) => `geheim-${n}`)
  const record = fc.record(
    {
      id: fc.constantFrom('A', 'B'),
      pin: fc.option(secret),
      login: fc.record({ pin: secret, name: fc.constantFrom('Ada', 'Bo') }),
      users: fc.uniqueArray(fc.record({ id: fc.integer({ min: 0, max: 2 }), pin: secret }), {
        selector: ({ id }) => id,
      }),
      list: fc.array(fc.record({ pin: secret }), { maxLength: 2 }),
    },
    { requiredKeys: [] },
  )
  const hidden = ['/pin', '/login/pin', '/users/*/pin', '/list/*/pin']
  fc.assert(
    fc.property(fc.option(record, { nil: undefined }), record, (before, after) => {
      const [open, shut] = [recordChanges(before, after), recordChanges(before, after, {}, hidden)]
      expect(JSON.stringify(shut)).not.toContain('geheim')
      expect(shut.changes.map(({ pointer }) => pointer)).toStrictEqual(open.changes.map(({ pointer }) => pointer))
      expect(shut.records.map(({ id, change }) => [id, change])).toStrictEqual(
        open.records.map(({ id, change }) => [id, change]),
      )
      for (const change of shut.changes) expect(change.before).not.toStrictEqual(change.after)
    }),
    { numRuns: 500 },
  )
})
