// A record as it is and as it would be, as what a card shows: the members that change, the members that stay, and entries of
// its lists that come, go or change.
import { isDeepStrictEqual } from 'node:util'
import { dataValue } from '../../cards/plain-value.ts'
import { toPointer } from '../../errors/pointer.ts'
import type { CardChange, CardRecordChange, CardValue, LabelledValue } from '../../model/card.ts'
import { humanLabel } from '../human-label.ts'
import { Masked, masked, readAs } from './masked.ts'
import { isMembers, type Members } from './members.ts'

/**
 * How members of this name are shown: what they are called, and as which value (money of a number of cents, say). What is
 * absent follows from the name and from the value: `due_date` is "Due date", "2026-11-28" a day.
 */
export type RecordField = string | { readonly label?: string; readonly value?: (value: never) => CardValue }

/** By the name of a member, wherever in the record it stands. */
export type RecordFields = Readonly<Record<string, RecordField>>

export interface RecordChanges {
  readonly changes: readonly CardChange[]
  readonly unchanged: readonly LabelledValue[]
  /** Of lists whose entries are objects with an id of their own. */
  readonly records: readonly CardRecordChange[]
}

/** By the first of these that all entries of a list have, and no two the same, an entry is known again. */
const idNames = ['id', 'key', 'uuid', 'sku', 'number', 'code', 'slug', 'email', 'name'] as const
/** What a record is called beside its id. */
const titleNames = ['title', 'name', 'subject', 'label', 'summary'] as const

/** What a record is known by on its card. A `key` or a `code` may be a secret, or a program. */
const subjectNames = ['id', 'sku', 'slug'] as const

/** What fits into a title. */
const isShort = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= 80 && !/[\n\r]/.test(value)

const textOf = (record: Members, names: readonly string[]): string | undefined =>
  names.map((name) => record[name]).find(isShort)

/** By which id a record is known ("ISS-7"), and what it is called; either may be absent. */
export function recordName(record: unknown): { readonly id?: string; readonly title?: string } {
  if (!isMembers(record)) return {}
  const id = subjectNames.map((name) => record[name]).find((value) => typeof value === 'number' || isShort(value))
  const title = textOf(record, titleNames)
  return {
    ...(id === undefined ? {} : { id: String(id) }),
    ...(title === undefined || title === id ? {} : { title }),
  }
}

/**
 * What differs. `undefined` on one side: the record comes into being, or goes. Both are JSON. `hidden`: of which members nothing
 * is shown but that they change, as JSON Pointers in which `*` is any key or index.
 */
export function recordChanges(
  before: unknown,
  after: unknown,
  fields: RecordFields = {},
  hidden: readonly string[] = [],
): RecordChanges {
  const found: Found = { changes: [], unchanged: [], records: [] }
  const [was, is] = [masked(before, fields, hidden), masked(after, fields, hidden)]
  compare({ path: [], labels: [], before: was, after: is }, { fields, hasRecords: true }, found)
  return found
}

interface Pair {
  readonly path: readonly string[]
  readonly labels: readonly string[]
  readonly before: unknown
  readonly after: unknown
}

interface Found {
  readonly changes: CardChange[]
  readonly unchanged: LabelledValue[]
  readonly records: CardRecordChange[]
}

interface Way {
  readonly fields: RecordFields
  /** Whether entries of lists are compared one by one. A card shows none inside of an entry. */
  readonly hasRecords: boolean
}

const labelOf = ({ labels }: Pick<Pair, 'labels'>): string => labels.join(' · ')

function compare(pair: Pair, way: Way, found: Found): void {
  const { path, before, after } = pair
  const values = [before, after].filter((side) => side !== undefined && side !== null)
  const isValue = values.some((side) => side instanceof Masked)
  const [was, is] = [before ?? {}, after ?? {}]
  if (!isValue && values.length > 0 && isMembers(was) && isMembers(is)) {
    const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
    for (const name of names) compare(memberOf(pair, name, [was, is], way), way, found)
    if (names.length > 0 || path.length === 0) return
  }
  const entries = isValue || !way.hasRecords ? undefined : entriesOf(before, after)
  if (entries === undefined) compareValues(pair, found)
  else compareEntries(pair, entries, way, found)
}

const memberOf = (
  { path, labels }: Pair,
  name: string,
  [was, is]: readonly [Members, Members],
  { fields }: Way,
): Pair => ({
  path: [...path, name],
  labels: [...labels, fieldLabel(name, fields)],
  before: Object.hasOwn(was, name) ? was[name] : undefined,
  after: Object.hasOwn(is, name) ? is[name] : undefined,
})

/** How members of this name are called. */
export function fieldLabel(name: string, fields: RecordFields): string {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  const label = (typeof field === 'string' ? field : field?.label) ?? humanLabel(name)
  return label === '' ? '""' : label
}

const shown = (value: unknown): CardValue => {
  if (value instanceof Masked) return value.card()
  return value === undefined || value === null ? { kind: 'unset' } : dataValue(value)
}

function compareValues(pair: Pair, found: Found): void {
  const { path, before, after } = pair
  const label = labelOf(pair)
  if (!isDeepStrictEqual(before ?? null, after ?? null))
    found.changes.push({ pointer: toPointer(path), label, ...toldApart(before, after) })
  else if (after !== undefined && after !== null) found.unchanged.push({ label, value: shown(after) })
}

/** Two values that read alike (an empty text and none, two moments of one minute, two that are masked) differ all the same. */
function toldApart(before: unknown, after: unknown): Pick<CardChange, 'before' | 'after'> {
  const [was, is] = [shown(before), shown(after)]
  if (readAs(was) !== readAs(is)) return { before: was, after: is }
  const [from, to] = [JSON.stringify(before) ?? 'absent', JSON.stringify(after) ?? 'absent']
  // What the tool shows of a value is all that may be seen of it.
  const isMasked = before instanceof Masked || after instanceof Masked || from === to
  if (isMasked) return { before: was, after: changed(is) }
  return { before: { kind: 'code', text: from }, after: { kind: 'code', text: to } }
}

const changed = (value: CardValue): CardValue =>
  value.kind === 'text'
    ? { ...value, text: `${value.text} (changed)` }
    : { kind: 'list', items: [...(value.kind === 'list' ? value.items : [value]), { kind: 'text', text: '(changed)' }] }

interface Entries {
  readonly id: string
  readonly before: readonly Members[]
  readonly after: readonly Members[]
}

/** Both sides as lists of objects that have ids; nothing where they are not such lists. */
function entriesOf(before: unknown, after: unknown): Entries | undefined {
  const [was, is] = [before ?? [], after ?? []]
  if (!Array.isArray(was) || !Array.isArray(is) || was.length + is.length === 0) return undefined
  const lists = [was, is] as readonly (readonly unknown[])[]
  const id = idNames.find((name) =>
    lists.every((list) => {
      const ids = list.map((entry) => (isMembers(entry) ? entry[name] : undefined))
      return (
        ids.every((each) => typeof each === 'string' || typeof each === 'number') && new Set(ids).size === ids.length
      )
    }),
  )
  return id === undefined ? undefined : { id, before: was as Members[], after: is as Members[] }
}

function compareEntries(pair: Pair, { id, before, after }: Entries, { fields }: Way, found: Found): void {
  const label = labelOf(pair)
  const [known, now] = [byId(before, id), byId(after, id)]
  const membersOf = (entry: Members): readonly LabelledValue[] =>
    Object.keys(entry)
      .filter((name) => name !== id)
      .map((name) => ({ label: fieldLabel(name, fields), value: shown(entry[name]) }))
  const records = before.flatMap((entry): readonly CardRecordChange[] => {
    const name = entryName(label, entry, id)
    const kept = now.get(entry[id])
    if (kept === undefined) return [{ ...name, change: 'removed', fields: membersOf(entry) }]
    if (isDeepStrictEqual(kept, entry)) return []
    const inside: Found = { changes: [], unchanged: [], records: [] }
    // By its id and not by its place, which is another entry's as soon as one before it goes.
    const path = [...pair.path, String(entry[id])]
    compare({ path, labels: [], before: entry, after: kept }, { fields, hasRecords: false }, inside)
    // A member that is null and one that is absent both have no value.
    return inside.changes.length === 0 ? [] : [{ ...name, change: 'changed', changes: inside.changes }]
  })
  const added = after.filter((entry) => !known.has(entry[id]))
  found.records.push(
    ...records,
    ...added.map((entry) => ({ ...entryName(label, entry, id), change: 'added' as const, fields: membersOf(entry) })),
  )
  const [wasOrder, isOrder] = [
    [...known.keys()].filter((key) => now.has(key)),
    [...now.keys()].filter((key) => known.has(key)),
  ]
  if (records.length + added.length === 0 || !isDeepStrictEqual(wasOrder, isOrder))
    compareValues({ ...pair, before: wasOrder, after: isOrder }, found)
}

const byId = (list: readonly Members[], id: string): ReadonlyMap<unknown, Members> =>
  new Map(list.map((entry) => [entry[id], entry]))

const entryName = (list: string, entry: Members, id: string): { readonly label: string; readonly id: string } => ({
  label:
    textOf(
      entry,
      titleNames.filter((name) => name !== id),
    ) ?? list,
  id: String(entry[id]),
})
