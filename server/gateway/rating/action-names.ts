// Some arguments say what a call does: `action: "delete"`. Their names stand here once, for schemas and for calls, and so
// does what their values say. An agent writes the value, so whatever is not plainly a reading counts as more.
import { leadingVerb, readingVerb } from './tool-name.ts'
import { verbClass, type FoundVerb } from './verbs.ts'
import { wordsOf } from './words.ts'

/** Names, or last words of names, that always say what a call does. */
const always = new Set(
  (
    'operation operations op ops action actions verb verbs command commands subcommand subcommands cmd then afterwards ' +
    'method methods'
  ).split(' '),
)

/** Such that may also say when, how or how far: a cursor, a speed. */
const sometimes = new Set('mode task after do step steps instruction instructions transition function'.split(' '))

/** What a method may be of that is no action: "payment_method", "sort_method". */
const hasMethods = new Set(
  (
    'payment shipping delivery contact auth authentication verification sort sorting search ranking scoring distance ' +
    'matching calculation aggregation interpolation sampling compression encoding hash hashing encryption'
  ).split(' '),
)

/** Last words of names such as `action_type` and `operationName`, whose values may also be no more than labels. */
const labels = new Set(['type', 'name', 'kind'])

/** Words beside verbs by which a sub-command only looks. */
const looking = new Set(
  'status history info help version logs log options head none summary current details detail stats all'.split(' '),
)

/** Whether an argument of this name says what a call does; nothing where it never does. */
export function namesAction(name: string): 'always' | 'sometimes' | undefined {
  const words = wordsOf(name)
  const [whole, last] = [words.join(''), words.at(-1) ?? '']
  if (overridesMethod(words)) return 'always'
  if (['method', 'methods'].includes(last) && hasMethods.has(words.at(-2) ?? '')) return 'sometimes'
  if (always.has(whole) || always.has(last)) return 'always'
  if (sometimes.has(whole) || sometimes.has(last)) return 'sometimes'
  const labelled = words.length > 1 && labels.has(last) ? (words.at(-2) ?? '') : ''
  return always.has(labelled) || sometimes.has(labelled) ? 'sometimes' : undefined
}

/** Whether a name is that of an HTTP method: `method`, "X-HTTP-Method-Override". */
export const namesHttpMethod = (name: string): boolean => {
  const words = wordsOf(name)
  return words.join('') === 'method' || overridesMethod(words)
}

const overridesMethod = (words: readonly string[]): boolean =>
  words.includes('method') && words.some((word) => ['http', 'request', 'override'].includes(word))

/** What is longer is no name of an action. In characters. */
const longestName = 100

/** In characters; more of a text that may say anything is not looked through. */
const longestText = 10_000

/** Without what cannot be seen, and with one form for letters that look alike by their width. */
const visible = (text: string): string =>
  text
    .normalize('NFKC')
    .replace(/\p{Cf}/gu, '')
    .trim()

/**
 * What values say that a call does: a verb that acts; `unclear` where it may be anything; nothing where
 * they only read. `says`: as `namesAction` has it of the argument's name.
 */
export function actionIn(value: unknown, says: 'always' | 'sometimes'): FoundVerb | 'unclear' | undefined {
  if (value === undefined || value === null || value === false) return undefined
  if (Array.isArray(value)) {
    const found = value.flat(Infinity).map((each) => actionIn(each, says))
    return found.find((each) => typeof each === 'object') ?? found.find((each) => each !== undefined)
  }
  if (typeof value === 'object') return Object.keys(value).length === 0 ? undefined : 'unclear'
  if (typeof value !== 'string') return says === 'always' ? 'unclear' : undefined
  if (value.length > longestText) return 'unclear'
  const text = visible(value)
  if (says === 'sometimes') return verbAmong(text)
  const verb = leadingVerb(text)
  if (verb !== undefined || text === '') return verb
  // A text with a blank is a sentence, which may say more; letters of another script may look like ours.
  return isPlainReading(text) && /^[\w.-]+$/.test(text) ? undefined : 'unclear'
}

/** Things that are called like actions and carry ids: `order_8812`, `post-1`. Written otherwise it is the action. */
const thingWithId = /^(?:post|message|order|comment|invoice|trade|book|store|star)[_-](?=\w*\d)/

/** A verb among the words of a text, in whatever way they are joined; words that are mostly nouns only at the start. */
function verbAmong(text: string): FoundVerb | undefined {
  const words = text
    .split(/[^\p{L}\p{N}_-]+/u)
    .flatMap((part) => (isCursor(part) ? verbsBesideIds(part) : wordsOf(part)))
  const bare = words.map((word) => word.replace(/(?<!\p{N})\p{N}+$/u, '') || word)
  const verb = firstVerb(bare)
  if (verb !== undefined) return verb
  const isThing = thingWithId.test(text) && words.slice(1).every((word) => /\p{N}/u.test(word))
  return isThing ? undefined : leadingVerb(bare.join(' '))
}

/** In characters; 16 bytes in base64 take 22. */
const shortestCursor = 20

/**
 * Whether a text is what only a machine writes: long, of small and capital letters, in pieces shorter than words. Names in
 * camelCase may be so too, but have no capitals in a row and no digit before a letter.
 */
function isCursor(text: string): boolean {
  if (text.length < shortestCursor || !/^[\w-]+$/.test(text) || !/[a-z]/.test(text) || !/[A-Z]/.test(text)) return false
  if (!/[A-Z]{2}|\d[A-Za-z]|[_-]/.test(text)) return false
  const pieces = text.match(/[A-Z]?[a-z]+|[A-Z]+/g) ?? []
  return pieces.join('').length < 4 * pieces.length
}

/**
 * What stands before an id (`delete_Nzkx1c2VV0`), begins a name in camelCase, or is too long to stand in a cursor by
 * chance.
 */
function verbsBesideIds(text: string): readonly string[] {
  const parts = text.split(/[_-]+/).map(wordsOf)
  const before = parts
    .slice(0, -1)
    .flatMap(([word = '', ...more], at) => (more.length === 0 && word.length > (at === 0 ? 2 : 3) ? [word] : []))
  const all = wordsOf(text)
  const begins = /^[a-z]+(?:[A-Z][a-z]+){2}/.test(text) ? all.slice(0, 1) : []
  const long = all.filter((word, at) => word.length > (at === 0 ? 3 : 4))
  return [...begins, ...[...before, ...long].filter((word) => verbClass(word) !== undefined)]
}

/** Whether a text is the name of a reading, and nothing besides: one short group of words of which none acts. */
export const isPlainReading = (text: string): boolean =>
  text.length <= longestName &&
  /^[\p{L}\p{N}]+(?:[_. -][\p{L}\p{N}]+)*$/u.test(text) &&
  looks(text) &&
  firstVerb(wordsOf(text)) === undefined

/** Whether a value that a schema lists only looks. */
export function looks(value: string): boolean {
  const words = wordsOf(value)
  if (leadingVerb(value) !== undefined) return false
  return readingVerb(value) !== undefined || (words.length === 1 && looking.has(words[0] ?? ''))
}

const firstVerb = (words: readonly string[]): FoundVerb | undefined => {
  for (const word of words) {
    const found = verbClass(word)
    if (found !== undefined) return found
  }
  return undefined
}
