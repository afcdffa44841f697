// `fc.string({ unit: 'binary' })` makes a list of all million characters of Unicode before its first text, so as to know
// them again: a second in every worker, and a hundred megabytes until its end. A number says the same.
import { nat, type Arbitrary } from 'fast-check'

const SURROGATES = { first: 0xd800, number: 0x800 }
const LAST = 0x10ffff

/** Each character of Unicode, as the unit of a text: `fc.string({ unit: anyCharacter })`. */
export const anyCharacter: Arbitrary<string> = nat(LAST - SURROGATES.number).map(
  (at) => String.fromCodePoint(at < SURROGATES.first ? at : at + SURROGATES.number),
  (text) => {
    const code = typeof text === 'string' ? text.codePointAt(0) : undefined
    if (code === undefined || String.fromCodePoint(code) !== text || /\p{Surrogate}/u.test(text))
      throw new Error('This is not one character.')
    return code < SURROGATES.first ? code : code - SURROGATES.number
  },
)
