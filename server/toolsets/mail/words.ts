// What cards of mail say, by language.
import { speaking } from '../languages.ts'
import { en, type MailWords } from './words/en.ts'

export type { MailWords } from './words/en.ts'

/** The languages, English first, and the words in one of them. */
export const { languages, wordsIn } = speaking<MailWords>({ en })
