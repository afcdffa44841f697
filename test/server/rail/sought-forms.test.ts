// What a contract marks is hidden in whatever is written down of a call, in each form in which it gets into a text, and however
// many such values there are.
import { expect, test } from 'vitest'
import { hiderOf } from '../../../server/rail/record/marked-values.ts'

const hiding = (...values: readonly string[]) => {
  const { hide } = hiderOf({ noticed: { marked: new Set(values) } })
  return (text: string) => hide(text).replaceAll('[redacted]', '#')
}

test.each([
  ['as it is', 'a "b" c/ü', 'x a "b" c/ü y', 'x # y'],
  ['in JSON', 'a "b" c', JSON.stringify({ is: 'x a "b" c y' }), '{"is":"x # y"}'],
  ['in JSON inside of JSON', 'a "b" c', JSON.stringify({ is: JSON.stringify(['a "b" c']) }), '{"is":"[\\"#\\"]"}'],
  [
    'in an address',
    'söme/word',
    `https://a.example/?q=${encodeURIComponent('söme/word')}&r=1`,
    'https://a.example/?q=#&r=1',
  ],
  ['in an address in small letters', 'söme/word', 'q=s%c3%b6me%2fword.', 'q=#.'],
  ['in a form', 'some word', 'q=some+word&r', 'q=#&r'],
  ['several times, one after the other', 'word', 'wordword, word', '##, #'],
  ['in a long text', 'some word', `${'x'.repeat(2_000)} some word`, `${'x'.repeat(2_000)} #`],
])('a value is hidden %s', (_, value, text, left) => {
  expect(hiding(value, 'another one')(text)).toBe(left)
})

test('of values that begin alike, the longest that stands there is hidden', () => {
  const hide = hiding('code', 'code-1', 'code-1-blue', 'code-12', 'code-2')
  expect(['code-1-red', 'code-1-blue!', 'code-12', 'code-3', 'cod'].map(hide)).toStrictEqual([
    '#-red',
    '#!',
    '#',
    '#-3',
    'cod',
  ])
})

test('values that overlap are hidden as one, so that no end of one is left', () => {
  expect(hiding('abcdef', 'defghijk')('x abcdefghijk y abcdef')).toBe('x # y #')
})

test('a short value is hidden where it is the whole of something, and left within words', () => {
  const hide = hiding('ab', '7', '1.5')
  expect(hide('ab')).toBe('#')
  expect(hide('abba has 7 of 1.5')).toBe('abba has 7 of 1.5')
  expect(hide('{"a":"ab","b": 7 ,"c":[7],"ab":1.5}')).toBe('{"a":"#","b": # ,"c":[7],"#":#}')
  expect(hide(JSON.stringify({ in: JSON.stringify({ is: 'ab' }) }))).toBe('{"in":"{\\"is\\":\\"#\\"}"}')
})

test.each([
  ['with nothing in common', (at: number) => `${(at * 7919).toString(36).padStart(6, 'z')}${at.toString(36)}`],
  ['that begin alike', (at: number) => `CODE-${at.toString(36).padStart(7, '0')}`],
  [
    'of three characters',
    (at: number) => String.fromCodePoint(0x4e00 + (at % 250), 0x4e00 + Math.floor(at / 250), 0x4e00),
  ],
])('a text takes no longer with tens of thousands of values %s', (_, value) => {
  const hide = hiding(...Array.from({ length: 30_000 }, (__, at) => value(at)))
  hide('made')
  const text = `say "${value(29_999)}" or CODE-${'x'.repeat(40)} or "CODE-"`
  const started = performance.now()
  for (let times = 0; times < 2_000; times++) expect(hide(text)).toContain('say "#" or')
  // It took some 10 ms for each text.
  expect(performance.now() - started).toBeLessThan(4_000)
})
