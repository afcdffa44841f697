// How cards of toolsets speak: values and words that each of them needs.
import { figureText, plainFigure } from '../cards/figures.ts'
import type { CardBlock, CardValue, LabelledValue } from '../model/card.ts'

/** A number in a sentence; the card groups its digits as its reader does. */
export const spokenNumber = (number: number): string => figureText({ kind: 'number', value: String(number) })

/** "1 link", "2 links". */
export const count = (number: number, noun: string): string =>
  `${spokenNumber(number)} ${noun}${number === 1 ? '' : 's'}`

/** "a, b and c". */
export const listed = (words: readonly string[]): string =>
  words.length < 2 ? (words[0] ?? '') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

export const textValue = (text: string | null): CardValue =>
  text === null ? { kind: 'unset' } : { kind: 'text', text }

export const numberValue = (number: number): CardValue => ({ kind: 'number', value: String(number) })
/** The same, of what is only worth a line where there is any. */
export const someValue = (number: number): CardValue | undefined => (number === 0 ? undefined : numberValue(number))

/** A user of this machine, by the door through which they came. */
export const userOver = (user: string, door: string): string => `${user} (over ${door})`

/** Who did something. A caller on this machine is the user of it. */
export const callerValue = (subject: string, over = userOver): CardValue => {
  const [, user, door] = /^(.+)\/(http|stdio)$/.exec(subject) ?? []
  return textValue(user === undefined ? subject : over(user, door === 'http' ? 'HTTP' : 'stdio'))
}

export const momentValue = (iso: string): CardValue => ({ kind: 'date', iso, precision: 'minute' })
/** A moment in a sentence; the card shows it in the reader's time zone. */
export const spokenMoment = (iso: string): string => figureText({ kind: 'date', iso, precision: 'minute' })

/** What bytes are counted in, by thousands. */
export type ByteUnits = readonly [string, string, string, string]

/** The units in English, which are also those of pages and of answers over HTTP. */
export const byteUnits: ByteUnits = ['bytes', 'kB', 'MB', 'GB']

function size(bytes: number, units = byteUnits): { value: string; unit: string } {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** step
  return { value: String(step === 0 ? bytes : Number(value.toFixed(1))), unit: units[step] ?? units[0] }
}

/** Bytes of the `MB` that cards and settings count in. */
export const megabyte = 1_000_000

export const sizeValue = (bytes: number, units?: ByteUnits): CardValue => ({ kind: 'number', ...size(bytes, units) })
/** "1.2 MB", in a sentence. */
export const spokenSize = (bytes: number, units?: ByteUnits): string =>
  figureText({ kind: 'number', ...size(bytes, units) })

/** The same where no card formats it: on a page, in an answer over HTTP. */
export const plainSize = (bytes: number): string => plainFigure({ kind: 'number', ...size(bytes) })

/** Values by their labels; those that are absent are left out. */
export const labelled = (values: Readonly<Record<string, CardValue | undefined>>): LabelledValue[] =>
  Object.entries(values).flatMap(([label, value]) => (value === undefined ? [] : [{ label, value }]))

/** The same as a block. */
export const fieldsBlock = (values: Readonly<Record<string, CardValue | undefined>>): CardBlock => ({
  kind: 'fields',
  fields: labelled(values),
})
