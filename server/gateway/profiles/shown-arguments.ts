// Arguments as their profile wants them shown: money as money, a program as a program. What it does not name follows as it
// stands, so that a card never says less than what will be sent.
import type { CardBlock, CardValue, LabelledValue } from '../../model/card.ts'
import { isMoment } from '../../cards/figures.ts'
import { showInvisible } from '../../cards/invisible-characters.ts'
import { dataValue, plainNumber, plainValue } from '../../cards/plain-value.ts'
import { valueAt } from '../../errors/pointer.ts'
import { sentBlocks } from '../contract/argument-blocks.ts'
import { pathOf } from '../rules/condition.ts'
import type { Schema } from '../../tools/schemas/json-schema.ts'
import type { ShownArgument } from './profile.schema.ts'
import { fillTemplate } from './template.ts'
import { humanLabel } from '../../tools/human-label.ts'
import { lineDiff } from './line-diff.ts'

type Arguments = Readonly<Record<string, unknown>>

/** The blocks of a call's arguments, in the order of `show`; those of the others behind them. `shown`: said elsewhere. `languages`: of `sentBlocks`. */
export function argumentBlocks(
  args: Arguments,
  schema: Schema,
  show: readonly ShownArgument[] = [],
  shown: ReadonlySet<string> = new Set(),
  languages?: ReadonlyMap<string, string>,
): readonly CardBlock[] {
  const given = show.flatMap((each) => {
    const value = valueAt(args, pathOf(each.argument))
    return value === undefined || shown.has(each.argument) ? [] : [{ each, value }]
  })
  const blocks = given.reduce<readonly CardBlock[]>((before, { each, value }) => {
    const last = before.at(-1)
    const fields = fieldOf(each, value, args)
    if (fields.length === 0) return [...before, ...blockOf(each, value, args)]
    return last?.kind === 'fields'
      ? [...before.slice(0, -1), { ...last, fields: [...last.fields, ...fields] }]
      : [...before, { kind: 'fields', fields }]
  }, [])
  // What stands beside an argument that is not given is shown by nothing else.
  const named = given.flatMap(({ each: { argument, from = argument } }) => [argument, from])
  const said = new Set([...shown, ...named.filter((place) => !place.startsWith('/'))])
  const rest = Object.fromEntries(Object.entries(args).filter(([name]) => !said.has(name)))
  return [
    ...blocks,
    ...(Object.keys(rest).length === 0 && (blocks.length > 0 || shown.size > 0)
      ? []
      : sentBlocks(rest, schema, languages)),
  ]
}

const labelOf = ({ label, argument }: ShownArgument): string => label ?? humanLabel(pathOf(argument).at(-1) ?? argument)

const isLong = (value: unknown): value is string =>
  typeof value === 'string' && (value.length > 160 || value.includes('\n'))

const needsBlock = ({ as }: ShownArgument, value: unknown): boolean =>
  as === 'code' || as === 'diff' || as === 'markdown' || as === 'people' || isLong(value)

function fieldOf(shown: ShownArgument, value: unknown, args: Arguments): readonly LabelledValue[] {
  return needsBlock(shown, value) ? [] : [{ label: labelOf(shown), value: cardValue(shown, value, args) }]
}

function blockOf(shown: ShownArgument, value: unknown, args: Arguments): readonly CardBlock[] {
  if (!needsBlock(shown, value)) return []
  if (shown.from !== undefined) return replacedBlocks(shown, shown.from, value, args)
  if (shown.as === 'people') {
    const addresses = (Array.isArray(value) ? value : [value]).map((each) => showInvisible(asText(each)))
    // A sample would say less than what is sent.
    if (addresses.length > 50) return [{ kind: 'code', label: labelOf(shown), text: addresses.join('\n') }]
    return [
      { kind: 'people', label: labelOf(shown), count: addresses.length, sample: addresses.map((name) => ({ name })) },
    ]
  }
  const language = shown.as === 'diff' ? 'diff' : shown.as === 'markdown' ? 'markdown' : shown.language
  return [{ kind: 'code', label: labelOf(shown), text: asText(value), ...(language === undefined ? {} : { language }) }]
}

/** One argument is what another is replaced by. Texts that differ too much to compare stand one after the other. */
function replacedBlocks(shown: ShownArgument, from: string, value: unknown, args: Arguments): readonly CardBlock[] {
  const before = valueAt(args, pathOf(from))
  // Both are parts of a text, which ends later.
  const text =
    typeof before === 'string' && typeof value === 'string' ? lineDiff(`${before}\n`, `${value}\n`) : undefined
  if (text !== undefined && text !== '') return [{ kind: 'code', label: labelOf(shown), language: 'diff', text }]
  return [from, shown.argument].map((place) => ({
    kind: 'code',
    label: humanLabel(pathOf(place).at(-1) ?? place),
    text: asText(valueAt(args, pathOf(place)) ?? ''),
  }))
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 2))

function cardValue(shown: ShownArgument, value: unknown, args: Arguments): CardValue {
  if (shown.as === 'money') return moneyOf(shown, value, args)
  return shown.as === 'date' && typeof value === 'string' && isMoment(value) ? dataValue(value) : plainValue(value)
}

function moneyOf(shown: ShownArgument, value: unknown, args: Arguments): CardValue {
  return moneyValue(value, fillTemplate(shown.currency ?? '', args), shown.minor_units === true)
}

/** Where amount or currency is not what it should be, both stand as they came. */
export function moneyValue(value: unknown, code: string, isMinor: boolean): CardValue {
  const currency = code.toUpperCase()
  const amount = typeof value === 'number' ? plainNumber(value) : String(value)
  if (!/^[A-Z]{3}$/.test(currency) || !/^-?\d{1,15}(?:\.\d{1,9})?$/.test(amount))
    return { kind: 'text', text: showInvisible(`${amount} ${currency}`) }
  return { kind: 'money', amount: isMinor ? fromMinor(amount, currency) : amount, currency }
}

/** 1999 of EUR is 19.99; of JPY, which has no smaller unit, 1999 (ISO 4217, as `Intl` knows it). */
function fromMinor(amount: string, currency: string): string {
  const digits =
    new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  if (digits === 0 || amount.includes('.')) return amount
  const [sign, plain] = amount.startsWith('-') ? ['-', amount.slice(1)] : ['', amount]
  const padded = plain.padStart(digits + 1, '0')
  return `${sign}${padded.slice(0, -digits)}.${padded.slice(-digits)}`
}
