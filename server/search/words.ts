// Tool names are written for compilers (`getOrderLines`, `excel_write_to_sheet`), queries for people. Both are cut into
// the same small words here, so that a plural, an ending or a naming habit never hides a tool. Scripts without spaces
// become pairs of characters, which needs no dictionary.

const TASK_TALK =
  'please help helps want wants wish try need needs make sure able use uses used using based give gives given tell ' +
  'also include includes including etc think know like just'

const STOP = new Set(
  (
    'a about above after again all am an and any are as at be because been before being below both but by can could did ' +
    'do does doing down during each few for from further had has have having he her here hers him his how i if in into is ' +
    'it its itself me more most my no nor not now of off on once only or other our out over own per same she should so ' +
    'some such than that the their them then there these they this those through to too under until up upon us very via ' +
    'was we were what when where which while who whom why will with within without would you your yours ' +
    TASK_TALK
  ).split(' '),
)

const WORD = /[\p{L}\p{M}\p{N}]+/gu
/** The same of a text that is ASCII, as most are: found in a fraction of the time. */
const ASCII_WORD = /[A-Za-z\d]+/g
const ASCII = /^\p{ASCII}*$/u
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const LONGEST_WORD = 64
const MOST_REMEMBERED = 50_000
/** A longer piece of a text may be a window into it that keeps the whole text in memory. */
const LONGEST_REMEMBERED = 12

/** Catalogues repeat themselves: what a word becomes is worked out once. Bounded, because words come from outside. */
function remembered<T>(work: (word: string) => T): (word: string) => T {
  const known = new Map<string, T>()
  return (word) => {
    let result = known.get(word)
    if (result === undefined) {
      result = work(word)
      if (known.size < MOST_REMEMBERED && word.length <= LONGEST_REMEMBERED) known.set(word, result)
    }
    return result
  }
}

/** The words of a text in order, lower case. A compound (`camelCase`, `h264`) gives itself and then its parts. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  const isAscii = ASCII.test(text)
  for (const raw of (isAscii ? text.match(ASCII_WORD) : text.normalize('NFKC').match(WORD)) ?? [])
    if (!isAscii && PAIRED.test(raw)) pushPairs(words, raw)
    else for (const part of partsOf(raw.slice(0, LONGEST_WORD))) words.push(part)
  return words
}

function pushPairs(words: string[], raw: string): void {
  const chars = Array.from(raw)
  if (chars.length === 1) words.push(raw)
  for (let i = 0; i + 1 < chars.length; i++) words.push(`${chars[i]}${chars[i + 1]}`)
}

const partsOf = remembered((raw: string): readonly string[] => {
  const parts = raw
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .replace(/(\p{L}{2})(?=\p{N})/gu, '$1 ')
    .toLowerCase()
    .split(' ')
  return parts.length > 1 ? [raw.toLowerCase(), ...parts] : parts
})

/** Words too common in tasks to say which tool is meant. */
const isStopWord = (word: string): boolean => STOP.has(word)

/** One form for a word's plural and its -ing and -ed. Careful rather than thorough: words, not families, must meet. */
export const stem = remembered((word: string): string =>
  word.length < 4 || !/^[a-z]+$/.test(word) ? word : withoutEnding(withoutPlural(word)),
)

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word
}

function withoutEnding(word: string): string {
  const bare = word.replace(/(?:ing|ed)$/, '')
  let stemmed =
    bare !== word && bare.length >= 3 && /[aeiouy]/.test(bare) ? bare.replace(/([bdfgmnprt])\1$/, '$1') : word
  if (stemmed.length > 3 && stemmed.endsWith('e')) stemmed = stemmed.slice(0, -1)
  return stemmed.length > 3 && stemmed.endsWith('y') ? `${stemmed.slice(0, -1)}i` : stemmed
}

/**
 * Words as the index knows them: stop words gone, endings gone, and neighbours that the catalogue writes as one word
 * joined ("site map" finds `sitemap`).
 */
export function terms(words: readonly string[], vocabulary: ReadonlySet<string>): string[] {
  const found: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (!isStopWord(word)) found.push(stem(word))
    const joined = i + 1 < words.length ? word + words[i + 1]! : ''
    if (joined.length > 4 && vocabulary.has(joined)) found.push(stem(joined))
  }
  return found
}
