// Words that depend on the reader: which language, which form for a number, which direction.
import type { Words } from '../../server/cards/words/en.ts'
import { languages } from '../../server/cards/words/languages.ts'

export { fill } from '../../server/cards/words/fill.ts'
export type { Words }

/** The words of a language; English where they are not here. */
export const wordsOf = (language: string): Words =>
  (Object.hasOwn(languages, language) ? languages[language] : languages['en']) as Words

/**
 * Takes in the words of a language that come with a card: in the order of English, divided by bars. Nothing is taken that has
 * more or fewer than this view says. In the card's build alone, where a language is its words in order.
 */
export const learn = (language: string, packed: string): void => {
  const words = packed.split('|')
  if (words.length === (wordsOf('en') as unknown as readonly string[]).length)
    (languages as Record<string, unknown>)[language] = words
}

export const isRightToLeft = (language: string): boolean => language === 'ar'
