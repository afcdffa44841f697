// What may stand in a place, in words that complete "Allowed: …".
import type { Limit } from '../errors/limit.ts'
import { cardWords, countedWords, fill } from './card-words.ts'
import type { Words } from './words/en.ts'

/** Formats that an example says more about than a pattern, with the words for them. */
const formats: ReadonlyMap<string, readonly [name: keyof Words, example: string]> = new Map([
  ['date', ['limitDay', '2026-11-28']],
  ['datetime', ['limitMoment', '2026-11-28T09:00:00+01:00']],
  ['date-time', ['limitMoment', '2026-11-28T09:00:00+01:00']],
  ['email', ['limitEmail', 'ada@example.com']],
  ['url', ['limitUrl', 'https://example.com']],
])

const types: ReadonlyMap<string, keyof Words> = new Map([
  ['string', 'limitString'],
  ['number', 'limitNumber'],
  ['int', 'limitInteger'],
  ['integer', 'limitInteger'],
  ['boolean', 'limitBoolean'],
  ['array', 'limitArray'],
  ['object', 'limitObject'],
])

const bounds = {
  number: { least: 'limitNumberLeast', most: 'limitNumberMost', above: 'limitNumberAbove', below: 'limitNumberBelow' },
  text: { least: 'limitTextLeast', most: 'limitTextMost' },
  list: { least: 'limitListLeast', most: 'limitListMost' },
} as const satisfies Readonly<Record<string, Readonly<Record<string, keyof Words>>>>

/** It in a language; agents read the English of it. */
export function limitIn(language: string, limit: Limit): string {
  const words = cardWords(language)
  switch (limit.is) {
    case 'type':
      return fill(words[types.get(limit.type) ?? 'limitType'], limit.type)
    case 'given':
      return words.limitGiven
    case 'oneOf':
      return fill(words.limitOneOf, limit.values.join(', '))
    case 'number':
      return fill(words[bounds.number[limit.bound]], String(limit.limit))
    case 'text':
    case 'list':
      return countedWords(language, bounds[limit.is][limit.bound], limit.limit)
    case 'multiple':
      return fill(words.limitMultiple, String(limit.of))
    case 'format': {
      const known = formats.get(limit.format)
      if (known !== undefined) return fill(words[known[0]], known[1])
      return fill(words.limitFormat, limit.pattern === undefined ? limit.format : `${limit.format} (${limit.pattern})`)
    }
    case 'bytes':
      return fill(words.limitBytes, String(limit.most))
    case 'safeInteger':
      return words.limitSafeInteger
    case 'digits':
      return words.limitDigits
    case 'unticked':
      return words.limitUnticked
    default:
      return limit satisfies never
  }
}
