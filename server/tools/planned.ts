// What a plan of `defineWrite` makes of a call, and what follows from it: the preview that a person signs, the fingerprint
// that the apply compares, and the call that takes it back.
import { isDeepStrictEqual } from 'node:util'
import { canonicalJson, sha256 } from '../canonical-json.ts'
import { toPointer } from '../errors/pointer.ts'
import type { CardBlock, CardRecordChange, LabelledValue } from '../model/card.ts'
import { humanLabel } from './human-label.ts'
import { recordChanges, recordName, type RecordChanges, type RecordFields } from './record-changes.ts'
import type { OfferedCall, Preview, Success } from './shown-on-cards.ts'

/**
 * What a call would change. `before` is the record as it is, absent where the call makes a new one; `after` is the record as it
 * would be, absent where the call deletes it. The card's changes follow from the two; every other part of a preview may be
 * said beside them, and takes the place of what would follow.
 */
export interface Planned extends Partial<Omit<Preview, 'blocked'>> {
  readonly before?: unknown
  readonly after?: unknown
  /** What else the confirmation rests on, as JSON: versions of other records, the recipients of a mail. */
  readonly basis?: unknown
  /** By what people know the record: "ISS-7". Its id when absent. */
  readonly subject?: string
  /** Why it cannot be done; `code`: the failure with which the call would end. */
  readonly blocked?: { readonly title: string; readonly text: string; readonly code: string }
}

/** The words of a contract that stand in a derived preview. */
export interface PlanWords {
  /** "Close issue". */
  readonly title: string
  /** "the issue". */
  readonly noun: string
  readonly fields: RecordFields
}

/** Both sides of a record as JSON, as they are compared, shown, and answered. */
export interface BothSides {
  readonly before?: unknown
  readonly after?: unknown
}

/** As JSON has it: dates as ISO 8601, large integers as digits, and without what it cannot carry. */
export const jsonOf = (value: unknown): unknown =>
  value === undefined
    ? undefined
    : (JSON.parse(
        JSON.stringify(value, (_, member: unknown) => (typeof member === 'bigint' ? String(member) : member)) ?? 'null',
      ) as unknown)

export const bothSides = ({ before, after }: Planned): BothSides => ({
  ...(before === undefined || before === null ? {} : { before: jsonOf(before) }),
  ...(after === undefined || after === null ? {} : { after: jsonOf(after) }),
})

/** Of all that the person signs, but for the words around it. */
export const fingerprintOf = ({ basis, effects, blocked, ...planned }: Planned): string =>
  sha256(canonicalJson(jsonOf([bothSides(planned), basis ?? null, effects ?? null, blocked?.code ?? null])))

/** Where two answers to the same call over the same state differ; nothing where they are alike. */
export function unstablePlace(first: BothSides, second: BothSides): string | undefined {
  if (!isDeepStrictEqual(first.before, second.before)) return undefined
  const [change] = recordChanges(first.after, second.after).changes
  return isDeepStrictEqual(first.after, second.after) ? undefined : toPointer(['after']) + (change?.pointer ?? '')
}

/** Whether the record already is as the call would make it, and nothing else would happen. */
export const changesNothing = (planned: Planned): boolean => {
  const { before, after } = bothSides(planned)
  return (
    before !== undefined &&
    isDeepStrictEqual(before, after) &&
    (planned.effects ?? []).length === 0 &&
    planned.changes === undefined &&
    planned.blocks === undefined
  )
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** By what people know the record, and what it is called beside that. */
function namesOf({ subject, ...planned }: Planned): { readonly subject?: string; readonly title?: string } {
  const { before, after } = bothSides(planned)
  const { id, title } = recordName(before ?? after)
  const known = subject ?? id ?? title
  return {
    ...(known === undefined ? {} : { subject: known }),
    ...(title === undefined || title === known ? {} : { title }),
  }
}

const titleOf = (words: PlanWords, planned: Planned): string => {
  const { subject } = namesOf(planned)
  return subject === undefined ? words.title : `${words.title} ${subject}`
}

function summaryOf({ noun, title }: PlanWords, planned: Planned, { changes, records }: RecordChanges): string {
  const { before, after } = bothSides(planned)
  const { subject } = namesOf(planned)
  const thing = subject === undefined ? noun : `${noun} ${subject}`
  if (before === undefined && after === undefined) return `${title}.`
  if (before === undefined) return `Creates ${thing}.`
  if (after === undefined) return `Deletes ${thing}.`
  const named = [...new Set([...changes, ...records].map(({ label }) => label))]
  const words = named.length > 4 ? [...named.slice(0, 3), `${named.length - 3} more`] : named
  return named.length === 0 ? `Leaves ${thing} as it is.` : `Changes ${listed(words)} of ${thing}.`
}

/** The preview of what was planned. What cannot be done shows no consequences, which would be read as promises. */
export function previewOf(words: PlanWords, planned: Planned): Preview {
  const { before: _, after: __, basis: ___, subject: ____, blocked, ...said } = planned
  const found = recordChanges(...sidesOf(planned), words.fields)
  const { title: subtitle } = namesOf(planned)
  const head = {
    title: titleOf(words, planned),
    ...(subtitle === undefined ? {} : { subtitle }),
    summary: summaryOf(words, planned, found),
    confirmLabel: words.title,
  }
  if (blocked !== undefined) {
    const { changes: _____, unchanged: ______, details: _______, warnings: ________, ...rest } = said
    return { ...head, ...rest, effects: [], blocked }
  }
  const { changes, unchanged } = found
  return {
    ...head,
    ...(isOneSided(planned) || changes.length === 0
      ? {}
      : { changes, ...(unchanged.length === 0 ? {} : { unchanged }) }),
    ...said,
    blocks: [...recordBlocks(words, planned, found), ...(said.blocks ?? [])],
  }
}

/** Whether the record comes into being, or goes. */
const isOneSided = (planned: Planned): boolean => {
  const { before, after } = bothSides(planned)
  return (before === undefined) !== (after === undefined)
}

/** A record that comes or goes as a whole, and entries of its lists that come, go or change. */
function recordBlocks(words: PlanWords, planned: Planned, { changes, unchanged, records }: RecordChanges): CardBlock[] {
  const { before, after } = bothSides(planned)
  const { subject, title } = namesOf(planned)
  const whole: CardRecordChange = {
    change: after === undefined ? 'removed' : 'added',
    label: title ?? subject ?? humanLabel(words.noun.replace(/^the /, '')),
    ...(title === undefined || subject === undefined ? {} : { id: subject }),
    fields: changes.map((change) => ({
      label: change.label,
      value: after === undefined ? change.before : change.after,
    })),
  }
  const list = isOneSided(planned) ? [whole, ...records] : records
  if (list.length === 0) return []
  // A card draws no diff of members where none changes: what stays is then said here.
  const isAlone = before !== undefined && after !== undefined && changes.length === 0 && unchanged.length > 0
  return [{ kind: 'diff', changes: [], records: list, ...(isAlone ? { unchanged } : {}) }]
}

const sidesOf = (planned: Planned): [unknown, unknown] => {
  const { before, after } = bothSides(planned)
  return [before, after]
}

/** The card of a call that took effect: what changed, as it is now. */
export function successOf(words: PlanWords, sides: BothSides): Success {
  const { before, after } = sides
  const { changes, records } = recordChanges(before, after, words.fields)
  const { title: subtitle } = namesOf(sides)
  const fields: readonly LabelledValue[] =
    after === undefined ? [] : changes.map(({ label, after: value }) => ({ label, value }))
  return {
    title: `${titleOf(words, { ...sides, before: after ?? before })}: done`,
    ...(subtitle === undefined ? {} : { subtitle }),
    blocks: [
      ...(fields.length === 0 ? [] : [{ kind: 'fields' as const, fields }]),
      ...(records.length === 0 ? [] : [{ kind: 'diff' as const, changes: [], records }]),
    ],
  }
}

type Members = Readonly<Record<string, unknown>>

/**
 * The call that sets changed members back: of a tool whose arguments are called like the members that they set. Nothing where an
 * argument changed something in another way.
 */
export function settingBack(tool: string, input: Members, { before, after }: BothSides): OfferedCall | undefined {
  if (before === undefined || after === undefined) return undefined
  const [was, is] = [before as Members, after as Members]
  const changed = [...new Set([...Object.keys(was), ...Object.keys(is)])].filter(
    (name) => !isDeepStrictEqual(was[name], is[name]),
  )
  const isSet = (name: string): boolean =>
    Object.hasOwn(input, name) && isDeepStrictEqual(jsonOf(input[name]), is[name])
  if (changed.length === 0 || !changed.every(isSet)) return undefined
  return {
    tool,
    arguments: { ...input, ...Object.fromEntries(changed.map((name) => [name, was[name] ?? null])) },
    label: 'Undo',
  }
}
