// What cards of files say, by language. A tool that names no languages speaks English.
import { speaking } from '../languages.ts'
import { ar } from './words/ar.ts'
import { de } from './words/de.ts'
import { en, type FileWords } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { ja } from './words/ja.ts'
import { pt } from './words/pt.ts'

export type { FileKind, FileWords } from './words/en.ts'

/** The languages, English first, and the words in one of them. */
export const { languages, wordsIn, besideEnglish } = speaking<FileWords>({ en, de, fr, es, ja, ar, pt })
