// What a card says beside its tool's own words: the server writes some of it into the card, and the view around it says the
// rest. The view is one file of at most 32 KB with English in it; of any other language the card brings the words along, so
// that the two always speak the same one (ADR 89).
import { languages } from './words/languages.ts'
import { en, type Words } from './words/en.ts'
import { fill } from './words/fill.ts'
import { unmarked } from './unmarked.ts'
import { isOfView } from './words/of-view.ts'

export { fill } from './words/fill.ts'

/** The languages that a card can be written in. */
export const cardLanguages: readonly string[] = Object.keys(languages)

/** The words of a language; English where it is none of ours. */
export const cardWords = (language: string): Words =>
  (Object.hasOwn(languages, language) ? languages[language] : undefined) ?? en

/** A sentence in the form that a language has for a number, which is its first value. */
export function countedWords(language: string, name: keyof Words, number: number, ...more: readonly string[]): string {
  const words = cardWords(language)
  const forms = words[name].split(';')
  const form = words.$plurals.split(' ').indexOf(new Intl.PluralRules(language).select(number))
  return fill(forms[form] ?? forms.at(-1) ?? '', String(number), ...more)
}

/** In characters, of what somebody else said. */
const longestQuotation = 1000

/** What begins or ends a quotation in some language, or looks like it; the words for a step's result stand between two of these. */
const quotationMarks = /‹[^‹›]{1,320}›|["“”„‟«»‹›「」『』｢｣＂〝〞〟❝❞⹂″ʺˮ״《》⟪⟫≪≫﹁﹂﹃﹄]/g

/** Whether these words stand for the result of a step. */
const isStandIn = (text: string): boolean =>
  cardLanguages.some((language) =>
    [cardWords(language).standIn, cardWords(language).standInAll].some((words) =>
      words.split(/\{\d\}/).every((part) => text.includes(part)),
    ),
  )

/** The text with apostrophes in place of its quotation marks. */
const withoutQuotationMarks = (text: string): string =>
  text.replace(quotationMarks, (found) => {
    if (found.length === 1) return "'"
    const inside = withoutQuotationMarks(found.slice(1, -1))
    return found.slice(1, -1) === inside && isStandIn(found) ? found : `'${inside}'`
  })

/** The words of somebody else as a quotation: one line without marks, in which nothing can look like its end. */
export function quotation(language: string, said: string): string {
  const { quoted } = cardWords(language)
  const line = withoutQuotationMarks(unmarked(said.trim().replace(/\s+/g, ' ')))
  return fill(quoted, line.length > longestQuotation ? `${line.slice(0, longestQuotation).toWellFormed()}…` : line)
}

/**
 * The view's words of a language in the order of the English ones, divided by bars, which no sentence has. Nothing for
 * English, which the view has, and for languages that are none of ours.
 */
export function packedWords(language: string): string | undefined {
  if (language === 'en' || !Object.hasOwn(languages, language)) return undefined
  const words = cardWords(language)
  return (Object.keys(en) as (keyof Words)[])
    .filter(isOfView)
    .map((name) => words[name])
    .join('|')
}
