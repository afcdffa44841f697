// What may stand in a place, as every language of cards says it.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { cardLanguages, cardWords } from '../../../server/cards/card-words.ts'
import { limitIn } from '../../../server/cards/limit-words.ts'
import type { Limit } from '../../../server/errors/limit.ts'

const whole = fc.integer({ min: 0, max: 100_000 })
const limit: fc.Arbitrary<Limit> = fc.oneof(
  fc.record({ is: fc.constant('type' as const), type: fc.constantFrom('string', 'int', 'boolean', 'array') }),
  fc.constantFrom<Limit>({ is: 'given' }, { is: 'digits' }, { is: 'unticked' }, { is: 'safeInteger' }),
  fc.record({ is: fc.constant('bytes' as const), most: whole }),
  fc.record({ is: fc.constant('oneOf' as const), values: fc.array(fc.constantFrom('"7"', '"9"'), { minLength: 1 }) }),
  fc.record({
    is: fc.constant('number' as const),
    bound: fc.constantFrom('least', 'most', 'above', 'below'),
    limit: whole,
  }),
  fc.record({ is: fc.constantFrom('text', 'list'), bound: fc.constantFrom('least', 'most'), limit: whole }),
  fc.record({ is: fc.constant('multiple' as const), of: whole }),
  fc.record({
    is: fc.constant('format' as const),
    format: fc.constantFrom('date', 'datetime', 'email', 'url', 'ipv4', 'regex'),
    pattern: fc.constantFrom(undefined, '/^[0-9]+$/'),
  }),
)

describe('what may stand in a place', () => {
  test('is said in each language by a sentence of its own, with the same figures', () => {
    fc.assert(
      fc.property(limit, fc.constantFrom(...cardLanguages), (given, language) => {
        const english = limitIn('en', given)
        const said = limitIn(language, given)
        expect(said).not.toMatch(/\{\d\}|undefined/)
        // The forms of a word for different numbers are divided by semicolons without a blank.
        expect(said).not.toMatch(/;\S/)
        if (language !== 'en') expect(said).not.toBe(english)
        // An Arabic noun says by its form that there is none of it, one or two.
        const isSpelled = language === 'ar' && (given.is === 'text' || given.is === 'list') && given.limit < 3
        if (!isSpelled) expect(said.match(/\d+/g)).toStrictEqual(english.match(/\d+/g))
      }),
      { numRuns: 2000 },
    )
  })

  test('an address that need not be of the web is not said to be', () => {
    expect(limitIn('en', { is: 'format', format: 'uri' })).toBe('text in the format uri')
  })

  test('a bound of integers is all that a person hears, who has a form for numbers alone', () => {
    for (const language of cardLanguages)
      expect(limitIn(language, { is: 'safeInteger' }).replaceAll(/\p{Cf}/gu, '')).toMatch(
        /^[^;；]*2\^53-1[^;；，、]{0,7}$/u,
      )
  })

  test('completes a sentence of the card', () => {
    const minimum: Limit = { is: 'list', bound: 'least', limit: 1 }
    const sentences = cardLanguages.map((language) =>
      cardWords(language).allowedIs.replace('{0}', limitIn(language, minimum)),
    )
    expect(sentences).toStrictEqual([
      'Allowed: a list of at least 1 item',
      'Erlaubt: eine Liste mit mindestens 1 Eintrag',
      'Autorisé : une liste d’au moins 1 élément',
      'Permitido: una lista de al menos 1 elemento',
      '使える値：1 件以上のリスト',
      'المسموح به: قائمة من عنصر واحد على الأقل',
      'Permitido: uma lista de pelo menos 1 item',
    ])
  })
})
