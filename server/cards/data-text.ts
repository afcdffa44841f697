// A read tool's output as Markdown, for clients that forward only `content`. All of the data is in the text, in its order.
import { withoutLife, type Words } from './alive.ts'
import { atStart, dataWords, fence, markdownTable } from './card-text.ts'
import { plainFigure } from './figures.ts'
import { keyName } from './path-label.ts'
import { inlineText } from './render-text.ts'

type Json = Readonly<Record<string, unknown>>

/** Renders any JSON value as Markdown: records as lists of fields, lists of flat records as tables. */
export const dataText = (value: unknown): string => withoutLife((words) => wholeText(value, words))

function wholeText(value: unknown, words: Words): string {
  if (!isRecord(value)) return isList(value) ? listText(value, '', words) : scalarText(value, words)
  const parts = Object.entries(value).map(([key, member]) => memberText(key, member, '', words))
  return parts.length === 0 ? 'Nothing.' : parts.join('\n')
}

const isRecord = (value: unknown): value is Json => typeof value === 'object' && value !== null && !Array.isArray(value)

const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value)

const isFlat = (value: unknown): boolean =>
  !isList(value) && (!isRecord(value) || Object.values(value).every((member) => !isRecord(member) && !isList(member)))

function memberText(key: string, value: unknown, indent: string, words: Words): string {
  const name = atStart(dataWords(keyName(key), words))
  if (isList(value)) {
    if (value.length === 0) return `${indent}- ${name}: none`
    const table = tableText(value, words)
    return table === undefined || indent !== ''
      ? `${indent}- ${name} (${value.length}):\n${listText(value, `${indent}  `, words)}`
      : `${name} (${value.length}):\n\n${table}\n`
  }
  if (isRecord(value)) {
    const money = moneyText(value, words)
    if (money !== undefined) return `${indent}- ${name}: ${money}`
    const members = Object.entries(value).map(([inner, member]) => memberText(inner, member, `${indent}  `, words))
    return [`${indent}- ${name}:`, ...members].join('\n')
  }
  if (typeof value === 'string' && value.includes('\n')) return `${indent}- ${name}:\n\n${fence(value, '')}\n`
  return `${indent}- ${name}: ${scalarText(value, words)}`
}

const listText = (values: readonly unknown[], indent: string, words: Words): string =>
  values
    .map((value, i) =>
      isRecord(value)
        ? `${indent}- ${i + 1}:\n${Object.entries(value)
            .map(([key, member]) => memberText(key, member, `${indent}  `, words))
            .join('\n')}`
        : `${indent}- ${isList(value) ? words.code(inlineText(JSON.stringify(value))) : atStart(scalarText(value, words))}`,
    )
    .join('\n')

/** A table, if every row is a record of the same flat fields (money counts as one). */
function tableText(rows: readonly unknown[], words: Words): string | undefined {
  const first = rows[0]
  if (!isRecord(first)) return undefined
  const columns = Object.keys(first)
  const fits = rows.every(
    (row) =>
      isRecord(row) &&
      Object.keys(row).length === columns.length &&
      columns.every(
        (name) =>
          Object.hasOwn(row, name) &&
          isFlat(row[name]) &&
          (!isRecord(row[name]) || moneyText(row[name], words) !== undefined),
      ),
  )
  if (!fits || columns.length === 0) return undefined
  const cell = (value: unknown): string =>
    isRecord(value) ? (moneyText(value, words) ?? '') : scalarText(value, words)
  return markdownTable(
    columns.map((name) => dataWords(keyName(name), words)),
    rows.map((row) => columns.map((name) => cell((row as Json)[name]))),
  )
}

/** `{amount, currency}` is one value to a person. */
const moneyText = (value: Json, words: Words): string | undefined =>
  Object.keys(value).length === 2 && typeof value['amount'] === 'string' && typeof value['currency'] === 'string'
    ? dataWords(plainFigure({ kind: 'money', amount: value['amount'], currency: value['currency'] }), words)
    : undefined

function scalarText(value: unknown, words: Words): string {
  if (value === null || value === undefined) return '_not set_'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (typeof value === 'string') return value === '' ? '""' : dataWords(value, words)
  return typeof value === 'number' ? String(value) : words.code(inlineText(JSON.stringify(value)))
}
