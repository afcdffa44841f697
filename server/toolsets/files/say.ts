// How cards of files speak.
import type { CardBlock } from '../../model/card.ts'
import { callerValue, labelled, momentValue, sizeValue, spokenSize, textValue } from '../say.ts'
import { falseTypeOf, typeName, unknownType } from './contents/content-type.ts'
import type { StoredFile } from './queries.ts'

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
    'Media type': content.type === unknownType ? undefined : { kind: 'code', text: content.type },
    'SHA-256': { kind: 'code', text: content.sha256 },
    Uploaded: momentValue(content.created_at),
    By: callerValue(content.created_by),
  }),
})

/** A warning where the name says something else than the content. */
export function typeWarnings(name: string, type: string): { title: string; text: string }[] {
  const title = falseTypeOf(name, type)
  return title === undefined ? [] : [{ title, text: 'Whoever opens it by its name may start something else.' }]
}
