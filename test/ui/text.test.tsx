// A text on a card has the lines, the items and the characters that the same text has in a chat.
import { cleanup, render } from '@testing-library/preact'
import { afterEach, describe, expect, test } from 'vitest'
import type { Reader } from '../../ui/parts/reader.ts'
import { Text } from '../../ui/parts/text.tsx'
import { showInvisibleInLines } from '../../server/cards/invisible-characters.ts'
import { en } from '../../server/cards/words/en.ts'

const reader: Reader = { words: en, language: 'en', locale: 'en-GB', timeZone: 'UTC', openLink: () => {} }
const shown = (text: string): Element =>
  render(<Text block={{ text }} reader={reader} />).container.querySelector('.text') as Element
/** Its words, with what cannot be seen as the view shows it. */
const words = (node: Element): string => node.textContent ?? ''
const items = (text: string): readonly string[] => [...shown(text).querySelectorAll('li')].map(words)

afterEach(cleanup)

/** Ends of lines to JavaScript, or blanks, and to Markdown neither. */
const neither = ['\u2028', '\u2029', '\r', '\v', '\f', '\u0085', '\u00A0', '\u3000', '\uFEFF']
const told = (text: string): string => showInvisibleInLines(text).replace(/\[(U\+[\dA-F]+)\]/g, '$1')

describe.each(neither.map((one) => [`U+${one.charCodeAt(0).toString(16).toUpperCase()}`, one]))('%s', (_, one) => {
  test('begins no item, and ends none', () => {
    expect(items(`a${one}- b`)).toStrictEqual([])
    expect(items(`- a${one}b\n- c`)).toStrictEqual([told(`a${one}b`), 'c'])
    expect(items(`- a${one}- b\n`)).toStrictEqual([told(`a${one}- b`)])
  })

  test('is not cut off at the ends of a text, nor of an item', () => {
    const ends = `${one}a${one}`
    expect(words(shown(ends))).toBe(told(ends))
    expect(words(shown(one))).toBe(told(one))
    expect(items(`- ${ends}`)).toStrictEqual([told(ends)])
  })

  test('takes no marks away from what is bold, and leaves none', () => {
    expect(words(shown(`**a${one}b**`))).toBe(told(`a${one}b`))
    expect(shown(`**a${one}b**`).querySelector('b')).not.toBeNull()
    expect(words(shown(`\`a${one}b\``))).toBe(told(`a${one}b`))
  })
})

test('lists and paragraphs stand beside each other, with either end of a line', () => {
  const text = ' \nOne\ntwo\n\n- a\n* b\n\nThree\t\n'
  for (const one of [text, text.replaceAll('\n', '\r\n')]) {
    const root = shown(one)
    expect([...root.children].map(({ tagName }) => tagName)).toStrictEqual(['BDI', 'UL', 'BDI'])
    expect([...root.children].map(words)).toStrictEqual(['One\ntwo', 'ab', 'Three'])
    expect(root.querySelector('.mark')).toBeNull()
  }
})

test('an item of a list in a list has its dashes for a mark, and no other', () => {
  const root = shown('1. a\n- – b\n- – – c\n2. d\n- e')
  const marks = [...root.querySelectorAll('li')].map((item) => [words(item), item.className])
  expect(marks).toStrictEqual([
    ['– b', 'deeper'],
    ['– – c', 'deeper'],
    ['e', ''],
  ])
})
