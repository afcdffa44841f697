// "1 field", "2 fields", and the six forms of Arabic: the rules are the language's, the digits the reader's.
import { formatNumber } from './format.ts'
import type { Reader } from './reader.ts'
import { fill, type Words } from './words.ts'

/** A sentence in its form for a number. */
export const counted = (reader: Reader, word: keyof Words, count: number): string => {
  const { words, language } = reader
  const forms = words[word].split(';')
  const form = words.$plurals.split(' ').indexOf(new Intl.PluralRules(language).select(count))
  return fill(forms[form] ?? forms.at(-1) ?? '', formatNumber(String(count), reader))
}
