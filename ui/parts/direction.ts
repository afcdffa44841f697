// Which way a run of text is read. A browser's own rule looks at the first letter alone, and a sentence in Arabic that
// begins with an order number would be read from its wrong end; so the letters are counted instead, as the Closure Library
// does it, leaving out what stands between backticks: identifiers are Latin in every language.

const rightToLeft =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u
const words = /\p{L}[\p{L}\p{M}]*/gu

/** Of all words, the share from which a text counts as one from the right. */
const share = 0.4

/** The direction of a text; from the left where it has no letters. */
export const directionOf = (text: string): 'ltr' | 'rtl' => {
  if (!rightToLeft.test(text)) return 'ltr'
  const all = text.replace(/`[^`\n]*`|\S*[@/]\S*/g, ' ').match(words) ?? text.match(words) ?? []
  return all.filter((word) => rightToLeft.test(word)).length >= share * all.length ? 'rtl' : 'ltr'
}
