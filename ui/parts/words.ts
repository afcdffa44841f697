// Words that depend on the reader: which language, which form for a number, which direction.
import type { Words } from './words/en.ts'
import { languages } from './words/languages.ts'

export type { Words }

/** The language of a locale, where we speak it; English elsewhere. */
export const languageOf = (locale: string | undefined): string => {
  const language = (locale ?? '').split('-')[0]?.toLowerCase() ?? ''
  return Object.hasOwn(languages, language) ? language : 'en'
}

export const wordsOf = (language: string): Words => languages[language] as Words

export const isRightToLeft = (language: string): boolean => language === 'ar'

/** Puts values where a sentence has `{0}` and `{1}`. */
export const fill = (sentence: string, ...values: readonly string[]): string =>
  sentence.replace(/\{(\d)\}/g, (_, index: string) => values[Number(index)] ?? '')
