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
/** The pieces of a text in order, as it writes them. */
export const piecesOf = (text: string): readonly string[] =>
  (ASCII.test(text) ? text.match(ASCII_WORD) : text.normalize('NFKC').match(WORD)) ?? []

/** The words of one piece, lower case. A compound (`camelCase`, `h264`) gives itself and then its parts. */
export const wordsIn = (piece: string): readonly string[] =>
  PAIRED.test(piece) ? pairsOf(piece) : partsOf(piece.slice(0, LONGEST_WORD))

/** The words of a text in order. */
export const splitWords = (text: string): string[] => piecesOf(text).flatMap(wordsIn)

function pairsOf(piece: string): readonly string[] {
  const chars = Array.from(piece)
  return chars.length === 1 ? chars : chars.slice(1).map((char, at) => `${chars[at]}${char}`)
}

function partsOf(raw: string): readonly string[] {
  const parts = raw
    .replace(/(\p{Ll})(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .replace(/(\p{L}{2})(?=\p{N})/gu, '$1 ')
    .toLowerCase()
    .split(' ')
  return parts.length > 1 ? [raw.toLowerCase(), ...parts] : parts
}

/** Words too common in tasks to say which tool is meant. */
export const isStopWord = (word: string): boolean => STOP.has(word)

/** One form for a word's plural and its -ing and -ed. Careful rather than thorough: words, not families, must meet. */
export const stem = (word: string): string =>
  word.length < 4 || !/^[a-z]+$/.test(word) ? word : withoutEnding(withoutPlural(word))

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

/** Two neighbours are one word, too, where the catalogue writes them so ("site map" finds `sitemap`); a shorter one is chance. */
export const SHORTEST_JOINED = 5

/** Words as the index knows them: stop words gone, endings gone, and neighbours joined that the catalogue joins. */
export function terms(words: readonly string[], isKnown: (word: string) => boolean): string[] {
  const found: string[] = []
  for (let i = 0; i < words.length; i++) {
    const word = words[i]!
    if (!isStopWord(word)) found.push(stem(word))
    const joined = i + 1 < words.length ? word + words[i + 1]! : ''
    if (joined.length >= SHORTEST_JOINED && isKnown(joined)) found.push(stem(joined))
  }
  return found
}
