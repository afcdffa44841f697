// What cards of the sandbox say, by language. What agents are told of it stands in `descriptions.ts`, in English.
import { speaking } from '../languages.ts'
import { ar } from './words/ar.ts'
import { de } from './words/de.ts'
import { en, type SandboxWords } from './words/en.ts'
import { es } from './words/es.ts'
import { fr } from './words/fr.ts'
import { ja } from './words/ja.ts'
import { pt } from './words/pt.ts'

export type { ContentKind, SandboxWords } from './words/en.ts'

/** The languages, English first, and the words in one of them. */
export const { languages, wordsIn } = speaking<SandboxWords>({ en, de, fr, es, ja, ar, pt })
