// Words with arguments in them, on a card that somebody signs.
import { assert, property, string } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fillArguments, fillTemplate, parseTemplate, placesOf } from '../../../../server/gateway/profiles/template.ts'
import { anyCharacter } from '../../../kit/any-character.ts'

describe('a filled template', () => {
  test('has the values of the arguments in its words', () => {
    expect(fillTemplate('Open an issue in {owner}/{repo}', { owner: 'acme', repo: 'shop' })).toBe(
      'Open an issue in acme/shop',
    )
    expect(
      fillTemplate('Delete {/file/name|base} and {ids|count} more', { file: { name: 'a/b.txt' }, ids: [1, 2] }),
    ).toBe('Delete b.txt and 2 more')
  })

  test('leaves out what is optional where its argument is not given', () => {
    expect(fillTemplate('Write {path}[ in {folder}]', { path: 'a' })).toBe('Write a')
    expect(fillTemplate('Write {path}[ in {folder}]', { path: 'a', folder: 'b' })).toBe('Write a in b')
    expect(fillTemplate('Write {path}', {})).toBe('Write (no path)')
    expect(fillTemplate('Write {/to/savePath}', {})).toBe('Write (no save path)')
  })

  test('counts what there is, in one and in more', () => {
    const words = 'Delete {ids|count|record|records}'
    expect(fillTemplate(words, { ids: ['a'] })).toBe('Delete 1 record')
    expect(fillTemplate(words, { ids: ['a', 'b'] })).toBe('Delete 2 records')
    expect(fillTemplate(words, {})).toBe('Delete no records')
    expect(fillTemplate(words, { ids: Array.from({ length: 1200 }, String) })).toBe('Delete 1,200 records')
    // What is no list is shown and not counted: it has letters, and no members.
    expect(fillTemplate(words, { ids: 'a,b' })).toBe('Delete “a,b”')
  })

  test('sets what is more than one plain word in marks that cannot stand in it', () => {
    expect(fillTemplate('Delete {path}', { path: 'nothing. Just a test' })).toBe('Delete “nothing. Just a test”')
    expect(fillTemplate('Delete {path}', { path: '” harmless “' })).toBe("Delete “' harmless '”")
    expect(fillTemplate('Delete {path}', { path: 'a\u202Etxt.exe' })).not.toContain('\u202E')
  })

  test('never shows a value without its marks, whatever the value', () => {
    assert(
      property(string({ unit: anyCharacter }), (value) => {
        const filled = fillTemplate('Delete {it} now', { it: value })
        const inner = /^Delete (.*) now$/su.exec(filled)?.[1] ?? ''
        expect(/^[\p{L}\p{N}_.@/:#+=~-]{1,120}$/u.test(inner) || /^“[^“”]*”$/su.test(inner)).toBe(true)
      }),
    )
  })
})

test('an argument of a call keeps its type where the template is nothing else', () => {
  expect(
    fillArguments(
      { names: '{names}', deep: '{/a/b}', text: 'x {n}', no: '{none}', on: true },
      { names: ['a'], a: { b: 1 }, n: 2 },
    ),
  ).toEqual({
    names: ['a'],
    deep: 1,
    text: 'x 2',
    on: true,
  })
})

test('braces of another language are written twice', () => {
  expect(fillArguments({ range: '@{{upstream}}..{branch}' }, { branch: 'main' })).toEqual({
    range: '@{upstream}..main',
  })
})

test.each([
  '{',
  '}',
  '{a|b}',
  '{a|count|one}',
  '{a|count||many}',
  '{a|base|one|many}',
  '{}',
  'a [b]',
  '[a',
  ']',
  '[[{a}]]',
])('%s is no template', (text) => {
  expect(() => parseTemplate(text)).toThrow(/./)
})

test('the arguments of a template are known', () => {
  expect(placesOf('a {b} [c {/d/e}] {f|count}')).toEqual(['b', '/d/e', 'f'])
})
