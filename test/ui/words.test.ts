// The languages say the same things: every sentence is there, with its values, its weight and all the forms that the
// language's own plural rules ask for.
import { describe, expect, test } from 'vitest'
import { counted } from '../../ui/parts/count.ts'
import { formatAgo } from '../../ui/parts/format.ts'
import { fill, isRightToLeft, learn, wordsOf } from '../../ui/parts/words.ts'
import { cardWords, packedWords } from '../../server/cards/card-words.ts'
import { en } from '../../server/cards/words/en.ts'
import { languages } from '../../server/cards/words/languages.ts'

const names = Object.keys(en) as (keyof typeof en)[]
/** Sentences that depend on a number. */
const numbered = [
  '$unchangedFields',
  '$unchanged',
  '$characters',
  'bundle',
  'bundleSummary',
  'bundleConfirm',
  'bundleMade',
] as const
const marks = (sentence: string): string => (sentence.match(/\*/g) ?? []).join('')

describe.each(Object.entries(languages))('the language %s', (language, words) => {
  test('says everything, and nothing twice as long as English', () => {
    expect(Object.keys(words)).toEqual(names)
    for (const name of names) {
      expect(words[name].trim(), name).not.toBe('')
      // They are joined by bars.
      expect(words[name]).not.toContain('|')
      if (name.startsWith('$n')) expect(words[name].length).toBeLessThan(2 * en[name].length + 20)
    }
  })

  test('keeps the weight and the values of each sentence', () => {
    for (const name of names) {
      expect(marks(words[name]), name).toBe(marks(en[name]))
      const values = (sentence: string): readonly string[] => (sentence.match(/\{\d\}/g) ?? []).toSorted()
      if (!`${en[name]}${words[name]}`.includes(';')) expect(values(words[name]), name).toEqual(values(en[name]))
      expect((words[name].match(/`[^`]+`/g) ?? []).length, name).toBe((en[name].match(/`[^`]+`/g) ?? []).length)
    }
  })

  test('has a form for every number', () => {
    const categories = new Set(Array.from({ length: 200 }, (_, count) => new Intl.PluralRules(language).select(count)))
    const known = words.$plurals.split(' ')
    for (const category of categories) expect(known).toContain(category)
    for (const name of numbered) expect([1, known.length]).toContain(words[name].split(';').length)
  })
})

test('the words of a view are packed in the order of English, and those of the server are not among them', () => {
  const packed = packedWords('de')?.split('|') ?? []
  expect(packed).toHaveLength(names.filter((name) => name.startsWith('$')).length)
  expect(packed.slice(0, 2)).toEqual(['one other', 'Vorschau'])
  expect(packed).not.toContain(cardWords('de').stale)
  expect(['en', 'tlh', '__proto__'].map(packedWords)).toEqual([undefined, undefined, undefined])
  expect(cardWords('tlh')).toBe(en)
})

describe('the reader', () => {
  test('of a language that nobody speaks reads English, and no words that a view does not know', () => {
    expect(['tlh', '__proto__', ''].map(wordsOf)).toEqual([en, en, en])
    learn('tlh', 'a|b')
    expect(wordsOf('tlh')).toBe(en)
  })

  test('counts in six Arabic forms and in one Japanese', () => {
    const say = (language: string, count: number): string =>
      counted({ words: wordsOf(language), language, locale: 'en', openLink: () => {} }, '$unchangedFields', count)
    expect([1, 2, 3, 11, 100].map((count) => say('ar', count))).toEqual([
      'حقل واحد دون تغيير',
      'حقلان دون تغيير',
      '3 حقول دون تغيير',
      '11 حقلًا دون تغيير',
      '100 حقل دون تغيير',
    ])
    expect(say('ja', 1)).toBe('変更なし 1 項目')
    expect([1, 2].map((count) => say('en', count))).toEqual(['1 unchanged field', '2 unchanged fields'])
  })

  test('reads how long ago it was', () => {
    expect([0, 12, 61, 7_300].map((seconds) => formatAgo(seconds, 'en'))).toEqual([
      'now',
      '12 seconds ago',
      '1 minute ago',
      '2 hours ago',
    ])
    expect(formatAgo(120, 'de')).toBe('vor 2 Minuten')
  })

  test('reads Arabic from the right, and values that look like placeholders as they are', () => {
    expect(['ar', 'ja', 'en'].map(isRightToLeft)).toEqual([true, false, false])
    expect(fill('To confirm, type {0}', '{0} $&')).toBe('To confirm, type {0} $&')
  })
})
