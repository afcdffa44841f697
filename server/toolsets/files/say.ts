// How cards of files speak.
import type { CardBlock, CardValue } from '../../model/card.ts'
import { callerValue, labelled, momentValue, sizeValue, spokenSize, textValue } from '../say.ts'
import { falseTypeOf, typeName, unknownType } from './contents/content-type.ts'
import type { StoredFile } from './queries.ts'
import { wordsIn } from './words.ts'

/** "PDF · 1.2 MB". */
export const inShort = ({ type, bytes }: Pick<StoredFile, 'type' | 'bytes'>, words = wordsIn('en')): string =>
  `${typeName(type, words)} · ${spokenSize(bytes, words.units)}`

/** What a file is, as every card of one says it. */
export const fileFields = (
  { name, type, bytes }: Pick<StoredFile, 'name' | 'type' | 'bytes'>,
  words = wordsIn('en'),
): Readonly<Record<string, CardValue>> => ({
  [words.labels.file]: textValue(name),
  [words.labels.type]: textValue(typeName(type, words)),
  [words.labels.size]: sizeValue(bytes, words.units),
})

/** What makes a content this content; folded. */
export const contentDetails = (
  content: {
    readonly number: number
    readonly type: string
    readonly sha256: string
    readonly created_at: string
    readonly created_by: string
  },
  { labels, userOver } = wordsIn('en'),
): CardBlock => ({
  kind: 'details',
  summary: labels.content,
  applied: false,
  fields: labelled({
    [labels.version]: { kind: 'number', value: String(content.number) },
    [labels.mediaType]: content.type === unknownType ? undefined : { kind: 'code', text: content.type },
    'SHA-256': { kind: 'code', text: content.sha256 },
    [labels.uploaded]: momentValue(content.created_at),
    [labels.by]: callerValue(content.created_by, userOver),
  }),
})

/** A warning where the name says something else than the content. */
export function typeWarnings(name: string, type: string, words = wordsIn('en')): { title: string; text: string }[] {
  const title = falseTypeOf(name, type, words)
  return title === undefined ? [] : [{ title, text: words.falseType.text }]
}
