// One form of a figure between the server that writes a sentence and the view that shows it. A form that a customer's
// name could take by accident would change what somebody signs.
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { figuresIn, figureText, plainFigure, plainSentence, type Figure } from '../../../server/cards/figures.ts'
import { anyCharacter } from '../../kit/any-character.ts'

const decimal = fc.stringMatching(/^-?(?:0|[1-9]\d{0,11})(?:\.\d{1,4})?$/)
const day = fc
  .date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString())
const money = fc.record({
  kind: fc.constant('money' as const),
  amount: decimal,
  currency: fc.stringMatching(/^[A-Z]{3}$/),
})
const date = fc.oneof(
  day.map((iso): Figure => ({ kind: 'date', iso: iso.slice(0, 10), precision: 'day' })),
  day.map((iso): Figure => ({ kind: 'date', iso, precision: 'minute' })),
)
const number = decimal.map((value): Figure => ({ kind: 'number', value }))
const counted = fc
  .record({ value: decimal, unit: fc.stringMatching(/^[a-zµ%°]{1,4}$/) })
  .map((facts): Figure => ({ kind: 'number', ...facts }))
const anyFigure: fc.Arbitrary<Figure> = fc.oneof(money, date, number, counted)

const before = fc.constantFrom('', 'Total ', '(', '“', '→ ', 'until\n')
const after = fc.constantFrom('', '.', ', then more', ')', ' is due', '; 3 lines', ': yes', '…')

/** What people write, and whoever wants to pass for a server. */
const imitation = fc
  .array(
    fc.oneof(
      fc.constantFrom('\u2007', '\u2011', '\u2024', '-', '.', ',', ' ', '\u00A0', '\u202F', 'T', 'Z', ':', '+'),
      fc.constantFrom('EUR', 'kg', 'x', 'ä', '0', '1', '28', '000', '5000', '2026', '11', '12:30'),
      anyFigure.map(figureText),
    ),
    { maxLength: 12 },
  )
  .map((pieces) => pieces.join(''))

describe('a figure in a sentence', () => {
  test('is found again as the value that it was, and reads without a locale as it does in a field', () => {
    fc.assert(
      fc.property(before, anyFigure, after, (start, figure, end) => {
        const sentence = `${start}${figureText(figure)}${end}`
        expect(plainSentence(sentence)).toBe(`${start}${plainFigure(figure)}${end}`)
        const found = figuresIn(sentence).filter((piece) => typeof piece !== 'string')
        const mark = /[\u2007\u2011\u2024]/.test(sentence)
        // A number with a unit ends before it, and small whole numbers are the same in every form.
        const { unit, ...value } = figure.kind === 'number' ? figure : { ...figure, unit: undefined }
        expect(found).toStrictEqual(mark ? [unit === undefined ? value : { ...value, unit: '' }] : [])
      }),
      { numRuns: 3000 },
    )
  })

  test.each<[Figure, string]>([
    [{ kind: 'money', amount: '2290.59', currency: 'EUR' }, 'EUR\u20072290.59'],
    [{ kind: 'date', iso: '2026-11-28', precision: 'day' }, '2026\u201111\u201128'],
    [{ kind: 'date', iso: '2026-11-28T12:00:00Z', precision: 'minute' }, '2026\u201111\u201128T12:00:00Z'],
    [{ kind: 'number', value: '1234567.5' }, '1\u2007234\u2007567\u20245'],
    [{ kind: 'number', value: '0.123456' }, '0\u2024123456'],
    [{ kind: 'number', value: '42' }, '42'],
    [{ kind: 'number', value: '1234', unit: 'kg' }, '1234\u2007kg'],
  ])('%j is written as %j', (figure, text) => {
    expect(figureText(figure)).toBe(text)
  })

  test.each<[Figure, string]>([
    [{ kind: 'money', amount: 'lots', currency: 'EUR' }, 'EUR lots'],
    [{ kind: 'money', amount: '5', currency: 'euro' }, 'euro 5'],
    [{ kind: 'date', iso: 'soon', precision: 'day' }, 'soon'],
    [{ kind: 'date', iso: '2026-02-30', precision: 'day' }, '2026-02-30'],
    [{ kind: 'number', value: '1e5' }, '1e5'],
  ])('%j is none, and written as it is', (figure, text) => {
    expect(figureText(figure)).toBe(text)
    expect(figuresIn(figureText(figure))).toStrictEqual([text])
  })
})

describe('any other text', () => {
  test.each([
    'EUR 5.000,00',
    'EUR\u00A05.000',
    'EUR\u20075.000,00',
    'XEUR\u20075.00',
    'EUR\u20075.00.1',
    'EUR\u20075.00kg',
    'backup-2026\u201111\u201128',
    '2026\u201111\u201128\u201101',
    '2026\u201113\u201101',
    '2026-11-28',
    '0\u2007800\u2007123\u20074567',
    '49\u2007800\u200712',
    '1\u20242\u20243',
    'WLAN\u2011Kabel',
    'co\u2011op 12',
  ])('%j is left as it is', (text) => {
    expect(figuresIn(text)).toStrictEqual([text])
    expect(plainSentence(text)).toBe(text)
  })

  test('never gains, loses or changes a character, and is only read as what a server would write for that value', () => {
    fc.assert(
      fc.property(imitation, (text) => {
        const again = figuresIn(text).map((piece) => (typeof piece === 'string' ? piece : figureText(piece)))
        expect(again.join('')).toBe(text)
      }),
      { numRuns: 5000 },
    )
  })

  test('without such a character is one piece', () => {
    fc.assert(
      fc.property(fc.string({ unit: anyCharacter, minLength: 1 }), (text) => {
        fc.pre(!/[\u2007\u2011\u2024]/.test(text))
        expect(figuresIn(text)).toStrictEqual([text])
      }),
    )
  })
})
