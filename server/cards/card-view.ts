// Translations are inserted into the card's view when it is served: the view is one file of at most 32 KB, into which six
// languages do not fit. English is part of it, and one more has room: the one that its reader wants most, by the host's
// `Accept-Language`, a setting or the locale of the desktop. It is a data block, so that the view needs no network (ADR 31).

const slot = '<script type="application/json" id="words">{'

/** The locale of the desktop that started this process. */
export const languagesOf = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  ['LC_ALL', 'LC_MESSAGES', 'LANG'].flatMap((name) => env[name] ?? [])

/**
 * Languages of an `Accept-Language` header (RFC 9110, section 12.5.4), most wanted first, without those of weight 0.
 */
export const acceptedLanguages = (header: string | null): readonly string[] =>
  (header ?? '')
    .slice(0, 1000)
    .split(',')
    .map((range) => {
      const [tag = '', ...parameters] = range.split(';').map((part) => part.trim())
      const weight = parameters.find((each) => each.startsWith('q='))?.slice(2)
      return { tag, weight: weight === undefined ? 1 : Number(weight) }
    })
    .filter(({ tag, weight }) => /^[a-z]+(?:-[a-z\d]+)*$/i.test(tag) && weight > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .map(({ tag }) => tag)

/**
 * Puts the language of its reader into the card's view.
 * @param words `words.json` of the same build: language to its packed words.
 * @param wanted language tags, most wanted first; unknown ones are ignored.
 */
export function cardView(html: string, words: Readonly<Record<string, string>>, wanted: readonly string[]): string {
  const spoken = wanted.map((tag) => tag.split(/[-_.]/)[0]?.toLowerCase() ?? '')
  const language = spoken.find((each) => Object.hasOwn(words, each))
  if (language === undefined) return html
  const given = `"${language}":${JSON.stringify(words[language])},`
  // The data is our own, but a "</script>" in a translation must not end the block either.
  return html.replace(slot, () => slot + given.replaceAll('<', '\\u003c'))
}
