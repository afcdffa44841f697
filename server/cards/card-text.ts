// A card as Markdown, for clients that forward only text to their model or show only text to their user. It is generated from
// the card so that the two never disagree.
import type { Card, CardValue } from '../model/card.ts'
import { inCode, longestMarks, withoutLife, type Words } from './alive.ts'
import { inlineText, renderCard, renderValue, type TextFormat } from './render-text.ts'
import { showInvisibleInLines, invisible } from './invisible-characters.ts'

/** What opens a block of Markdown (CommonMark 0.31, chapters 4 and 5; GFM's tables) where it stands first on a line. */
const opener =
  /^\s*(?:(\d{1,9})(?=[.)](?:\s|$))|(?=#{1,6}(?:\s|$)|[-+*](?:\s|$)|(?:[-*_]\s*){3}|`{3,}[^`]*$|~{3}|[-=:][-=:|\s]*$|[><|[]))/

/** A sentence with data in it, within a line of Markdown. */
export const wordsText = (text: string, words: Words): string => words.line(inlineText(text))

/** Data within a line of Markdown. */
export const dataWords = (text: string, words: Words): string => words.data(inlineText(text))

/** What begins a line or an item of a list, escaped so that it opens no block of Markdown. */
export const atStart = (text: string): string =>
  text.replace(opener, (_found, digits: string | undefined) => `${digits ?? ''}\\`)

/** A sentence with data in it that begins a line. */
export const lineText = (text: string, words: Words): string => atStart(wordsText(text, words))

const notInLinks = new RegExp(`[\\s<>\`]|${invisible.source}`, 'gv')

/** As an identifier, which holds something: two marks beside each other would begin one that ends at two others. */
const codeText = (text: string): string => inCode(text === '' ? ' ' : text)

/** An address escaped for angle brackets. */
const linkText = (url: string): string => url.toWellFormed().replace(notInLinks, (char) => encodeURIComponent(char))

/** Where marks of code that begin there end. */
function endOfMarks(text: string, from: number): number {
  let to = from
  while (text[to] === '`') to++
  return to
}

/**
 * A backslash of the data would unescape the bar that follows it, and the value would end in another column. Read once from
 * its begin to its end, without lists of what it is made of: what others wrote may have hundreds of thousands of marks.
 */
function cell(text: string): string {
  const last = new Map<number, number>()
  for (let from = text.indexOf('`'); from !== -1;) {
    const to = endOfMarks(text, from)
    last.set(to - from, from)
    from = text.indexOf('`', to)
  }
  let [out, done] = ['', 0]
  for (let from = text.indexOf('`'); from !== -1;) {
    const begin = endOfMarks(text, from)
    const marks = begin - from
    let next = begin
    if ((last.get(marks) ?? 0) > from) {
      let end = text.indexOf('`', begin)
      while (endOfMarks(text, end) - end !== marks) end = text.indexOf('`', endOfMarks(text, end))
      out += escapedInCell(text.slice(done, from)) + codeInCell(text.slice(from, begin), text.slice(begin, end))
      next = done = end + marks
    }
    from = text.indexOf('`', next)
  }
  return out + escapedInCell(text.slice(done))
}

const escapedInCell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')

/**
 * Within an identifier only a bar is escaped, because there a chat shows other backslashes as they are. So no odd number of them
 * can stand before a bar in one: they and the bar stand between two.
 */
function codeInCell(marks: string, padded: string): string {
  const code = (piece: string): string => `${marks}${piece.replaceAll('|', '\\|')}${marks}`
  const isPadded = padded.startsWith(' ') && padded.endsWith(' ')
  const text = isPadded ? padded.slice(1, -1) : padded
  const beside = (piece: string): string => {
    if (piece.trim() === '') return piece
    return code(/^[ `]|[ `]$/.test(piece) ? ` ${piece} ` : piece)
  }
  let [out, done] = ['', 0]
  for (let bar = text.indexOf('\\|'); bar !== -1; bar = text.indexOf('\\|', bar + 2)) {
    let from = bar
    while (text[from - 1] === '\\') from--
    if ((bar - from) % 2 === 1) continue
    out += beside(text.slice(done, from)) + escapedInCell(text.slice(from, bar + 2))
    done = bar + 2
  }
  return done === 0 ? code(padded) : out + beside(text.slice(done))
}

const markdown = (words: Words): TextFormat => ({
  line: (text) => atStart(dataWords(text, words)),
  inline: (text) => dataWords(text, words),
  sentence: (text) => wordsText(text, words),
  sentenceLine: (text) => lineText(text, words),
  strong: (text) => `**${text}**`,
  aside: (text) => `_${text}_`,
  code: codeText,
  verbatim: (text, language) => fence(text, language),
  prose: (text) => words.lines(showInvisibleInLines(text)),
  link: (url) => `<${linkText(url)}>`,
  table: markdownTable,
})

/** A table of GitHub's Markdown, whatever its cells contain. */
export function markdownTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.map(cell).join(' | ')} |`
  return [line(head), `|${' --- |'.repeat(head.length)}`, ...rows.map(line)].join('\n')
}

/** Renders a card as Markdown. The ticket and the texts of its buttons are left out: only the card may hold them. */
export const cardText = (card: Card): string => withoutLife((words) => renderCard(card, markdown(words)))

/** One value as a person reads it, without a locale: ISO dates, decimal points, currency codes. */
export const valueText = (value: CardValue): string => withoutLife((words) => renderValue(value, markdown(words)))

/** A code block whose fence is longer than any in the text, so that data cannot close it; invisible characters are shown. */
export function fence(text: string, language: string): string {
  const bar = '`'.repeat(Math.max(2, longestMarks(text)) + 1)
  return `${bar}${language.replace(/[^a-z0-9]/gi, '')}\n${showInvisibleInLines(text)}\n${bar}`
}
