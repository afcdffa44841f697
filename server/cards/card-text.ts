// The same facts as the card, as one Markdown text: some clients forward only this to their model, some show only this
// to their person. It is generated from the card so that the two can never disagree.
import type { Card, CardValue } from '../model/card.ts'
import { inlineText, renderCard, renderValue, type TextFormat } from './render-text.ts'
import { showInvisibleInLines, invisible } from './invisible-characters.ts'

/** What opens a block of Markdown (CommonMark 0.31, chapters 4 and 5) where it stands first on a line. */
const opener =
  /^\s*(?:(\d{1,9})(?=[.)](?:\s|$))|(?=#{1,6}(?:\s|$)|[-+*](?:\s|$)|(?:[-*_]\s*){3}|`{3}|~{3}|[-=]+\s*$|[><|[]))/

/** Data that begins a line, or an item of a list: one line of plain text, whatever it looks like. */
export const lineText = (text: string): string =>
  inlineText(text).replace(opener, (_found, digits: string | undefined) => `${digits ?? ''}\\`)

const notInLinks = new RegExp(`[\\s<>]|${invisible.source}`, 'gv')

/** An address that cannot leave its angle brackets. */
const linkText = (url: string): string => url.toWellFormed().replace(notInLinks, (char) => encodeURIComponent(char))

/** A backslash of the data would unescape the bar that follows it, and the value would end in another column. */
const cell = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('|', '\\|')

const markdown: TextFormat = {
  line: lineText,
  strong: (text) => `**${text}**`,
  aside: (text) => `_${text}_`,
  code: (text) => `\`${text.replaceAll('`', 'ˋ')}\``,
  verbatim: (text, language) => fence(text, language),
  prose: showInvisibleInLines,
  link: (url) => `<${linkText(url)}>`,
  table: (head, rows) =>
    [
      `| ${head.map(cell).join(' | ')} |`,
      `|${' --- |'.repeat(head.length)}`,
      ...rows.map((row) => `| ${row.map(cell).join(' | ')} |`),
    ].join('\n'),
}

/** Renders a card as Markdown. The ticket and the texts of its buttons are not part of it: they belong to the card. */
export const cardText = (card: Card): string => renderCard(card, markdown)

/** One value as a person reads it, without a locale: ISO dates, decimal points, currency codes. */
export const valueText = (value: CardValue): string => renderValue(value, markdown)

/** A fence longer than any run of backticks inside, so that data cannot close it; what cannot be seen is shown. */
export function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length))
  const bar = '`'.repeat(longest + 1)
  return `${bar}${language.replace(/[^a-z0-9]/gi, '')}\n${showInvisibleInLines(text)}\n${bar}`
}

export { inlineText }
