// A chat renders the text of a card as Markdown, and what others wrote stands in it: a link of theirs to press, a picture that
// is loaded. Whatever would become one is an identifier there, which a chat shows as it is written (ADR 98).
import { showInvisibleInLines } from './invisible-characters.ts'

/** How a stretch of a sentence looks. */
export type Look = 'strong' | 'code' | undefined
/** A stretch of a sentence. */
export type Run = readonly [text: string, as: Look]

/**
 * What a chat that renders Markdown would make something of: links and pictures, whatever their marks were written as, addresses
 * and HTML. Names of hosts alone are none: `main.rs` and `README.md` would be some.
 */
const living = /\][([:]|!\[|<[a-z/!?]|&#|&[a-z][a-z\d]{0,40};|:\/\/|\/\/[\p{L}\p{N}]|www\.|[\p{L}\p{N}._+-]@/iu

/** Also where backslashes are gone: `remark-gfm` (react-markdown) looks for addresses in what is left then. */
const isLiving = (text: string): boolean =>
  living.test(text) || (text.includes('\\') && living.test(text.replace(/\\([!-/:-@[-`{-~])/g, '$1')))

/** Whether that is in a text, where a card is text. Also what an invisible character becomes has brackets. */
export const comesAlive = (text: string): boolean => isLiving(showInvisibleInLines(text))

/**
 * What a chat would take off as marks of emphasis (CommonMark 0.31, 6.2): asterisks that touch something, underscores at either
 * end of a word. Alone none of them is one, but another may stand in the next sentence.
 */
export const emphatic = /\*(?=\S)|(?<=\S)\*|(?<![\p{L}\p{N}_])_+(?=[^\s_])|(?<=[^\s_])_+(?![\p{L}\p{N}_])/u

/**
 * The same for data, a word or a line of it, with marks of code, those that strike out (one is enough, GFM), and backslashes,
 * also one before what comes behind a word.
 */
const losesCharacters = (text: string): boolean => emphatic.test(text) || /[`~]|\\(?:[!-/:-@[-`{-~ \t]|$)/.test(text)

/** Without the blanks around it that Markdown has no use for: other ones, and what cannot be seen, somebody has meant. */
export function trimmed(text: string): string {
  let [from, to] = [0, text.length]
  while (from < to && ' \t\n'.includes(text[from] ?? '')) from++
  while (from < to && ' \t\n'.includes(text[to - 1] ?? '')) to--
  return text.slice(from, to)
}

/**
 * Neighbours of one look are one run: two asterisks beside each other are a mark, wherever they come from, and between two
 * identifiers `marked` would look for links.
 */
export function together(runs: readonly Run[]): readonly Run[] {
  const out: [string, Look][] = []
  for (const [text, as] of runs) {
    const last = out.at(-1)
    if (text === '') continue
    if (last !== undefined && last[1] === as) last[0] += text
    else out.push([text, as])
  }
  return out
}

/** How many marks of code stand beside each other at most. A loop: what others wrote may have more runs than a call takes. */
export function longestMarks(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

/** With the blanks around it outside of it. */
export function identifier(line: string): string {
  const words = trimmed(line)
  if (words === '') return line
  const from = line.indexOf(words)
  return `${line.slice(0, from)}\`${words.replaceAll('`', 'ˋ')}\`${line.slice(from + words.length)}`
}

/**
 * As a chat reads it letter by letter (CommonMark 0.31, 6.1): between more marks of code than stand beside each other in it, with
 * a blank where one of them would stand beside those. For texts alone: the sentences of a card know one mark.
 */
export function inCode(text: string): string {
  const bar = '`'.repeat(longestMarks(text) + 1)
  const beside = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${bar}${beside}${text}${beside}${bar}`
}

/** The same with the blanks around it outside of it. */
function inCodeAlone(text: string): string {
  const words = trimmed(text)
  if (words === '') return text
  const from = text.indexOf(words)
  return `${text.slice(0, from)}${inCode(words)}${text.slice(from + words.length)}`
}

/** What becomes of words where nothing may come alive. */
export interface Words {
  /** Data on one line: each of its characters stays, also where the chat would take it off as a mark. */
  data(text: string): string
  /** A sentence with data in it, on one line. */
  line(text: string): string
  /** The same on several lines, whose lists and quotations are meant. */
  lines(text: string): string
  /** JSON of one line, which somebody may copy. */
  code(text: string): string
  /** A program of one line, in whatever language: each of its characters stays. */
  program(text: string): string
}

/** Words of one text, as they are where nothing of it comes alive. */
function asTheyAre(): Words {
  const budget = { left: mostInWords }
  return {
    // `src/*.ts and lib/*.ts` would be another path, and somebody would sign that.
    data: (text) => (losesCharacters(text) ? exactData(text, budget) : text),
    line: (text) => text,
    lines: (text) => text,
    code: (text) => (losesCharacters(text) ? exactCode(text) : text),
    program: (text) => (losesCharacters(text) ? inCodeAlone(text) : text),
  }
}

/** Marks of what a line stands in: quotations and lists with their boxes to tick. */
const containers = /^(?:[ \t]*(?:>|(?:[-+*]|\d{1,9}[.)])[ \t](?:\[[ xX]\] )?))*/

/** A fence would take what follows up to another one, and a table cut identifiers in two at its bars. */
const opensMore = (line: string): boolean =>
  /^[ \t]*~{3}/.test(line) || (/^[-:| \t]+$/.test(line) && line.includes('-') && /[:|]/.test(line))

/** Words of one text in which something would come alive. */
function inert(): Words {
  const budget = { left: mostInWords }
  return {
    data: (text) => exactData(text, budget),
    line: (text) => inertLine(text, budget),
    lines: (text) =>
      text.replace(/[^\r\n]+/g, (line) => {
        const begin = containers.exec(line)?.[0] ?? ''
        const rest = line.slice(begin.length)
        return begin + (opensMore(rest) ? inCodeAlone(rest) : inertLine(rest, budget))
      }),
    code: exactCode,
    program: inCodeAlone,
  }
}

/** To whoever reads it as JSON it stays the same: marks of code can only stand in its strings. */
function exactCode(text: string): string {
  return identifier(text.replaceAll('`', '\\u0060'))
}

/** A word that would not stay one: it comes alive, `marked` reads on from its bracket into identifiers, or it would open one. */
const opens = (word: string): boolean => /[[`]/.test(word) || isLiving(word)

/**
 * How many characters of one text, in lines that a chat would change, are looked at word by word. Megabytes of them would hold
 * up every other call for seconds.
 */
const mostInWords = 50_000

/** What is left of them. */
interface Budget {
  left: number
}

/** Whether a line is looked at word by word; another one is an identifier as a whole. */
function isWithin(budget: Budget, line: string): boolean {
  const fits = line.length <= budget.left
  if (fits) budget.left -= line.length
  return fits
}

/** Marks of code in data are characters of it. */
function exactData(line: string, budget: Budget): string {
  const isExact = (text: string): boolean => !losesCharacters(text) && !opens(text)
  if (isExact(line)) return line
  if (!isWithin(budget, line)) return inCodeAlone(line)
  return line
    .split(/([ \t]+)/)
    .map((word) => (isExact(word) ? word : inCode(word)))
    .join('')
}

/** A stretch of a sentence as it was written, and what is shown of it as an identifier. */
interface Piece {
  raw: string
  code: string | undefined
}

/**
 * In a sentence, identifiers stay, and so does weight. What stands right beside each other is one identifier, with all that was
 * written: `marked` would look for links between two, and a backslash would free what is in the one behind it.
 */
function inertLine(line: string, budget: Budget): string {
  if (!opens(line)) return line
  if (!isWithin(budget, line)) return inCodeAlone(line)
  const out: Piece[] = []
  for (const { raw, code } of piecesOf(line)) {
    const last = out.at(-1)
    if (last !== undefined && code !== undefined && (last.code !== undefined || last.raw.endsWith('\\'))) {
      last.raw += raw
      last.code = last.raw
    } else if (raw !== '') out.push({ raw, code })
  }
  return out.map(({ raw, code }) => (code === undefined ? raw : inCodeAlone(code))).join('')
}

const piecesOf = (line: string): readonly Piece[] =>
  line.split(/(`[^`]+`)/).flatMap((raw, at): readonly Piece[] => {
    // Marks around nothing are no identifier.
    if (at % 2 === 1 && trimmed(raw.slice(1, -1)) !== '') return [{ raw, code: raw.slice(1, -1) }]
    return raw.split(/([ \t]+|\*\*|[“”])/).map((word) => ({ raw: word, code: opens(word) ? word : undefined }))
  })

/**
 * A text for a chat that renders Markdown, in which nothing comes alive. Where nothing of it would, all words are as they are;
 * what is made of one depends on others beside it, so it is asked of the whole.
 */
export function withoutLife(render: (words: Words) => string): string {
  const text = render(asTheyAre())
  return isLiving(text) ? render(inert()) : text
}
