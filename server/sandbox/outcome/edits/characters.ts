// Signs that a word processor or a page puts in the place of those of a keyboard.
import { lineEdit, placeOf, type Edits, type Mistake } from './mistake.ts'

const plainSigns: Readonly<Record<string, string>> = {
  '“': '"',
  '”': '"',
  '„': '"',
  '«': '"',
  '»': '"',
  '‘': "'",
  '’': "'",
  '‚': ',',
  '‹': '<',
  '›': '>',
  '–': '-',
  '—': '-',
  '−': '-',
  '×': '*',
  '÷': '/',
  '⁄': '/',
  '≠': '!=',
  '≤': '<=',
  '≥': '>=',
  '，': ',',
  '：': ':',
  '；': ';',
  '（': '(',
  '）': ')',
  '＝': '=',
  '…': '...',
  '\u00a0': ' ',
  '\u200b': '',
  '\ufeff': '',
  '\u2009': ' ',
  '\u202f': ' ',
  '\u3000': ' ',
  '½': '(1/2)',
  '¼': '(1/4)',
  '¾': '(3/4)',
  '²': '**2',
  '³': '**3',
}

/** Signs of a word processor as those of a keyboard, on this line and in every other that has them outside of texts. */
export function plainCharacters(mistake: Mistake): Edits {
  const { program } = mistake
  const place = placeOf(mistake)
  if (place === undefined) return []
  const isOdd = (letter: string): boolean => Object.hasOwn(plainSigns, letter)
  const lines = program.lines.flatMap((text, at) => {
    const odd =
      at + 1 === place.line ||
      program.tokens.some((token) => token.line === at + 1 && token.kind === 'operator' && isOdd(token.text))
    return odd && text.split('').some(isOdd) ? [{ text, line: at + 1 }] : []
  })
  return lines.flatMap(({ text, line }) =>
    lineEdit(
      program,
      line,
      text
        .split('')
        .map((letter) => plainSigns[letter] ?? letter)
        .join(''),
    ),
  )
}
