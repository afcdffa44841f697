// The languages that we speak. The card's build packs this module: the names of the words once, then a line for each.
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type Words } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'

/** By the language's subtag of BCP 47. */
export const languages: Readonly<Record<string, Words>> = { en, de, fr, es, ja, ar }
