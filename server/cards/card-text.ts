// The same facts as the card, as one Markdown text: some clients forward only this to their model, some show only this
// to their person. It is generated from the card so that the two can never disagree.
import type { Card, CardBlock, CardValue } from './card.ts'

/** Renders a card as Markdown. The ticket and the texts of its buttons are not part of it: they belong to the card. */
export function cardText(card: Card): string {
  const head = [`**${inlineText(card.title)}**`, ...(card.subtitle === undefined ? [] : [lineText(card.subtitle)])]
  const claim = card.claim === undefined ? [] : [`The agent says: “${inlineText(card.claim)}”`]
  return [head.join('\n'), ...card.blocks.map(blockText), ...claim].filter((part) => part !== '').join('\n\n')
}

/** One value as a person reads it, without a locale: ISO dates, decimal points, currency codes. */
export function valueText(value: CardValue): string {
  switch (value.kind) {
    case 'text':
      return inlineText(value.text)
    case 'code':
      return `\`${inlineText(value.text).replaceAll('`', 'ˋ')}\``
    case 'number':
      return value.unit === undefined ? value.value : `${value.value} ${inlineText(value.unit)}`
    case 'money':
      return `${value.currency} ${value.amount}`
    case 'date':
      return value.iso
    case 'boolean':
      return value.value ? 'yes' : 'no'
    case 'list':
      return value.items.length === 0 ? 'none' : value.items.map(valueText).join(', ')
    case 'unset':
      return '_not set_'
    case 'unknown':
      return '_unknown_'
    default:
      return value satisfies never
  }
}

/**
 * Data on one line. Line breaks could start a Markdown block, or pass for a sentence of ours; other controls and
 * bidi marks could hide one. They become visible code points.
 */
export function inlineText(text: string): string {
  return text
    .replace(/\s*\n\s*/g, ' ⏎ ')
    .replace(
      /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
      (char) => `[U+${(char.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}]`,
    )
}

/** What opens a block of Markdown (CommonMark 0.31, chapters 4 and 5) where it stands first on a line. */
const opener =
  /^\s*(?:(\d{1,9})(?=[.)](?:\s|$))|(?=#{1,6}(?:\s|$)|[-+*](?:\s|$)|(?:[-*_]\s*){3}|`{3}|~{3}|[-=]+\s*$|[><|[]))/

/** Data that begins a line, or an item of a list: one line of plain text, whatever it looks like. */
export const lineText = (text: string): string =>
  inlineText(text).replace(opener, (_found, digits: string | undefined) => `${digits ?? ''}\\`)

/** An address that cannot leave its angle brackets. */
const linkText = (url: string): string => url.replace(/[\s<>\p{Cc}\p{Cf}\p{Zs}]/gu, (char) => encodeURIComponent(char))

const severities = { info: 'Note', warning: 'Warning', danger: 'Problem', block: 'Blocked' } as const

function blockText(block: CardBlock): string {
  switch (block.kind) {
    case 'text':
      return block.text
    case 'effects':
      return block.effects.map((effect) => `→ ${inlineText(effect)}`).join('\n')
    case 'fields':
      return fieldsText(block.fields)
    case 'diff':
      return [
        ...block.changes.map((change) => {
          const saw = change.saw === undefined ? '' : `you saw ${valueText(change.saw)}, now `
          return `- ${lineText(change.label)}: ${saw}${valueText(change.before)} → ${valueText(change.after)}`
        }),
        ...((block.unchanged?.length ?? 0) > 0 ? [`- ${block.unchanged?.length} fields stay as they are`] : []),
      ].join('\n')
    case 'lines':
      return [
        `| ${[block.itemLabel, ...block.columns.map((column) => column.label)].map(cell).join(' | ')} |`,
        `|${' --- |'.repeat(block.columns.length + 1)}`,
        ...block.items.map((item) => {
          const name = item.id === undefined ? item.label : `${item.label} (${item.id})`
          return `| ${[cell(name), ...item.cells.map((value) => cell(valueText(value)))].join(' | ')} |`
        }),
        ...(block.totals ?? []).map((total) => `\n${lineText(total.label)}: ${valueText(total.value)}`),
      ].join('\n')
    case 'alert':
      return `**${severities[block.severity]}: ${inlineText(block.title)}**${block.text === undefined ? '' : ` ${inlineText(block.text)}`}`
    case 'code':
      return `${block.label === undefined ? '' : `${lineText(block.label)}\n`}${fence(block.text, block.language ?? '')}`
    case 'links':
      return block.links.map((link) => `- ${lineText(link.label)}: <${linkText(link.url)}>`).join('\n')
    case 'details':
      return `${lineText(block.summary)}\n${fieldsText(block.fields)}`
    default:
      return block satisfies never
  }
}

/** A backslash of the data would unescape the bar that follows it, and the value would end in another column. */
const cell = (text: string): string => inlineText(text).replaceAll('\\', '\\\\').replaceAll('|', '\\|')

const fieldsText = (fields: readonly { readonly label: string; readonly value: CardValue }[]): string =>
  fields.map((field) => `- ${lineText(field.label)}: ${valueText(field.value)}`).join('\n')

/** A fence longer than any run of backticks inside, so that data cannot close it. */
export function fence(text: string, language: string): string {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map((run) => run[0].length))
  const bar = '`'.repeat(longest + 1)
  return `${bar}${language.replace(/[^a-z0-9]/gi, '')}\n${text}\n${bar}`
}
