// Tool names are written for compilers (`getOrderLines`, `excel_write_to_sheet`), queries for people. Both are cut into
// the same small words here, so that a plural, an ending or a naming habit never hides a tool. Scripts without spaces
// become pairs of characters, which needs no dictionary.

const TASK_TALK =
  'please help helps want wants wish try need needs make sure able use uses used using based give gives given tell ' +
  'goal order task also include includes including etc think know like just'

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
const PAIRED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Thai}]/u
const LONGEST_WORD = 64

/** The words of a text in order, lower case. A compound (`camelCase`, `h264`) gives itself and then its parts. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  for (const [raw] of text.normalize('NFKC').matchAll(WORD)) {
    if (/^[a-z]+$/.test(raw)) words.push(raw.slice(0, LONGEST_WORD))
    else if (PAIRED.test(raw)) pushPairs(words, raw)
    else pushParts(words, raw.slice(0, LONGEST_WORD))
  }
  return words
}

function pushPairs(words: string[], raw: string): void {
  const chars = Array.from(raw)
  if (chars.length === 1) words.push(raw)
  for (let i = 0; i + 1 < chars.length; i++) words.push(`${chars[i]}${chars[i + 1]}`)
}

function pushParts(words: string[], raw: string): void {
  const parts = raw
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .replace(/(\p{L}{2})(?=\p{N})/gu, '$1 ')
    .toLowerCase()
    .split(' ')
  if (parts.length > 1) words.push(raw.toLowerCase())
  for (const part of parts) words.push(part)
}

/** Words too common in tasks to say which tool is meant. */
export const isStopWord = (word: string): boolean => STOP.has(word)

const stems = new Map<string, string>()
const MOST_STEMS = 50_000

/** One form for a word's plural and its -ing and -ed. Careful rather than thorough: words, not word families, must meet. */
export function stem(word: string): string {
  if (word.length < 4 || !/^[a-z]+$/.test(word)) return word
  const known = stems.get(word)
  if (known !== undefined) return known
  const stemmed = withoutEnding(withoutPlural(word))
  if (stems.size < MOST_STEMS) stems.set(word, stemmed)
  return stemmed
}

function withoutPlural(word: string): string {
  if (word.endsWith('ies') && word.length > 4) return `${word.slice(0, -3)}y`
  if (/(?:ss|sh|ch|x|z)es$/.test(word)) return word.slice(0, -2)
  return word.endsWith('s') && !/(?:ss|us|is)$/.test(word) ? word.slice(0, -1) : word
}

function withoutEnding(word: string): string {
  const bare = /^(.*[aeiouy].*)(?:ing|ed)$/.exec(word)?.[1]
  let stemmed = bare !== undefined && bare.length >= 3 ? bare.replace(/([bdfgmnprt])\1$/, '$1') : word
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
