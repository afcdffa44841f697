// The view is one file of at most 32 KB, and six languages do not fit into it beside everything else. English is part of
// it; what else its readers speak is known where it is served (a setting, the host's `Accept-Language`, the locale of
// the desktop), and inserted there: a data block, no second request, no network (ADR 31).

/** Beside English. With two more the file stays within its 32 KB, whichever they are. */
const mostLanguages = 2

const slot = '<script type="application/json" id="words"></script>'

/** The language of the desktop that started this process, which its reader probably wants. */
export const languagesOf = (env: Readonly<Record<string, string | undefined>>): readonly string[] =>
  ['LC_ALL', 'LC_MESSAGES', 'LANG'].flatMap((name) => env[name] ?? [])

/**
 * Languages of an `Accept-Language` header (RFC 9110, section 12.5.4), most wanted first; those that the reader refuses
 * (`q=0`) are left out.
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
 * Puts languages into the card's view.
 * @param words `words.json` of the same build: language to its packed words.
 * @param wanted language tags, most wanted first; what is not spoken is passed over.
 */
export function cardView(html: string, words: Readonly<Record<string, string>>, wanted: readonly string[]): string {
  const spoken = wanted
    .map((tag) => tag.split(/[-_.]/)[0]?.toLowerCase() ?? '')
    .filter((language, at, all) => Object.hasOwn(words, language) && all.indexOf(language) === at)
  const given = Object.fromEntries(spoken.slice(0, mostLanguages).map((language) => [language, words[language]]))
  // The data is our own, but a "</script>" in a translation must not end the block either.
  const data = JSON.stringify(given).replaceAll('<', '\\u003c')
  return html.replace(slot, () => slot.replace('></', `>${data}</`))
}
