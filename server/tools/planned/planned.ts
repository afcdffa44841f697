// What a plan of `defineWrite` makes of a call, and what follows from it: the preview that a person signs, the fingerprint
// that the apply compares, and the call that takes it back.
import { isDeepStrictEqual } from 'node:util'
import { canonicalJson, sha256 } from '../../canonical-json.ts'
import { cardLimits } from '../../cards/limits.ts'
import { nearest } from '../../errors/nearest.ts'
import { fromPointer, valuesAt } from '../../errors/pointer.ts'
import type { CardBlock, CardRecordChange, LabelledValue } from '../../model/card.ts'
import { humanLabel } from '../human-label.ts'
import { hiddenValue, masked } from './masked.ts'
import { isMembers, type Members } from './members.ts'
import { jsonOf } from './planned-json.ts'
import { fieldLabel, recordChanges, recordName, type RecordChanges, type RecordFields } from './record-changes.ts'
import type { OfferedCall, Preview, Success } from '../shown-on-cards.ts'

/**
 * What a call would change. `before` is the record as it is, absent where the call makes a new one; `after` is the record as it
 * would be, absent where the call deletes it. The card's changes follow from the two; every other part of a preview may be
 * said beside them, and takes the place of what would follow.
 */
export interface Planned extends Partial<Omit<Preview, 'blocked'>> {
  /** The record as it is; absent where the call makes a new one. */
  readonly before?: unknown
  /** The record as it would be; absent where the call deletes it. */
  readonly after?: unknown
  /** What else the confirmation rests on, and `apply` needs, as JSON: versions of other records, the recipients of a mail. */
  readonly basis?: unknown
  /** Why it cannot be done; `code`: the failure with which the call would end. */
  readonly blocked?: { readonly title: string; readonly text: string; readonly code: string }
}

/** The parts of a plan. A member that is none of them would be neither shown nor missed. */
const parts: Readonly<Record<keyof Required<Planned>, true>> = {
  before: true,
  after: true,
  basis: true,
  blocked: true,
  title: true,
  subtitle: true,
  icon: true,
  summary: true,
  changes: true,
  unchanged: true,
  effects: true,
  blocks: true,
  warnings: true,
  confirmLabel: true,
  confirmPhrase: true,
  details: true,
  estimatedDurationMs: true,
}

const texts = ['title', 'subtitle', 'icon', 'summary', 'confirmLabel', 'confirmPhrase'] as const

/** The words of a contract that stand in a derived preview. */
export interface PlanWords {
  /** "Close issue". */
  readonly title: string
  /** "the issue". */
  readonly noun: string
  readonly fields: RecordFields
  /** Members of which a card shows nothing but that they change: JSON Pointers in which `*` is any key or index. */
  readonly hidden: readonly string[]
  /** By what people know a record. */
  readonly subject?: ((record: never) => string) | undefined
}

/** Both sides of a record as JSON, as they are compared, shown, and answered. */
export interface BothSides {
  readonly before?: unknown
  readonly after?: unknown
}

/** A plan as it was checked, beside its two sides and the fingerprint of all that it says. */
export interface CheckedPlan {
  /** As `apply` is given it. */
  readonly planned: Planned
  readonly sides: BothSides
  /** All of it as JSON, without what is not set: what is compared is what is shown. */
  readonly said: Planned
  readonly fingerprint: string
}

/**
 * Reads what `plan` answered.
 * @throws {Error} saying which part of it cannot be shown or compared, and what to answer instead.
 */
export function checkPlan(given: unknown, codes: readonly string[]): CheckedPlan {
  if (!isMembers(given)) throw new Error('plan answered no object. Answer { before, after, effects }, or ctx.fail(…).')
  for (const name of Object.keys(given))
    if (!Object.hasOwn(parts, name)) {
      const [meant] = nearest(name, Object.keys(parts), 1)
      const hint = meant === undefined ? '' : ` Did you mean "${meant}"?`
      throw new Error(`plan answered "${name}", which is not shown.${hint} What apply needs besides goes into basis.`)
    }
  const said = saidBy(given)
  for (const name of texts)
    if (said[name] !== undefined && typeof said[name] !== 'string')
      throw new Error(
        `plan answered ${JSON.stringify(said[name]).slice(0, 40)} as ${name}. Answer a text, or leave it out.`,
      )
  for (const side of ['before', 'after'] as const)
    if (said[side] !== undefined && !isMembers(said[side]))
      throw new Error(
        `plan answered ${JSON.stringify(said[side]).slice(0, 40)} as ${side}. Answer a record: an object.`,
      )
  const { before, after, blocked, changes, blocks, summary, effects = [] } = said
  if (blocked !== undefined && !codes.includes(blocked.code))
    throw new Error(`plan is blocked with "${blocked.code}". Use one of the failures: ${codes.join(', ')}.`)
  const isEmpty = [before, after, blocked, changes, blocks, summary].every((part) => part === undefined)
  if (isEmpty && effects.length === 0)
    throw new Error('plan answered nothing to sign: neither before nor after, and no effects.')
  return {
    planned: given,
    sides: { ...(before === undefined ? {} : { before }), ...(after === undefined ? {} : { after }) },
    said,
    fingerprint: sha256(canonicalJson(said)),
  }
}

/** As JSON. A part that is null or `undefined` is not said, and what follows from the others takes its place. */
const saidBy = (given: object): Planned =>
  Object.fromEntries(Object.entries(jsonOf(given, 'The plan') as object).filter(([, part]) => part !== null))

/** Where two answers to the same call over the same state differ; nothing where they are alike, or the state has moved. */
export function unstablePlace(first: CheckedPlan, second: CheckedPlan): string | undefined {
  if (first.fingerprint === second.fingerprint) return undefined
  if (!isDeepStrictEqual(first.sides.before, second.sides.before)) return undefined
  const said = { ...first.said, ...second.said }
  const [part = ''] = (Object.keys(said) as (keyof Planned)[]).filter(
    (name) => !isDeepStrictEqual(first.said[name], second.said[name]),
  )
  const { changes, records } = recordChanges(first.sides.after, second.sides.after)
  return part === 'after' ? `after${changes[0]?.pointer ?? ` (${records[0]?.label ?? ''})`}` : part
}

/** Whether the record already is as the call would make it, and nothing else would happen. */
export function changesNothing({ said, sides }: CheckedPlan): boolean {
  if (sides.before === undefined || sides.after === undefined) return false
  const { changes, records } = recordChanges(sides.before, sides.after)
  const isSaid = (said.effects ?? []).length > 0 || said.changes !== undefined || said.blocks !== undefined
  return changes.length + records.length === 0 && !isSaid
}

const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

interface Names {
  readonly subject?: string
  readonly title?: string
}

/** By what people know the record, and what it is called beside that. */
function namesOf({ subject: subjectOf, fields, hidden }: PlanWords, { before, after }: BothSides): Names {
  const record = before ?? after
  const { id, title } = recordName(masked(record, fields, hidden))
  const subject = subjectOf === undefined || record === undefined ? (id ?? title) : subjectOf(record as never)
  return {
    ...(subject === undefined ? {} : { subject }),
    ...(title === undefined || title === subject ? {} : { title }),
  }
}

const titleOf = ({ title }: PlanWords, { subject }: Names): string =>
  subject === undefined ? title : `${title} ${subject}`

function summaryOf({ noun, title }: PlanWords, { sides }: CheckedPlan, names: Names, found: RecordChanges): string {
  const { before, after } = sides
  const thing = names.subject === undefined ? noun : `${noun} ${names.subject}`
  if (before === undefined && after === undefined) return `${title}.`
  if (before === undefined) return `Creates ${thing}.`
  if (after === undefined) return `Deletes ${thing}.`
  const named = [...new Set([...found.changes, ...found.records].map(({ label }) => label))]
  const words = named.length > 4 ? [...named.slice(0, 3), `${named.length - 3} more`] : named
  return named.length === 0 ? `Leaves ${thing} as it is.` : `Changes ${listed(words)} of ${thing}.`
}

/**
 * The preview of what was planned. What cannot be done shows no consequences, which would be read as promises.
 * @throws {Error} where more changes than a card can show.
 */
export function previewOf(words: PlanWords, plan: CheckedPlan): Preview {
  const { before: _, after: __, basis: ___, blocked, ...said } = plan.said
  const found = recordChanges(plan.sides.before, plan.sides.after, words.fields, words.hidden)
  const names = namesOf(words, plan.sides)
  const head = {
    title: titleOf(words, names),
    ...(names.title === undefined ? {} : { subtitle: names.title }),
    summary: summaryOf(words, plan, names, found),
    confirmLabel: words.title,
  }
  if (blocked !== undefined) {
    const { changes: ____, unchanged: _____, details: ______, warnings: _______, ...rest } = said
    return { ...head, ...rest, effects: [], blocked }
  }
  if (found.changes.length > cardLimits.changes || found.records.length >= cardLimits.records)
    throw new Error(
      `plan changes ${found.changes.length} members and ${found.records.length} entries, and a card shows ${cardLimits.changes} and ${cardLimits.records}. Answer no before and after, but blocks and a basis.`,
    )
  const isDiff = !isOneSided(plan.sides) && found.changes.length > 0
  const unchanged = shortened(found.unchanged)
  return {
    ...head,
    ...(isDiff ? { changes: found.changes, ...(unchanged.length === 0 ? {} : { unchanged }) } : {}),
    ...said,
    blocks: [...recordBlocks(words, plan.sides, names, { ...found, unchanged }), ...(said.blocks ?? [])],
  }
}

/** Whether the record comes into being, or goes. */
const isOneSided = ({ before, after }: BothSides): boolean => (before === undefined) !== (after === undefined)

const most = { unchanged: 100, text: 1_000 } as const

/** What stays is not signed: of much of it a reader gets the beginning, and how much more there is. */
const shortened = (unchanged: readonly LabelledValue[]): readonly LabelledValue[] => [
  ...unchanged.slice(0, most.unchanged).map(({ label, value }) => {
    const isLong = (value.kind === 'text' || value.kind === 'code') && value.text.length > most.text
    return { label, value: isLong ? { ...value, text: `${value.text.slice(0, most.text).toWellFormed()}…` } : value }
  }),
  ...(unchanged.length > most.unchanged
    ? [{ label: 'Others', value: { kind: 'number', value: String(unchanged.length - most.unchanged) } } as const]
    : []),
]

/** A record that comes or goes as a whole, and entries of its lists that come, go or change. */
function recordBlocks(words: PlanWords, sides: BothSides, names: Names, found: RecordChanges): readonly CardBlock[] {
  const { changes, unchanged, records } = found
  const isGoing = sides.after === undefined
  const { subject, title } = names
  const whole: CardRecordChange = {
    change: isGoing ? 'removed' : 'added',
    label: title ?? subject ?? humanLabel(words.noun.replace(/^the /, '')),
    ...(title === undefined || subject === undefined ? {} : { id: subject }),
    fields: changes.map(({ label, before, after }) => ({ label, value: isGoing ? before : after })),
  }
  const list = isOneSided(sides) ? [whole, ...records] : records
  if (list.length === 0) return []
  // A card draws no diff of members where none changes: what stays is then said here.
  const isAlone = !isOneSided(sides) && changes.length === 0 && unchanged.length > 0
  return [{ kind: 'diff', changes: [], records: list, ...(isAlone ? { unchanged } : {}) }]
}

/** The card of a call that took effect: what changed, as it is now. What is hidden is in no answer, but in the input. */
export function successOf(words: PlanWords, input: unknown, sides: BothSides): Success {
  const { before, after } = sides
  const { changes, records } = recordChanges(before, after, words.fields, words.hidden)
  const names = namesOf(words, { before: after ?? before })
  const isGiven = (path: readonly string[]): boolean => valuesAt(input, path).some((value) => value !== undefined)
  const given = words.hidden.map(fromPointer).filter(isGiven)
  const fields: readonly LabelledValue[] =
    after === undefined
      ? []
      : [
          ...changes.map(({ label, after: value }) => ({ label, value })),
          ...given.map((path) => ({
            label: fieldLabel(path.findLast((key) => key !== '*') ?? '', words.fields),
            value: hiddenValue,
          })),
        ]
  return {
    title: `${titleOf(words, names)}: done`,
    ...(names.title === undefined ? {} : { subtitle: names.title }),
    blocks: [
      ...(fields.length === 0 ? [] : [{ kind: 'fields' as const, fields }]),
      ...(records.length === 0 ? [] : [{ kind: 'diff' as const, changes: [], records }]),
    ],
  }
}

const memberOf = (record: Members, name: string): unknown => (Object.hasOwn(record, name) ? record[name] : undefined)

/**
 * The call that sets changed members back: of a tool each of whose arguments is a member that it sets, or says which record it is
 * about. Nothing where one does anything else, which would be done once more.
 */
export function settingBack(tool: string, input: Members, { before, after }: BothSides): OfferedCall | undefined {
  if (!isMembers(before) || !isMembers(after)) return undefined
  const differs = (name: string): boolean => !isDeepStrictEqual(memberOf(before, name), memberOf(after, name))
  const changed = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(differs)
  const args = jsonOf(input, 'The input') as Members
  const isKnown = Object.keys(args).every((name) => isDeepStrictEqual(args[name], memberOf(after, name)))
  if (!isKnown || changed.length === 0 || !changed.every((name) => Object.hasOwn(args, name))) return undefined
  return {
    tool,
    arguments: { ...args, ...Object.fromEntries(changed.map((name) => [name, memberOf(before, name) ?? null])) },
    label: 'Undo',
  }
}
