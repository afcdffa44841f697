// A card as plain text for a terminal: without Markdown, with aligned columns, and without characters that a terminal obeys:
// an escape sequence in a customer's name must not change what an approver sees.
import type { Card } from '../model/card.ts'
import { inlineText, renderCard, type TextFormat } from './render-text.ts'

const lines = (text: string): string =>
  text
    .split(/\r?\n/)
    .map((line) => inlineText(line.replaceAll('\t', '    ')))
    .join('\n')

const plain: TextFormat = {
  line: inlineText,
  inline: inlineText,
  sentence: inlineText,
  sentenceLine: inlineText,
  strong: (text) => text,
  aside: (text) => text,
  code: (text) => text,
  verbatim: (text) =>
    lines(text)
      .split('\n')
      .map((line) => `    ${line}`.trimEnd())
      .join('\n'),
  prose: (text) => lines(text),
  link: (url) => inlineText(url),
  table: (head, rows) => {
    const widths = head.map((cell, at) =>
      Math.max(cell.length, ...rows.slice(0, 200).map((row) => row[at]?.length ?? 0)),
    )
    return [head, ...rows]
      .map((row) =>
        row
          .map((cell, at) => cell.padEnd(Math.min(widths[at] ?? 0, 40)))
          .join('  ')
          .trimEnd(),
      )
      .join('\n')
  },
}

/** Renders a card as plain text for a terminal, with the facts of `cardText` in the same order. */
export const cardPlain = (card: Card): string => renderCard(card, plain)
