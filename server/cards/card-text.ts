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

/** A backslash of the data would unescape the bar that follows it, and the value would end in another column. */
function cell(text: string): string {
  const pieces = text.split(/(`+)/)
  const last = new Map(pieces.map((piece, at) => [piece, at]))
  const out: string[] = []
  for (let at = 0; at < pieces.length; at++) {
    const piece = pieces[at] ?? ''
    const end = at % 2 === 1 && (last.get(piece) ?? 0) > at ? pieces.indexOf(piece, at + 1) : at
    out.push(end > at ? codeInCell(piece, pieces.slice(at + 1, end).join('')) : escapedInCell(piece))
    at = end
  }
  return out.join('')
}

const escapedInCell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')

/**
 * Within an identifier only a bar is escaped, because there a chat shows other backslashes as they are. So no odd number of them
 * can stand before a bar in one: they and the bar stand between two.
 */
function codeInCell(marks: string, text: string): string {
  const code = (piece: string): string => `${marks}${piece.replaceAll('|', '\\|')}${marks}`
  const isPadded = text.startsWith(' ') && text.endsWith(' ')
  const pieces = (isPadded ? text.slice(1, -1) : text).split(/(?<!\\)((?:\\\\)*\\\|)/)
  if (pieces.length === 1) return code(text)
  return pieces
    .map((piece, at) => {
      if (at % 2 === 1) return escapedInCell(piece)
      if (piece.trim() === '') return piece
      return code(/^[ `]|[ `]$/.test(piece) ? ` ${piece} ` : piece)
    })
    .join('')
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
