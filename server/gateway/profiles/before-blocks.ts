// What the reads before a call found, as a person reads it. Everything here came from the server or the agent, so it is shown
// as values and never as markup of the card.
import type { CardBlock, CardChange, CardValue } from '../../model/card.ts'
import { showInvisible } from '../../cards/invisible-characters.ts'
import { plainValue } from '../../cards/plain-value.ts'
import { toPointer, valueAt, fromPointer } from '../../errors/pointer.ts'
import { pathOf } from '../rules/condition.ts'
import { partOf, type Answer, type ReadBefore } from './before.ts'
import { lineDiff, patchBlocks } from './line-diff.ts'
import type { ShownAnswer, ShownValue } from './profile.schema.ts'
import { rowBlocks } from './rows.ts'
import { humanLabel } from '../../tools/human-label.ts'
import { fillValue } from './template.ts'
import { moneyValue } from './shown-arguments.ts'

/** Rows of a table and lines of a text; what is longer says how much more there is. */
const mostRows = 50

export interface BeforeShown {
  readonly blocks: readonly CardBlock[]
  /** Arguments that these blocks already show in full. */
  readonly shown: ReadonlySet<string>
}

export function beforeBlocks(reads: readonly ReadBefore[], input: unknown): BeforeShown {
  const shown = new Set<string>()
  const blocks = reads.flatMap((found): readonly CardBlock[] => {
    if (found.kind === 'rows') return rowBlocks(found.found)
    if (found.kind === 'rows-unchecked') return [unchecked('which rows it hits', found.why)]
    const { label, show } = found.step
    if (found.kind === 'none') {
      if (show.as === 'diff') shown.add(show.with)
      return [
        { kind: 'alert', severity: 'info', title: found.says },
        ...(show.as === 'diff' ? allNew(show.with, input) : []),
      ]
    }
    if (found.kind === 'unchecked') return [unchecked(label, found.why)]
    return answeredBlocks(label, show, found.answer, input, shown)
  })
  return { blocks, shown }
}

const unchecked = (what: string, why: string): CardBlock => ({
  kind: 'alert',
  severity: 'warning',
  title: `Not checked: ${what}`,
  text: showInvisible(why),
})

const argumentText = (place: string, input: unknown): string => {
  const value = valueAt(input, pathOf(place))
  return typeof value === 'string' ? value : (JSON.stringify(value, null, 2) ?? '')
}

const allNew = (place: string, input: unknown): readonly CardBlock[] => [
  { kind: 'code', label: humanLabel(pathOf(place).at(-1) ?? place), text: argumentText(place, input) },
]

function answeredBlocks(
  label: string,
  show: ShownAnswer,
  answer: Answer,
  input: unknown,
  shown: Set<string>,
): readonly CardBlock[] {
  switch (show.as) {
    case 'text': {
      const isPart = show.more !== undefined && partOf(answer, show.more) === true
      const part = shownPart(answer, show, input)
      const text = typeof part === 'string' ? part : JSON.stringify(part, null, 2)
      if (text === undefined || text.trim() === '')
        return [{ kind: 'fields', fields: [{ label, value: { kind: 'unset' } }] }]
      if (text.length <= 160 && !text.includes('\n'))
        return [{ kind: 'fields', fields: [{ label, value: { kind: 'text', text: showInvisible(text) } }] }]
      return [
        {
          kind: 'code',
          label: isPart ? `${label} (the beginning)` : label,
          text,
          ...(show.language === undefined ? {} : { language: show.language }),
        },
      ]
    }
    case 'diff': {
      const part = shownPart(answer, show, input)
      const after = argumentText(show.with, input)
      const isWhole = show.more === undefined || partOf(answer, show.more) !== true
      const cut = show.cuts_last_newline === true && after.endsWith('\n') && part !== ''
      const before = !isWhole ? undefined : typeof part === 'string' && cut ? `${part}\n` : part
      const text = typeof before === 'string' ? lineDiff(before, after) : undefined
      shown.add(show.with)
      if (text === '') return [{ kind: 'alert', severity: 'info', title: `${label}: nothing changes.` }]
      if (text !== undefined) return [{ kind: 'code', label, language: 'diff', text }]
      return [
        { kind: 'alert', severity: 'warning', title: `${label}: all of it is replaced.` },
        ...allNew(show.with, input),
      ]
    }
    case 'patch': {
      const part = shownPart(answer, show, input)
      const text = typeof part === 'string' ? part : ''
      if (text.trim() === '') return [{ kind: 'fields', fields: [{ label, value: { kind: 'unset' } }] }]
      return patchBlocks(text, label) ?? [{ kind: 'code', label, text }]
    }
    case 'changes': {
      const changes = Object.entries(show.fields).flatMap(([argument, pointer]): readonly CardChange[] => {
        const path = pathOf(argument)
        const after = valueAt(input, path)
        if (after === undefined) return []
        shown.add(argument)
        return [
          {
            pointer: toPointer(path),
            label: humanLabel(path.at(-1) ?? argument),
            before: plainValue(valueAt(answer.value, fromPointer(pointer))),
            after: plainValue(after),
          },
        ]
      })
      return changes.length === 0 ? [] : [{ kind: 'diff', changes }]
    }
    case 'fields': {
      const fields = Object.entries(show.fields).flatMap(([name, from]) => {
        const value = partOf(answer, placeOf(from))
        return value === undefined || isEmpty(value) ? [] : [{ label: name, value: valueOf(from, value, answer.value) }]
      })
      if (fields.length > 0) return [{ kind: 'fields', fields }]
      return Object.values(show.fields).some((from) => partOf(answer, placeOf(from)) !== undefined)
        ? [{ kind: 'fields', fields: [{ label, value: { kind: 'text', text: 'none' } }] }]
        : [{ kind: 'alert', severity: 'warning', title: `Not checked: ${label}`, text: 'The answer does not say it.' }]
    }
    case 'table':
      return tableOf(label, show, answer, input)
    default:
      return show satisfies never
  }
}

/** What of an answer is shown: where it is text, without the lines that only say what follows. */
function shownPart(
  answer: Answer,
  { of, skip_lines: skipped, lines_with: wanted }: Extract<ShownAnswer, { as: 'text' | 'diff' | 'patch' }>,
  input: unknown,
): unknown {
  const part = partOf(answer, of)
  if (typeof part !== 'string' || (skipped === undefined && wanted === undefined)) return part
  const words = wanted === undefined ? '' : String(fillValue(wanted, input))
  return part
    .split('\n')
    .slice(skipped ?? 0)
    .filter((line) => line.includes(words))
    .join('\n')
}

const placeOf = (from: ShownValue): string => (typeof from === 'string' ? from : from.of)

/** A value of an answer, or of a row of it, as it is shown. */
function valueOf(from: ShownValue, value: unknown, holder: unknown): CardValue {
  if (typeof from === 'string' || value === undefined || value === null) return plainValue(value)
  const currency = valueAt(holder, fromPointer(from.currency))
  return moneyValue(value, typeof currency === 'string' ? currency : '', from.minor_units === true)
}

function tableOf(
  label: string,
  show: Extract<ShownAnswer, { as: 'table' }>,
  answer: Answer,
  input: unknown,
): readonly CardBlock[] {
  const all = show.rows === '' ? answer.value : valueAt(answer.value, fromPointer(show.rows))
  if (!Array.isArray(all)) return [unchecked(label, 'The answer is no list.')]
  const wanted = Object.entries(show.where ?? {}).map(([place, value]) => [place, fillValue(value, input)] as const)
  const rows = all.filter((row) => wanted.every(([place, value]) => valueAt(row, fromPointer(place)) === value))
  if (rows.length === 0 && all.length > 0)
    return [unchecked(label, `It is none of the ${all.length} that were listed.`)]
  if (rows.length === 0) return [{ kind: 'fields', fields: [{ label, value: { kind: 'text', text: 'none' } }] }]
  const columns = show.columns ?? Object.fromEntries(keysOf(rows[0]).map((key) => [humanLabel(key), toPointer([key])]))
  const more = rows.length - mostRows
  return [
    {
      kind: 'table',
      label: more > 0 ? `${label} (the first ${mostRows} of ${rows.length})` : label,
      columns: Object.keys(columns).map((each) => ({ label: each })),
      rows: rows
        .slice(0, mostRows)
        .map((row) =>
          Object.values(columns).map((from) => valueOf(from, valueAt(row, fromPointer(placeOf(from))), row)),
        ),
    },
  ]
}

const isEmpty = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && Object.keys(value).length === 0

const keysOf = (row: unknown): readonly string[] =>
  typeof row === 'object' && row !== null ? Object.keys(row).slice(0, 12) : []
