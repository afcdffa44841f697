// Everything that the desk's cards say to people, by language. What agents and operators read (descriptions, the messages of
// failures and their guidance) is in English, beside the code that it is about.
import { speaking } from '../../toolsets/languages.ts'
import { ar } from './words/ar.ts'
import { de } from './words/de.ts'
import { en, type DeskWords } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { ja } from './words/ja.ts'
import { pt } from './words/pt.ts'

export type { DeskWords }

/** The desk's languages, English first, and its words in one of them. */
export const { languages, wordsIn, besideEnglish } = speaking<DeskWords>({ en, de, fr, es, ja, ar, pt })

/** A value that may be changed on a card, with its name in each language; in English its argument's own. */
export const changeable = (at: string, name: keyof DeskWords['labels']) => ({
  at,
  label: besideEnglish(({ labels }) => labels[name]),
})
