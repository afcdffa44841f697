// A call as it is after the person has changed values of it on its card, and what they changed, in words for a card.
import { fromPointer, toPointer, valueAt } from '../errors/pointer.ts'
import type { Limit } from '../errors/limit.ts'
import { fail, ok, type Result } from '../errors/result.ts'
import type { CardChange, CardRecordChange, CardValue } from '../model/card.ts'
import type { CardEdit } from '../model/card-edits.ts'
import type { Editable } from './card-edits.ts'

/** Texts of fields by their places, and the places of members that were left out, as the card had them. */
export interface Revision {
  readonly set: Readonly<Record<string, string>>
  readonly leaveOut: readonly string[]
}

/** One value of a revision that cannot stand; `at` is "" where it is about all of them. */
export interface RevisionFault {
  readonly at: string
  /** What may stand there; nothing where the card cannot change it. */
  readonly allowed: Limit | undefined
}

/** The arguments after a revision. */
export interface RevisedArguments {
  readonly args: unknown
  /** Where something stood before members were left out, by where it stands now. */
  placeBefore(pointer: string): string
}

/**
 * Makes a revision in a copy of the arguments. Only what is editable is changed; whether the tool takes the whole is for its
 * schema to say.
 */
export function reviseArguments(
  args: unknown,
  { values, lists }: Editable,
  { set, leaveOut }: Revision,
): Result<RevisedArguments, readonly RevisionFault[]> {
  const members = lists.flatMap((list) => list.members)
  const editable = new Map(
    [...values, ...members.flatMap((member) => member.values)].map((value) => [value.edit.at, value]),
  )
  const removable = new Set(lists.flatMap((list) => (list.removable ? list.members.map(({ at }) => at) : [])))
  const copy: unknown = structuredClone(args)
  const faults: RevisionFault[] = []
  for (const [at, text] of Object.entries(set)) {
    const value = editable.get(at)
    const read = value?.read(text)
    if (leaveOut.some((member) => `${at}/`.startsWith(`${member}/`))) continue
    if (read === undefined) faults.push({ at, allowed: undefined })
    else if (read.ok) put(copy, fromPointer(at), read.value)
    else faults.push({ at, allowed: read.failure })
  }
  for (const at of leaveOut) if (!removable.has(at)) faults.push({ at, allowed: undefined })
  if (faults.length > 0) return fail(faults)
  const gone = indexesByList(leaveOut)
  for (const [list, indexes] of gone) {
    const held = valueAt(copy, fromPointer(list)) as unknown[]
    held.splice(0, held.length, ...held.filter((_, index) => !indexes.has(index)))
  }
  return ok({ args: copy, placeBefore: (pointer) => placeBefore(pointer, gone) })
}

/** Sets a member that exists or that its schema names; `undefined` takes it away. */
function put(within: unknown, path: readonly string[], value: unknown): void {
  const holder = valueAt(within, path.slice(0, -1)) as Record<string, unknown>
  const key = path.at(-1) ?? ''
  if (value === undefined) delete holder[key]
  else holder[key] = value
}

const holderOf = (at: string): string => at.slice(0, at.lastIndexOf('/'))
const lastOf = (at: string): number => Number(at.slice(at.lastIndexOf('/') + 1))

/** The indexes of members, by the place of their list. */
function indexesByList(members: readonly string[]): ReadonlyMap<string, ReadonlySet<number>> {
  const lists = new Map<string, Set<number>>()
  for (const at of members) lists.set(holderOf(at), (lists.get(holderOf(at)) ?? new Set()).add(lastOf(at)))
  return lists
}

function placeBefore(pointer: string, gone: ReadonlyMap<string, ReadonlySet<number>>): string {
  for (const [list, indexes] of gone) {
    const [index, ...rest] = pointer.startsWith(`${list}/`) ? fromPointer(pointer.slice(list.length)) : []
    if (index === undefined || !/^\d+$/.test(index)) continue
    let before = Number(index)
    for (const each of [...indexes].sort((a, b) => a - b)) if (each <= before) before += 1
    return `${list}${toPointer([String(before), ...rest])}`
  }
  return pointer
}

/** A field's text as a value that a card shows. */
function shownValue({ as, value, currency }: CardEdit): CardValue {
  if (value === undefined) return { kind: 'unset' }
  if (as === 'date' && /^\d{4}-\d{2}-\d{2}$/.test(value)) return { kind: 'date', iso: value, precision: 'day' }
  if (currency !== undefined && decimal.test(value)) return { kind: 'money', amount: value, currency }
  if (as === 'number' && decimal.test(value)) return { kind: 'number', value }
  if (as === 'switch') return { kind: 'boolean', value: value === 'true' }
  return { kind: 'text', text: value }
}

const decimal = /^-?\d+(\.\d+)?$/

/** What differs between two calls, of what a person may change. */
export interface Differences {
  readonly changes: readonly CardChange[]
  readonly records: readonly CardRecordChange[]
}

/** What was changed from one call to the other. Members of a list are known by what they are called. */
export function differencesOf(before: Editable, after: Editable): Differences {
  const lists = before.lists.map((list): Differences => {
    const now = after.lists.find(({ at }) => at === list.at)
    const isByPlace = list.members.every(isSingle) && now?.members.every(isSingle)
    // As many as before: what stands at each place is compared, so that an order that was changed is seen, too.
    if (isByPlace && now?.members.length === list.members.length)
      return { changes: changesOf(singlesOf(list), singlesOf(now)), records: [] }
    return { changes: [], records: recordsOf(list.members, now?.members ?? []) }
  })
  return {
    changes: [
      ...changesOf({ at: '', values: before.values }, { at: '', values: after.values }),
      ...lists.flatMap(({ changes }) => changes),
    ],
    records: lists.flatMap(({ records }) => records),
  }
}

/** Whether a member is itself the value that may be changed. */
const isSingle = ({ at, values }: Members[number]): boolean => values[0]?.edit.at === at

/** The values of a list that has no more to its members, each by the name of the list and its number. */
const singlesOf = ({ at, label, members }: Editable['lists'][number]): Holder => ({
  at,
  values: members.flatMap(({ values }) =>
    values.map((value) => ({ ...value, edit: { ...value.edit, label: `${label} ${value.edit.label}` } })),
  ),
})

type Members = Editable['lists'][number]['members']

const valuesOf = ({ values }: Members[number]): string => JSON.stringify(values.map(({ edit }) => edit.value))

/** Of members that are called alike those go together that are alike in all. */
function recordsOf(before: Members, after: Members): readonly CardRecordChange[] {
  const left = [...after]
  const take = (fits: (member: Members[number]) => boolean): Members[number] | undefined => {
    const found = left.findIndex(fits)
    return found < 0 ? undefined : left.splice(found, 1)[0]
  }
  const others = before.filter(
    (member) => take((each) => each.label === member.label && valuesOf(each) === valuesOf(member)) === undefined,
  )
  const records = others.map((member): CardRecordChange => {
    const kept = take(({ label }) => label === member.label)
    if (kept === undefined) return { change: 'removed', label: member.label }
    return { change: 'changed', label: member.label, changes: changesOf(member, kept) }
  })
  return [...records, ...left.map(({ label }) => ({ change: 'added', label }) as const)]
}

/** Values are known by where they stand in what holds them. */
type Holder = Pick<Members[number], 'at' | 'values'>

function changesOf(before: Holder, after: Holder): readonly CardChange[] {
  const known = new Map(before.values.map(({ edit }) => [edit.at.slice(before.at.length), edit]))
  return after.values.flatMap(({ edit }): readonly CardChange[] => {
    const was = known.get(edit.at.slice(after.at.length))
    if (was?.value === edit.value) return []
    const { at: pointer, label } = edit
    return [
      { pointer, label, before: was === undefined ? { kind: 'unset' } : shownValue(was), after: shownValue(edit) },
    ]
  })
}

const spoken = (value: CardValue): string => {
  switch (value.kind) {
    case 'number':
      return value.value
    case 'money':
      return `${value.amount} ${value.currency}`
    case 'date':
      return value.iso
    case 'boolean':
      return value.value ? 'yes' : 'no'
    case 'text':
      return JSON.stringify(value.text)
    default:
      return 'not set'
  }
}

/** The differences as lines of plain text, for a record. */
export const spokenDifferences = ({ changes, records }: Differences): readonly string[] => [
  ...changes.map(({ label, before, after }) => `${label}: ${spoken(before)} → ${spoken(after)}`),
  ...records.flatMap(({ change, label, changes: inside = [] }) =>
    change === 'changed'
      ? inside.map((each) => `${label}, ${each.label}: ${spoken(each.before)} → ${spoken(each.after)}`)
      : [`${label}: ${change === 'removed' ? 'left out' : 'added'}`],
  ),
]
