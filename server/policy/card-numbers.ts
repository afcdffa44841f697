// Numbers of payment cards: by their digits, by who issues them and by their check digit.
import type { SearchedText, Span } from './secret-values.ts'

/** 13 to 19 digits with blanks or dashes between them: a payment card, if its check digit is right. */
const cardLike = /(?<![\d.])\d(?:[ -]?\d){12,18}(?!\d)/g

/** Luhn's check (ISO/IEC 7812-1, annex B). */
function isCardNumber(digits: string): boolean {
  let sum = 0
  for (let i = 0; i < digits.length; i++) {
    const digit = Number(digits[digits.length - 1 - i])
    const doubled = i % 2 === 1 ? digit * 2 : digit
    sum += doubled > 9 ? doubled - 9 : doubled
  }
  return sum % 10 === 0
}

/** The first digits of cards, by length (ISO/IEC 7812): an IMEI has 15 digits and the same check digit. */
const issued: Readonly<Record<number, RegExp>> = {
  13: /^4/,
  14: /^3(?:0[0-5]|[689])/,
  15: /^(?:3[47]|1|2014|2131|2149)/,
  16: /^(?:2[2-7]|3(?:0[0-5]|[5689])|4|5|6|8[12]|9792)/,
}

const mayBeCard = (digits: string): boolean =>
  (issued[digits.length] ?? /^(?:4|5[06-9]|6)/).test(digits) && isCardNumber(digits)

/** The payment cards of a text. */
export const cardSecrets = ({ shown }: SearchedText): readonly Span[] =>
  shown.length < 13
    ? []
    : [...shown.matchAll(cardLike)]
        .filter(([digits]) => mayBeCard(digits.replace(/\D/g, '')))
        .map(({ index, 0: digits }) => ({ start: index, end: index + digits.length }))
