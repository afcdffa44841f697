// How the cards of mail speak.
import type { CardBlock, CardValue } from '../../model/card.ts'

/** "1 recipient", "2 recipients". */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** "a, b and c". */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

export { spokenSize as bytes } from '../files/say.ts'

export const textValue = (text: string): CardValue => ({ kind: 'text', text })
export const minuteValue = (iso: string): CardValue => ({ kind: 'date', iso, precision: 'minute' })

/** Values by their labels; those that are absent are left out. */
export const fieldsBlock = (values: Readonly<Record<string, CardValue | undefined>>): CardBlock => ({
  kind: 'fields',
  fields: Object.entries(values).flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }])),
})
