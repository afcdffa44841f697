// Any JSON value as a card shows it where nobody says what it means.
import { isMoment } from './figures.ts'
import { showInvisible } from './invisible-characters.ts'
import type { CardValue } from '../model/card.ts'

/** A value as it is, without a wish how it is shown. `undefined`: it is not known. */
export function plainValue(value: unknown): CardValue {
  if (value === undefined) return { kind: 'unknown' }
  if (value === null || value === '') return { kind: 'unset' }
  if (typeof value === 'boolean') return { kind: 'boolean', value }
  if (typeof value === 'number') return { kind: 'number', value: plainNumber(value) }
  if (typeof value === 'string') return { kind: 'text', text: showInvisible(value) }
  if (
    Array.isArray(value) &&
    value.length > 0 &&
    value.length <= 100 &&
    value.every((each) => typeof each !== 'object')
  )
    return { kind: 'list', items: value.map(plainValue) }
  return { kind: 'code', text: JSON.stringify(value) }
}

/** The same of data of the tool's own: days and moments are such, texts keep their lines, and what is absent is not set. */
export function dataValue(value: unknown): CardValue {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return { kind: 'unset' }
  if (typeof value !== 'string' || value === '') return plainValue(value)
  // What is no date stands as it came; `Date` would take the 31st of February for another day.
  return isMoment(value)
    ? { kind: 'date', iso: value, precision: /T\d/.test(value) ? 'minute' : 'day' }
    : { kind: 'text', text: value }
}

/** As digits, never with an exponent. */
export const plainNumber = (value: number): string =>
  /e/i.test(String(value))
    ? value.toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 })
    : String(value)
