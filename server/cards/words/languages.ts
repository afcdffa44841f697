// The languages that cards are written in. The card's build takes English alone; the server sends the others with the
// cards that are written in them (ADR 89).
import { ar } from './ar.ts'
import { de } from './de.ts'
import { en, type Words } from './en.ts'
import { es } from './es.ts'
import { fr } from './fr.ts'
import { ja } from './ja.ts'
import { pt } from './pt.ts'

/** By the language's subtag of BCP 47. */
export const languages: Readonly<Record<string, Words>> = { en, de, fr, es, ja, ar, pt }
