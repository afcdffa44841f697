// Whatever a browser or a host calls its language, every formatter takes what comes out of here.
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { readerLocale, validLocale } from '../../ui/bridge/locale.ts'
import { anyCharacter } from '../kit/any-character.ts'

test.each([
  ['en-US@posix', 'en-US'],
  ['de_AT.UTF-8', 'de-AT'],
  [' pt-br ', 'pt-BR'],
  ['zh-Hant-TW', 'zh-Hant-TW'],
  ['ar-u-nu-latn', 'ar-u-nu-latn'],
  ['C', undefined],
  ['C.UTF-8', undefined],
  ['POSIX', undefined],
  ['', undefined],
  ['x', undefined],
  ['de--AT', undefined],
  ['ltr; color: red', undefined],
  [undefined, undefined],
  [7, undefined],
])('%j is %s', (given, tag) => {
  expect(validLocale(given)).toBe(tag)
})

test('takes the first that is one, and English where none is', () => {
  expect(readerLocale('', 'C', 'fr_CH.UTF-8', 'de')).toBe('fr-CH')
  expect(readerLocale(undefined, '@')).toBe('en')
})

test('no formatter refuses it, whatever was given', () => {
  const anyTag = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.stringMatching(/^[a-zA-Z]{1,8}([-_@.][a-zA-Z0-9]{1,9}){0,4}$/),
    fc.anything(),
  )
  fc.assert(
    fc.property(anyTag, (given) => {
      const locale = readerLocale(given)
      expect(() => [
        new Intl.NumberFormat(locale),
        new Intl.DateTimeFormat(locale),
        new Intl.RelativeTimeFormat(locale),
        new Intl.PluralRules(locale),
        'a'.localeCompare('b', locale),
      ]).not.toThrow()
    }),
    { numRuns: 200 },
  )
})
