// How cards of files speak.
import type { CardBlock, CardValue, LabelledValue } from '../../model/card.ts'
import { figureText } from '../../cards/figures.ts'
import { falseTypeOf, typeName } from './content-type.ts'
import type { StoredFile } from './queries.ts'

const units = ['bytes', 'kB', 'MB', 'GB'] as const

function size(bytes: number): { value: string; unit: string } {
  const step = Math.min(Math.floor(Math.log10(Math.max(bytes, 1)) / 3), units.length - 1)
  const value = bytes / 1000 ** step
  return { value: String(step === 0 ? bytes : Number(value.toFixed(1))), unit: units[step] ?? 'bytes' }
}

export const sizeValue = (bytes: number): CardValue => ({ kind: 'number', ...size(bytes) })
/** "1.2 MB", in a sentence. */
export const spokenSize = (bytes: number): string => figureText({ kind: 'number', ...size(bytes) })

export const momentValue = (iso: string): CardValue => ({ kind: 'date', iso, precision: 'minute' })
/** A moment in a sentence; the card shows it in the reader's time zone. */
export const spokenMoment = (iso: string): string => figureText({ kind: 'date', iso, precision: 'minute' })

export const textValue = (text: string): CardValue => ({ kind: 'text', text })

/** "1 link", "2 links". */
export const count = (number: number, noun: string): string => `${number} ${noun}${number === 1 ? '' : 's'}`

/** Values by their labels. */
export const fieldsBlock = (values: Readonly<Record<string, CardValue>>): CardBlock => ({
  kind: 'fields',
  fields: labelled(values),
})

const labelled = (values: Readonly<Record<string, CardValue>>): LabelledValue[] =>
  Object.entries(values).map(([label, value]) => ({ label, value }))

/** "PDF · 1.2 MB". */
export const inShort = ({ type, bytes }: Pick<StoredFile, 'type' | 'bytes'>): string =>
  `${typeName(type)} · ${spokenSize(bytes)}`

/** What a file is, as every card of one says it. */
export const fileFields = ({ name, type, bytes }: Pick<StoredFile, 'name' | 'type' | 'bytes'>) => ({
  File: textValue(name),
  Type: textValue(typeName(type)),
  Size: sizeValue(bytes),
})

/** What makes a content this content; folded. */
export const contentDetails = (content: {
  readonly number: number
  readonly type: string
  readonly sha256: string
  readonly created_at: string
  readonly created_by: string
}): CardBlock => ({
  kind: 'details',
  summary: 'Content',
  applied: false,
  fields: labelled({
    Version: { kind: 'number', value: String(content.number) },
    'Media type': { kind: 'code', text: content.type },
    'SHA-256': { kind: 'code', text: content.sha256 },
    Uploaded: momentValue(content.created_at),
    By: textValue(content.created_by),
  }),
})

/** A warning where the name says something else than the content. */
export function typeWarnings(name: string, type: string): { title: string; text: string }[] {
  const title = falseTypeOf(name, type)
  return title === undefined ? [] : [{ title, text: 'Whoever opens it by its name may start something else.' }]
}
