// Which languages the reader of a card wants, most wanted first: by what the client sends, else by the desktop.

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
