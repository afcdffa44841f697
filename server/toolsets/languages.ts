// How toolsets speak several languages. The words of each language are one object, of which English is the type, so that none
// can lack a word that another has. A number chooses between forms, and which of them a language has, CLDR says and not English.
import { spokenNumber } from './say.ts'

/** Forms by the categories that a language has for numbers. A form may be a word or a whole sentence. */
export type Forms<Category extends Intl.LDMLPluralRule> = Readonly<Record<Category, string>>

/** How a language chooses between forms; `Category`: those that it has, which `Intl.PluralRules` names. */
export function pluralsOf<Category extends Intl.LDMLPluralRule>(language: string) {
  const rules = new Intl.PluralRules(language)
  const form = (number: number, forms: Forms<Category>): string => forms[rules.select(number) as Category]
  return {
    /** The form for a number. */
    form,
    /** The form for a number, with the number where it says `#`. Names and other values are not for such a form: they may have one. */
    counted: (number: number, forms: Forms<Category>): string =>
      form(number, forms).replace('#', () => spokenNumber(number)),
  }
}

/**
 * The languages of a toolset, for its contracts' `languages`, and its words in one of them; and what they say in each language but
 * English, for fields of a contract that are given so.
 */
export const speaking = <Words>(words: { readonly en: Words } & Readonly<Record<string, Words>>) => ({
  languages: Object.keys(words),
  wordsIn: (language: string): Words => (Object.hasOwn(words, language) ? words[language] : undefined) ?? words.en,
  besideEnglish: (say: (words: Words) => string): Readonly<Record<string, string>> =>
    Object.fromEntries(
      Object.entries(words).flatMap(([language, own]) => (language === 'en' ? [] : [[language, say(own)]])),
    ),
})

/** What people read of a failure of this code, in each language but English; nothing where it has no words. */
export const failuresIn =
  (
    wordsIn: (language: string) => { readonly failures: Readonly<Record<string, string>> },
    languages: readonly string[],
  ) =>
  (code: string): Readonly<Record<string, string>> | undefined => {
    const said = languages.flatMap((language) => {
      const { failures } = wordsIn(language)
      const words = Object.hasOwn(failures, code) ? failures[code] : undefined
      return language === 'en' || words === undefined ? [] : [[language, words] as const]
    })
    return said.length === 0 ? undefined : Object.fromEntries(said)
  }

/** "a, b and c" in a language. */
export const listing = (language: string): ((words: readonly string[]) => string) => {
  const format = new Intl.ListFormat(language)
  return (words) => format.format(words)
}
