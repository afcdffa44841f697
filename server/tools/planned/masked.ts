// Members of a record that are not shown as they are: those for which the tool's `fields` have a value of their own, and those
// that its contract calls secret. Each stands in its record as something that compares by what it is and reads as what is shown
// of it, so that it is written out nowhere: in no change, no entry of a list, and no JSON of what it stands in.
import { covers, fromPointer } from '../../errors/pointer.ts'
import type { CardValue } from '../../model/card.ts'
import { isMembers } from './members.ts'
import type { RecordFields } from './record-changes.ts'

export const hiddenValue: CardValue = { kind: 'text', text: 'hidden' }

/** A value and what is shown of it. Two are equal where their values are. */
export class Masked {
  readonly value: unknown
  readonly #show: (value: unknown) => CardValue
  constructor(value: unknown, show: (value: unknown) => CardValue) {
    this.value = value
    this.#show = show
  }

  /** Asked for where it is shown: a tool's function may know no value but those of its own member. */
  card(): CardValue {
    return this.#show(this.value)
  }

  toJSON(): string {
    return readAs(this.card())
  }
}

/** The record with what masks its members in their place. `hidden`: JSON Pointers in which `*` is any key or index. */
export function masked(record: unknown, fields: RecordFields, hidden: readonly string[] = []): unknown {
  const isHidden = among(hidden)
  return replaced(record, (value, path) => {
    // What is absent or null has no value, whatever else values of this name are.
    if (value === undefined || value === null) return undefined
    const show = isHidden(path) ? () => hiddenValue : valueField(path.at(-1) ?? '', fields)
    return show === undefined ? undefined : [new Masked(value, show)]
  })
}

/** The record without these members. */
export function without(record: unknown, hidden: readonly string[]): unknown {
  const isHidden = among(hidden)
  return replaced(record, (_, path) => (isHidden(path) ? [] : undefined))
}

function among(pointers: readonly string[]): (path: readonly string[]) => boolean {
  const marks = pointers.map(fromPointer)
  return (path) => marks.some((mark) => covers(mark, path))
}

function valueField(name: string, fields: RecordFields): ((value: unknown) => CardValue) | undefined {
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  return typeof field === 'object' ? (field.value as ((value: unknown) => CardValue) | undefined) : undefined
}

/** A copy of JSON in which members and entries have what `instead` says: another value, none, or their own. */
function replaced(
  value: unknown,
  instead: (value: unknown, path: readonly string[]) => readonly [] | readonly [unknown] | undefined,
  path: readonly string[] = [],
): unknown {
  const inside = (each: unknown, key: string): readonly unknown[] =>
    instead(each, [...path, key]) ?? [replaced(each, instead, [...path, key])]
  if (Array.isArray(value)) return value.flatMap((each, at) => inside(each, String(at)))
  if (!isMembers(value)) return value
  return Object.fromEntries(Object.entries(value).flatMap(([key, each]) => inside(each, key).map((is) => [key, is])))
}

/** What a reader sees of a value, but for how their locale writes it. */
export function readAs(value: CardValue): string {
  switch (value.kind) {
    case 'date':
      return value.precision === 'day' ? value.iso : minuteOf(value.iso)
    case 'number':
      return [value.value, value.unit ?? ''].join(' ').trim()
    case 'money':
      return `${value.amount} ${value.currency}`
    case 'list':
      return value.items.map(readAs).join('\n')
    case 'text':
    case 'code':
      return value.text
    default:
      return 'value' in value ? String(value.value) : ''
  }
}

/** What is no moment is refused where the card is built, by its place. */
function minuteOf(iso: string): string {
  const at = new Date(iso)
  return Number.isNaN(at.getTime()) ? iso : at.toISOString().slice(0, 16)
}
