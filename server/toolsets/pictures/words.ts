// What cards say of pictures, by language.
import { speaking } from '../languages.ts'
import { ar } from './words/ar.ts'
import { de } from './words/de.ts'
import { en, type PictureWords } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { ja } from './words/ja.ts'
import { pt } from './words/pt.ts'

export type { PictureWords }

/** The words in one of the languages. */
export const { wordsIn: pictureWordsIn } = speaking<PictureWords>({ en, de, fr, es, ja, ar, pt })
