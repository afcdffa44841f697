// Values of a call that a person may change: for any arguments and any changes, what was not offered stays as it was.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { cardEditsOf, editableOf } from '../../../server/tools/card-edits.ts'
import type { Revisable } from '../../../server/tools/card-edits.ts'
import { toTool, type WriteTool } from '../../../server/tools/catalog.ts'
import { cardEditsSchema } from '../../../server/cards/card-value.schema.ts'
import { ContractError } from '../../../server/tools/define-tool.ts'
import { differencesOf, reviseArguments, spokenDifferences } from '../../../server/tools/revised-arguments.ts'
import { fromPointer, valueAt } from '../../../server/errors/pointer.ts'
import { runsOf } from '../../full.ts'
import { writeTool } from '../../kit/tools.ts'

const toolOf = (input: z.ZodType, revise: true | readonly Revisable[], more: object = {}): WriteTool =>
  toTool(
    writeTool({ name: 'things.keep', input, output: z.unknown(), run: () => ({}), revise, ...more }),
    'things_keep',
  ) as WriteTool

const offered = (input: z.ZodType, args: object, revise: true | readonly Revisable[] = true) =>
  cardEditsOf(editableOf(toolOf(input, revise), args))

test('a place has its name in the language of the card; where it has none there, in English, else by its argument', () => {
  const tool = toolOf(z.strictObject({ due: z.string(), note: z.string() }), [
    { at: '/due', label: { en: 'Delivery', de: 'Lieferung' } },
    { at: '/note', label: { de: 'Notiz' } },
  ])
  const named = (language: string) =>
    cardEditsOf(editableOf(tool, { due: 'a', note: 'b' }, language))?.fields.map(({ label }) => label)
  expect(['de', 'fr', '__proto__'].map(named)).toEqual([
    ['Lieferung', 'Notiz'],
    ['Delivery', 'Note'],
    ['Delivery', 'Note'],
  ])
})

describe('a value is offered as', () => {
  test.each<[string, z.ZodType, unknown, object]>([
    ['a text', z.string(), 'x', { as: 'text', value: 'x' }],
    ['a long text where it has lines', z.string(), 'x\ny', { as: 'long', value: 'x\ny' }],
    ['a long text where it may become one', z.string().max(1000).optional(), undefined, { as: 'long', optional: true }],
    ['a number', z.number(), 1.5, { as: 'number', value: '1.5' }],
    ['a day', z.iso.date(), '2026-11-27', { as: 'date', value: '2026-11-27' }],
    ['a choice', z.enum(['a', 'b']), 'b', { as: 'choice', choices: ['a', 'b'], value: 'b' }],
    ['a switch', z.boolean(), false, { as: 'switch', value: 'false' }],
    ['one that may be empty, where it may be null', z.string().nullable(), null, { as: 'text' }],
    ['one that may be empty, where it may be missing', z.int().optional(), undefined, { as: 'number', optional: true }],
  ])('%s', (_, schema, value, edit) => {
    const args = value === undefined ? {} : { a: value }
    const found = offered(z.strictObject({ a: schema }), args)?.fields[0]
    expect(found).toMatchObject({ at: '/a', label: 'A', ...edit })
    expect(found?.optional === true).toBe(schema.safeParse(undefined).success || schema.safeParse(null).success)
  })

  test.each<[string, z.ZodType, unknown]>([
    ['a value of two kinds', z.union([z.string(), z.number()]), 'x'],
    ['anything', z.unknown(), 'x'],
    ['a map', z.record(z.string(), z.string()), { b: 'x' }],
    ['a list of lists', z.array(z.array(z.string())), [['x']]],
  ])('nothing where it is %s', (_, schema, value) => {
    expect(offered(z.strictObject({ a: schema }), { a: value })).toBeUndefined()
  })

  test('money where the contract names its currency, under the name that it gives', () => {
    const revise = [{ at: '/cost', label: 'Budget', currency: 'EUR' }]
    expect(offered(z.strictObject({ cost: z.string() }), { cost: '12.50' }, revise)?.fields).toStrictEqual([
      { at: '/cost', label: 'Budget', as: 'text', value: '12.50', currency: 'EUR' },
    ])
  })

  test('a member of an object, of a reference, and of a list of texts', () => {
    const person = z.strictObject({ name: z.string() }).meta({ id: 'Person' })
    const input = z.strictObject({ by: person, to: z.array(z.string()), cc: z.array(z.string()).optional() })
    const edits = offered(input, { by: { name: 'Ann' }, to: ['a@example.com', 'b@example.com'] })
    expect(edits?.fields.map(({ at }) => at)).toStrictEqual(['/by/name'])
    expect(edits?.lists).toStrictEqual([
      {
        label: 'To',
        removable: true,
        members: [
          {
            at: '/to/0',
            label: 'a@example.com',
            fields: [{ at: '/to/0', label: '1', as: 'text', value: 'a@example.com' }],
          },
          {
            at: '/to/1',
            label: 'b@example.com',
            fields: [{ at: '/to/1', label: '2', as: 'text', value: 'b@example.com' }],
          },
        ],
      },
    ])
  })

  test('nothing of a list that has more members than a card offers', () => {
    const input = z.strictObject({ to: z.array(z.string()), note: z.string() })
    const edits = offered(input, { to: Array.from({ length: 301 }, (_, at) => `n${at}`), note: 'x' })
    expect(edits?.lists).toStrictEqual([])
    expect(edits?.fields).toHaveLength(1)
  })
})

test('a value that is fixed, and a member that is null, are not offered; many choices are written as a text', () => {
  const zones = Array.from({ length: 400 }, (_, at) => `Zone/${at}`) as [string, ...string[]]
  const schema = z.strictObject({
    fixed: z.literal('x'),
    zone: z.enum(zones),
    lines: z.array(z.strictObject({ n: z.int() }).nullable()),
    maybe: z.enum(['a']).nullable(),
  })
  const edits = offered(schema, { fixed: 'x', zone: 'Zone/1', lines: [null, { n: 1 }], maybe: null })
  expect(edits?.fields).toStrictEqual([
    { at: '/zone', label: 'Zone', as: 'text', value: 'Zone/1' },
    { at: '/maybe', label: 'Maybe', as: 'choice', choices: ['a'], optional: true },
  ])
  expect(edits?.lists[0]?.members.map(({ fields }) => fields.length)).toStrictEqual([0, 1])
})

test.each([
  ['1.5', 1.5],
  ['1,5', 1.5],
  ['-3', -3],
  ['1,500', undefined],
  ['1e9', undefined],
  ['', undefined],
])('of a number %j is read as %j', (text, value) => {
  const editable = editableOf(toolOf(z.strictObject({ n: z.number() }), true), { n: 7 })
  const revised = reviseArguments({ n: 7 }, editable, { set: { '/n': text }, leaveOut: [] })
  expect(revised.ok ? (revised.value.args as { n: number }).n : undefined).toBe(value)
})

test('of a list of single values one is changed, another left out, and the record names both', () => {
  const pairs = toolOf(z.strictObject({ to: z.array(z.email()), n: z.array(z.int()) }), true)
  const args = { to: ['a@example.com', 'b@example.com', 'c@example.com'], n: [1, 2] }
  const editable = editableOf(pairs, args)
  const revised = reviseArguments(args, editable, {
    set: { '/to/1': 'x@example.com', '/to/0': 'gone with its place', '/n/1': '3' },
    leaveOut: ['/to/0'],
  })
  expect(revised).toMatchObject({ ok: true, value: { args: { to: ['x@example.com', 'c@example.com'], n: [1, 3] } } })
  if (!revised.ok) return
  expect(revised.value.placeBefore('/to/0')).toBe('/to/1')
  expect(spokenDifferences(differencesOf(editable, editableOf(pairs, revised.value.args)))).toStrictEqual([
    'N 2: 2 → 3',
    'a@example.com: left out',
    'b@example.com: left out',
    'x@example.com: added',
  ])
})

describe('of a list of single values', () => {
  const tool = toolOf(z.strictObject({ to: z.array(z.string()) }), true)
  const of = (...to: string[]) => editableOf(tool, { to })

  test('of which none is left out, what stood at a place is compared with what stands there, also where the order alone was changed', () => {
    expect(spokenDifferences(differencesOf(of('a', 'b'), of('a', 'c')))).toStrictEqual(['To 2: "b" → "c"'])
    expect(spokenDifferences(differencesOf(of('a', 'b'), of('b', 'a')))).toStrictEqual([
      'To 1: "a" → "b"',
      'To 2: "b" → "a"',
    ])
  })

  test('that is too long for a field each, members can still be left out', () => {
    const edits = cardEditsOf(of(...Array.from({ length: 200 }, (_, at) => `n${at}`)))
    expect(edits?.lists[0]?.removable).toBe(true)
    expect(edits?.lists[0]?.members).toHaveLength(200)
    expect(edits?.lists[0]?.members.every(({ fields }) => fields.length === 0)).toBe(true)
  })

  test('one that is emptied is refused: it is left out by its box', () => {
    const revised = reviseArguments({ to: ['a'] }, of('a'), { set: { '/to/0': '' }, leaveOut: [] })
    expect(revised).toMatchObject({ ok: false, failure: [{ at: '/to/0' }] })
  })
})

test('of two long texts of a list that begin alike the changed one is compared with itself', () => {
  const notes = toolOf(z.strictObject({ notes: z.array(z.string()) }), true)
  const long = 'n'.repeat(200)
  const of = (...texts: string[]) => editableOf(notes, { notes: texts })
  const [record] = differencesOf(of('first', `${long}1`), of(`${long}2`)).records.filter(
    ({ change }) => change === 'changed',
  )
  expect(record?.changes).toMatchObject([{ before: { text: `${long}1` }, after: { text: `${long}2` } }])
})

test('of lists that are called alike, and of members that are, the right one is said to have changed', () => {
  const member = z.strictObject({ sku: z.string(), n: z.int() })
  const side = z.strictObject({ lines: z.array(member) })
  const twice = toolOf(z.strictObject({ a: side, b: side }), ['/a/lines/*', '/a/lines/*/n', '/b/lines/*'])
  const args = (a: object[], b: object[]) => editableOf(twice, { a: { lines: a }, b: { lines: b } })
  const two = { sku: 'A', n: 2 }
  const three = { sku: 'A', n: 3 }
  expect(differencesOf(args([two, three], [two]), args([three], [two]))).toStrictEqual({
    changes: [],
    records: [{ change: 'removed', label: 'A' }],
  })
  expect(differencesOf(args([two], [two, three]), args([two], [two])).records).toStrictEqual([
    { change: 'removed', label: 'A' },
  ])
})

describe('a contract is refused', () => {
  const input = z.strictObject({
    lines: z.array(z.strictObject({ n: z.int(), more: z.array(z.string()) })),
    o: z.object({}),
  })
  test.each<[string, readonly Revisable[]]>([
    ['leads to nothing', ['/lnes']],
    ['leads to an object', ['/o']],
    ['leads to a list', ['/lines']],
    ['leads into a list of a list', ['/lines/*/more/*']],
    ['leads deep into a member', ['/lines/*/deep/n']],
    ['is no pointer', ['lines']],
    ['is reserved', ['/rationale']],
  ])('whose place %s', (_, revise) => {
    expect(() => toolOf(input, revise)).toThrow(ContractError)
  })

  test('that marks secrets, because the changed call is sent as a message', () => {
    const secret = z.strictObject({ pin: z.string(), note: z.string() })
    expect(() => toolOf(secret, ['/note'], { secrets: { arguments: ['/pin'] } })).toThrow(/repeats no secret/)
  })
})

const input = z.strictObject({
  title: z.string(),
  count: z.int().optional(),
  day: z.iso.date().nullable(),
  kind: z.enum(['plain', 'odd']),
  on: z.boolean(),
  fixed: z.string(),
  lines: z.array(z.strictObject({ sku: z.string(), quantity: z.int(), kept: z.string() })),
  to: z.array(z.string()),
})
const tool = toolOf(input, ['/title', '/count', '/day', '/kind', '/on', '/lines/*', '/lines/*/quantity', '/to/*'])

const line = fc.record({ sku: fc.string(), quantity: fc.integer(), kept: fc.string() }, { noNullPrototype: true })
const argumentsOf = fc.record(
  {
    title: fc.string(),
    count: fc.integer(),
    day: fc.constantFrom('2026-11-27', null),
    kind: fc.constantFrom('plain', 'odd'),
    on: fc.boolean(),
    fixed: fc.string(),
    lines: fc.array(line, { maxLength: 6 }),
    to: fc.array(fc.string(), { maxLength: 6 }),
  },
  { requiredKeys: ['title', 'day', 'kind', 'on', 'fixed', 'lines', 'to'], noNullPrototype: true },
)
const texts = fc.oneof(fc.string(), fc.constantFrom('', '3', 'true', 'odd', '2027-01-31', '1e9', '٣'))
const changed = argumentsOf.chain((args) => {
  const { values, lists } = editableOf(tool, args)
  const members = lists.flatMap((list) => list.members)
  const places = [...values, ...members.flatMap((member) => member.values)].map(({ edit }) => edit.at)
  return fc.record({
    args: fc.constant(args),
    set: fc.dictionary(fc.constantFrom(...places), texts),
    leaveOut: fc.subarray(members.map(({ at }) => at)),
  })
})

test('what a card offers is what its schema allows', () => {
  fc.assert(
    fc.property(argumentsOf, (args) => {
      expect(cardEditsSchema.safeParse(cardEditsOf(editableOf(tool, args))).success).toBe(true)
    }),
    { numRuns: runsOf(1000) },
  )
})

test('only what was offered is changed, members left out are gone, and everything is found where it was', () => {
  fc.assert(
    fc.property(changed, ({ args, set, leaveOut }) => {
      const before = structuredClone(args)
      const revised = reviseArguments(args, editableOf(tool, args), { set, leaveOut })
      expect(args).toStrictEqual(before)
      if (!revised.ok) {
        for (const { at } of revised.failure) expect(Object.keys(set)).toContain(at)
        return
      }
      const after = revised.value.args as typeof args
      expect(after.fixed).toBe(args.fixed)
      for (const name of ['lines', 'to'] as const) {
        const kept = args[name].filter((_, index) => !leaveOut.includes(`/${name}/${index}`))
        expect(after[name]).toHaveLength(kept.length)
        for (const [index, member] of after[name].entries()) {
          const old = valueAt(args, fromPointer(revised.value.placeBefore(`/${name}/${index}`)))
          expect(old).toStrictEqual(kept[index])
          if (typeof member === 'string') expect([old, ...Object.values(set)]).toContain(member)
          else expect({ ...member, quantity: 0 }).toStrictEqual({ ...(old as object), quantity: 0 })
        }
      }
    }),
    { numRuns: runsOf(2000) },
  )
})

test('what differs is said, and a call does not differ from itself', () => {
  fc.assert(
    fc.property(changed, ({ args, set, leaveOut }) => {
      const none = differencesOf(editableOf(tool, args), editableOf(tool, structuredClone(args)))
      expect(none).toStrictEqual({ changes: [], records: [] })
      const revised = reviseArguments(args, editableOf(tool, args), { set, leaveOut })
      if (!revised.ok) return
      const after = revised.value.args as typeof args
      const { changes, records } = differencesOf(editableOf(tool, args), editableOf(tool, after))
      const isSame = JSON.stringify(args) === JSON.stringify({ ...after })
      if (changes.length === 0 && records.length === 0) expect({ ...after, count: args.count }).toEqual({ ...args })
      if (isSame) expect([...changes, ...records]).toStrictEqual([])
    }),
    { numRuns: runsOf(2000) },
  )
})
